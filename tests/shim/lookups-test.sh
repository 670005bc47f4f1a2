#!/bin/sh
# lookups-test.sh: dlerror() reports the program's own look-ups, and none of the preload library.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

libraries=$PWD/tests/shim/.libs

# check [NAME [WAY]]: the output is the same as without blasprof, and the calls are counted.
check()
{
	expect 0 "$PWD/tests/shim/lookups" "$libraries/libplugin.so" "$libraries/libtruth_blas.so" "$@"
	mv "$work/out" "$work/alone"
	record_new lookups.db -F 0 -- "$PWD/tests/shim/lookups" "$libraries/libplugin.so" "$libraries/libtruth_blas.so" "$@"
	expect_silent err
	diff "$work/alone" "$work/out" || fail "lookups $*: dlerror() returns < without, and > with blasprof"
	selects lookups.db "SELECT sum(calls) FROM threads" 4 "calls of lookups $*"
}

check
check nothing_there
for way in nothing dlopen dlopen-none dlclose dlsym dlsym-none dlvsym-none dlinfo dlinfo-none dladdr dladdr-none; do
	check nothing_there $way
done
finish
