#!/bin/sh
# hostile-test.sh: names that mean something to one format or another stay names in every one of them.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)
sqlite3=${SQLITE3:-sqlite3}

# hostile TABLE COLUMN: each row gets a bad name of its own, one of them of 4,096 characters.
hostile()
{
	expect 0 "$sqlite3" store.db "UPDATE $1 SET $2 = CASE seq % 9
		WHEN 0 THEN 'a,b\"c' || char(39) || ';d' || seq WHEN 1 THEN '=1+2' || seq WHEN 2 THEN '@SUM(A1)' || seq
		WHEN 3 THEN '</script><script>document.title=1</script>' || seq WHEN 4 THEN '+cmd' || char(10) || 'x' || seq
		WHEN 5 THEN CAST(x'fffe80' AS TEXT) || seq WHEN 6 THEN substr(hex(zeroblob(2048)), 1, 4090) || seq
		WHEN 7 THEN 'to' || char(8238) || 'left' || char(65535) || char(8232) || '~~$x$' || seq
		ELSE '|' || char(27) || '[31m&amp;\\N{}%s%n' || seq END"
}

# Long enough that two threads run at once even where the host takes a CPU away for a moment: in turn they would count as one.
expect 0 "$blasprof" -q -F 2000 --timeline-keep=100 --roi=process -i store.db -- "$train" --steps=300 1
expect 0 "$blasprof" -q -F 2000 --timeline-keep=100 --roi=process -i store.db -- "$train" --steps=300 2
calls=$("$sqlite3" "$work/store.db" "SELECT count(*) FROM timeline WHERE run = 2 AND kind = 'blas'")
samples=$("$sqlite3" "$work/store.db" "SELECT sum(samples_callers + samples_others) FROM stacks WHERE run = 2")
for column in 'shapes region' 'functions function' 'functions object' 'functions file' 'frames function' 'frames object' \
	'threads name' 'processes command' 'regions name' 'callers function' 'callers object' 'waits function' \
	'waits caller' 'timeline name' 'notes detail' 'facts value'; do
	# shellcheck disable=SC2086 # table and column
	hostile $column
done
# One that is longer than a workbook's cell may be, and would be cut inside of a character.
expect 0 "$sqlite3" store.db "UPDATE functions SET function = 'x' || replace(hex(zeroblob(8192)), '0', 'ü')
	WHERE run = 2 AND seq = (SELECT min(seq) FROM functions WHERE run = 2)"

for format in csv tsv markdown; do
	expect 0 "$blasprof" report -i store.db --format $format --output .
done
for format in text json xlsx folded pprof chrome firefox; do
	expect 0 "$blasprof" report -i store.db --format $format --output report.$format
done
expect 0 python3 "$here/tests/write/read_back.py" . "$here/analysis/report/report.schema.json"
expect 0 python3 "$here/tests/write/read_trace.py" report.chrome "$calls"
expect 0 python3 "$here/tests/write/read_firefox.py" report.firefox "$samples"
expect 0 sh -c 'gzip -t <report.pprof'
mkdir "$work/it's; a folder"
export TMPDIR="$work/it's; a folder"
if command -v gnuplot >/dev/null; then
	expect 0 "$blasprof" report -i store.db --format svg --output .
	expect 0 "$blasprof" report -i store.db --format png --output .
fi
expect 0 "$blasprof" report -i store.db --format html --output report.html
expect 0 python3 "$here/tests/write/read_hostile.py" . "$samples"
finish
