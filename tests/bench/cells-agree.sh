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
	workloads/ceilings $options >"$1" 2>"$work/err" || { cat "$work/err"; exit 1; }
}

# Once more where the first time fails: something else may have been at work. The interval of the quotient is that of the
# logarithms' difference, which reaches as far to each side as the root of the sum of squares of what both medians' do
# (G. Y. Zou and A. Donner, Statistics in Medicine 27, 2008, 1693-1702); under 6 samples are too few for one.
for attempt in 1 2; do
	suite "$work/before.csv"
	suite "$work/after.csv"
	awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ key = ""; for (i = 1; i <= 9; i++) key = key $i FS }
		{ low = $at["low_ns"]; mid = $at["median_ns"]; high = $at["high_ns"]; enough = low > 0 && $at["samples"] >= 6 }
		NR == FNR { if (enough) { lows[key] = low; mids[key] = mid; highs[key] = high }; next }
		{ all++ }
		enough && key in mids {
			known++
			change = log(mid / mids[key])
			below = sqrt(log(mid / low)^2 + log(highs[key] / mids[key])^2)
			above = sqrt(log(high / mid)^2 + log(mids[key] / lows[key])^2)
			differ += change - below > 0 || change + above < 0
		}
		END {
			printf "%d of %d cells agree between two runs: %.1f %% (asked for: 95 %%); %d too few samples to tell\n",
				known - differ, known, 100 * (known - differ) / known, all - known
			exit known < 20 || differ > 0.05 * known
		}' "$work/before.csv" "$work/after.csv" && exit
done
exit 1
