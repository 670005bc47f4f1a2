#!/bin/sh
# train.sh: what profiling costs `train 2`: throughput, memory, and whether both estimates of f agree.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-40000}
window_ms=${WINDOW_MS:-400} # each stop is a switch for every thread, which profiling makes dearer: few of them
rounds=${ROUNDS:-7}
train=$PWD/workloads/train

# command NAME OPTION...: train with the words before it; its steps' moments go to NAME's file.
command()
{
	name=$1
	shift
	echo "$* '$train' --steps $steps --stamps '$work/stamps.$name' 2 >/dev/null"
}

# kept NAME OPTION...: the ratios of the profiled run's speed to the plain one's, in pairs of windows. Each of the two
# starts first once: what starts later finds other memory.
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
echo "train 2, $steps steps, two programs by turns of $window_ms ms, medians and their 95 % intervals:"
echo "throughput kept under blasprof: $(median_interval "$work/throughput")"
echo "by a plain run beside a plain run: $(median_interval "$work/null")"

round=0
while [ "$round" -lt "$rounds" ]; do
	"$PWD/tests/bench/usage" "$work/rss.plain" "$train" 2 >/dev/null
	"$blasprof" -q -i "$work/db" -- "$PWD/tests/bench/usage" "$work/rss.profiled" "$train" 2 >/dev/null
	echo $(($(cut -d " " -f 1 "$work/rss.profiled") - $(cut -d " " -f 1 "$work/rss.plain"))) >>"$work/grown"
	round=$((round + 1))
done
echo "resident memory grown by, in $rounds rounds: $(median "$work/grown") KiB"
"$blasprof" report -i "$work/db" --format csv --table threads |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { printf "f intercepted %.3f, sampled %.3f, difference %.3f\n", $at["f_intercepted"],
			$at["f_sampled"], $at["f_intercepted"] - $at["f_sampled"] }'
