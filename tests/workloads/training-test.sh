#!/bin/sh
# training-test.sh: train learns in every mode with repeatable results, infer runs, and both print the right lines.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# Usage: value NAME: the value after a name in the last output.
value() {
	tr ' ' '\n' <"$work/out" | grep -A 1 -x -e "$1" | tail -n 1
}

# Usage: run PROGRAM ARGUMENT...; leaves $work/out.
run() {
	program=$1
	shift
	workloads/"$program" "$@" >"$work/out" 2>"$work/err" ||
		fail "$program $*: status $?: $(cat "$work/err")"
	[ ! -s "$work/err" ] || fail "$program $*: complained: $(cat "$work/err")"
}

# Usage: learn ARGUMENT...: checks that the loss falls by a fifth.
learn() {
	run train --steps=200 "$@"
	[ "$(grep -cE 'trn/s [0-9]+\.[0-9]' "$work/out")" -eq 1 ] ||
		fail "train $*: no single trn/s: $(cat "$work/out")"
	awk -v before="$(value loss-before)" -v after="$(value loss-after)" \
		'BEGIN { exit !(after > 0 && after < before * 4 / 5) }' ||
		fail "train $*: the loss does not fall: $(cat "$work/out")"
}

i=0
while [ $i -lt 40 ]; do
	echo "line $i: to be, or not to be, that is the question."
	i=$((i + 1))
done >"$work/text"

# Usage: stamp PROGRAM ARGUMENT...: checks that seven steps have a stamp each, in order, within the printed duration of the
# run, which has three digits.
stamp() {
	run "$@" --steps=7 --stamps="$work/stamps"
	awk '{ bad += $1 < last; last = $1 } NR == 1 { first = $1 }
		END { exit bad || NR != 7 || last - first > 1e9 * ('"$(value seconds)"' + 0.0006) }' "$work/stamps" ||
		fail "$*: not seven moments of its run: $(cat "$work/stamps")"
}
stamp infer 2
stamp train 1
stamp train --mode=allreduce 2

# trainer_test has the other combinations
learn --mode=independent --routing=sequence 1
learn --mode=independent --routing=token 2
learn --mode=allreduce --routing=sequence 2
learn --mode=allreduce --routing=token 1
learn --text="$work/text" 1
# the characters of the lines, and the line feed
different=$(($(fold -w 1 <"$work/text" | LC_ALL=C sort -u | wc -l) + 1))
[ "$(value vocabulary)" -eq $different ] ||
	fail "vocabulary $(value vocabulary) is not the $different of the text"
learn --hidden=96 --sequence=48 --blocks=1 --experts=3 --top-k=1 1

# Usage: trained ARGUMENT...: trains, and leaves the losses before and after in $losses.
trained() {
	run train --steps=50 "$@"
	losses="$(value loss-before) $(value loss-after)"
}

trained --seed=7 1
first=$losses
trained --seed=7 1
[ "$first" = "$losses" ] || fail "two runs with one seed differ: $first; $losses"
trained --seed=8 1
[ "$first" != "$losses" ] || fail "two seeds give the same: $first"
trained --mode=allreduce 2
first=$losses
trained --mode=allreduce 2
[ "$first" = "$losses" ] || fail "two all-reduce runs differ: $first; $losses"

for routing in sequence token; do
	run infer --steps=100 --routing=$routing 2
	[ "$(grep -cE 'inf/s [0-9]+\.[0-9]' "$work/out")" -eq 1 ] ||
		fail "infer --routing=$routing: no single inf/s: $(cat "$work/out")"
done
finish
