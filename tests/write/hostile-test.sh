#!/bin/sh
# hostile-test.sh: names with characters that are special in some format remain plain names in all formats.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
may_sample || exit 77
here=$(cd "${srcdir:-.}" && pwd)
sqlite3=${SQLITE3:-sqlite3}

# hostile TABLE COLUMN: gives each row a different bad name, one of them with 4,096 characters.
hostile()
{
	expect 0 "$sqlite3" store.db "UPDATE $1 SET $2 = CASE seq % 9
		WHEN 0 THEN 'a,b\"c' || char(39) || ';d' || seq WHEN 1 THEN '=1+2' || seq WHEN 2 THEN '@SUM(A1)' || seq
		WHEN 3 THEN '</script><script>document.title=1</script>' || seq WHEN 4 THEN '+cmd' || char(10) || 'x' || seq
		WHEN 5 THEN CAST(x'fffe80' AS TEXT) || seq WHEN 6 THEN substr(hex(zeroblob(2048)), 1, 4090) || seq
		WHEN 7 THEN 'to' || char(8238) || 'left' || char(65535) || char(8232) || '~~$x$' || seq
		ELSE '|' || char(27) || '[31m&amp;\\N{}%s%n' || seq END"
}

# The runs are long enough that both threads run at the same time even if the host takes a CPU away for a moment;
# threads that run one after the other would count as one.
expect 0 "$blasprof" -q -F 2000 --timeline-keep=100 --roi=process -i store.db -- "$train" --steps=300 1
expect 0 "$blasprof" -q -F 2000 --timeline-keep=100 --roi=process -i store.db -- "$train" --steps=300 2
calls=$(ask store.db "SELECT count(*) FROM timeline WHERE run = 2 AND kind = 'blas'")
samples=$(ask store.db "SELECT sum(samples_callers + samples_others) FROM stacks WHERE run = 2")
[ "$samples" -gt 0 ] || fail "there are no samples in stacks"
# The category of a frame is found by its function's name, so look at it before the names change.
expect 0 "$blasprof" report -i store.db --format firefox --output report.firefox
expect 0 python3 "$here/tests/write/read_firefox.py" report.firefox "$samples"
expect_says out "BLAS.*Other code"
for column in 'shapes region' 'functions function' 'functions object' 'functions file' 'frames function' 'frames object' \
	'threads name' 'processes command' 'regions name' 'callers function' 'callers object' 'waits function' \
	'waits caller' 'timeline name' 'notes detail' 'facts value'; do
	# shellcheck disable=SC2086 # table and column
	hostile $column
done
# A name that is longer than a cell of a workbook may be, and would be cut inside a character.
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

# A bad name in the verdict, with which the workbook begins: two threads wait for a mutex, each for 1 of 1.5 seconds.
expect 0 "$blasprof" -q -F 2000 -w 0 -r 1 -i verdict.db -t 1,2 -- "$train" --steps=300 {}
expect 0 "$sqlite3" verdict.db "UPDATE runs SET others_ns = 0, steal_ns = 0, elapsed_ns = 1500000000, roi_ns = 1500000000;
	UPDATE runs SET elapsed_ns = 1000000000, roi_ns = 1000000000 WHERE id = 1;
	UPDATE threads SET start_ns = 0, end_ns = 1500000000, preempted_ns = 0, waiting_ns = 1000000000 * (calls > 0), spin_ns = 0,
		blas_waiting_ns = 0, blas_ns = 250000000 * (calls > 0), switch_waiting_ns = -1, switch_preempted_ns = -1;
	UPDATE threads SET end_ns = 1000000000, waiting_ns = 0, blas_ns = 2 * blas_ns WHERE run = 1;
	UPDATE threads SET other_ns = blas_ns;
	DELETE FROM waits;
	INSERT INTO waits SELECT run, seq, 'mutex', 'to' || char(65535), 'to' || char(65535), '', 0, '', -1, pid, tid, 0, 1000,
		1000000000, 2000000, 0 FROM threads WHERE run = 2 AND calls > 0"
prints '"verdict": *".*wait for a mutex.*to' report -i verdict.db --format json
expect 0 "$blasprof" report -i verdict.db --format xlsx --output verdict.xlsx
expect 0 sh -c 'python3 -m zipfile -e verdict.xlsx verdict && python3 -c "import xml.dom.minidom as xml; xml.parse(\"verdict/xl/sharedStrings.xml\")"'
# The name of a file that is not UTF-8.
expect 0 "$sqlite3" verdict.db "UPDATE waits SET file = CAST(x'78c32878' AS TEXT), line = 7"
prints '"verdict": *".*wait for a mutex.*:7 to' report -i verdict.db --format json
expect 0 "$blasprof" report -i verdict.db --format html --output verdict.html
grep -q 'verdict":"[^"]*wait for a mutex.*:7 to' "$work/verdict.html" || fail "the page lacks the verdict"
finish
