#!/bin/sh
# marks-test.sh: regions and progress that a program marks, a region as ROI, and what-if factors.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
marks=$PWD/tests/calls/marks

# figure TABLE KEY NAME: prints column NAME of the row in which some column is KEY ("" for the only row).
figure()
{
	"$blasprof" report -i "$work/marks.db" --format csv --table "$1" | awk -F, -v key="$2" -v name="$3" \
		'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 { found = key == ""; for (i = 1; i <= NF; i++) if ($i == key) found = 1
			if (found) print $at }'
}

# equals WHAT FIGURE WANTED: fails if they differ.
equals()
{
	[ "$2" = "$3" ] || fail "$1 is $2, not $3"
}

# near WHAT FIGURE TIMES PARTS PERCENT [NS]: fails if FIGURE differs by more than PERCENT and NS from TIMES the time that
# the program spent in these parts by its own clocks. The CPU time that was stolen there may come on top.
near()
{
	awk -v figure="${2:-0}" -v times="$3" -v parts=" $4 " -v percent="$5" -v more="${6:-0}" '
		index(parts, " " $1 " ") { spent += times * $2; stolen += times * $3 }
		END {
			off = spent * percent / 100 + more
			exit !(figure > spent - off && figure < spent + stolen + off)
		}' "$work/spent" || fail "$1 is $2, not $3 times $4 within $5 % and ${6:-0} ns: $(cat "$work/spent")"
}

# record OPTION...: records 26 steps on 2 threads.
record()
{
	record_new marks.db -F 0 "$@" -- "$marks" 2 26
	cp "$work/out" "$work/spent"
}

in_outer="other-outer other-inner other-never"
other="$in_outer other-none"
record --work steps
equals "entries of outer" "$(figure regions outer entries)" 78
equals "entries of inner" "$(figure regions inner entries)" 52
near "BLAS in inner" "$(figure regions inner blas_ns)" 1 blas-inner 3
near "other code in inner" "$(figure regions inner other_ns)" 1 other-inner 6
near "other code in outer" "$(figure regions outer other_ns)" 1 other-outer 6
equals "BLAS in outer" "$(figure regions outer blas_ns)" 0
equals "calls in inner" "$(figure regions inner calls)" 52
equals "calls in all" "$(figure threads '' calls)" 104
near "BLAS in all" "$(figure threads '' blas_ns)" 1 "blas-inner blas-none" 3
near "other code in all" "$(figure threads '' other_ns)" 1 "$other" 4
equals "steps" "$(figure threads '' work)" 104

record --roi outer
equals "calls in the ROI" "$(figure threads '' calls)" 52
near "BLAS in the ROI" "$(figure threads '' blas_ns)" 1 blas-inner 3
near "other code in the ROI" "$(figure threads '' other_ns)" 1 "$in_outer" 6

# A what-if stretches elapsed time, also while the thread has no CPU, which changes its computing time by as much.
record --what-if blas=2x
equals "calls that are not stretched" "$(sed -n 's/^short-calls //p' "$work/spent")" 0
near "stretched BLAS" "$(figure threads '' blas_ns)" 2 "blas-inner blas-none" 4 "$(figure threads '' preempted_ns)"
record --what-if other=1.5x
near "stretched other code" "$(figure threads '' other_ns)" 1.5 "$other" 5 "$(figure threads '' preempted_ns)"
near "BLAS beside it" "$(figure threads '' blas_ns)" 1 "blas-inner blas-none" 4

expect 0 "$marks" 2 3
expect_silent err
finish
