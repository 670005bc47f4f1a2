#!/bin/sh
# fusion.sh: compares kernels in one pass with the same kernels in a pass per operation: the figures of doc/fusion.md.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
${MAKE:-make} -s workloads/ceilings || exit
export OPENBLAS_NUM_THREADS=1
turns=${TURNS:-20}
layers=${LAYERS-32 64 96 128 192 256 64x128x64 64x64x128 512 1024}
passes=${PASSES-4096 65536}

# pair KERNEL SIZE: measures both ways in rounds that alternate within milliseconds, and appends their times to a file.
pair()
{
	workloads/ceilings --kernel="$1-fused,$1-decomposed" --size="$2" --threads=1 --cache=warm --limit=0.04 \
		>"$work/cells.csv" || exit
	columns "$work/cells.csv" median_ns min_ns | tr '\n' ' ' >>"$work/$1.$2"
	echo >>"$work/$1.$2"
}

# faster KERNEL SIZE: prints a line of the table.
faster()
{
	awk '{ print $1 / 1000 }' "$work/$1.$2" | interval >"$work/fused"
	awk '{ print $3 / 1000 }' "$work/$1.$2" | interval >"$work/decomposed"
	awk '{ print 100 * ($3 / $1 - 1) }' "$work/$1.$2" | interval >"$work/ratio"
	awk '{ print 100 * ($4 / $2 - 1) }' "$work/$1.$2" | interval >"$work/shortest"
	cat "$work/fused" "$work/decomposed" "$work/ratio" "$work/shortest" | awk -v kernel="$1" -v size="$2" '
		NR < 3 { cell[NR] = sprintf("%.3g (%.3g to %.3g)", $1, $2, $3) }
		NR > 2 { cell[NR] = sprintf("%+.0f %% (%+.0f to %+.0f)", $1, $2, $3) }
		END { printf "%-15s %-10s %-26s %-26s %-26s %s\n", kernel, size, cell[1], cell[2], cell[3], cell[4] }'
}

# each COMMAND: runs the command for each kernel and size.
each()
{
	for size in $layers; do
		"$1" gemm-bias-gelu "$size"
	done
	for kernel in rmsnorm causal_softmax swiglu adamw; do
		for size in $passes; do
			"$1" $kernel "$size"
		done
	done
}

turn=0
while [ $turn -lt "$turns" ]; do
	each pair
	turn=$((turn + 1))
done
echo "Medians of $turns turns (95 % interval), load $(cut -d ' ' -f 1-3 /proc/loadavg)"
printf '%-15s %-10s %-26s %-26s %-26s %s\n' kernel size "fused, us" "decomposed, us" "fused is faster by" "by the shortest samples"
each faster
