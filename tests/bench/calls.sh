#!/bin/sh
# calls.sh: the cost of an intercepted call with all features, compared with a minimal preload library, in interleaved
# rounds; and the cost of a oneDNN primitive.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
calls=${CALLS:-3000000}
rounds=${ROUNDS:-21}
driver=$PWD/tests/bench/calls

# one THREADS SHAPES: one round without a preload library, with the minimal one, and with blasprof.
one()
{
	"$driver" "$1" "$2" "$calls" >>"$work/none.$1.$2"
	LD_PRELOAD=$PWD/tests/bench/.libs/libbare_shim.so "$driver" "$1" "$2" "$calls" >>"$work/bare.$1.$2"
	"$blasprof" -q -i "$work/db" -- "$driver" "$1" "$2" "$calls" >>"$work/shim.$1.$2"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	for threads in 1 2; do
		for shapes in 1 64 1024; do
			one $threads $shapes
		done
	done
	round=$((round + 1))
done
echo "ns per call of a cblas_sgemm that does nothing, medians of $rounds rounds of $calls calls:"
echo "threads shapes   none   bare  blasprof  blasprof/bare"
for threads in 1 2; do
	for shapes in 1 64 1024; do
		none=$(median "$work/none.$threads.$shapes")
		bare=$(median "$work/bare.$threads.$shapes")
		shim=$(median "$work/shim.$threads.$shapes")
		printf '%7d %6d %6.1f %6.1f %9.1f %14.3f\n' $threads $shapes "$none" "$bare" "$shim" \
			"$(ratio "$shim" "$bare")"
	done
done
echo "2 threads over 1: $(ratio "$(median "$work/shim.2.1")" "$(median "$work/shim.1.1")") (no shim: $(ratio "$(median "$work/none.2.1")" "$(median "$work/none.1.1")"))"
echo "64 shapes over 1: $(ratio "$(median "$work/shim.1.64")" "$(median "$work/shim.1.1")") (no shim: $(ratio "$(median "$work/none.1.64")" "$(median "$work/none.1.1")"))"

# The smallest primitive of oneDNN, intercepted by its function and by ITT.
primitive=$PWD/tests/shim/onednn
[ -x "$primitive" ] || { echo "oneDNN: skipped, because it was not installed at build time" && exit 0; }
OMP_NUM_THREADS=1 && export OMP_NUM_THREADS
round=0
while [ "$round" -lt "$rounds" ]; do
	"$primitive" 20000 tiny >>"$work/none.tiny"
	"$blasprof" -q -i "$work/db" -- "$primitive" 20000 tiny >>"$work/its function.tiny"
	"$blasprof" -q -i "$work/db" -- "$primitive" 20000 tiny,hidden >>"$work/ITT.tiny"
	round=$((round + 1))
done
none=$(median "$work/none.tiny")
for way in "its function" ITT; do
	awk -v way="$way" -v none="$none" -v ns="$(median "$work/$way.tiny")" 'BEGIN {
		printf "a oneDNN primitive by %s: %.0f ns, %.0f without blasprof: ", way, ns, none
		printf "at 10,000 per second %.2f %% of the speed is left\n", 100 / (1 + (ns - none) * 1e-5) }'
done
