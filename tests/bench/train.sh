#!/bin/sh
# train.sh: the cost of profiling `train 2`: throughput and memory; and the difference of both estimates of f.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-40000}
window_ms=${WINDOW_MS:-400} # not less, because each stop switches all threads, which is slower with profiling
rounds=${ROUNDS:-7}
train=$PWD/workloads/train

# command NAME WORD...: prints the command of train after these words, with the stamps in NAME's file.
command()
{
	name=$1
	shift
	echo "$* '$train' --steps $steps --stamps '$work/stamps.$name' 2 >/dev/null"
}

# kept NAME WORD...: measures the speed of train after these words relative to the plain train, in pairs of windows. Each of
# them starts first once, because the later one gets other memory.
kept()
{
	name=$1
	shift
	plain=$(command plain)
	profiled=$(command profiled "$@")
	"$PWD/tests/bench/turns" "$window_ms" "$plain" "$work/stamps.plain" "$profiled" "$work/stamps.profiled" |
		awk '{ print $2 / $1 }' >"$work/$name"
	"$PWD/tests/bench/turns" "$window_ms" "$profiled" "$work/stamps.profiled" "$plain" "$work/stamps.plain" |
		awk '{ print $1 / $2 }' >>"$work/$name"
}

kept throughput "'$blasprof' -q -i '$work/turns.db' --"
kept null
echo "train 2, $steps steps, two programs in turns of $window_ms ms, medians and their 95 % intervals:"
echo "throughput under blasprof relative to a plain run: $(median_interval "$work/throughput")"
echo "the same for two plain runs: $(median_interval "$work/null")"

round=0
while [ "$round" -lt "$rounds" ]; do
	"$PWD/tests/bench/usage" "$work/rss.plain" "$train" 2 >/dev/null
	"$blasprof" -q -i "$work/db" -- "$PWD/tests/bench/usage" "$work/rss.profiled" "$train" 2 >/dev/null
	echo $(($(cut -d " " -f 1 "$work/rss.profiled") - $(cut -d " " -f 1 "$work/rss.plain"))) >>"$work/grown"
	round=$((round + 1))
done
echo "growth of the resident memory, median of $rounds rounds: $(median "$work/grown") KiB"
"$blasprof" report -i "$work/db" --format csv --table threads |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { printf "f intercepted %.3f, sampled %.3f, difference %.3f\n", $at["f_intercepted"],
			$at["f_sampled"], $at["f_intercepted"] - $at["f_sampled"] }'
