#!/bin/sh
# python-test.sh: BLAS calls of numpy and ctypes are counted exactly, whatever library they go to.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

python=/usr/bin/python3
"$python" -c 'import numpy' 2>/dev/null || {
	echo "SKIP: $python has no numpy; install python3-numpy"
	exit 77
}
case $srcdir in
/*) calls=$srcdir/tests/clients/calls.py ;;
*) calls=$PWD/$srcdir/tests/clients/calls.py ;;
esac

# check LIBRARY...: ctypes opens each library; they have routines of the same names
check()
{
	rm -f "$work/python.db"
	expect 0 "$blasprof" -i python.db -- "$python" "$calls" "$@"
	sqlite3 -separator ' ' "$work/python.db" "SELECT routine, m, n, k, sum(calls) FROM shapes
		WHERE routine LIKE '%gemm%' GROUP BY 1, 2, 3, 4 ORDER BY 1" >"$work/counted"
	diff "$work/out" "$work/counted" >"$work/diff" && return
	fail "calls.py $*: wanted < and counted > differ"
	cat "$work/diff"
}

check libopenblas.so.0
check libopenblas.so.0 "$NETLIB"
[ "$(sqlite3 "$work/python.db" "SELECT count(*) FROM threads WHERE calls = 50")" -eq 2 ] ||
	fail "the two threads' calls are not their own"

# Processes that Python starts, by fork only and as new programs.
for way in fork spawn; do
	record_new python.db -F 0 -- "$python" "${calls%/*}/processes.py" $way
	counted=$(sqlite3 "$work/python.db" "SELECT sum(calls) FROM shapes WHERE m = 24 AND n = 16 AND k = 40")
	[ "$counted" = "$(cat "$work/out")" ] || fail "$way: $counted of $(cat "$work/out") calls are counted"
	[ "$(sqlite3 "$work/python.db" "SELECT count(*) FROM processes WHERE calls >= 20")" = 4 ] ||
		fail "$way: the calls are not of four processes"
done
finish
