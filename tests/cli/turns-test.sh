#!/bin/sh
# turns-test.sh: without -t, N is the number of threads that work at the same time, or what the command names.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || finish
turns=$PWD/tests/cli/turns

# says THREADS REST WORD...: expects that a run of the program has N threads, and what the last line ends with.
says()
{
	rm -f turns.db
	expect 0 "$blasprof" -i turns.db -- "$turns" "$3" ${4:+"$4"} ${5:+"$5"}
	waits_known turns.db || finish
	expect 0 "$blasprof" report -i turns.db --table=causes --columns=sentence --format=csv
	expect_says out "$1: "
	expect 0 "$blasprof" report --full -i turns.db
	expect_says out "^for the speed-up, run.*: blasprof .*-- .*turns $2\$"
}

says '2 threads at a time, of 4 that take turns' in-turn in-turn
says '2 threads' 'in-turn -@ {}' in-turn -@ 2
says '4 threads' 'in-turn --pools 1' in-turn --pools 4
says '4 threads' at-once at-once
says '4 threads' 'at-once -@ 2' at-once -@ 2
finish
