#!/bin/sh
# try.sh: compares the setting that `blasprof try' finds with the best of all settings, and the numbers of runs.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
rounds=${ROUNDS:-3}
pools=$PWD/tests/bench/pools
cpus=$(nproc)

# seconds WORD...: prints the wall time of the command in us.
seconds()
{
	begun=$(date +%s%N)
	env "$@" >/dev/null
	echo "$((($(date +%s%N) - begun) / 1000))"
}

# sizes: prints 1, 2, 4, ... and the number of CPUs.
sizes()
{
	size=1
	while [ "$size" -lt "$cpus" ]; do
		echo "$size"
		size=$((size * 2))
	done
	echo "$cpus"
}

# settings VARIABLES: prints each combination of the variables' values in a line.
settings()
{
	case $1 in
	'') echo ;;
	*)
		first=${1%% *}
		rest=${1#"$first"}
		case $first in
		*THREADS | {}) values=$(sizes) ;;
		OMP_WAIT_POLICY) values='- passive' ;;
		OMP_PROC_BIND) values='- true' ;;
		esac
		(settings "${rest# }") | while read -r others; do
			for value in $values; do
				[ "$value" = - ] && echo "$others" || echo "$first=$value $others"
			done
		done
		;;
	esac
}

# judge NAME VARIABLES WORD...: measures all settings in rounds, and runs `blasprof try'. Then measures the fastest setting, the
# one that was found, and no setting again, in turns, because the minimum of many medians is biased.
judge()
{
	name=$1
	variables=$2
	shift 2
	settings "$variables" >"$work/settings"
	count=$(wc -l <"$work/settings")
	for _ in $(seq "$rounds"); do
		line=0
		while read -r setting; do
			line=$((line + 1))
			# shellcheck disable=SC2086 # the settings are words
			seconds $setting "$@" >>"$work/$name.$line" </dev/null
		done <"$work/settings"
	done
	"$blasprof" try -o "$work/said" -- "$@" >/dev/null || return
	runs=$(tr '\n' ' ' <"$work/said" | sed -n 's/.*after \([0-9]*\) runs.*/\1/p')
	said=$(tail -n 1 "$work/said" | sed "s|^  ||; s| *$1.*||")
	! grep -q '^Nothing' "$work/said" || said=
	least=$(for line in $(seq "$count"); do echo "$(median "$work/$name.$line") $line"; done | sort -g | head -n 1)
	best=$(sed -n "${least#* }p" "$work/settings")
	for _ in $(seq $((2 * rounds + 1))); do
		# shellcheck disable=SC2086
		seconds $best "$@" >>"$work/$name.best" </dev/null
		# shellcheck disable=SC2086
		seconds $said "$@" >>"$work/$name.said" </dev/null
		seconds "$@" >>"$work/$name.usual" </dev/null
	done
	printf '%-12s %8.3f %8.3f %6s %6d  %s (best: %s)\n' "$name" \
		"$(ratio "$(median "$work/$name.said")" "$(median "$work/$name.best")")" \
		"$(ratio "$(median "$work/$name.said")" "$(median "$work/$name.usual")")" "${runs:-?}" \
		$((count * rounds)) "${said:-as it is}" "$best"
}

both='OMP_WAIT_POLICY OMP_PROC_BIND OMP_NUM_THREADS OPENBLAS_NUM_THREADS'
echo "time with the setting that was found, relative to the best of all (by medians of $rounds) and to no setting; the number"
echo "of runs, and the number of runs that measure all settings $rounds times"
printf '%-12s %8s %8s %6s %6s  %s\n' program best usual runs all setting
judge alternate "$both" "$pools" 100 20 256
judge loop "OMP_WAIT_POLICY OMP_PROC_BIND OMP_NUM_THREADS" "$pools" 60 100 0
judge product "OPENBLAS_NUM_THREADS" "$pools" 20 0 700
judge small "$both" "$pools" 5000 1 32
judge tiny "$both" "$pools" 60000 0 24
for python in python3 /usr/bin/python3; do
	"$python" -c 'import numpy' 2>/dev/null || continue
	cat >"$work/product.py" <<'END'
import numpy
a = numpy.ones((400, 400), dtype=numpy.float32)
for i in range(40):
    a = numpy.tanh(a @ a * 1e-4)
END
	judge numpy "OPENBLAS_NUM_THREADS" "$python" "$work/product.py"
	break
done
