#!/bin/sh
# train.sh: what profiling costs `train 2`: throughput, memory, and whether both estimates of f agree.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
steps=${STEPS:-600}
rounds=${ROUNDS:-41}
train=$PWD/workloads/train

# rate WORD...: the trn/s that the command prints.
rate()
{
	"$@" | sed -n 's|.*trn/s \([0-9.]*\).*|\1|p'
}

# Each profiled run stands between two plain ones, so that a drift of the machine falls out.
before=$(rate "$PWD/tests/bench/usage" "$work/rss.plain" "$train" --steps "$steps" 2)
round=0
while [ "$round" -lt "$rounds" ]; do
	profiled=$(rate "$blasprof" -q -o "$work/db" -- "$PWD/tests/bench/usage" "$work/rss.profiled" \
		"$train" --steps "$steps" 2)
	after=$(rate "$PWD/tests/bench/usage" "$work/rss.plain" "$train" --steps "$steps" 2)
	awk -v p="$profiled" -v a="$before" -v b="$after" 'BEGIN { print p / sqrt(a * b) }' >>"$work/kept"
	ratio "$after" "$before" >>"$work/null"
	echo "$profiled" >>"$work/profiled"
	echo "$after" >>"$work/plain"
	echo $(($(cut -d " " -f 1 "$work/rss.profiled") - $(cut -d " " -f 1 "$work/rss.plain"))) >>"$work/grown"
	before=$after
	round=$((round + 1))
done
echo "train 2, $steps steps, $rounds interleaved rounds, medians:"
echo "throughput kept under blasprof: $(median "$work/kept") (a plain run after a plain run: $(median "$work/null"))"
echo "the fastest profiled run over the fastest plain one: $(ratio "$(best "$work/profiled")" "$(best "$work/plain")")"
echo "resident memory grown by: $(median "$work/grown") KiB"
"$blasprof" report -i "$work/db" --format csv --table threads |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { printf "f intercepted %.3f, sampled %.3f, difference %.3f\n", $at["f_intercepted"],
			$at["f_sampled"], $at["f_intercepted"] - $at["f_sampled"] }'
