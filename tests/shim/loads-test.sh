#!/bin/sh
# loads-test.sh: calls of a BLAS count if it is unloaded and loaded again, or contained in a library; both are unloaded.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

loads=$PWD/tests/shim/loads
libraries=$PWD/tests/shim/.libs
blas=$libraries/libtruth_blas.so

# count CALLS WORD...: records a run of this program, with so many calls in the store.
count()
{
	calls=$1
	shift
	rm -f "$work/loads.db"
	expect 0 timeout 600 "$blasprof" -q -F 0 -i loads.db -- "$@"
	expect_says out '^60$'
	expect_silent err
	selects loads.db "SELECT sum(calls) FROM threads" "$calls" "calls of $*"
}

# check WORD...: the program runs with and without blasprof, and its $calls calls are counted.
calls=60
check()
{
	expect 0 timeout 600 "$loads" 6 10 "$@"
	count "$calls" "$loads" 6 10 "$@"
}

check "$blas"
check "$libraries/libplugin.so" plugin_call "$blas"
check "$libraries/libown_blas.so" own_call
# LAPACK by SciPy's names, in two threads; the BLAS calls inside are nested
check "$libraries/libown_blas.so" own_lapack
selects loads.db "SELECT way, routine, variant, calls, work_unit FROM shapes, runs" 'lapack|dgesdd_|scipy_X_64_|60|calls' "LAPACK's calls"
# a library stays bound to its function when another library is opened globally later
check "$libraries/libown_blas.so" own_call "$libraries/libvariants_one.so" own_call_elsewhere
# even if its first call comes later, since it was opened with RTLD_NOW
check "$libraries/libown_blas.so" none "$libraries/libvariants_one.so" own_call_elsewhere

# functions that only have the names of BLAS routines get their own arguments, and do not count; their library is unloaded
check "$libraries/libplugin_begins.so" plugin_call "$blas"

# the loader's lock is held while constructors run; each waits for a thread that makes 10 calls
calls=120
export BEGINS=10
check "$libraries/libplugin_begins.so" plugin_call "$blas"
# a constructor that runs before that of the preload library
count 60 "$PWD/tests/shim/begins"
finish
