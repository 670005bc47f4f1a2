#!/bin/sh
# own-cost-test.sh: of what blasprof itself costs, little is left in the times of BLAS and of other code: in a program
# whose BLAS does nothing, with a perf page and without, and where each caller's function is looked up.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

library=$PWD/tests/shim/.libs/libown_cost_blas.so
own_cost="$PWD/tests/shim/own_cost 60"

# measure PREFIX...: ns a call and the work before it take in the profile, and alone. The least of the turns each: what
# disturbs one makes it longer.
measure()
{
	rm -f "$work/own.db"
	# shellcheck disable=SC2086 # words
	expect 0 "$@" "$blasprof" -q -F 0 -i own.db -- $own_cost
	alone=$(cat "$work/out")
	left=$("$blasprof" report -i "$work/own.db" --format=tsv --table=regions --columns=calls,blas_ns,other_ns |
		awk '$1 == 5000 { ns = ($2 + $3) / $1; if (!n++ || ns < least) least = ns } END { if (n) print least }')
}

# check NAME PREFIX...: at most four times what they take alone, which is about 10 ns.
check()
{
	name=$1
	shift
	for attempt in 1 2 3 4 5; do
		measure "$@"
		echo "$name: $left ns, and $alone ns alone"
		awk -v left="$left" -v alone="$alone" 'BEGIN { exit !(left != "" && left <= 4 * alone) }' && return
	done
	fail "$name: too much of blasprof's own cost is left in $attempt attempts"
}

docker="$PWD/tests/hostile/hostile $work/counted docker"
check 'a perf page' env LD_PRELOAD="$library"
# shellcheck disable=SC2086 # words
check 'no perf page' $docker env LD_PRELOAD="$library"
own_cost="$own_cost $library"
check 'a lookup for each caller' env
# shellcheck disable=SC2086 # words
check 'a lookup for each caller and no perf page' $docker
finish
