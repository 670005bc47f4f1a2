#!/bin/sh
# report-test.sh: three runs of a program form one experiment, which the report shows in all forms.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
ln -s "$train" "$work/train"
train=./train # lines of the report can be as long as a path

# Long enough for all threads to be alive at once, even on a busy machine.
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
for table in shapes $(! may_sample >"$work/may" || echo functions); do
	expect 0 "$blasprof" report --format=csv --table=$table
	[ "$(wc -l <"$work/out")" -ge 2 ] || fail "the table $table is empty"
done
expect 0 "$blasprof" report --full --experiment="$experiment" --output=file.txt
expect_silent out
[ -s "$work/file.txt" ] || fail "--output writes nothing"
expect_failure 125 "$blasprof" report --experiment="no such experiment"
expect_says err "blasprof list --experiments -i 'blasprof.db'; the nearest is "
expect 0 "$blasprof" --full --output=run.txt -- "$train" --steps=400 2
expect_silent err
[ -s "$work/run.txt" ] || fail "--output of a run writes nothing"
stored 4
[ "$(awk 'NR > 1 { print $3 }' "$work/out" | tr '\n' ' ')" = "1 2 4 2 " ] || { fail "the list does not have their threads"; show_output; }
prints '^ *runs  newest run  threads  *experiment$' list --experiments
grep -qxF "    4           4  1,2,4             $train --steps=400 {}" "$work/out" || fail "the list of experiments does not name it"
fails_with "the nearest is '$train --steps=400 {}'" list --experiment="$train --step=400 {}"

# The name of an experiment that has quotes can be pasted.
expect 0 "$blasprof" -q -F 0 -i quoted.db -- sh -c "./train --steps=20 1"
fails_with "the nearest is 'sh -c '\\\\''./train --steps=20 1'\\\\'''$" list -i quoted.db --experiment="sh -c ./train"

# Nobody asked for a thread count, and no thread calls BLAS.
if may_sample >"$work/may"; then
	expect 0 "$blasprof" -q -i other.db -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
	prints '^    1  [^ ]*        -     0  ' list --store=other.db
	prints '^    1           1  -      *sh ' list --experiments --store=other.db
fi

# The value of an option that does not speak of threads is no thread count.
expect 0 "$blasprof" -q -F 0 -i value.db -- sh -c "'$train' --steps=20 2" sh --order 2
prints ' --order 2$' list --experiments --store=value.db

# The thread count at the end of a word; one on its own tells more than a variable does.
counts() { # NAME WORD...: runs 2 threads with these words, and expects the experiment's name to end with NAME
	name=$1
	shift
	rm -f "$work/count.db"
	expect 0 "$blasprof" -q -F 0 -i count.db -- sh -c "'$train' --steps=100 2" sh "$@"
	prints " $name\$" list --experiments --store=count.db
}
counts '-j{} --order=2' -j2 --order=2
counts '-@ {} --order=2' -@ 2 --order=2
counts '--pools {} --order=2' --pools 2 --order=2
counts '-x2 x2 --cpus {}' -x2 x2 --cpus 2
counts 'N_THREADS={} ORDER=2' N_THREADS=2 ORDER=2
counts 'N_THREADS=2 {}' N_THREADS=2 2

# -o writes the report, in any format, to a file, or to standard output with -.
ln -s "$PWD/tests/shim/truth" "$work/truth"
expect 0 "$blasprof" -F 0 -i out.db -o out.html -- ./truth 2 0.5 5 1
expect_silent err
grep -q '^<!doctype html>' "$work/out.html" || fail "-o out.html makes no page"
# The ending of the file's name chooses the format, unless -f does.
starts()
{
	format=$1 start=$2
	shift 2
	expect 0 "$blasprof" report -i out.db -o "$@"
	head -c 99 "$work/$1" | grep -aq "^$start" || fail "'-o $*' makes no $format"
}
starts workbook PK a.xlsx
starts JSON '{' a.json
starts Markdown '| experiment |' a.md
starts JSON '{' b.csv -f json
starts text '.* threads' a.txt
prints '^experiment,threads,' -F 0 -i out.db -f csv -o - -- ./truth 1 0.5 5 1
expect_silent err
prints '^experiment,threads,' report -i out.db -f csv -o -
[ ! -e "$work/-" ] || fail "a file - is made"
expect 125 sh -c "'$blasprof' report -i out.db -o - >/dev/full"
# A file that has the standard output or error already is added to, and keeps what it has.
for file in /dev/stdout /dev/stderr /dev/fd/1 log; do
	for open in '>>' '>'; do
		echo before >"$work/log"
		expect 0 sh -c "exec '$blasprof' -F 0 -i out.db -o $file -- sh -c 'echo ran; ./truth 1 0.5 5 1 >&2' $open log 2>&1"
		[ "$open" = '>' ] || grep -qx before "$work/log" || fail "-o $file $open log removes what was in the file"
		grep -qx ran "$work/log" && grep -q ' speed-up ' "$work/log" || { fail "-o $file $open log loses output" && cat "$work/log"; }
	done
done
# An earlier report stays until there is another one, which replaces it.
seq 9999 >"$work/earlier"
cp "$work/earlier" "$work/kept.txt"
expect_failure 127 "$blasprof" -F 0 -i out.db -o kept.txt -- ./missing
expect 130 env --default-signal=INT "$blasprof" -F 0 -i out.db -o kept.txt -t 1,2 -- sh -c 'kill -INT $PPID $$' {}
cmp "$work/earlier" "$work/kept.txt" || fail "a run that did not work empties the earlier report"
expect 0 "$blasprof" report -i out.db -o kept.txt
expect 0 "$blasprof" report -i out.db -o new.txt
cmp "$work/new.txt" "$work/kept.txt" || fail "an earlier report is not replaced"
# In version 0.1, -o named the store, so a name like that of a store is refused.
fails_with "'runs.db' is a store.*-i FILE names the store" -o runs.db -- touch "$work/ran"
expect_failure 125 "$blasprof" report -o runs.db
[ ! -e "$work/ran" ] && [ ! -e "$work/runs.db" ] || fail "a file is made with a store's name"
finish
