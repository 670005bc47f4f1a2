#!/bin/sh
# calls.sh: the cost of an intercepted call with all features, compared with a minimal preload library, in interleaved
# rounds; and the cost of a oneDNN primitive.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
calls=${CALLS:-3000000}
rounds=${ROUNDS:-21}
driver=$PWD/tests/bench/calls
rows='C.1.1 C.1.64 C.1.1024 C.2.1 C.2.64 C.2.1024 Fortran.1.1 Fortran.1.1024 plugin.1.1 plugin.1.1024'

# turn WORD...: one round without a preload library, with the minimal one, and with blasprof.
turn()
{
	"$@" >>"$work/none.$row"
	LD_PRELOAD=$PWD/tests/bench/.libs/libbare_shim.so "$@" >>"$work/bare.$row"
	"$blasprof" -q -i "$work/db" -- "$@" >>"$work/shim.$row"
}

# names, threads and shapes: the parts of $row.
names() { echo "${row%%.*}"; }
shapes() { echo "${row##*.}"; }
threads() { shape_of=${row#*.} && echo "${shape_of%.*}"; }

round=0
while [ "$round" -lt "$rounds" ]; do
	for row in $rows; do
		case $(names) in
		C) turn "$driver" "$(threads)" "$(shapes)" "$calls" ;;
		Fortran) turn "$driver" "$(threads)" "$(shapes)" "$calls" fortran ;;
		plugin) turn "${driver}_plugin" "$(threads)" "$(shapes)" "$calls" ;;
		esac
	done
	round=$((round + 1))
done
echo "ns per call of a cblas_sgemm (Fortran: sgemm_) that does nothing, medians of $rounds rounds of $calls calls."
echo "plugin: from a library that is opened as Python opens its modules. fastest: the ratio of the fastest rounds, in which no"
echo "other program used the second thread of the same core."
echo "names    threads shapes   none   bare  blasprof  blasprof/bare  fastest"
for row in $rows; do
	printf '%-8s %7d %6d %6.1f %6.1f %9.1f %14.3f %8.3f\n' "$(names)" "$(threads)" "$(shapes)" "$(median "$work/none.$row")" \
		"$(median "$work/bare.$row")" "$(median "$work/shim.$row")" "$(ratio "$(median "$work/shim.$row")" "$(median "$work/bare.$row")")" \
		"$(ratio "$(sort -g "$work/shim.$row" | head -n 1)" "$(sort -g "$work/bare.$row" | head -n 1)")"
done

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
