#!/bin/sh
# whatif.sh: compares predictions with measurements on a simulated machine with one matrix unit (--what-if units=1): two
# threads of a program with known f and variable or constant times, and of train.
# SPDX-License-Identifier: MIT
# If the host gives the other hardware thread of a core to other guests, data leave its caches while a thread waits, and train
# is slower than replay predicts; `neighbours' measures this. Both CPUs are free of such guests at the same time for about
# 100 ms only, so that the rounds of train are short and many.
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
rounds=${ROUNDS:-5}
steps=${TRUTH_STEPS:-1024}
train_steps=${TRAIN_STEPS:-30000}
short_steps=400 # of a round of train
short_rounds=20 # of train, for each round of the others
turn_ms=50

# column NAME FILE [THREADS]: prints the value for two threads (or THREADS) in a table with a row for each thread count.
column()
{
	awk -F, -v name="$1" -v threads="${3:-2}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["threads"] == threads { print $at[name] }' "$2"
}

# one NAME WHAT_IF COMMAND...: measures one round of one and two threads; appends work rates, predictions and fit to NAME.
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

# fastest NAME: prints the fastest round of each thread count, and the predictions of the fastest round of one thread. The
# choice does not depend on the predictions.
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

# turned NAME OPTIONS ARGUMENT...: measures the speed-up of train with two threads over one, in turns, both under blasprof. The
# one thread runs on all CPUs in turn, because two threads use those that neighbours slow down, too. NAME.best is the
# speed-up by each one's fastest turn.
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

# trained NAME ARGUMENT...: prints the speed-up of train on one unit, and what separate runs with one thread predict.
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

# neighbours WHEN: prints how much neighbours slow each CPU down.
neighbours()
{
	echo "reading the core's cache after 1 ms of spinning, $1 (1.0 if nobody else uses the core):$("$PWD/tests/bench/neighbours" |
		awk '{ printf " CPU %s %.1f times as slow,", $1, $3 }' | sed 's/,$//')"
}

# slept UNITS: prints the speed-up of 16 threads with a sleeping BLAS on that many units, measured and by replay of one thread.
# A call takes 20 ms, since a unit is handed over to a sleeping thread in 0.1 to 0.2 ms; that is 4 % of a call of 5 ms.
slept()
{
	rm -f "$work/db"
	"$blasprof" -q -i "$work/db" -t 1,16 -w 0 -r "$rounds" --what-if "units=$1" -- "$PWD/tests/causes/blas" {} sleep >/dev/null
	"$blasprof" report -i "$work/db" --format csv --table threads >"$work/threads"
	awk -v units="$1" -v measured="$(column speedup "$work/threads" 16)" -v replay="$(column speedup_replay "$work/threads" 16)" 'BEGIN {
		printf "16 threads of a BLAS that sleeps, %d unit%s: %.3f, replay %.3f: %+.1f%%\n", units, (units > 1 ? "s" : ""),
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
echo "train on one unit, one and two threads in turns of $turn_ms ms, medians and their 95 % intervals:"
trained train-by-turns
trained train-in-cache --experts 2 --blocks 1 # its replicas do not compete for memory bandwidth
neighbours "at the end"
