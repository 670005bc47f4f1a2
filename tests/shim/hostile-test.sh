#!/bin/sh
# hostile-test.sh: programs that do to themselves what few do are left as they are, and their calls counted.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

hostile=$PWD/tests/shim/hostile

# made FILE: the calls that the program has counted itself.
made()
{
	od -An -t u8 "$work/$1" | tr -d ' '
}

# run WAY: without blasprof, and with it; what both print must be equal, and how they end.
run()
{
	rm -f "$work/alone" "$work/own" "$work/hostile.db"
	status=0
	(cd "$work" && exec "$hostile" alone "$1") >"$work/out.alone" 2>"$work/err.alone" </dev/null || status=$?
	expect $status "$blasprof" -q -F 0 -i hostile.db -- "$hostile" own "$1"
	cmp "$work/out.alone" "$work/out" && cmp "$work/err.alone" "$work/err" || fail "$1 prints something else"
	counted=$("$SQLITE3" "$work/hostile.db" "SELECT sum(calls) FROM threads")
}

# check WAY...: each call is in the store.
check()
{
	for way; do
		run "$way"
		[ "$counted" = "$(made own)" ] || fail "$way: $counted of $(made own) calls are counted"
	done
}

# check_walled WAY CODE: what the program shuts out is said, and only what came after that can be missing.
check_walled()
{
	run "$1"
	[ "$counted" -ge 1500 ] && [ "$counted" -le "$(made own)" ] || fail "$1: $counted of $(made own) calls are counted"
	[ "$("$SQLITE3" "$work/hostile.db" "SELECT count(*) > 0 FROM notes WHERE code = '$2'")" = 1 ] ||
		fail "$1: nothing says $2"
}

check all closefds closeall fds300 fdsfull fdsfulllater
check clone clonevm clonevfork vfork vforkexec spawn execthread chain forkthread
check seccompperf dumpable deathsig locked coroutines smallstack sigstack timer blocked keys atexit quick nonblock
# (Under ThreadSanitizer no program ends, alone either, whose main thread leaves before the others: its own thread stays.)
grep -q __tsan_init "$hostile" || check mainexit
[ "$(uname -m)" != x86_64 ] || check jit
check_walled limits session_file_limit
check_walled seccomp session_shut_out
if [ "$(id -u)" -eq 0 ]; then
	check clonepid seteuid
	check_walled setuid session_shut_out
	check_walled chroot session_shut_out
fi
finish
