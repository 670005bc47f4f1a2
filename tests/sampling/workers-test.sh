#!/bin/sh
# workers-test.sh: the report knows which part of each shape's calls runs in BLAS's own threads, with a timeline and without.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

unset OPENBLAS_NUM_THREADS OMP_NUM_THREADS
steps=30

# profile WORD...: train on large products; the shapes' samples of callers and of workers are in $callers and $workers.
profile()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" --full -F 997 -i x.db "$@" --hidden=256 --sequence=128 --steps=$steps
	callers=$(sqlite3 "$work/x.db" "SELECT sum(samples_callers) FROM shapes")
	workers=$(sqlite3 "$work/x.db" "SELECT sum(samples_workers) FROM shapes")
	blas=$(sqlite3 "$work/x.db" "SELECT sum(samples_blas) FROM threads")
	own=$(sqlite3 "$work/x.db" "SELECT sum(samples_blas) FROM threads WHERE calls > 0")
	echo "$*: of $blas samples in BLAS $callers of callers and $workers of workers lie in calls"
}

# Two threads share each product alike.
check_shared()
{
	[ $((workers * 10)) -ge $(((workers + callers) * 3)) ] && [ $((workers * 10)) -le $(((workers + callers) * 7)) ] ||
		fail "two threads do not share the work: $callers and $workers samples $*"
	expect_says err 'share  *workers$'
}

# Threads that OpenBLAS starts before it is told to use one spin beside the first calls, which is no work.
profile --timeline -- "$train" 1 --blas-threads=1
if grep -q 'no samples were taken' "$work/err"; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
[ "$workers" = 0 ] && [ "$callers" -ge $((own * 9 / 10)) ] || fail "one thread's samples are not its own calls'"
grep -q "BLAS's own threads" "$work/err" && fail "workers are shown where there are none"
profile -- "$train" 1 --blas-threads=1
[ "$callers" = 0 ] && [ "$workers" = 0 ] || fail "BLAS has no threads of its own, but there are figures"

# On a fast machine as many steps as give some 2,000 samples: the shares are those of chance too.
[ "$blas" -ge 2000 ] || steps=$((steps * 2000 / blas))
profile --timeline -- "$train" 1 --blas-threads=2
check_shared
[ $((callers + workers)) -le "$blas" ] || fail "more samples lie in calls than in BLAS"

# Without one, by the calls of a part of the time; the run has no timeline then.
profile -- "$train" 1 --blas-threads=2
check_shared "without a timeline"
[ $(((callers + workers) * 12)) -ge "$blas" ] || fail "of $blas samples only $((callers + workers)) are known without a timeline"
[ "$(sqlite3 "$work/x.db" "SELECT count(*) FROM timeline")" = 0 ] || fail "there is a timeline that nobody asked for"
finish
