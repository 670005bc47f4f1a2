#!/bin/sh
# cells-agree.sh: two runs of a small suite agree within the intervals that they state.
# SPDX-License-Identifier: MIT
#
# CELLS_OPTIONS: of workloads/ceilings, another suite. Prints how many cells agree.
work=$(mktemp -d ./agree-XXXXXX) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
options=${CELLS_OPTIONS---category=product,elementwise,reduction --threads=1 --cache=warm --max-elements=16384 --limit=0.1}
export OPENBLAS_NUM_THREADS=1

suite()
{
	# shellcheck disable=SC2086 # the options are words
	workloads/ceilings $options >"$work/cells.csv" 2>"$work/err" || { cat "$work/err"; exit 1; }
	./blasprof import -i "$store" "$work/cells.csv" >"$work/out" || exit
	./blasprof report -i "$store" --table=cells --format=tsv >"$work/cells.$1" || exit
}

# Once more where the first time fails: something else may have been at work.
for attempt in 1 2; do
	store=$work/$attempt.db
	suite 1
	suite 2
	# The interval of the ratio is that of the logarithms' difference; of under 6 samples there is none.
	awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ key = ""; for (i = at["category"]; i <= at["cache"]; i++) key = key $i FS
		  m = $at["median_ns"]; l = $at["low_ns"]; h = $at["high_ns"]; n = $at["samples"] }
		NR == FNR { median[key] = m; low[key] = l; high[key] = h; samples[key] = n; next }
		key in median && l > 0 && low[key] > 0 {
			all++
			if (n < 6 || samples[key] < 6) next
			known++
			ratio = log(m / median[key])
			below = sqrt(log(m / l) ^ 2 + log(high[key] / median[key]) ^ 2)
			above = sqrt(log(h / m) ^ 2 + log(median[key] / low[key]) ^ 2)
			differ += ratio - below > 0 || ratio + above < 0
		}
		END {
			printf "%d of %d cells agree between two runs: %.1f %% (asked for: 95 %%); %d too few samples to tell\n",
				known - differ, known, 100 * (known - differ) / known, all - known
			exit known < 20 || differ > 0.05 * known
		}' "$work/cells.1" "$work/cells.2" && exit
done
exit 1
