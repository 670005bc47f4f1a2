#!/bin/sh
# causes-test.sh: the planted cause is the first of those that lie in the program itself, even on a busy machine, and the
# twin without it has no such cause. `make bench BENCHES=causes' has many more cases.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/common.sh"
export OPENBLAS_NUM_THREADS=1
planted=$PWD/tests/causes/threads

# causes CASE: name and loss of each cause that lies in the program, at 2 threads.
causes()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" -w 0 -i "$work/x.db" -t 1,2 -- "$planted" {} "$1"
	cp "$work/out" "$work/walls"
	expect 0 "$blasprof" report -i "$work/x.db" --table=causes -f csv
	awk -F, 'NR > 1 && $2 !~ /^(other-programs|host-steal|cpu-quota|oversubscribed)$/ { print $2, $3 }' "$work/out"
}

for case in imbalance-end/imbalance sleep/sleep io-pipe/io other-slower/other-slower; do
	# a busy machine slows down calls and other code
	said=$(causes "${case%/*}" | awk -v planted="${case#*/}" '$1 == planted || $1 !~ /^(none|blas-slower|other-slower)$/' | head -n 1)
	case $case in sleep* | io*) waits_known x.db || continue ;; esac
	# by the program's own clock: if other programs slowed the run with one thread down, the other run may have no loss
	speedup=$(awk '$1 == "planted" { wall[++n] = $4 } END { print wall[1] / wall[2] }' "$work/walls")
	[ "${said% *}" = "${case#*/}" ] || awk -v said="$said" -v speedup="$speedup" 'BEGIN { exit said != "" || speedup < 1.8 }' ||
		fail "$case: two threads give $speedup, and the first cause is '$said': $(cat "$work/out")"
done
said=$(causes none-alone | awk '$2 > 0.2 && $1 != "none"')
[ -z "$said" ] || fail "the twin has the cause '$said'"
finish
