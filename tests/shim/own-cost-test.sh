#!/bin/sh
# own-cost-test.sh: of what blasprof itself costs, little is left in the times of BLAS and of other code: in a program
# whose BLAS does nothing, with a perf page and without, and where each caller's function is looked up.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

library=$PWD/tests/shim/.libs/libown_cost_blas.so
own_cost="$PWD/tests/shim/own_cost 240"

# measure WAY PREFIX...: ns a call and the work before it take in the profile, and alone, one more line of a file of that
# name. The least of the turns each: what disturbs one makes it longer.
measure()
{
	way=$1
	shift
	rm -f "$work/own.db"
	# shellcheck disable=SC2086 # words
	expect 0 "$@" "$blasprof" -q -F 0 -i own.db -- $own_cost
	"$blasprof" report -i "$work/own.db" --format=tsv --table=regions --columns=calls,blas_ns,other_ns |
		awk -v alone="$(cat "$work/out")" '$1 == 5000 { ns = ($2 + $3) / $1; if (!n++ || ns < least) least = ns }
			END { print n ? least : "none", alone }' >>"$work/$way"
}

# Each run calibrates anew what it takes off: the median of five, taken in turns.
docker="$PWD/tests/hostile/hostile $work/counted docker"
looked_up="$own_cost $library"
preloaded=$own_cost
for round in 1 2 3 4 5; do
	own_cost=$preloaded
	measure "a perf page" env LD_PRELOAD="$library"
	# shellcheck disable=SC2086 # words
	measure "no perf page" $docker env LD_PRELOAD="$library"
	own_cost=$looked_up
	measure "a lookup for each caller" env
	# shellcheck disable=SC2086 # words
	measure "a lookup for each caller and no perf page" $docker
done

# At most four times what they take alone, which is about 10 ns.
for way in "a perf page" "no perf page" "a lookup for each caller" "a lookup for each caller and no perf page"; do
	echo "$way, ns left and alone: $(sort -g "$work/$way" | tr '\n' ';')"
	sort -g "$work/$way" | awk '$1 == "none" { exit } NR == 3 { median = $1 } NR == 1 || $2 < alone { alone = $2 }
		END { exit !(NR == 5 && median <= 4 * alone) }' || fail "$way: too much of blasprof's own cost is left"
done
finish
