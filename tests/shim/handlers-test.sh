#!/bin/sh
# handlers-test.sh: a signal or fork while the preload library holds a lock causes no deadlock, and no call is lost.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

libraries=$PWD/tests/shim/.libs

# check WAY THREADS: the store has as many calls as the program prints, of THREADS threads.
check()
{
	record_new handlers.db -F 0 -- "$PWD/tests/shim/handlers" "$1" "$libraries/libplugin.so" "$libraries/libtruth_blas.so"
	expect_silent err
	found=$(ask handlers.db "SELECT sum(calls), count(*) FROM threads WHERE calls > 0")
	[ "$found" = "$(cat "$work/out")|$2" ] || fail "$1: $found, not $(cat "$work/out") calls of $2 threads"
}

check attach 2
check lookup 1
check fork 2
finish
