#!/bin/sh
# stores-test.sh: a report of several stores counts each run once, and reports stores without runs.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# runs WORD...: prints the thread and run counts of the report's rows.
runs()
{
	expect 0 "$blasprof" report --format=csv --columns=threads,runs "$@"
	sed 1d "$work/out" | tr -d '\r' | tr '\n' ' '
}

for i in 1 2; do
	expect 0 "$blasprof" -q -F 0 -i a.db -- "$train" --steps=5 1
done
expect 0 "$blasprof" -q -F 0 -i b.db -- "$train" --steps=5 1
cp "$work/a.db" "$work/copy.db"
[ "$(runs a.db)" = "1,2 " ] || fail "not two runs in a store"
[ "$(runs a.db a.db)" = "1,2 " ] || fail "the runs of a store given twice count twice"
[ "$(runs copy.db b.db a.db)" = "1,3 " ] || fail "the runs of a copied store count twice"
# Runs are in the order of time, so that the newest is the last, whatever store it is in.
expect 0 "$blasprof" report --format=csv --table=runs a.db b.db
mv "$work/out" "$work/in-order"
expect 0 "$blasprof" report --format=csv --table=runs b.db a.db
cmp -s "$work/out" "$work/in-order" || fail "the order of stores matters"

# Rank 0 makes no BLAS call, and rank 2 has no store.
expect 0 env PMI_RANK=0 PMI_SIZE=3 "$blasprof" -q -F 0 -i job.db -- true
expect 0 env PMI_RANK=1 PMI_SIZE=3 "$blasprof" -q -F 0 -i job.db -- "$train" --steps=5 1
for stores in "job.0.db job.1.db job.2.db" "job.1.db job.2.db job.0.db"; do
	# shellcheck disable=SC2086 # these are words
	prints 'job.0.db: there is no experiment\|job.0.db: store .job.0.db. holds no run' report --format=csv --table=warnings $stores
	expect_says out "there is no store 'job.2.db'"
	expect_says out 'there are 1 of 3, without rank 0, 2'
done
expect_failure 125 "$blasprof" report job.0.db job.2.db

# Runs from before a script was changed are left out, for each thread count with newer runs.
printf '%s\n' 'exec "$1" --steps=20 "$2"' >"$work/run.sh"
for runs in 1,2 1; do
	expect 0 "$blasprof" -q -i changed.db -t "$runs" -w 0 -- sh ./run.sh "$train" {}
	echo '# changed' >>"$work/run.sh"
done
selects changed.db "SELECT count(DISTINCT value) FROM facts WHERE name = 'program'" 2 programs
used=$(column runs used -i changed.db | tr '\n' ' ')
[ "$used" = '0 1 1 ' ] || fail "runs used: $used"
prints 'program was changed between the runs: after those at 2 threads and before those at 1 thread' \
	report -i changed.db --table=warnings -f csv
finish
