#!/bin/sh
# jumps-test.sh: in whatever way a call of BLAS is left or interrupted, every later call counts, and so does one that continues;
# also if that happens while the preload library holds a lock.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

jumps=$PWD/tests/shim/jumps
libraries=$PWD/tests/shim/.libs

# record OPTION... WAY: the program ends, and prints no error.
record()
{
	rm -f "$work/jumps.db"
	expect 0 timeout 600 "$blasprof" -q -F 0 -i jumps.db "$@" "$libraries/libtruth_blas.so" "$libraries/libplugin.so"
	expect_silent err
}

# check WAY OPTION...: the store has as many calls as the program prints.
check()
{
	way=$1
	shift
	record "$@" -- "$jumps" "$way"
	mv "$work/out" "$work/wanted"
	[ "$(figure calls)" = "$(cat "$work/wanted")" ] || fail "$way: $(figure calls) calls, not $(cat "$work/wanted")"
	[ "$(column latencies calls --top=0 -i jumps.db | sum)" = "$(cat "$work/wanted")" ] || fail "$way: the histograms do not have all calls"
	# Each moment of a thread is counted once: as BLAS, other code or off the CPU.
	selects jumps.db "SELECT count(*) FROM threads WHERE blas_ns < 0 OR other_ns < 0" 0 "$way: negative times"
}

# figure COLUMN: prints the sum over all threads.
figure()
{
	ask jumps.db "SELECT sum($1) FROM threads"
}

for way in same deeper handler unwind cancel; do
	check $way
done
check outside --roi roi
check progress --work steps
selects jumps.db "SELECT work FROM runs" 3.0 "progress that is marked"
for way in units joins waits inside cancel; do
	check $way --what-if units=1
	check $way --what-if units=1 --timeline
done

# storm OPTION...: no jump, at any moment, blocks other threads or hides later calls.
storm()
{
	record "$@" -- "$jumps" storm
	read -r returned begun <"$work/out"
	counted=$(figure calls)
	[ "$counted" -ge "$returned" ] && [ "$counted" -le "$begun" ] ||
		fail "storm $*: $counted calls, of $begun, $returned of which returned"
}
storm
storm --what-if units=1
# ThreadSanitizer does not support other stacks, and delays signals.
grep -q __tsan "$jumps" || {
	for way in unmapped above below marks; do
		check $way
	done
	selects jumps.db "SELECT calls FROM regions WHERE name = 'after'" 3 'calls in a region after jumps out of marks'
}

# A call in a signal handler counts for its thread; a signal or a fork while the preload library holds a lock causes no deadlock.
for case in attach:2 lookup:1 fork:2 nested:1 two:1; do
	check ${case%:*}
	selects jumps.db "SELECT count(*) FROM threads WHERE calls > 0" "${case#*:}" "${case%:*}: threads with calls"
done
finish
