#!/bin/sh
# sampling.sh: what sampling costs `train 2` beside perf record, what each writes, and how long reports take.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-3500}
train=$PWD/workloads/train
usage=$PWD/tests/bench/usage
samples=${SAMPLES:-1000000}
OPENBLAS_NUM_THREADS=1 # a pool of threads that spin at the start makes short runs differ by luck
export OPENBLAS_NUM_THREADS
if ! perf record -q -e cpu-clock -o "$work/perf.data" true 2>/dev/null; then
	echo "sampling.sh: no perf record here, so there is nothing to compare with (Debian: linux-perf)"
	exit 77
fi

# measure NAME WORD...: runs train with the words before it. The profiler's CPU time is what is not train's.
measure()
{
	name=$1
	shift
	"$usage" "$work/all" "$@" "$usage" "$work/train" "$train" --steps "$steps" 2 2>/dev/null |
		sed -n 's|.*trn/s \([0-9.]*\).*|\1|p' >"$work/rate"
	read -r _ _ all_s <"$work/all"
	read -r _ _ train_s <"$work/train"
	echo "$(cat "$work/rate") $train_s $all_s" >"$work/now.$name"
}

# relate NAME BEFORE AFTER: how much longer train took, on the clock and in CPU time, than in the plain
# runs on both sides.
relate()
{
	cat "$work/now.$1" "$2" "$3" | awk '{ rate[NR] = $1; cpu[NR] = $2 } NR == 1 { rest = $3 - $2 }
		END { print sqrt(rate[2] * rate[3]) / rate[1], cpu[1] / sqrt(cpu[2] * cpu[3]), rest }' >>"$work/relative.$1"
}

# column NAME FIELD: the median.
column()
{
	cut -d ' ' -f "$2" "$work/relative.$1" >"$work/column"
	median "$work/column"
}

# ratio_of FIELD: the median of blasprof's figure over perf's of the same round.
ratio_of()
{
	paste -d ' ' "$work/relative.ours" "$work/relative.theirs" |
		awk -v f="$1" '{ print $f / $(f + 3) }' >"$work/column"
	median "$work/column"
}

# compare HZ MODE: pairs of runs, by turns with plain ones.
compare()
{
	rm -f "$work"/relative.*
	round=0
	measure before
	while [ "$round" -lt "$rounds" ]; do
		rm -f "$work/db" "$work/perf.data"
		measure ours "$blasprof" -q -F "$1" --sample-by=cpu-clock --call-graph="$2" -o "$work/db" --
		measure between
		measure theirs perf record -q -e cpu-clock -F "$1" --call-graph "$2" -o "$work/perf.data"
		measure after
		relate ours "$work/now.before" "$work/now.between"
		relate theirs "$work/now.between" "$work/now.after"
		mv "$work/now.after" "$work/now.before"
		round=$((round + 1))
	done
	echo "$1 Hz, $2: blasprof $(column ours 1), perf $(column theirs 1) times as long, ratio $(ratio_of 1);" \
		"train's CPU time: $(column ours 2) and $(column theirs 2) times, ratio $(ratio_of 2);" \
		"the profiler's: $(column ours 3) and $(column theirs 3) s;" \
		"$(wc -c <"$work/db") and $(wc -c <"$work/perf.data") bytes"
}

# elapsed WORD...: of three runs the least seconds, and the most KiB.
elapsed()
{
	for try in 1 2 3; do
		"$usage" "$work/usage.$try" "$@" >/dev/null 2>&1
	done
	sort -g -k 2 "$work"/usage.[123] | awk 'NR == 1 { seconds = $2 } $1 > kib { kib = $1 } END { print seconds " s, " kib " KiB" }'
}

echo "train 2, $steps steps, $rounds interleaved rounds, medians:"
for mode in fp dwarf; do
	for hz in 997 4999; do
		compare "$hz" "$mode"
	done
done
[ "$samples" -gt 0 ] || exit 0

# So many samples need some minutes: two threads at 20,000 a second.
rm -f "$work/db" "$work/perf.data"
rate=20000
measure plain
steps=$(awk -v n="$samples" -v r="$rate" -v steps="$steps" '{ printf "%d", n / r / $2 * steps * 1.1 + 1 }' "$work/now.plain")
measure ours "$blasprof" -q -F "$rate" --sample-by=cpu-clock -o "$work/db" --
measure theirs perf record -q -e cpu-clock -F "$rate" -g -o "$work/perf.data"
echo "a profile of $("$blasprof" report -i "$work/db" --format csv --table runs |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["samples"] }') samples," \
	"perf's of $(perf report --stats -i "$work/perf.data" 2>/dev/null | awk '/SAMPLE events/ { print $3; exit }'):"
echo "blasprof report: $(elapsed "$blasprof" report -i "$work/db")"
echo "perf report --stdio: $(elapsed perf report --stdio -i "$work/perf.data")"
