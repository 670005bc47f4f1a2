#!/bin/sh
# debuginfod-test.sh: names of a stripped program come from the server in DEBUGINFOD_URLS, and only from it.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

burn=$PWD/tests/sampling/burn
stripped=$PWD/tests/sampling/burn_stripped
library=$PWD/tests/sampling/.libs/libburn.so

if ! command -v debuginfod-find >/dev/null && ! ldconfig -p | grep -q 'libdebuginfod\.so\.1'; then
	echo "SKIP: libdw cannot ask servers without libdebuginfod1; install it"
	exit 77
fi
id=$(readelf -n "$burn" | sed -n 's/.*Build ID: *//p')
[ -n "$id" ] || { echo "SKIP: the linker gives programs no build ID" && exit 77; }
mkdir -p "$work/served/buildid/$id"
objcopy --only-keep-debug "$burn" "$work/served/buildid/$id/debuginfo"

# The server logs its requests in $work/asked.
python3 - "$work" >"$work/port" 2>"$work/asked" <<'END' &
import functools, http.server, os, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1] + "/served")
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()
END
server=$!
trap 'kill $server; clean' EXIT
eventually test -s "$work/port" || fail "the server does not start"
unset HTTP_PROXY http_proxy ALL_PROXY all_proxy
export DEBUGINFOD_CACHE_PATH="$work/debuginfod"

# profile URLS: profiles a program without BLAS calls and one with some; sets $named to the samples of a function whose
# name is only in the debug information.
profile()
{
	rm -f "$work/x.db"
	expect 0 env DEBUGINFOD_URLS="$1" "$blasprof" --full --roi=process -F 997 -i x.db -- \
		sh -c "'$stripped' '$library' burn_static:400 && '$train' --steps=2 1"
	named=$(ask x.db "SELECT coalesce(sum(samples), 0) FROM functions WHERE function = 'burn_static'")
}

profile ""
[ "$named" = 0 ] || fail "$named samples have a name that was stripped"
[ "$(ask x.db "SELECT coalesce(sum(samples), 0) FROM functions WHERE function LIKE 'burn_stripped+0x%'")" -ge 100 ] ||
	fail "the stripped function is not shown as object+offset"
[ "$(grep -c GET "$work/asked")" = 0 ] || fail "the server was asked without being named"
profile "http://127.0.0.1:$(cat "$work/port")"
[ "$named" -ge 100 ] || fail "only $named samples have the name that the server knows"
grep -q "GET /buildid/$id/debuginfo" "$work/asked" || fail "the server was not asked"
ask x.db "SELECT DISTINCT file FROM functions WHERE function = 'burn_static'" | grep -q 'burn' ||
	fail "the server's debug information gives no source line"

# Without the server, only the names are missing.
export DEBUGINFOD_CACHE_PATH="$work/empty"
profile "http://127.0.0.1:1"
[ "$named" = 0 ] || fail "$named samples have a name from nowhere"
finish
