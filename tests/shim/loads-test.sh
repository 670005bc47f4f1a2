#!/bin/sh
# loads-test.sh: a BLAS that is closed while in use and loaded again, and one that a library has inside, are counted
# and unloaded.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

loads=$PWD/tests/shim/loads
libraries=$PWD/tests/shim/.libs
blas=$libraries/libtruth_blas.so

# count WORD...: sets `counted` to the calls that a run of this program counted.
count()
{
	rm -f "$work/loads.db"
	expect 0 timeout 60 "$blasprof" -q -F 0 -i loads.db -- "$@"
	expect_says out '^60$'
	expect_silent err
	counted=$("$SQLITE3" "$work/loads.db" "SELECT sum(calls) FROM threads")
}

# check WORD...: the program does what it does without blasprof, and its $calls calls are counted.
calls=60
check()
{
	expect 0 timeout 60 "$loads" 6 10 "$@"
	count "$loads" 6 10 "$@"
	[ "$counted" = "$calls" ] || fail "loads $*: $counted of $calls calls are counted"
}

check "$blas"
check "$libraries/libplugin.so" plugin_call "$blas"
check "$libraries/libown_blas.so" own_call
# LAPACK by SciPy's names, in two threads; the calls of BLAS inside are part of it
check "$libraries/libown_blas.so" own_lapack
[ "$("$SQLITE3" "$work/loads.db" "SELECT way, routine, variant, calls, work_unit FROM shapes, runs")" = \
	'lapack|dgesdd_|scipy_X_64_|60|calls' ] || fail "LAPACK's calls are not told as such"
# what a library is bound to stays so, whatever is opened for all later
check "$libraries/libown_blas.so" own_call "$libraries/libvariants_one.so" own_call_elsewhere

# the loader's lock is held while constructors run; the thread that each waits for makes 10 calls
calls=120
export BEGINS=10
check "$libraries/libplugin_begins.so" plugin_call "$blas"
# a constructor that runs before the preload library's
count "$PWD/tests/shim/begins"
[ "$counted" = 60 ] || fail "begins: $counted of 60 calls are counted"
finish
