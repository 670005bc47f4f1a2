#!/bin/sh
# causes-test.sh: the planted cause is the first of those that lie in the program itself, and the twin has no such cause.
# SPDX-License-Identifier: MIT
#
# If other programs take CPUs, they also slow down what shares a core with them; then the planted cause need only be found.
# What the host does with the core shows in the program's CPU time.
# `make bench BENCHES=causes' has many more cases.
# shellcheck source=/dev/null
. "$srcdir/tests/common.sh"
export OPENBLAS_NUM_THREADS=1
planted=$PWD/tests/causes/threads

host='^(other-programs|host-steal|cpu-quota|oversubscribed)$'

# causes CASE: name and loss of each cause that lies in the program, at 2 threads.
causes()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" -w 0 -i "$work/x.db" -t 1,2 -- "$planted" {} "$1"
	cp "$work/out" "$work/walls"
	expect 0 "$blasprof" report -i "$work/x.db" --table=causes -f csv
	awk -F, -v host="$host" 'NR > 1 && $2 !~ host { print $2, $3 }' "$work/out"
}

# is_busy: the threads had no CPU for 5 % of the time, with one thread or with two. (What the runs with one thread lost as
# well is not in the causes.)
is_busy()
{
	expect 0 "$blasprof" report -i "$work/x.db" --table=threads -f tsv
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["preempted_ns"] >= 0.05 * $at["threads"] * $at["wall_ns"] { busy = 1 }
		END { exit !busy }' "$work/out"
}

# less_slowed [even]: takes what BLAS and other code took longer with two threads, by the program's own clocks, from what
# their causes lose: what shares a core with the two may slow down either of them. If the threads do even work, so does what
# one took longer than the other, from the imbalance.
less_slowed()
{
	awk -v causes="$(cat)" -v even="$1" '$1 == "units" { blas[++n] = $3; other[n] = $5; uneven = 2 * $7 - $3 - $5 }
		$1 == "planted" { wall = $4 }
		function longer(before, after) { return after > before ? (after - before) / wall : 0 }
		END {
			lines = split(causes, line, "\n")
			for (i = 1; i <= lines; i++) {
				split(line[i], part, " ")
				print part[1], part[2] - (part[1] ~ /^blas-/ ? longer(blas[1], blas[2]) : 0) - \
					(part[1] ~ /^other-/ ? longer(other[1], other[2]) : 0) - \
					(even && part[1] == "imbalance" ? uneven / wall : 0)
			}
		}' "$work/walls" | sort -k 2 -g -r
}

for case in imbalance-end/imbalance sleep/sleep io-timer/io other-slower/other-slower; do
	all=$(causes "${case%/*}" | grep -v "^none ")
	case $case in
	other-slower*) ;; # more CPU time is what is planted
	*) all=$(echo "$all" | less_slowed) ;;
	esac
	said=$(echo "$all" | if is_busy; then grep "^${case#*/} "; else head -n 1; fi)
	case $case in sleep* | io*) waits_known x.db || continue ;; esac
	# by the program's own clock: if other programs slowed the run with one thread down, the other run may have no loss
	speedup=$(awk '$1 == "planted" { wall[++n] = $4 } END { print wall[1] / wall[2] }' "$work/walls")
	[ "${said% *}" = "${case#*/}" ] || awk -v said="$all" -v speedup="$speedup" 'BEGIN { exit said != "" || speedup < 1.8 }' ||
		fail "$case: two threads give $speedup, and the causes are: $all"
done
said=$(causes none-alone | less_slowed even | awk '$1 != "none" && $2 > 0.2')
[ -z "$said" ] || fail "the twin has the cause '$said': $(cat "$work/walls")"
finish
