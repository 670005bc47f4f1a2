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

# slowed: by so many threads what shares a core with the two slowed them down, by the program's own clock.
slowed()
{
	awk '$1 == "planted" { cpu[++n] = $6; wall = $4 } END { slowed = (cpu[2] - cpu[1]) / wall; print slowed > 0 ? slowed : 0 }' "$work/walls"
}

for case in imbalance-end/imbalance sleep/sleep io-timer/io other-slower/other-slower; do
	all=$(causes "${case%/*}" | grep -v "^none ")
	case $case in
	other-slower*) ;; # more CPU time is what is planted
	*) all=$(echo "$all" | awk -v slowed="$(slowed)" 'NF { print $1, $2 - ($1 ~ /-slower$/ ? slowed : 0) }' | sort -k 2 -g -r) ;;
	esac
	said=$(echo "$all" | if is_busy; then grep "^${case#*/} "; else head -n 1; fi)
	case $case in sleep* | io*) waits_known x.db || continue ;; esac
	# by the program's own clock: if other programs slowed the run with one thread down, the other run may have no loss
	speedup=$(awk '$1 == "planted" { wall[++n] = $4 } END { print wall[1] / wall[2] }' "$work/walls")
	[ "${said% *}" = "${case#*/}" ] || awk -v said="$all" -v speedup="$speedup" 'BEGIN { exit said != "" || speedup < 1.8 }' ||
		fail "$case: two threads give $speedup, and the causes are: $all"
done
all=$(causes none-alone)
said=$(echo "$all" | awk -v slowed="$(slowed)" '$1 != "none" && $2 - ($1 ~ /-slower$/ ? slowed : 0) > 0.2')
[ -z "$said" ] || fail "the twin has the cause '$said'"
finish
