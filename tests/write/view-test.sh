#!/bin/sh
# view-test.sh: the full report fits its terminal, has colours on terminals only, and prints single tables.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

expect 0 "$blasprof" -q -w 0 -t 1,2 -- "$train" --steps=100 "{}"

# Every line fits, except for long paths in the header and the command to copy.
for width in 60 80 100; do
	expect 0 env COLUMNS=$width "$blasprof" report --full
	sed '1,/^parallel/d;/^for the speed-up, run/d' "$work/out" >"$work/body"
	[ "$(wc -l <"$work/body")" -ge 30 ] || fail "the report is short"
	wide=$(LC_ALL=C.UTF-8 awk -v most=$width '{ gsub(/±/, "x") } length($0) > most' "$work/body")
	[ -z "$wide" ] || fail "lines over $width characters: $wide"
	expect_says out '^threads .*measured.*amdahl' # no heading is broken
	for table in threads runs shapes; do
		expect 0 env COLUMNS=$width "$blasprof" report --table=$table
		[ -z "$(awk -v most=$width 'length($0) > most' "$work/out")" ] || fail "the table $table is over $width characters"
	done
done

# A wide terminal has whole sentences.
expect 0 "$blasprof" report --format=tsv --table=causes --columns=sentence
sed 1d "$work/out" >"$work/sentences"
[ -s "$work/sentences" ] || fail "there is no cause"
expect 0 env COLUMNS=2000 "$blasprof" report --table=causes
while read -r sentence; do
	grep -qF "$sentence" "$work/out" || fail "cut: $sentence"
done <"$work/sentences"

# A table that is printed in parts on a narrow terminal has all its columns.
expect 0 env COLUMNS=60 "$blasprof" report --by=shape --top=0
for column in routine transa m n k calls total_ns p50_ns p95_ns gflops; do
	expect_says out "\\<$column\\>"
done

# Each part repeats the columns that identify a row.
expect 0 env COLUMNS=60 "$blasprof" report --by=region
parts=$(grep -c '^threads ' "$work/out")
[ "$parts" -ge 2 ] && [ "$(grep -c '^ *[12]  *backward ' "$work/out")" -eq $((2 * parts)) ] || { fail "rows without the name of their region"; show_output; }

# Colours are used on a terminal that has them, unless NO_COLOR is set.
escape=$(printf '\033')
for how in xterm: dumb: xterm:1; do
	got=0
	(cd "$work" && TERM=${how%:*} NO_COLOR=${how#*:} "$OLDPWD/tests/cli/terminal" "$blasprof" report --full) >"$work/out" || got=$?
	[ "$got" -eq 77 ] && break
	case $how in
	xterm:) expect_says out "^$escape\\[1m[0-9].*threads" ;;
	*) ! grep -q "$escape" "$work/out" || fail "colours with TERM and NO_COLOR $how" ;;
	esac
done
expect 0 env TERM=xterm "$blasprof" report --full
! grep -q "$escape" "$work/out" || fail "colours in a pipe"

# Single tables.
for by in $("$blasprof" report --help | sed -n '/^Tables by/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	prints '^Table ' report --by="$by"
done
prints '^tid,name,role,' report --by=thread --format=csv
prints '^threads,calls,wall_ns' report --format=csv --columns=threads,calls,wall_ns --sort=wall_ns
sed '1d;s/.*,//' "$work/out" | tr -d '\r' >"$work/column"
sort -rg "$work/column" | cmp -s - "$work/column" || fail "not sorted by wall_ns"
[ "$(wc -l <"$work/column")" -eq 2 ] || fail "not two thread counts"
# Calls and stacks are those of the thread count that the first sentence is about, whatever was recorded last.
expect 0 "$blasprof" -q -i last.db -w 0 -t 1,2 -- "$train" --steps=100 "{}"
expect 0 "$blasprof" -q -i last.db -- "$train" --steps=100 1
prints '^2 threads give .*' report -i last.db --full
expect_says out '^BLAS calls by shape at 2 threads:'
# What has a unit has no more figures than in the report.
prints '^ *1  *[0-9.]* [MGT]  *[0-9.]*$' report --columns=threads,work,cpus_available
# Waits of threads that take part come first.
sqlite3 "$work/blasprof.db" "INSERT INTO waits SELECT run, 90000 + (calls > 0), 'sleep', 'nanosleep', 'main', '', 0, '', -1, pid,
	tid, 0, 1, CASE calls WHEN 0 THEN 1000000000 ELSE 1 END, 1, 0 FROM threads WHERE run = 1 GROUP BY calls > 0"
expect 0 "$blasprof" report --format=csv --by=wait
tr -d '\r' <"$work/out" | awk -F, '$NF == "" { others++ } $NF != "" && others { exit 1 } END { if (!others) exit 2 }' ||
	fail "a wait of another thread comes before those of threads that take part"
prints ': 3 of ' report --by=shape --top=3
[ "$(grep -c 'cblas_sgemm' "$work/out")" -eq 3 ] || fail "not the 3 top shapes"
expect 0 "$blasprof" report --format=tsv --table=functions --columns=function --sort=function
sed 1d "$work/out" >"$work/column"
LC_ALL=C sort "$work/column" | cmp -s - "$work/column" || fail "texts are not sorted"

expect_failure 125 "$blasprof" report --columns=
fails_with 'print it with --table=functions' report --by=functions
expect_failure 125 "$blasprof" report --by=shape --table=shapes
# Options that a format cannot use are refused, not ignored.
expect_failure 125 "$blasprof" report --format=json --columns=threads
fails_with 'choose the format text, csv, tsv or markdown' report --format=pprof --table=shapes
expect_failure 125 "$blasprof" report --format=csv --picture=roofline
fails_with 'choose the format svg or png' report --picture=histogram
finish
