#!/bin/sh
# spreadsheets.sh: opens the report's files in LibreOffice, Gnumeric, R and SQLite: for `make check-spreadsheets'.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)
here=$here/tests/spreadsheets
compared=

# with TOOL PACKAGE COMMAND...: runs COMMAND if the tool is installed.
with()
{
	tool=$1 package=$2
	shift 2
	command -v "$tool" >/dev/null || { echo "SKIP: there is no $tool (Debian: $package)"; return; }
	"$@"
	compared="$compared $tool"
}

# same FOLDER SUFFIX: every table that the program has read equals the one in report.json.
same()
{
	expect 0 python3 "$here/read_tables.py" report.json "$1" "$2"
	[ "$got" -ne 0 ] || sed "s,^,$1: ," "$work/out"
}

# 1033 is English, which a user would choose in the import dialogue, whatever the locale is.
libreoffice()
{
	(cd "$work" && ls csv/*.csv) >"$work/tables"
	# shellcheck disable=SC2046 # no table has a blank in its name
	expect 0 env HOME="$work" soffice --headless --convert-to fods --outdir libreoffice-csv \
		--infilter='CSV:44,34,76,1,,1033,false,true' $(cat "$work/tables")
	same libreoffice-csv .fods
	expect 0 env HOME="$work" soffice --headless --convert-to fods --outdir libreoffice-xlsx report.xlsx
	same libreoffice-xlsx .fods
}

gnumeric()
{
	mkdir "$work/gnumeric-csv" "$work/gnumeric-xlsx"
	for table in "$work"/csv/*.csv; do
		expect 0 env LC_ALL=C.UTF-8 ssconvert -I Gnumeric_stf:stf_csvtab "$table" \
			"gnumeric-csv/$(basename "$table" .csv).gnumeric"
	done
	same gnumeric-csv .gnumeric
	expect 0 ssconvert report.xlsx gnumeric-xlsx/report.gnumeric
	same gnumeric-xlsx .gnumeric
	expect 0 ssconvert --export-graphs report.xlsx chart-gnumeric-%n.png
	cp "$work"/chart-gnumeric-*.png . || fail "Gnumeric finds no chart"
}

with_r()
{
	mkdir "$work/r"
	expect 0 Rscript --vanilla "$here/read_tables.R" csv r
	same r .types
}

sqlite()
{
	mkdir "$work/sqlite"
	for table in "$work"/csv/*.csv; do
		name=$(basename "$table" .csv)
		expect 0 "${SQLITE3:-sqlite3}" :memory: '.mode csv' ".import '$table' 'read'" '.mode json' \
			'SELECT * FROM read'
		cp "$work/out" "$work/sqlite/$name.rows"
	done
	same sqlite .rows
}

# The chart as printed by LibreOffice: a page with coloured lines.
printed()
{
	expect 0 env HOME="$work" soffice --headless --convert-to pdf report.xlsx
	expect 0 pdftoppm -r 50 report.pdf page
	# shellcheck disable=SC2046 # as there
	expect 0 python3 "$here/find_chart.py" $(cd "$work" && ls page-*.ppm)
	cat "$work/out"
	page=$(sed -n 's/.*page-\([0-9]*\)\.ppm.*/\1/p' "$work/out")
	expect 0 pdftoppm -r 80 -png -f "$page" -l "$page" report.pdf shot
	cp "$work"/shot-*.png chart-libreoffice.png || fail "LibreOffice's chart is not kept to be looked at"
}

check_locale()
{
	rm -rf "$work/libreoffice-csv" "$work/libreoffice-xlsx" "$work/gnumeric-csv" "$work/gnumeric-xlsx" "$work/r" \
		"$work/sqlite"
	mkdir -p "$work/csv"
	expect 0 "$blasprof" report -i store.db --format csv --output csv
	expect 0 "$blasprof" report -i store.db --format xlsx --output report.xlsx
	expect 0 "$blasprof" report -i store.db --format json --output report.json
	with soffice libreoffice-calc-nogui libreoffice
	with ssconvert gnumeric gnumeric
	with Rscript r-base-core with_r
	with "${SQLITE3:-sqlite3}" sqlite3 sqlite
}

odd='=1+1,"x" <script>'
ln -s "$PWD/tests/shim/truth" "$work/$odd"
for threads in 1 2; do
	expect 0 "$blasprof" -q -i store.db -- "./$odd" $threads 0.5 60
done
check_locale
mkdir "$work/locales"
if localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" >"$work/out" 2>&1 || [ -e "$work/locales/de_DE.UTF-8/LC_NUMERIC" ]; then
	export LOCPATH="$work/locales"
	# The shell may not know the locale, but the programs that it starts do.
	{ export LC_ALL=de_DE.UTF-8; } 2>/dev/null
	[ "$(locale decimal_point)" = , ] || fail "the German locale is not at work"
	check_locale
else
	echo "SKIP: there is no German locale to make (Debian: locales)"
fi
with pdftoppm poppler-utils printed
[ -n "$compared" ] || { echo "SKIP: there is no spreadsheet program"; exit 77; }
finish
