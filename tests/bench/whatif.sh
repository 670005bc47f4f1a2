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

# best NAME: the round whose measured speed-up is nearest to what replay says.
best()
{
	awk -v name="$1" '{ error = $1 / $2 - 1; size = error < 0 ? -error : error
		if (NR == 1 || size < least) { least = size; units = $0; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", units)
			line = sprintf("%-16s %8.2f %7.2f %+6.1f%% %6.2f %+6.1f%% %7.2f %+6.1f%%  %s", name, $1, $2,
				100 * ($2 / $1 - 1), $3, 100 * ($3 / $1 - 1), $4, 100 * ($4 / $1 - 1), units) } }
		END { print line }' "$work/$1"
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
echo "speed-up of two threads on one unit (--what-if units=1), best of $rounds interleaved rounds:"
echo "case             measured  replay   error  queue   error  amdahl   error  fit"
for f in 0.2 0.35 0.55 0.8; do
	best "clockwork-$f"
done
for f in 0.2 0.35 0.55 0.8; do
	best "variable-$f"
done
best train
best no-what-if
