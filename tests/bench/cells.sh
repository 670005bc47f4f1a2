#!/bin/sh
# cells.sh: compares sgemm cells with a plain loop, and two runs of a small suite.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
${MAKE:-make} -s workloads/ceilings tests/bench/sgemm_loop blasprof || exit
export OPENBLAS_NUM_THREADS=1
turns=${TURNS:-30} sizes="64 128 256 512"

# cell N: prints median and minimum of the cell in ns; loop N: those of the plain loop.
cell()
{
	workloads/ceilings --kernel=cblas_sgemm --size="$1" --threads=1 --cache=warm --limit=0.1 >"$work/cell.csv" || exit
	columns "$work/cell.csv" median_ns min_ns
}

loop()
{
	tests/bench/sgemm_loop "$1"
}

# Both run one after the other, so that other load affects both. Each of them is the first equally often.
turn=0
while [ $turn -lt "$turns" ]; do
	for n in $sizes; do
		if [ $((turn % 2)) -eq 0 ]; then
			of_cell=$(cell "$n") of_loop=$(loop "$n")
		else
			of_loop=$(loop "$n") of_cell=$(cell "$n")
		fi
		echo "$of_cell $of_loop" >>"$work/sgemm.$n"
	done
	turn=$((turn + 1))
done
echo "sgemm: the cell's time by that of a plain loop, $turns turns, load $(cut -d ' ' -f 1-3 /proc/loadavg) (required: within 5 %)"
echo "    n  ratio of medians (95 %)        ratio of fastest in each turn  fastest of all: cell, loop, ns"
for n in $sizes; do
	awk '{ print $1 / $3 }' "$work/sgemm.$n" | interval >"$work/medians"
	awk '{ print $2 / $4 }' "$work/sgemm.$n" | interval >"$work/fastest"
	awk -v n="$n" 'FILENAME ~ /medians$/ { m = sprintf("%.3f (%.3f to %.3f)", $1, $2, $3); next }
		FILENAME ~ /fastest$/ { f = sprintf("%.3f (%.3f to %.3f)", $1, $2, $3); next }
		{ if (!cell || $2 < cell) cell = $2; if (!loop || $4 < loop) loop = $4 }
		END { printf "%5d  %-30s %-29s %.0f %.0f: %.3f\n", n, m, f, cell, loop, cell / loop }' \
		"$work/medians" "$work/fastest" "$work/sgemm.$n"
done

# suite STORE OPTION...: measures a suite and imports it.
suite()
{
	store=$1
	shift
	workloads/ceilings "$@" >"$work/cells.csv" 2>"$work/err" || { cat "$work/err"; exit 1; }
	./blasprof import -i "$store" "$work/cells.csv" >"$work/out" || exit
}

# agree OPTION...: prints how many cells of two suites agree within their intervals. Tries twice, because other programs may
# disturb the first attempt.
agree()
{
	for _ in 1 2; do
		rm -f "$work/suites.db"
		suite "$work/suites.db" "$@"
		suite "$work/suites.db" "$@"
		./blasprof compare -i "$work/suites.db" --format=csv suite:1 suite:2 | tr -d '\r' >"$work/rows"
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ all++; known += $at["significant"] >= 0; differ += $at["significant"] == 1 }
			END {
				printf "%d of %d cells agree between two runs: %.1f %% (required: 95 %%); %d have too few samples\n",
					known - differ, known, 100 * (known - differ) / known, all - known
				exit known < 20 || differ > 0.05 * known
			}' "$work/rows" && return
	done
	return 1
}

# A small suite, and a larger one with cold cells and two threads.
agree --category=product,elementwise,reduction --threads=1 --cache=warm --max-elements=16384 --limit=0.1
agree --category=product,elementwise,reduction,activation --max-elements=65536
