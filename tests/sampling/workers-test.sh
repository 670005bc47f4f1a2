#!/bin/sh
# workers-test.sh: the report says which part of the calls of each shape runs in threads of BLAS, with and without a timeline.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
may_sample || exit 77

steps=15

# profile WORD...: profiles training with large products; $callers and $workers are the samples of callers and workers in
# shapes, $own those of callers in the BLAS library, without the kernel, which has more of them on a busy host.
profile()
{
	rm -f "$work/x.db"
	expect 0 "$blasprof" --full -F 3989 -i x.db "$@" --hidden=256 --sequence=128 --steps=$steps
	callers=$(ask x.db "SELECT sum(samples_callers) FROM shapes")
	workers=$(ask x.db "SELECT sum(samples_workers) FROM shapes")
	blas=$(ask x.db "SELECT sum(samples_blas) FROM threads")
	own=$(ask x.db "SELECT sum(samples - samples_workers) FROM functions WHERE code = 'blas' AND object LIKE '%blas%'")
	echo "$*: of $blas samples in BLAS, $own of callers in its library, $callers of callers and $workers of workers lie in calls"
}

# check_shared [WORD...]: two threads do about half of each product.
check_shared()
{
	[ $((workers * 10)) -ge $(((workers + callers) * 3)) ] && [ $((workers * 10)) -le $(((workers + callers) * 7)) ] ||
		fail "two threads do not share the work: $callers and $workers samples $*"
	expect_says err 'share  *workers$'
}

# OpenBLAS starts threads before it is told to use one; they spin during the first calls, which is not work.
profile --timeline -- "$train" 1 --blas-threads=1
[ "$workers" = 0 ] && [ "$callers" -ge $((own * 98 / 100)) ] || fail "the samples of a single thread are not in its own calls"
grep -q "BLAS's own threads" "$work/err" && fail "the report has workers, though there are none"
profile -- "$train" 1 --blas-threads=1
[ "$callers" = 0 ] && [ "$workers" = 0 ] || fail "there are samples of workers, though BLAS has no threads"

# On a fast machine, take as many steps as are needed for some 2,000 samples, so that chance matters little.
[ "$blas" -ge 2000 ] || steps=$((steps * 2000 / blas))
profile --timeline -- "$train" 1 --blas-threads=2
check_shared
[ $((callers + workers)) -le "$blas" ] || fail "more samples lie in calls than in BLAS"

# Without a timeline, the calls of a part of the time are used, and the run stores no timeline.
profile -- "$train" 1 --blas-threads=2
check_shared "without a timeline"
[ $(((callers + workers) * 12)) -ge "$blas" ] || fail "without a timeline, only $((callers + workers)) of $blas samples are assigned to calls"
[ "$(ask x.db "SELECT count(*) FROM timeline")" = 0 ] || fail "the run stores a timeline without --timeline"
finish
