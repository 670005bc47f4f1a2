#!/bin/sh
# workers-test.sh: the report knows which part of each shape's calls runs in BLAS's own threads, with a timeline and without.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

unset OPENBLAS_NUM_THREADS OMP_NUM_THREADS

# profile WORD...: train on large products; the shapes' samples of callers and of workers are in $callers and $workers.
profile()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" -F 997 -o x.db "$@" --hidden=256 --sequence=128 --steps=30
	callers=$(sqlite3 "$work/x.db" "SELECT sum(samples_callers) FROM shapes")
	workers=$(sqlite3 "$work/x.db" "SELECT sum(samples_workers) FROM shapes")
	blas=$(sqlite3 "$work/x.db" "SELECT sum(samples_blas) FROM threads")
	echo "$*: of $blas samples in BLAS $callers of callers and $workers of workers lie in calls"
}

profile --timeline -- "$train" 1 --blas-threads=1
if grep -q 'no samples were taken' "$work/err"; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
[ "$workers" = 0 ] && [ "$callers" -ge $((blas * 9 / 10)) ] || fail "one thread's samples are not its own calls'"
grep -q "BLAS's own threads" "$work/err" && fail "workers are shown where there are none"

# Two threads share each product alike.
profile --timeline -- "$train" 1 --blas-threads=2
[ $((workers * 10)) -ge $(((workers + callers) * 3)) ] && [ $((workers * 10)) -le $(((workers + callers) * 7)) ] ||
	fail "two threads do not share the work: $callers and $workers samples"
[ $((callers + workers)) -le "$blas" ] || fail "more samples lie in calls than in BLAS"
expect_says err 'share  workers$'

all=$((callers + workers))

# Without one, by the calls of a part of the time; the run has no timeline then.
profile -- "$train" 1 --blas-threads=2
[ $((workers * 10)) -ge $(((workers + callers) * 3)) ] && [ $((workers * 10)) -le $(((workers + callers) * 7)) ] ||
	fail "two threads do not share the work: $callers and $workers samples without a timeline"
[ $(((callers + workers) * 12)) -ge "$all" ] || fail "of $all samples only $((callers + workers)) are known without a timeline"
expect_says err 'share  workers$'
[ "$(sqlite3 "$work/x.db" "SELECT count(*) FROM timeline")" = 0 ] || fail "there is a timeline that nobody asked for"

profile -- "$train" 1 --blas-threads=1
[ "$callers" = 0 ] && [ "$workers" = 0 ] || fail "BLAS has no threads of its own, but there are figures"
finish
