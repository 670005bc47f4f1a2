#!/bin/sh
# cells-agree.sh: checks that two runs of a small suite agree within their intervals.
# SPDX-License-Identifier: MIT
#
# CELLS_OPTIONS are options of workloads/ceilings for another suite. Prints the number of cells that agree.
work=$(mktemp -d ./agree-XXXXXX) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
options=${CELLS_OPTIONS---category=product,elementwise,reduction --threads=1 --cache=warm --max-elements=16384 --limit=0.1}
export OPENBLAS_NUM_THREADS=1

suite()
{
	# shellcheck disable=SC2086 # the options are words
	workloads/ceilings $options >"$work/cells.csv" 2>"$work/err" || { cat "$work/err"; exit 1; }
	./blasprof import -i "$1" "$work/cells.csv" >"$work/out" || exit
}

# Tries twice, because other programs may disturb the first attempt.
for attempt in 1 2; do
	store=$work/$attempt.db
	suite "$store"
	suite "$store"
	./blasprof compare -i "$store" --format=csv suite:1 suite:2 | tr -d '\r' >"$work/rows"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ all++; known += $at["significant"] >= 0; differ += $at["significant"] == 1 }
		END {
			printf "%d of %d cells agree between two runs: %.1f %% (required: 95 %%); %d have too few samples\n",
				known - differ, known, 100 * (known - differ) / known, all - known
			exit known < 20 || differ > 0.05 * known
		}' "$work/rows" && exit
done
exit 1
