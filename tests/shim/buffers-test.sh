#!/bin/sh
# buffers-test.sh: threads that queue for a unit have buffers of their own in OpenBLAS, and its pool is never emptied.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/common.sh"

buffers=$PWD/tests/shim/buffers
case $(uname -m) in
x86_64 | aarch64) ;;
*)
	echo "threads share OpenBLAS's buffers on $(uname -m)"
	exit 77
	;;
esac

# check PARENT CHILD OPTIONS THREADS M: what the program says of itself and of its forked child, with each library.
check()
{
	for library in pool_blas pool_blas_sealed; do
		# shellcheck disable=SC2086
		expect 0 "$blasprof" -q -F 0 -o buffers.db $3 -- "$buffers" "$PWD/tests/shim/.libs/lib$library.so" "$4" "$5"
		expect_says out "^parent had $1\$"
		expect_says out "^child had $2\$"
		expect_silent err
	done
}

# As they are, all take the first one.
check "1, each at most 1, taken 0" "1, each at most 1, taken 0" "" 3 1
check "1, each at most 1, taken 0" "1, each at most 1, taken 0" "--what-if=blas=1.5x" 3 1
# Two of four may keep one; the others share what is free next.
check "2, each at most 1, taken 0" "2, each at most 1, taken 0" "--what-if=units=1" 2 1
check "3, each at most 1, taken 0" "3, each at most 1, taken 0" "--what-if=units=1" 3 1
check "3, each at most 1, taken 0" "3, each at most 1, taken 0" "--what-if=units=2" 12 1
# Calls that take a second one get the first that is free: the second thread's, until that keeps it.
check "3, each at most 3, taken 0" "3, each at most 3, taken 0" "--what-if=units=1" 2 2
finish
