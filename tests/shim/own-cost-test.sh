#!/bin/sh
# own-cost-test.sh: little of blasprof's own cost is left in the times of BLAS and other code, if BLAS does nothing: with
# and without a perf page, and if the function is looked up for each caller; which takes as long for many callers.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

library=$PWD/tests/shim/.libs/libown_cost_blas.so
own_cost="$PWD/tests/shim/own_cost 240"

# measure WAY PREFIX...: adds a line to the file WAY: the ns of a call and the work before it, in the profile and alone.
# Each is the minimum of all turns, since any disturbance makes a turn longer.
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

# Each run calibrates the cost that it subtracts. The median of five runs counts, which alternate between the ways.
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

# At most four times the time alone, which is about 10 ns.
for way in "a perf page" "no perf page" "a lookup for each caller" "a lookup for each caller and no perf page"; do
	echo "$way, ns left and alone: $(sort -g "$work/$way" | tr '\n' ';')"
	sort -g "$work/$way" | awk '$1 == "none" { exit } NR == 3 { median = $1 } NR == 1 || $2 < alone { alone = $2 }
		END { exit !(NR == 5 && median <= 4 * alone) }' || fail "$way: too much of blasprof's own cost is left"
done

# The cost is measured again while the program runs: what else used the core at the first call, such as the threads of a
# BLAS that is being loaded, does not decide. The time alone is the least from above.
expect 0 "$blasprof" -q -F 0 -i again.db -- "$PWD/tests/shim/own_cost" 0 "$library" doubled
"$blasprof" report -i "$work/again.db" --format=tsv --table=threads --columns=calls,blas_ns,other_ns |
	awk -v alone="$(cut -d' ' -f2 "$work/a perf page" | sort -g | head -n 1)" 'NR == 2 { left = ($2 + $3) / $1; print left, "ns left,", alone, "alone" }
		END { exit !(NR == 2 && alone / 2 <= left && left <= 4 * alone) }' >"$work/again" || fail "after a wrong cost: $(cat "$work/again")"

# Many places in a library that call cost little more than few.
expect 0 "$blasprof" -q -F 0 -i places.db -- "$PWD/tests/shim/own_cost" 20 "$library" places
awk '{ exit !($2 < 10 * $1) }' "$work/out" || fail "ns of a call from 10 and from 5000 places: $(cat "$work/out")"
finish
