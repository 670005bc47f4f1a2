#!/bin/sh
# debuginfod-test.sh: names of a stripped program come from the server that DEBUGINFOD_URLS names, and from it alone.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

burn=$PWD/tests/sampling/burn
stripped=$PWD/tests/sampling/burn_stripped
library=$PWD/tests/sampling/.libs/libburn.so

if ! command -v debuginfod-find >/dev/null && ! ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
	echo "SKIP: libdw has nothing to ask servers with; install libdebuginfod1"
	exit 77
fi
id=$(readelf -n "$burn" | sed -n 's/.*Build ID: *//p')
[ -n "$id" ] || { echo "SKIP: the linker gives programs no build ID" && exit 77; }
mkdir -p "$work/served/buildid/$id"
objcopy --only-keep-debug "$burn" "$work/served/buildid/$id/debuginfo"

# What the server was asked for goes to $work/asked. It ends with this test.
python3 - "$work" >"$work/port" 2>"$work/asked" <<'END' &
import functools, http.server, os, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1] + "/served")
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
END
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
eventually test -s "$work/port" || fail "the server does not start"
unset HTTP_PROXY http_proxy ALL_PROXY all_proxy
export DEBUGINFOD_CACHE_PATH="$work/debuginfod"

# profile URLS: a program without BLAS calls, and one that makes some; the samples of the function whose name only the
# debug information has are in $named.
profile()
{
	rm -f "$work/x.db"
	expect 0 env DEBUGINFOD_URLS="$1" "$blasprof" --full --roi=process -F 997 -i x.db -- \
		sh -c "'$stripped' '$library' burn_static:400 && '$train' --steps=2 1"
	named=$(sqlite3 "$work/x.db" "SELECT coalesce(sum(samples), 0) FROM functions WHERE function = 'burn_static'")
}

profile ""
if grep -q 'no samples were taken' "$work/err"; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
[ "$named" = 0 ] || fail "$named samples have the name that the program was stripped of"
[ "$(sqlite3 "$work/x.db" "SELECT coalesce(sum(samples), 0) FROM functions WHERE function LIKE 'burn_stripped+0x%'")" -ge 100 ] ||
	fail "the stripped function is not shown as object+offset"
[ "$(grep -c GET "$work/asked")" = 0 ] || fail "a server was asked that is not named"
profile "http://127.0.0.1:$(cat "$work/port")"
[ "$named" -ge 100 ] || fail "only $named samples have the name that the server knows"
grep -q "GET /buildid/$id/debuginfo" "$work/asked" || fail "the server was not asked"
sqlite3 "$work/x.db" "SELECT DISTINCT file FROM functions WHERE function = 'burn_static'" | grep -q 'burn' ||
	fail "the server's debug information gives no source line"

# A server that is not there costs a run nothing but the names.
export DEBUGINFOD_CACHE_PATH="$work/empty"
profile "http://127.0.0.1:1"
[ "$named" = 0 ] || fail "$named samples have a name from nowhere"
finish
