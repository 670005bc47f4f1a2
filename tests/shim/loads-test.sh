#!/bin/sh
# loads-test.sh: a BLAS that is closed while in use and loaded again, and one that a library has inside, are counted
# and unloaded.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

loads=$PWD/tests/shim/loads
libraries=$PWD/tests/shim/.libs
blas=$libraries/libtruth_blas.so

# check WORD...: the program does what it does without blasprof, and its 60 calls are counted.
check()
{
	rm -f "$work/loads.db"
	expect 0 "$loads" 6 10 "$@"
	expect 0 "$blasprof" -q -F 0 -o loads.db -- "$loads" 6 10 "$@"
	expect_says out '^60$'
	expect_silent err
	counted=$("$SQLITE3" "$work/loads.db" "SELECT sum(calls) FROM threads")
	[ "$counted" = 60 ] || fail "loads $*: $counted of 60 calls are counted"
}

check "$blas"
check "$libraries/libplugin.so" plugin_call "$blas"
check "$libraries/libown_blas.so" own_call
# what a library is bound to stays so, whatever is opened for all later
check "$libraries/libown_blas.so" own_call "$libraries/libvariants_one.so" own_call_elsewhere
finish
