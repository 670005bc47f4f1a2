#!/bin/sh
# formats-test.sh: all formats of a report have the same figures, in every locale.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)

# compare COMMAND...: writes every table as CSV, TSV and Markdown, and the whole report as JSON, as a workbook and as a page. All
# have the same figures. The data in the page do not end the element that holds them.
compare()
{
	rm -f "$work"/*.csv "$work"/report.*
	for format in csv tsv markdown; do
		expect 0 "$@" "$blasprof" report -i store.db --format $format --output .
	done
	for format in json xlsx html; do
		expect 0 "$@" "$blasprof" report -i store.db --format $format --output report.$format
	done
	sed -n 's,^<script type="application/json" id="data">\(.*\)</script>$,\1,p' "$work/report.html" >"$work/data.json"
	grep -q '<' "$work/data.json" && fail "the page's data could end its element"
	expect 0 python3 "$here/tests/write/read_back.py" . "$here/analysis/report/report.schema.json"
	expect_says out 'figures are the same'
}

odd='a,b"c|d<script>=1'
ln -s "$PWD/tests/shim/truth" "$work/$odd"
for threads in 1 2; do
	expect 0 "$blasprof" -q -i store.db -- "./$odd" $threads 0.5 60
done
expect 0 "${SQLITE3:-sqlite3}" store.db 'UPDATE runs SET cpus_available = 2;
	UPDATE threads SET mpi_ns = other_ns / 4, other_ns = other_ns - other_ns / 4'
compare env LC_ALL=C
mkdir "$work/locales"
localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" >"$work/out" 2>&1
# The shell may not know the locale, but the programs that it starts do.
german="env LOCPATH=$work/locales LC_ALL=de_DE.UTF-8"
if [ "$($german locale decimal_point)" = , ]; then
	# shellcheck disable=SC2086 # several words
	compare $german
	# shellcheck disable=SC2086
	expect 0 $german "$blasprof" report -i store.db --full
	expect_says out ' [0-9]\.[0-9][0-9][0-9] '
	! grep -q ' [0-9],[0-9][0-9][0-9] ' "$work/out" || fail "a decimal comma in the text"
else
	echo "SKIP: there is no German locale to make (Debian: locales)"
fi
# A workbook shows as text does that the threads share no units.
expect 0 python3 -c "import zipfile
print('quot;none&quot;' in zipfile.ZipFile('report.xlsx').read('xl/styles.xml').decode())"
expect_says out '^True$'
grep -q 'src="http\|href="http\|@import' "$work/report.html" && fail "the page fetches something"

# One thread does not share the units that were fitted, less than one here, so that no formula of these holds for it.
cp "$work/store.db" "$work/units.db"
expect 0 "${SQLITE3:-sqlite3}" units.db 'UPDATE runs SET roi_ns = id * id * 1e8;
	UPDATE threads SET start_ns = 0, end_ns = roi, blas_ns = roi * .9, other_ns = roi * .1, waiting_ns = 0, preempted_ns = 0, mpi_ns = 0,
	spin_ns = 0, blas_waiting_ns = 0, own_ns = 0 FROM (SELECT id, roi_ns AS roi FROM runs) WHERE id = run AND calls'
prints 'behaves like 0\.[0-9] shared units' predict -i units.db
expect 0 "$blasprof" report -i units.db --format xlsx --output units.xlsx
expect 0 python3 -c "import re, zipfile
sheet = zipfile.ZipFile('units.xlsx').read('xl/worksheets/sheet2.xml').decode()
print(*(cell for cell in ('E5', 'E6') if re.search('r=.' + cell + '.[^>]*><f>', sheet)))"
expect_says out '^E6$'

if command -v gnuplot >/dev/null; then
	expect 0 "$blasprof" report -i store.db --format svg --output .
	expect 0 "$blasprof" report -i store.db --format png --output .
	for picture in waterfall speed-up decomposition histogram; do
		grep -q '</svg>' "$work/$picture.svg" || fail "$picture.svg is no picture"
		head -c 4 "$work/$picture.png" | grep -q PNG || fail "$picture.png is no picture"
	done
	prints '>measured<' report -i store.db --format svg
	prints '>MPI<' report -i store.db --format svg --picture decomposition
	# Pictures mark thread counts over the CPUs available.
	cp "$work/store.db" "$work/over.db"
	expect 0 "${SQLITE3:-sqlite3}" over.db 'UPDATE runs SET cpus_available = 1'
	for picture in speed-up decomposition; do
		grep -q '2\*' "$work/$picture.svg" && fail "$picture.svg marks a thread count that has its CPUs"
		prints '>2\*<' report -i over.db --format svg --picture $picture
		expect_says out 'more than CPUs available'
	done
	# The roofline needs the machine's ceilings; without them only the other pictures are written.
	[ ! -e "$work/roofline.svg" ] || fail "there is a roofline without ceilings"
	expect_failure 125 "$blasprof" report -i store.db --format svg --picture roofline
	expect 0 "${SQLITE3:-sqlite3}" store.db "INSERT INTO facts (run, seq, name, value) SELECT id, 9999, 'ceilings',
		'cpus=2 peak_single_1=8e10 peak_single_all=1.5e11 peak_double_1=4e10 peak_double_all=8e10 memory_1=1e10 memory_all=1.2e10'
		FROM runs"
	prints '^2,single,75000000000,' report -i store.db --format csv --table ceilings
	expect_says out '^2,memory,,6000000000'
	prints 'single: 75 GFLOP/s' report -i store.db --format svg --picture roofline
	expect_says out 'memory: 6 GB/s'
	expect_says out '\(compute\|memory\|latency\)-bound'
	expect 0 "$blasprof" report -i store.db --format png --output .
	head -c 4 "$work/roofline.png" | grep -q PNG || fail "roofline.png is no picture"
	# Cells of this machine are drawn, too, and need no runs; cells of another machine are not drawn.
	workloads/ceilings --category=peak,copy,product --max-elements=1024 --limit=0 --cache=warm --threads=1 >"$work/cells.csv" || fail "there are no cells"
	for store in store.db cells.db; do
		expect 0 "$blasprof" import -i $store cells.csv
		prints 'cells: product' report -i $store --format svg --picture roofline
		expect_says out 'single: [0-9.]* GFLOP/s'
	done
	# For a store that has only cells, the roofline is the default and the only picture.
	expect 0 "$blasprof" report -i cells.db --format png --output cells.png
	head -c 4 "$work/cells.png" | grep -q PNG || fail "cells.png is no picture"
	mkdir "$work/pictures"
	expect 0 "$blasprof" report -i cells.db --format svg --output pictures
	[ "$(ls "$work/pictures")" = roofline.svg ] || fail "the pictures of cells are $(ls "$work/pictures")"
	expect_failure 125 "$blasprof" report -i cells.db --format svg --picture speed-up --output none.svg
	[ ! -e "$work/none.svg" ] || fail "a picture that cannot be drawn leaves a file"
	prints 'fastest copy: [0-9.]* GB/s' report -i cells.db --format svg
	expect_says out 'a point for each cell'
	expect 0 "${SQLITE3:-sqlite3}" store.db "UPDATE cells SET cpu = 'another'"
	expect 0 "$blasprof" report -i store.db --format svg --picture roofline
	grep -q 'cells:' "$work/out" && fail "the roofline has cells of another machine"
fi
expect_failure 125 env PATH=/nowhere "$blasprof" report -i store.db --format svg
expect_failure 125 "$blasprof" report -i store.db --format svg --picture nosuch

expect_failure 125 env TMPDIR=/nowhere "$blasprof" report -i store.db --format xlsx
expect_failure 125 "$blasprof" report -i store.db --format jsn
finish
