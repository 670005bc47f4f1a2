#!/bin/sh
# workload-test.sh: the transformer makes the published number of calls per step: 24 forward, 72 with backward.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# calls PROGRAM STEPS: prints the number of intercepted calls of that many steps.
calls()
{
	record_new calls.db -F 0 -- "$PWD/workloads/$1" --steps "$2" 1
	column shapes calls -i calls.db | sum
}

# check PROGRAM IN_BLOCKS A_STEP: the program prints these numbers of calls, and the difference between two runs agrees.
check()
{
	ten=$(calls "$1" 10)
	thirty=$(calls "$1" 30)
	grep -q "sgemm-in-blocks $2 sgemm-a-step $3" "$work/out" ||
		fail "$1 does not say $2 calls in the blocks, $3 in all"
	[ $(((thirty - ten) / 20)) -eq "$3" ] && [ $(((thirty - ten) % 20)) -eq 0 ] ||
		fail "$1: 20 steps make $((thirty - ten)) calls, not $((20 * $3))"
}

check train 72 75
check infer 24 25
finish
