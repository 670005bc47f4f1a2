#!/bin/sh
# cells-agree-test.sh: two runs of a small suite agree within the 95 % intervals that they state.
# SPDX-License-Identifier: MIT
#
# Of cells that agree at 95 % each, a few differ by chance, and how many is binomially distributed: more than one in a
# thousand such tests would see are too many. Twenty pairs of suites together tell 10 % from 5.
# CELLS_OPTIONS: of workloads/ceilings, another suite. CELLS_PAIRS: of suites. Prints how many cells agree.
work=$(mktemp -d ./agree-XXXXXX) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
options=${CELLS_OPTIONS---category=product,elementwise,reduction --threads=1 --cache=warm --max-elements=16384 --limit=0.1}
pairs=${CELLS_PAIRS:-20}
export OPENBLAS_NUM_THREADS=1

suite()
{
	# shellcheck disable=SC2086 # the options are words
	workloads/ceilings $options >"$work/cells.csv" 2>"$work/err" || { cat "$work/err"; exit 1; }
	./blasprof import -o "$1" "$work/cells.csv" >"$work/out" || exit
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
	store=$work/$pair.db
	suite "$store"
	suite "$store"
	./blasprof compare -i "$store" --format=csv suite:1 suite:2 | tr -d '\r' >>"$work/rows"
	pair=$((pair + 1))
done
awk -F, '/significant/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ all++; known += $at["significant"] >= 0; differ += $at["significant"] == 1 }
	END {
		at_most = -1 # differ no more but once in a thousand tests
		for (p = 0.95 ^ known; more + p < 0.999; p *= 0.05 / 0.95 * (known - at_most) / (at_most + 1)) {
			more += p
			at_most++
		}
		at_most++
		printf "%d of %d cells agree between two runs: %.1f %% (asked for: 95 %%, so no fewer than %d); %d too few samples to tell\n",
			known - differ, known, 100 * (known - differ) / known, known - at_most, all - known
		exit known < 20 * '"$pairs"' || differ > at_most
	}' "$work/rows"
