#!/bin/sh
# ompt-test.sh: what an OpenMP runtime reports to its tool as waiting is spinning, but for the time blocked and the tasks.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# check BLASPROF_OPTION...: the time that the program says it spun is in the store.
check()
{
	record_new x.db "$@" --roi=process -- "$PWD/tests/shim/ompt" 200
	spun=$(ask x.db "SELECT spin_ns FROM threads WHERE calls > 0")
	awk -v spun="$spun" 'END { exit !(spun > 0.95 * $1 && spun < 1.05 * $1) }' "$work/out" ||
		fail "blasprof $*: $spun ns spun, of $(cat "$work/out")"
}

check -F 0
check -F 99
expect 0 "$PWD/tests/shim/ompt"
expect_says out '^no tool$'
# the user's own tool comes first
OMP_TOOL_LIBRARIES=libtool.so expect 0 "$blasprof" -q -F 0 -i x.db -- "$PWD/tests/shim/ompt"
expect_says out '^no tool$'
finish
