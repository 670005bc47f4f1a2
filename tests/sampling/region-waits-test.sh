#!/bin/sh
# region-waits-test.sh: the report knows how long a program waited where in which of its regions.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

waits=$PWD/tests/sampling/region_waits
export OPENBLAS_NUM_THREADS=1

# Compares each line that the program printed with the report's row; says how far off they are.
compare()
{
	expect 0 "$blasprof" --roi=process -q -i "$1.db" -- "$waits" 5
	cp "$work/out" "$work/truth"
	expect 0 "$blasprof" report --store="$1.db" --format=csv --table=waits --columns=region,kind,caller,total_ns
	awk -F, -v truth="$work/truth" '
		BEGIN { while ((getline line < truth) > 0) { split(line, part, " "); want[part[1]] = part[2]; most[part[1]] = part[3] } }
		NR > 1 { sum[$1 "," $2 "," $3] += $4 }
		END {
			for (place in want) {
				off = sum[place] / (sum[place] < want[place] ? want[place] : sum[place] > most[place] ? most[place] : sum[place]) - 1
				printf "%s: %.1f ms, in the report %+.2f %%\n", place, want[place] / 1e6, off * 100
				places++
				if (off > 0.02 || off < -0.02 || want[place] < 5e7)
					bad = 1
			}
			exit bad || places != 6
		}' "$work/out" >"$work/compared"
}

expect 0 "$blasprof" --full --roi=process -i first.db -- "$waits" 1
waits_known first.db || exit 77
expect_says err 'called at  *region$'
expect_says err 'pthread_barrier_wait  *region_waits.c:[0-9]*  *late'
compare waits || {
	fail "waits by region are more than 2 % off"
	cat "$work/compared" "$work/out"
}
cat "$work/compared"

expect 0 "$blasprof" report --store=first.db --by=wait
expect_says out 'late  *barrier  *pthread_barrier_wait  *wait_at_barrier'
finish
