#!/bin/sh
# marks-test.sh: regions and progress that a program marks, the ROI taken from a region, and what-if factors.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
marks=$PWD/tests/calls/marks

# figure TABLE KEY NAME: column NAME of the row in which some column is KEY ("" for the only row).
figure()
{
	"$blasprof" report -i "$work/marks.db" --format csv --table "$1" | awk -F, -v key="$2" -v name="$3" \
		'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 { found = key == ""; for (i = 1; i <= NF; i++) if ($i == key) found = 1
			if (found) print $at }'
}

# near WHAT FIGURE WANTED PERCENT [NS]: within so many percent, and so many ns more.
near()
{
	awk -v a="${2:-0}" -v b="$3" -v off="$4" -v ns="${5:-0}" 'BEGIN { off = b * off / 100 + ns; exit !(a > b - off && a < b + off) }' ||
		fail "$1 is $2, not $3 within $4 % and ${5:-0} ns"
}

# record OPTION...: 2 threads, 100 steps.
record()
{
	rm -f "$work/marks.db"
	expect 0 "$blasprof" -q -F 0 -i marks.db "$@" -- "$marks" 2 100
}

check_regions()
{
	record --work steps
	near "entries of outer" "$(figure regions outer entries)" 300 0.01
	near "entries of inner" "$(figure regions inner entries)" 200 0.01
	near "BLAS in inner" "$(figure regions inner blas_ns)" 240000000 3
	near "other code in inner" "$(figure regions inner other_ns)" 80000000 6
	near "other code in outer" "$(figure regions outer other_ns)" 160000000 6
	near "BLAS in outer" "$(($(figure regions outer blas_ns) + 1))" 1 0.01
	near "calls in inner" "$(figure regions inner calls)" 200 0.01
	near "calls in all" "$(figure threads '' calls)" 400 0.01
	near "f in all" "$(figure threads '' f_intercepted)" 0.45 2
	near "steps" "$(figure threads '' work)" 400 0.01
	near "BLAS in all" "$(figure threads '' blas_ns)" 360000000 3
}

check_roi()
{
	record --roi outer
	near "calls in the ROI" "$(figure threads '' calls)" 200 0.01
	near "BLAS in the ROI" "$(figure threads '' blas_ns)" 240000000 3
	near "other code in the ROI" "$(figure threads '' other_ns)" 240000000 6
}

# What is stretched is the time by the clock, also where the thread has no CPU: it computes less or more by as much.
check_what_if()
{
	record --what-if blas=2x
	near "stretched BLAS" "$(figure threads '' blas_ns)" 720000000 4 "$(figure threads '' preempted_ns)"
	record --what-if other=1.5x
	near "stretched other code" "$(figure threads '' other_ns)" 660000000 5 "$(figure threads '' preempted_ns)"
	near "BLAS beside it" "$(figure threads '' blas_ns)" 360000000 4
}

# Times are checked, on a machine that others use too: the best of three counts.
for check in check_regions check_roi check_what_if; do
	before=$failures
	for attempt in 1 2 3; do
		failures=$before
		$check
		[ "$failures" -ne "$before" ] || break
		echo "attempt $attempt of $check failed"
	done
done

expect 0 "$marks" 2 3
expect_silent err

# Any number of names is kept apart.
rm -f "$work/marks.db"
expect 0 "$blasprof" -q -F 0 -i marks.db -- "$marks" 1 0 1000
near "calls in the last of 1,000 regions" "$(figure regions r999 calls)" 1 0.01
near "calls in the region after them" "$(figure regions last calls)" 10 0.01
rm -f "$work/marks.db"
expect 0 "$blasprof" -q -F 0 -i marks.db --roi last -- "$marks" 1 0 1000
near "calls in the ROI after 1,000 regions" "$(figure threads '' calls)" 10 0.01
finish
