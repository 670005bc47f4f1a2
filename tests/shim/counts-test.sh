#!/bin/sh
# counts-test.sh: the call count of every routine is right, on three BLAS libraries.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# check PROGRAM LIBRARY THREADS
check()
{
	record_new counts.db -F 0 -- "$PWD/tests/shim/$1" "$2" "$3"
	sort "$work/out" >"$work/wanted"
	"$blasprof" report -i "$work/counts.db" --format csv --table shapes |
		awk -F, 'NR > 1 { calls[$2] += $8 } END { for (r in calls) print r, calls[r] }' |
		sort >"$work/counted"
	[ "$(wc -l <"$work/wanted")" -gt 250 ] || fail "$1 called only $(wc -l <"$work/wanted") routines"
	diff "$work/wanted" "$work/counted" >"$work/diff" && return
	fail "$1 $2 $3: wanted < and counted > differ"
	head -20 "$work/diff"
}

check counts-openblas libopenblas.so.0 3
check counts-blis libblis.so.4 3
check counts-netlib "$NETLIB" 3
finish
