#!/bin/sh
# import-test.sh: the output of ceilings is stored value for value; other input is refused.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
store=$work/cells.db

# cells OPTION...: prints small cells that are quick to measure.
cells()
{
	workloads/ceilings --max-elements=1024 --limit=0 --threads=1 "$@" || fail "ceilings fails"
}

cells --category=overhead,elementwise --cache=warm >"$work/cells.csv"
cells --kernel=add --cache=cold | sed 1d >>"$work/cells.csv"
rows=$(($(wc -l <"$work/cells.csv") - 1))
prints "^suite 1 in '.*': $rows cells, $rows measured, 0 wrong, 0 left out$" import -i "$store" "$work/cells.csv"

# A suite from standard input, with an incomplete last row and a text that needs quotes.
{ sed -e '2s/,ok,,/,left out,"needs 3, has ""2""",/' "$work/cells.csv" && printf 'copy,read,'; } >"$work/cut.csv"
"$blasprof" import -i "$store" <"$work/cut.csv" >"$work/out" 2>"$work/err" || fail "import of a cut file: $?"
expect_says out "^suite 2 in .*: $rows cells, $((rows - 1)) measured, 0 wrong, 1 left out$"

if [ -n "$SQLITE3" ]; then
	ask()
	{
		"$SQLITE3" -csv "$store" "$1" | tr -d '\r'
	}
	[ "$(ask 'SELECT count(*), count(DISTINCT suite) FROM cells')" = "$((2 * rows)),2" ] || fail "other counts of rows"
	[ "$(ask "SELECT note FROM cells WHERE status = 'left out'")" = '"needs 3, has ""2"""' ] || fail "another note"
	columns=category,kernel,element_bytes,m,n,k,offset_bytes,threads,cache,status
	ask "SELECT $columns FROM cells WHERE suite = 1 ORDER BY id" >"$work/stored"
	sed 1d "$work/cells.csv" | cut -d, -f1-10 | awk -F, -v OFS=, '{ for (i = 4; i <= 6; i++) $i += 0; print }' |
		sed 's/left out/"left out"/' | cmp -s - "$work/stored" || fail "stored otherwise than printed"
	ask "SELECT printf('%.9g', median_ns), checksum, seed FROM cells WHERE suite = 1 ORDER BY id" >"$work/stored"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%.9g,%s,%s\n", $at["median_ns"], $at["checksum"], $NF }' "$work/cells.csv" | tr -d '"' |
		cmp -s - "$work/stored" || fail "other numbers than printed"
fi
# Every format shows the cells with their ceilings; in a directory each category has its own file.
cells --category=peak,copy,elementwise --cache=warm >"$work/more.csv"
all=$(($(wc -l <"$work/more.csv") - 1))
"$blasprof" import -i "$store" "$work/more.csv" >"$work/out" || fail "import of suite 3: $?"
mkdir "$work/folder"
expect 0 "$blasprof" report -i "$store" --format=csv -o "$work/folder"
[ "$(cd "$work/folder" && echo *)" = "cells-copy.csv cells-elementwise.csv cells-peak.csv cells.csv" ] ||
	fail "other files: $(ls "$work/folder")"
[ "$(wc -l <"$work/folder/cells.csv")" -eq $((all + 1)) ] || fail "other rows in cells.csv"
[ "$(cat "$work"/folder/cells-*.csv | wc -l)" -eq $((all + 3)) ] || fail "rows that are in no category"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["status"] == "ok" && !($(NF - 1) > 0 && $NF > 0) { print; bad = 1 }
	END { exit bad }' "$work/folder/cells-elementwise.csv" || fail "rows without a ceiling or a share of it"
for format in json xlsx tsv markdown; do
	expect 0 "$blasprof" report -i "$store" --format=$format -o "$work/cells.$format"
done
# if a store has no runs, the default table is that of cells
for format in tsv markdown; do
	[ "$(wc -l <"$work/cells.$format")" -ge $((all + 1)) ] || fail "$format is not the table of cells: $(head -n 2 "$work/cells.$format")"
done
grep -q '"share_of_peak": [0-9]' "$work/cells.json" || fail "JSON has no share of the peak"
grep -q '"suite": 3' "$work/cells.json" || fail "JSON is not of the newest suite"
prints "^Table cells: .*$" report -i "$store" --by=cell --suite=1 --top=0
expect_says out "^overhead *malloc "
fails_with "holds no run; print its cells with --by=cell" report -i "$store"
fails_with "no suite 9 .*; the newest is suite 3" report -i "$store" --by=cell --suite=9

# Comparison of two suites: equal ones do not differ; slower cells and other checksums are found.
prints "^No cell changed.$" compare -i "$store" --fail-above=0 suite:1 suite:1
expect_says out "^$rows cells are on both sides, 0 only before, 0 only after; 0 have another checksum.$"
prints " cells are on both sides, [1-9][0-9]* only before, [1-9][0-9]* only after" compare -i "$store" suite:1 suite
slow()
{
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
		{ t = $at["kernel"] == "add" ? '"$1"' : 1
		  $at["median_ns"] = 100 * t; $at["low_ns"] = 99 * t; $at["high_ns"] = 101 * t
		  $at["samples"] = '"$2"'; $at["checksum"] = '"$1"'; print }' "$work/more.csv" >"$work/slow.csv"
	"$blasprof" import -i "$work/slow.db" "$work/slow.csv" >"$work/out" || fail "import of a made suite: $?"
}
slow 1 20
slow 1.5 20
slow 1.5 3
expect_failure 1 "$blasprof" compare -i "$work/slow.db" --fail-above=20 suite:1 suite:2
expect_says err "add 1024, 1 thread.* takes 50.0 % longer, more than the 20 % allowed"
expect_says out "^add 1024, 1 thread .* +50.0% .*slower$"
expect_says out " $all have another checksum"
expect 0 "$blasprof" compare -i "$work/slow.db" --fail-above=60 suite:1 suite:2
expect 0 "$blasprof" compare --fail-above=0 "$work/slow.db:suite:2" "$work/slow.db:suite:1"
# three samples are too few to tell
expect 0 "$blasprof" compare -i "$work/slow.db" --fail-above=0 suite:1 suite:3
expect 0 "$blasprof" compare -i "$work/slow.db" --format=csv suite:1 suite:2
[ "$(wc -l <"$work/out")" -eq $((all + 1)) ] || fail "CSV has another number of rows"
fails_with "no suite 9" compare -i "$store" suite:1 suite:9
fails_with "cannot be compared" compare -i "$store" suite:1 7
# cells do not count as runs
fails_with "no run" report -i "$store"

# refuses TEXT PATTERN: importing TEXT fails with a message, and nothing is stored.
refuses()
{
	printf '%b' "$1" >"$work/bad.csv"
	fails_with "$2" import -i "$work/new.db" "$work/bad.csv"
	[ ! -e "$work/new.db" ] || fail "a store was made for bad cells"
}
header=$(head -n 1 "$work/cells.csv")
refuses '' "no header"
refuses "$header\n" "no cells"
refuses 'category,kernel\na,b\n' "no column"
refuses "$header\ncopy,read\n" "line 2 .* 2 fields"
refuses "$(head -n 2 "$work/cells.csv" | sed '2s/,warm,ok,,[^,]*/,warm,ok,,12x/')\n" "median_ns is not a number"
refuses "$(head -c 3000 /dev/zero | tr '\0' ',')\n" "no column"
fails_with missing.csv import "$work/missing.csv"
expect_failure 125 "$blasprof" import -i "$work" "$work/cells.csv"
finish
