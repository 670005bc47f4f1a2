#!/bin/sh
# whatif.sh: a machine with one matrix unit, played by --what-if units=1: what the models predict for two threads, and
# what is measured, for a program of known f with variable and with clockwork times, and for train.
# SPDX-License-Identifier: MIT
# Where a host gives the other half of a core to other guests, data leaves its caches while a thread waits, and train
# falls short of replay by what it takes to come back: `neighbours' tells. Where every instruction takes one tick
# (`make check-one-unit', tests/vm/one-unit-test.sh) there is none of that.
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
rounds=${ROUNDS:-5}
steps=${TRUTH_STEPS:-1024}
train_steps=${TRAIN_STEPS:-30000}

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
	OPENBLAS_NUM_THREADS=1 "$blasprof" -q -F 0 -o "$work/db" -t 1,2 -w 0 \
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
# thread is as fast as on all CPUs in turn, for two have those that neighbours slow down as well.
turned()
{
	to=$work/$1
	command="'$blasprof' -q -F 0 $2 -o '$work/turns.db' -- '$PWD/workloads/train'"
	shift 2
	OPENBLAS_NUM_THREADS=1 "$PWD/tests/bench/turns" 400 \
		"$command $* --steps $((train_steps / 2)) --stamps '$work/one' 1 >/dev/null" "$work/one" \
		"$command $* --steps $train_steps --stamps '$work/two' 2 >/dev/null" "$work/two" |
		awk -v cpus="$(nproc)" '{ one += $1; two += $2 }
			NR % cpus == 0 { print two / one; one = two = 0 }' >"$to"
}

# step_ns THREADS STRETCH: what a step's own code takes, BLAS and other, without queues and without the stretch of BLAS.
step_ns()
{
	"$blasprof" report -i "$work/db" --format csv --table threads >"$work/threads"
	echo "$(column blas_ns "$work/threads" "$1") $(column blas_waiting_ns "$work/threads" "$1")" \
		"$(column other_ns "$work/threads" "$1") $(column work "$work/threads" "$1")" |
		awk -v stretch="$2" '{ print (($1 - $2) / stretch + $3) / $4 }'
}

# trained_once NAME ARGUMENT...: what one thread's run predicts for two, and how much longer the code of a step takes in
# two threads on one unit, and in one thread whose BLAS calls are stretched by as much as theirs queue.
trained_once()
{
	name=$1
	shift
	for run in one.1.units=1 two.2.units=1 stretched.1.blas=1.6x; do
		what_if=${run#*.*.}
		threads=${run#*.}
		threads=${threads%%.*}
		rm -f "$work/db"
		OPENBLAS_NUM_THREADS=1 "$blasprof" -q -F 0 --work steps -o "$work/db" --what-if "$what_if" -- \
			"$PWD/workloads/train" "$@" --steps $((1500 * threads)) "$threads" >/dev/null
		step_ns "$threads" "$([ "$what_if" = units=1 ] && echo 1 || echo 1.6)" >>"$work/$name.${run%%.*}"
		[ "${run%%.*}" = one ] || continue
		"$blasprof" predict -i "$work/db" --threads 2 --units 1 --format csv >"$work/threads"
		column speedup_replay "$work/threads" >>"$work/$name.replay"
	done
}

# trained NAME ARGUMENT...: train with one unit: its speed-up, and what runs of one thread predict, of which each says it
# anew. Replay knows nothing of what waiting costs the code itself: on a host that others use too, caches are cold after
# it. What that is, the steps' own times show; and that it is not the queue's doing, one thread with stretched calls.
trained()
{
	name=$1
	shift
	turned "$name.measured" --what-if=units=1 "$@"
	turned "$name.plain" "" "$@"
	round=0
	while [ "$round" -lt "$rounds" ]; do
		trained_once "$name" "$@"
		round=$((round + 1))
	done
	awk -v name="$name" -v m="$(median "$work/$name.measured")" -v p="$(median "$work/$name.replay")" \
		-v plain="$(median "$work/$name.plain")" -v one="$(median "$work/$name.one")" \
		-v two="$(median "$work/$name.two")" -v stretched="$(median "$work/$name.stretched")" 'BEGIN {
			two /= one
			stretched /= one
			printf "%s: measured %.2f, replay %.2f: %+.1f%%\n", name, m, p, 100 * (p / m - 1)
			printf "    the code of a step takes %.3f times as long in two threads that queue, %.3f times in one whose\n",
				two, stretched
			printf "    calls are stretched 1.6 times; with the first, replay %.2f: %+.1f%%; with the second %.2f: %+.1f%%\n",
				p / two, 100 * (p / two / m - 1), p / stretched, 100 * (p / stretched / m - 1)
			printf "    without what-if two threads give %.2f\n", plain }'
	echo "    measured $(median_interval "$work/$name.measured"); without what-if $(median_interval "$work/$name.plain")"
}

# neighbours WHEN
neighbours()
{
	echo "own cache after 1 ms of spinning, $1 (1.0: the core is ours alone):$("$PWD/tests/bench/neighbours" |
		awk '{ printf " CPU %s %.1f times as slow,", $1, $3 }' | sed 's/,$//')"
}

neighbours "at first"
round=0
while [ "$round" -lt "$rounds" ]; do
	for f in 0.2 0.35 0.55 0.8; do
		one "clockwork-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps"
		one "variable-$f" units=1 "$PWD/tests/shim/truth" '{}' $f "$steps" 0 0 variable
	done
	one no-what-if "" "$PWD/tests/shim/truth" '{}' 0.55 "$steps" 0 0 variable
	turn=0
	while [ "$turn" -lt 3 ]; do # its code has caches to lose, so that a quiet moment is rarer
		one train units=1 "$PWD/workloads/train" --steps "$((train_steps / 10))" '{}'
		turn=$((turn + 1))
	done
	round=$((round + 1))
done
echo "speed-up of two threads on one unit (--what-if units=1), best of $rounds interleaved rounds:"
echo "case             measured  replay   error  queue   error  amdahl   error  most frequent fit"
for f in 0.2 0.35 0.55 0.8; do
	fastest "clockwork-$f"
done
for f in 0.2 0.35 0.55 0.8; do
	fastest "variable-$f"
done
fastest no-what-if
fastest train # of three times as many
echo "train on one unit, one and two threads by turns of 400 ms, medians and their 95 % intervals:"
trained train-by-turns
trained train-in-cache --experts 2 --blocks 1 # its replicas take no memory bandwidth from each other
neighbours "at the end"
