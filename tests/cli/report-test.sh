#!/bin/sh
# report-test.sh: three runs of one program make one experiment, which all forms of the report show.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# Long enough for all threads to be alive at once, also where other programs run.
for threads in 1 2 4; do
	expect 0 "$blasprof" --full -- "$train" --steps=400 $threads
	[ $threads -gt 1 ] || grep -q -- "$train" "$work/err" || fail "the report names no command"
done
cp "$work/err" "$work/after-4"
expect 0 "$blasprof" report --full
expect_silent err
for model in amdahl bound queue forkjoin; do
	expect_says out $model
	expect_says after-4 $model
done

expect 0 "$blasprof" report --format=csv
[ "$(cut -d, -f2 "$work/out" | tr '\n' ' ')" = "threads 1 2 4 " ] || fail "not the threads 1, 2, 4"
experiment=$(sed -n 's/^\([^,]*\),1,.*/\1/p' "$work/out")
expect_says out '^experiment,threads,runs,wall_ns,f_intercepted,'
for table in shapes functions; do
	expect 0 "$blasprof" report --format=csv --table=$table
	[ "$(wc -l <"$work/out")" -ge 2 ] || fail "the table $table is empty"
done
expect 0 "$blasprof" report --full --experiment="$experiment" --output=file.txt
expect_silent out
[ -s "$work/file.txt" ] || fail "--output writes nothing"
expect_failure 125 "$blasprof" report --experiment="no such experiment"
expect 0 "$blasprof" --full --output=run.txt -- "$train" --steps=400 2
expect_silent err
[ -s "$work/run.txt" ] || fail "--output of a run writes nothing"
expect 0 "$blasprof" list
[ "$(wc -l <"$work/out")" -eq 5 ] || fail "the list does not have four runs"
[ "$(awk 'NR > 1 { print $3 }' "$work/out" | tr '\n' ' ')" = "1 2 4 2 " ] || { fail "the list does not have their threads"; show_output; }
expect 0 "$blasprof" list --experiments
expect_says out '^ *runs  newest run  threads  *experiment$'
grep -qxF "    4           4  1,2,4             $train --steps=400 {}" "$work/out" || fail "the list of experiments does not name it"
expect_failure 125 "$blasprof" list --experiment="$train --step=400 {}"
expect_says err "the nearest are '$train --steps=400 {}'"
finish
