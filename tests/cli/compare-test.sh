#!/bin/sh
# compare-test.sh: the ways to name what is compared, and the exit status of --fail-above.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
# In such a short run, an OpenBLAS thread that spins at start-up can look like a BLAS worker.
export OPENBLAS_NUM_THREADS=1

ln -s "$train" "$PWD/workloads/infer" "$work"
train=./train infer=./infer # lines of the report can be as long as a path
for threads in 1 2; do
	expect 0 "$blasprof" --quiet -- "$train" --steps=100 $threads
	expect 0 "$blasprof" --quiet --store=other:x.db -- "$train" --steps=100 $threads
done
experiment=$("$blasprof" report --store="$work/blasprof.db" --format=csv | sed -n '2s/,.*//p')
expect 0 "$blasprof" compare "$experiment" "other:x.db:$experiment"
expect_silent err
for figure in wall throughput speedup p50; do
	expect_says out "^$figure "
done
# JSON has the same rows and columns as CSV, and sentences fit the width of the terminal.
expect 0 "$blasprof" compare 1 2 --format=csv
cp "$work/out" "$work/rows.csv"
expect 0 "$blasprof" compare 1 2 --format=json
cp "$work/out" "$work/rows.json"
expect 0 python3 -c 'import csv, json
rows, objects = list(csv.DictReader(open("rows.csv", newline=""))), json.load(open("rows.json"))
assert [list(row) for row in rows] == [list(each) for each in objects] and len(rows) > 5
assert all(row["figure"] == each["figure"] and abs(float(row["before"]) - each["before"]) <= 1e-9 * abs(each["before"]) for row, each in zip(rows, objects))'
expect 0 env COLUMNS=60 "$blasprof" compare 1 2
[ "$(sed -n '/^throughput: /,$p' "$work/out" | wc -L)" -le 60 ] || fail "a sentence is wider than the terminal"
for side in 1 other:x.db:1 blasprof.db:1; do
	expect 0 "$blasprof" compare 1 $side --format=csv
	[ "$(sed -n '2,$s/^\([0-9]*\),.*/\1/p' "$work/out" | sort -u)" = 1 ] || fail "$side is not a run of one thread"
done
prints "^2 threads (runs: 1 before, 1 after)" compare blasprof.db other:x.db:
[ "$(wc -L <"$work/out")" -le 100 ] || fail "the comparison is wider than 100 columns"
expect_failure 125 "$blasprof" compare 1 99
expect_failure 125 "$blasprof" compare 1 other:x.db:99
expect_failure 125 "$blasprof" compare 1 other:x.db:nothing
expect_failure 125 "$blasprof" compare 1 2 --format=bogus
expect 0 "$blasprof" --quiet --store=empty.db -- true
fails_with "there are no runs and no cells in 'empty.db'; record a run first" compare 1 empty.db

expect 0 "$blasprof" --quiet --store=infer.db -- "$infer" --steps=100 1
fails_with "different programs: train and infer" compare 1 infer.db
expect 0 "$blasprof" compare --force 1 infer.db

# A run does not differ from itself, but it does from a copy that took ten times as long.
expect 0 "$blasprof" compare --fail-above=0% 1 1
[ -n "$SQLITE3" ] || finish
cp "$work/blasprof.db" "$work/slow.db"
"$SQLITE3" "$work/slow.db" "update runs set roi_ns = roi_ns * 10"
expect_failure 1 "$blasprof" compare --fail-above=5% 1 slow.db:1
expect_says err "throughput at 1 thread is lower by 9[0-2]\.[0-9] %, more than the 5 % allowed"
expect 0 "$blasprof" compare --fail-above=95 1 slow.db:1
expect 0 "$blasprof" compare --fail-above=5% slow.db:1 1
finish
