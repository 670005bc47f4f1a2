#!/bin/sh
# sampling.sh: what sampling costs `train 2` beside perf record, what each writes, and how long reports take.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-1500}
train=$PWD/workloads/train
samples=${SAMPLES:-1000000}
if ! perf record -q -e cpu-clock -o "$work/perf.data" true 2>/dev/null; then
	echo "sampling.sh: no perf record here, so there is nothing to compare with (Debian: linux-perf)"
	exit 77
fi

# rate WORD...: the trn/s that the command prints.
rate()
{
	"$@" 2>/dev/null | sed -n 's|.*trn/s \([0-9.]*\).*|\1|p'
}

plain()
{
	rate "$train" --steps "$steps" 2
}

# One pair of runs at a rate and in a mode, by turns with plain ones: slow-downs and bytes.
compare()
{
	hz=$1
	mode=$2
	rm -f "$work"/ours.* "$work"/theirs.* "$work/relative"
	round=0
	before=$(plain)
	while [ "$round" -lt "$rounds" ]; do
		rm -f "$work/db" "$work/perf.data"
		ours=$(rate "$blasprof" -q -F "$hz" -e cpu-clock --call-graph="$mode" -o "$work/db" -- \
			"$train" --steps "$steps" 2)
		between=$(plain)
		theirs=$(rate perf record -q -e cpu-clock -F "$hz" --call-graph "$mode" -o "$work/perf.data" \
			"$train" --steps "$steps" 2)
		after=$(plain)
		awk -v o="$ours" -v a="$before" -v b="$between" 'BEGIN { print sqrt(a * b) / o }' >>"$work/ours.slow"
		awk -v o="$theirs" -v a="$between" -v b="$after" 'BEGIN { print sqrt(a * b) / o }' >>"$work/theirs.slow"
		before=$after
		round=$((round + 1))
	done
	paste "$work/ours.slow" "$work/theirs.slow" | awk '{ print $1 / $2 }' >"$work/relative"
	echo "$hz Hz, $mode: blasprof $(median "$work/ours.slow"), perf $(median "$work/theirs.slow") times as long;" \
		"ratio $(median "$work/relative");" \
		"$(wc -c <"$work/db") and $(wc -c <"$work/perf.data") bytes"
}

# elapsed WORD...: seconds and KiB of the fastest of three.
elapsed()
{
	for try in 1 2 3; do
		"$PWD/tests/bench/maxrss" "$work/rss.$try" "$@" >/dev/null 2>&1
		start=$(date +%s%N)
		"$@" >/dev/null 2>&1
		echo $((($(date +%s%N) - start) / 1000)) >>"$work/elapsed"
	done
	seconds=$(sort -g "$work/elapsed" | awk 'NR == 1 { print $1 / 1e6 }')
	rm "$work/elapsed"
	echo "$seconds s, $(sort -g "$work"/rss.[123] | tail -n 1) KiB"
}

echo "train 2, $steps steps, $rounds interleaved rounds, medians:"
for mode in fp dwarf; do
	for hz in 997 4999; do
		compare "$hz" "$mode"
	done
done

# As many samples as asked for need some minutes: two threads at 20,000 a second.
rm -f "$work/db" "$work/perf.data"
rate=20000
speed=$(plain)
steps=$(awk -v n="$samples" -v r="$rate" -v s="$speed" 'BEGIN { printf "%d", n / (2 * r) * s + 1 }')
"$blasprof" -q -F "$rate" -e cpu-clock -o "$work/db" -- "$train" --steps "$steps" 2 >/dev/null 2>&1
perf record -q -e cpu-clock -F "$rate" -g -o "$work/perf.data" "$train" --steps "$steps" 2 >/dev/null 2>&1
echo "a profile of about $samples samples ($("$blasprof" report -i "$work/db" --format csv --table runs |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["samples"] }') taken):"
echo "blasprof report: $(elapsed "$blasprof" report -i "$work/db")"
echo "perf report --stdio: $(elapsed perf report --stdio -i "$work/perf.data")"
