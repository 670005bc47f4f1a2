#!/bin/sh
# ends-test.sh: however the program ends, every call that returned is in the store, and the exit status is unchanged.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# check WAY CALLS STATUS COUNTED
check()
{
	rm -f "$work/ends.db"
	expect "$3" "$blasprof" -q -F 0 -i ends.db -- "$PWD/tests/shim/ends" "$1" "$2"
	expect_silent out
	counted=$(column shapes calls -i ends.db | sum)
	[ "$counted" -eq "$4" ] || fail "$1: $counted calls in the store, not $4"
	[ "$(column latencies calls --top=0 -i ends.db | sum)" -eq "$4" ] ||
		fail "$1: the histograms do not have all calls"
}

check exit 1000 0 1000
check _exit 1000 7 1000
check abort 1000 134 1000
check kill 1000 137 1000
check segv 1000 139 1000
check thread 1000 0 1000
check threads 300 0 300
check cancel 1000 0 2000
check fork 1000 0 2000
check shapes 400 0 400
check shapes 3000 0 3000
"$blasprof" report --full -i "$work/ends.db" >"$work/out" 2>"$work/err"
expect_says out 'more shapes than the table holds'
# The library is noted, although only one of its routines is looked up.
expect_says out '^BLAS  .*libtruth_blas'

# If the preload library does not know the version of the session, the number at byte 8 of its control file, blasprof says so.
expect 0 "$blasprof" -F 0 -q -- sh -c "printf '\\377' | dd of=\"\$BLASPROF_SESSION/session\" bs=1 seek=8 conv=notrunc 2>dd
	exec '$PWD/tests/shim/ends' exit 1000"
expect_says err 'the preload library is of another version than blasprof: process [0-9]* (ends); install'
finish
