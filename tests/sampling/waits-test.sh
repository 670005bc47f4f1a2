#!/bin/sh
# waits-test.sh: the report knows how long a thread waited on what, and in which line.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

waits=$PWD/tests/sampling/waits
export OPENBLAS_NUM_THREADS=1

# Compares each line that the program printed with the report's row; says how far off they are.
compare()
{
	expect 0 "$blasprof" --roi=process -q -i $1.db -- "$waits" 5 2
	cp "$work/out" "$work/truth"
	expect 0 "$blasprof" report --store=$1.db --format=tsv --table=waits \
		--columns=kind,function,caller,file,line,total_ns,role
	awk -F '\t' -v truth="$work/truth" -v source="$srcdir/tests/sampling/waits.c" '
		BEGIN {
			while ((getline line < truth) > 0) { split(line, part, " "); want[part[1]] = part[2]; most[part[1]] = part[3] }
			while ((getline line < source) > 0) text[++lines] = line
		}
		$7 == "caller" {
			place = $1 "," $2 "," $3
			sum[place] += $6
			if (place in want && $6 > want[place] / 2 && ($4 !~ /waits\.c$/ || index(text[$5 + 0], called($2)) == 0)) {
				print "not at a call of " $2 ": " $0
				bad = 1
			}
		}
		function called(name) { return name == "wait4" ? "waitpid(" : name "(" }
		END {
			for (place in want) {
				off = sum[place] / (sum[place] < want[place] ? want[place] : sum[place] > most[place] ? most[place] : sum[place]) - 1
				printf "%s: %.1f ms, in the report %+.2f %%\n", place, want[place] / 1e6, off * 100
				places++
				if (off > 0.02 || off < -0.02 || want[place] < 5e7)
					bad = 1
			}
			exit bad || places != 11
		}' "$work/out" >"$work/compared"
}

expect 0 "$blasprof" --full --roi=process -i first.db -- "$waits" 1 2
waits_known first.db || exit 77
compare waits || {
	fail "waits are more than 2 % off"
	cat "$work/compared" "$work/out"
}
cat "$work/compared"

# Which locks and barriers cost speed-up stands in the report, and all parts add up to the loss.
expect 0 "$blasprof" --roi=process -q -i lost.db -- "$waits" 3 1
expect 0 "$blasprof" --full --roi=process -i lost.db -- "$waits" 3 2
expect_says err 'What the callers waited on at 2 threads'
expect 0 "$blasprof" report --store=lost.db --format=csv
speedup=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } $column["threads"] == 2 { print $column["speedup"] }' "$work/out")
expect 0 "$blasprof" report --store=lost.db --format=csv --table=lost
expect_says out 'mutex: pthread_mutex_lock, called by wait_on_mutex'
expect_says out 'barrier: pthread_barrier_wait, called by wait_at_barrier'
awk -F, -v speedup="$speedup" '$1 == 2 { sum += $NF } END { off = sum - (2 - speedup); exit !(off < 1e-6 && off > -1e-6) }' "$work/out" ||
	fail "what lost speed-up does not add up to 2 less $speedup"

# Without stacks there is no place, and the time is still there.
expect 0 "$blasprof" --call-graph=none --roi=process -q -i none.db -- "$waits" 2 2
expect 0 "$blasprof" report --store=none.db --format=csv --table=waits
expect_says out ',caller,unknown,,,'
finish
