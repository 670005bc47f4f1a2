#!/bin/sh
# train.sh: what profiling costs `train 2`: throughput, memory, and whether both estimates of f agree.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-30000}
window_ms=${WINDOW_MS:-100}
rounds=${ROUNDS:-7}
train=$PWD/workloads/train

# kept NAME OPTION...: a plain and a profiled run by turns; the ratios of the profiled one's speed to the plain one's.
kept()
{
	name=$1
	shift
	"$PWD/tests/bench/turns" "$window_ms" \
		"'$train' --steps $steps --stamps '$work/plain' 2 >/dev/null" "$work/plain" \
		"$* '$train' --steps $steps --stamps '$work/profiled' 2 >/dev/null" "$work/profiled" |
		awk '{ print $2 / $1 }' >"$work/$name"
}

kept throughput "'$blasprof' -q -o '$work/turns.db' --"
kept null ""
echo "train 2, $steps steps, two runs by turns of $window_ms ms, medians and their 95 % intervals:"
echo "throughput kept under blasprof: $(median_interval "$work/throughput")"
echo "by a plain run beside a plain run: $(median_interval "$work/null")"

round=0
while [ "$round" -lt "$rounds" ]; do
	"$PWD/tests/bench/usage" "$work/rss.plain" "$train" --steps 600 2 >/dev/null
	"$blasprof" -q -o "$work/db" -- "$PWD/tests/bench/usage" "$work/rss.profiled" "$train" --steps 600 2 >/dev/null
	echo $(($(cut -d " " -f 1 "$work/rss.profiled") - $(cut -d " " -f 1 "$work/rss.plain"))) >>"$work/grown"
	round=$((round + 1))
done
echo "resident memory grown by, in $rounds rounds of 600 steps: $(median "$work/grown") KiB"
"$blasprof" report -i "$work/db" --format csv --table threads |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { printf "f intercepted %.3f, sampled %.3f, difference %.3f\n", $at["f_intercepted"],
			$at["f_sampled"], $at["f_intercepted"] - $at["f_sampled"] }'
