#!/bin/sh
# whatif.sh: a machine with one matrix unit, played by --what-if units=1: what the models predict for two threads, and
# what is measured, for a program of known f with variable and with clockwork times, and for train.
# SPDX-License-Identifier: MIT
# Where a host gives the other half of a core to other guests, data leaves its caches while a thread waits, and train
# falls short of replay by what it takes to come back: `neighbours' tells. Two threads need both CPUs left alone at once,
# which lasts for some 100 ms: rounds of train are as short, and many.
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
rounds=${ROUNDS:-5}
steps=${TRUTH_STEPS:-1024}
train_steps=${TRAIN_STEPS:-30000}
short_steps=400 # of a round of train
short_rounds=20 # of train, to one of the others
turn_ms=50

# column NAME FILE [THREADS]: the figure of two threads (or THREADS) in a table that has a row for each count.
column()
{
	awk -F, -v name="$1" -v threads="${3:-2}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["threads"] == threads { print $at[name] }' "$2"
}

# one NAME WHAT_IF COMMAND...: one round of one and two threads; a line of NAME: work rates, predictions, fit.
one()
{
	name=$1 what_if=$2
	shift 2
	rm -f "$work/db"
	OPENBLAS_NUM_THREADS=1 "$blasprof" -q -F 0 -i "$work/db" -t 1,2 -w 0 \
		${what_if:+--what-if $what_if} -- "$@" >/dev/null
	"$blasprof" report -i "$work/db" --format csv --table threads >"$work/threads"
	units=$("$blasprof" predict -i "$work/db" --threads 2 --units 1 | sed -n 's/^units *//p')
	for threads in 1 2; do
		printf '%s ' "$(column throughput "$work/threads" $threads)" >>"$work/$name"
	done
	for model in replay queue amdahl; do
		printf '%s ' "$(column speedup_$model "$work/threads")" >>"$work/$name"
	done
	echo "$units" >>"$work/$name"
}

# fastest NAME: of each thread count its fastest round; the predictions are those of the fastest round of one thread. What the
# models say chooses nothing.
fastest()
{
	awk -v name="$1" '
		$1 > one { one = $1; for (i = 3; i <= 5; i++) predicted[i] = $i }
		$2 > two { two = $2 }
		{ units = ""; for (i = 6; i <= NF; i++) units = units " " $i; if (++seen[units] > seen[most]) most = units }
		END {
			measured = two / one
			printf "%-16s %8.2f", name, measured
			for (i = 3; i <= 5; i++)
				printf " %7.2f %+6.1f%%", predicted[i], 100 * (predicted[i] / measured - 1)
			print " " most
		}' "$work/$1"
}

# turned NAME OPTIONS ARGUMENT...: the speed-up of train on two threads over one, by turns, both under blasprof; one
# thread is as fast as on all CPUs in turn, for two have those that neighbours slow down as well. NAME.best: that of each
# one's fastest turn.
turned()
{
	to=$work/$1
	command="'$blasprof' -q -F 0 $2 -i '$work/turns.db' -- '$PWD/workloads/train'"
	shift 2
	OPENBLAS_NUM_THREADS=1 "$PWD/tests/bench/turns" $turn_ms \
		"$command $* --steps $((train_steps / 2)) --stamps '$work/one' 1 >/dev/null" "$work/one" \
		"$command $* --steps $train_steps --stamps '$work/two' 2 >/dev/null" "$work/two" |
		tee "$to.turns" | awk -v cpus="$(nproc)" '{ one += $1; two += $2 }
			NR % cpus == 0 { print two / one; one = two = 0 }' >"$to"
	awk '{ if ($1 > one) one = $1; if ($2 > two) two = $2 } END { print two / one }' "$to.turns" >"$to.best"
}

# trained NAME ARGUMENT...: train on one unit, by turns: its speed-up, and what runs of one thread predict, each anew.
trained()
{
	name=$1
	shift
	turned "$name.measured" --what-if=units=1 "$@"
	turned "$name.plain" "" "$@"
	round=0
	while [ "$round" -lt "$rounds" ]; do
		rm -f "$work/db"
		OPENBLAS_NUM_THREADS=1 "$blasprof" -q -F 0 --what-if units=1 -i "$work/db" -- \
			"$PWD/workloads/train" "$@" --steps 1500 1 >/dev/null
		"$blasprof" predict -i "$work/db" --threads 2 --units 1 --format csv >"$work/threads"
		column speedup_replay "$work/threads" >>"$work/$name.replay"
		round=$((round + 1))
	done
	awk -v name="$name" -v m="$(median "$work/$name.measured")" -v p="$(median "$work/$name.replay")" \
		-v best="$(cat "$work/$name.measured.best")" 'BEGIN {
			printf "%s: fastest turns %.2f, replay %.2f: %+.1f%%; all turns %.2f: %+.1f%%\n", name, best, p,
				100 * (p / best - 1), m, 100 * (p / m - 1) }'
	echo "    all turns $(median_interval "$work/$name.measured"); without what-if $(median_interval "$work/$name.plain")"
}

# neighbours WHEN
neighbours()
{
	echo "own cache after 1 ms of spinning, $1 (1.0: the core is ours alone):$("$PWD/tests/bench/neighbours" |
		awk '{ printf " CPU %s %.1f times as slow,", $1, $3 }' | sed 's/,$//')"
}

# slept UNITS: 16 threads of a BLAS that sleeps, on so many units: measured, and by replay of one thread.
slept()
{
	rm -f "$work/db"
	"$blasprof" -q -i "$work/db" -t 1,16 -w 0 -r "$rounds" --what-if "units=$1" -- "$PWD/tests/causes/blas" {} sleep >/dev/null
	"$blasprof" report -i "$work/db" --format csv --table threads >"$work/threads"
	awk -v units="$1" -v measured="$(column speedup "$work/threads" 16)" -v replay="$(column speedup_replay "$work/threads" 16)" 'BEGIN {
		printf "16 threads of a BLAS that sleeps, %d unit%s: %.3f, replay %.3f: %+.1f%%\n", units, units > 1 ? "s" : "",
			measured, replay, 100 * (replay / measured - 1) }'
}

for units in 1 2 4; do
	slept $units
done
neighbours "at first"
round=0
while [ "$round" -lt "$rounds" ]; do
	for f in 0.2 0.35 0.55 0.8; do
		one "clockwork-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps"
		one "variable-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps" 0 0 variable
	done
	one no-what-if "" "$PWD/tests/shim/truth" '{}' 0.55 "$steps" 0 0 variable
	turn=0
	while [ "$turn" -lt "$short_rounds" ]; do
		one train units=1 "$PWD/workloads/train" --steps "$short_steps" '{}'
		turn=$((turn + 1))
	done
	round=$((round + 1))
done
echo "speed-up of two threads on one unit (--what-if units=1), best of $rounds interleaved rounds" \
	"(train: $((rounds * short_rounds)) of $short_steps steps):"
echo "case             measured  replay   error  queue   error  amdahl   error  most frequent fit"
for f in 0.2 0.35 0.55 0.8; do
	fastest "clockwork-$f"
done
for f in 0.2 0.35 0.55 0.8; do
	fastest "variable-$f"
done
fastest no-what-if
fastest train
echo "train on one unit, one and two threads by turns of $turn_ms ms, medians and their 95 % intervals:"
trained train-by-turns
trained train-in-cache --experts 2 --blocks 1 # its replicas take no memory bandwidth from each other
neighbours "at the end"
