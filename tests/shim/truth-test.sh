#!/bin/sh
# truth-test.sh: the intercepted f agrees with the program's own measurement within 0.01, whatever its threads do.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

truth=$PWD/tests/shim/truth

# figure NAME [TABLE]: prints a column of the only row of the table of threads, or of another table.
figure()
{
	column "${2:-threads}" "$1" -i truth.db
}

# measure THREADS F STEPS SLEEP_IN SLEEP_OUT: checks f and the number of calls. Steps take 3 ms, so that a time slice
# without a CPU, and the time between the program's and the profiler's clocks, are less than the bound.
measure()
{
	record_new truth.db -F 0 -- "$truth" "$@" 3
	cp "$work/out" "$work/wanted"
	expect 0 "$blasprof" report -i truth.db --format=tsv --table=threads --columns=calls,f_intercepted
	sed 1d "$work/out" | paste "$work/wanted" - | awk '{ exit !($4 == $1 && $5 > $2 - 0.01 && $5 < $3 + 0.01) }' ||
		fail "truth $*: calls and f are not '$(cat "$work/wanted")' but '$(sed 1d "$work/out")':
			$(sqlite3 -line "$work/truth.db" "SELECT * FROM threads WHERE calls > 0")"
}

# The sequence for the replay model has all calls but the first, since there is no gap before that. Only the last byte of
# each stored number is below 80 hex.
sequence()
{
	record_new truth.db -F 0 -- "$truth" 1 0.5 200
	pairs=$(ask truth.db "SELECT hex(pairs) FROM pairs" | fold -w 2 | grep -c '^[0-7]')
	[ "$pairs" -eq $((2 * ($(figure calls) - 1))) ] || fail "$(figure calls) calls left $pairs numbers in the sequence"
	[ "$(figure calls)" -gt 100 ] || fail "truth made $(figure calls) calls only"
}

# With more threads than CPUs, time without a CPU is not booked as blasprof's own cost, wherever it was lost.
many_threads()
{
	threads=$(($(nproc) * 4))
	OPENBLAS_NUM_THREADS=1 record_new truth.db -F 0 -- "$PWD/workloads/train" $threads --steps 100
	awk -v own="$(figure own_ns runs)" -v roi="$(figure roi_ns runs)" -v threads=$threads \
		'BEGIN { exit !(own < 0.1 * roi * threads) }' ||
		fail "$(figure own_ns runs) ns of $threads times $(figure roi_ns runs) ns are blasprof's own"
}

for threads in 1 2 4; do
	measure $threads 0.5 60 0 0
	for f in 0.1 0.9; do
		measure $threads $f 60 0 0
		measure $threads $f 40 500 0
		measure $threads $f 40 0 500
		measure $threads $f 30 300 700
	done
done
# A program that disables perf events also disables those that count the switches of its threads.
export TRUTH_DISABLES=1
measure 1 0.9 40 500 0
measure 2 0.5 30 300 700
unset TRUTH_DISABLES
sequence
many_threads
finish
