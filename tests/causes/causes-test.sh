#!/bin/sh
# causes-test.sh: the planted cause is found even on a busy machine, and the twin without it has no cause that lies in the
# program itself. `make bench BENCHES=causes' has many more cases, and looks at the order of the causes.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/common.sh"
export OPENBLAS_NUM_THREADS=1
planted=$PWD/tests/causes/threads

# causes CASE: name and loss of each cause at 2 threads.
causes()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" -w 0 -i "$work/x.db" -t 1,2 -- "$planted" {} "$1"
	cp "$work/out" "$work/walls"
	expect 0 "$blasprof" report -i "$work/x.db" --table=causes -f csv
	awk -F, 'NR > 1 { print $2, $3 }' "$work/out"
}

for case in imbalance-end/imbalance sleep/sleep io-pipe/io other-slower/other-slower; do
	said=$(causes "${case%/*}")
	case $case in sleep* | io*) waits_known x.db || continue ;; esac
	# by the program's own clock: if other programs slowed the run with one thread down, the other run may have no loss
	speedup=$(awk '$1 == "planted" { wall[++n] = $4 } END { print wall[1] / wall[2] }' "$work/walls")
	echo "$said" | grep -q "^${case#*/} " || awk -v speedup="$speedup" 'BEGIN { exit speedup < 1.8 }' ||
		fail "$case: two threads give $speedup, and the causes are: $said"
done
# what a busy machine does to any program is no fault of the twin
said=$(causes none-alone | awk '$2 > 0.2 && $1 !~ /^(none|other-programs|host-steal|cpu-quota|oversubscribed|blas-slower|other-slower)$/')
[ -z "$said" ] || fail "the twin has the cause '$said'"
finish
