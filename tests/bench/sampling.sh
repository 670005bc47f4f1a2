#!/bin/sh
# sampling.sh: compares blasprof with perf record: slow-down of `train 2`, size of the files, and time of reports.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-20000}
train=$PWD/workloads/train
usage=$PWD/tests/bench/usage
samples=${SAMPLES:-1000000}
OPENBLAS_NUM_THREADS=1 # spinning pool threads at the start make short runs vary
export OPENBLAS_NUM_THREADS
if ! perf record -q -e cpu-clock -o "$work/perf.data" true 2>/dev/null; then
	echo "sampling.sh: perf record, with which it compares, does not work here (Debian: linux-perf)"
	exit 77
fi

# compare HZ MODE BEFORE: runs train under perf record and under blasprof in turns; the ratio of its speeds is that of the
# slow-downs. perf runs train through a shell, because perf mistakes a stopped child for an ended one. BEFORE precedes
# perf's train: if it is blasprof without sampling, both are intercepted and only the sampling differs.
compare()
{
	rm -f "$work/db" "$work/perf.data"
	"$PWD/tests/bench/turns" 400 \
		"perf record -q -e cpu-clock -F $1 --call-graph $2 -o '$work/perf.data' sh -c \"$3 '$train' --steps $steps --stamps '$work/theirs' 2; exit\" >/dev/null" \
		"$work/theirs" \
		"'$blasprof' -q -F $1 --sample-by=cpu-clock --call-graph=$2 -i '$work/db' -- '$train' --steps $steps --stamps '$work/ours' 2 >/dev/null" \
		"$work/ours" | awk '{ print $2 / $1 }' >"$work/ratios"
	median_interval "$work/ratios"
}

# elapsed WORD...: prints the minimum of the seconds and the maximum of the KiB of three runs.
elapsed()
{
	for try in 1 2 3; do
		"$usage" "$work/usage.$try" "$@" >/dev/null 2>&1
	done
	sort -g -k 2 "$work"/usage.[123] | awk 'NR == 1 { seconds = $2 } $1 > kib { kib = $1 } END { print seconds " s, " kib " KiB" }'
}

echo "train 2, $steps steps, speeds in turns of 400 ms, medians and their 95 % intervals:"
for mode in fp dwarf; do
	for hz in 997 4999; do
		echo "$hz Hz, $mode: train under blasprof over train under perf $(compare "$hz" "$mode" "");" \
			"$(wc -c <"$work/db") and $(wc -c <"$work/perf.data") bytes"
		echo "    if both are intercepted: $(compare "$hz" "$mode" "'$blasprof' -q -F 0 -i '$work/unsampled.db' --")"
	done
done
[ "$samples" -gt 0 ] || exit 0

# This many samples take some minutes with two threads at 20,000 per second.
rm -f "$work/db" "$work/perf.data"
rate=20000
speed=$("$train" --steps 2000 2 | sed -n 's|.*trn/s \([0-9.]*\).*|\1|p')
steps=$(awk -v n="$samples" -v r="$rate" -v speed="$speed" 'BEGIN { printf "%d", n / (2 * r) * speed * 1.1 + 1 }')
"$blasprof" -q -F "$rate" --sample-by=cpu-clock -i "$work/db" -- "$train" --steps "$steps" 2 >/dev/null 2>&1
perf record -q -e cpu-clock -F "$rate" -g -o "$work/perf.data" "$train" --steps "$steps" 2 >/dev/null 2>&1
echo "a profile of $("$blasprof" report -i "$work/db" --format csv --table runs |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["samples"] }') samples," \
	"perf's of $(perf report --stats -i "$work/perf.data" 2>/dev/null | awk '/SAMPLE events/ { print $3; exit }'):"
echo "blasprof report: $(elapsed "$blasprof" report -i "$work/db")"
echo "perf report --stdio: $(elapsed perf report --stdio -i "$work/perf.data")"
