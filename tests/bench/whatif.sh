#!/bin/sh
# whatif.sh: a machine with one matrix unit, played by --what-if units=1: what the models predict for two threads, and
# what is measured, for a program of known f with variable and with clockwork times, and for train.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
rounds=${ROUNDS:-5}
steps=${TRUTH_STEPS:-1024}

# column NAME FILE: the figure of two threads in a table of threads.
column()
{
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["threads"] == 2 { print $at[name] }' "$2"
}

# one NAME WHAT_IF COMMAND...: one round of one and two threads; a line of NAME.
one()
{
	name=$1 what_if=$2
	shift 2
	rm -f "$work/db"
	OPENBLAS_NUM_THREADS=1 "$blasprof" -q -F 0 -o "$work/db" -t 1,2 -w 0 \
		${what_if:+--what-if $what_if} -- "$@" >/dev/null
	"$blasprof" report -i "$work/db" --format csv --table threads >"$work/threads"
	units=$("$blasprof" predict -i "$work/db" --threads 2 --units 1 | sed -n 's/^units *//p')
	for figure in speedup speedup_replay speedup_queue speedup_amdahl; do
		printf '%s ' "$(column $figure "$work/threads")" >>"$work/$name"
	done
	echo "$units" >>"$work/$name"
}

# typical NAME: medians over the rounds; no round is chosen by what the models say of it.
typical()
{
	for field in 1 2 3 4; do
		cut -d' ' -f$field "$work/$1" >"$work/field.$field"
	done
	measured=$(median "$work/field.1")
	printf '%-16s %8.2f' "$1" "$measured"
	for field in 2 3 4; do
		predicted=$(median "$work/field.$field")
		awk -v p="$predicted" -v m="$measured" 'BEGIN { printf " %7.2f %+6.1f%%", p, 100 * (p / m - 1) }'
	done
	echo "  $(cut -d' ' -f5- "$work/$1" | sort | uniq -c | sort -rn | awk 'NR == 1 { $1 = ""; print }')"
}

round=0
while [ "$round" -lt "$rounds" ]; do
	for f in 0.2 0.35 0.55 0.8; do
		one "clockwork-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps"
		one "variable-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps" 0 0 variable
	done
	one train units=1 "$PWD/workloads/train" '{}' --steps 1500
	one no-what-if "" "$PWD/tests/shim/truth" '{}' 0.55 "$steps" 0 0 variable
	round=$((round + 1))
done
echo "speed-up of two threads on one unit (--what-if units=1), medians of $rounds interleaved rounds:"
echo "case             measured  replay   error  queue   error  amdahl   error  most frequent fit"
for f in 0.2 0.35 0.55 0.8; do
	typical "clockwork-$f"
done
for f in 0.2 0.35 0.55 0.8; do
	typical "variable-$f"
done
typical train
typical no-what-if
