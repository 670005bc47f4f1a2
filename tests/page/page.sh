#!/bin/sh
# page.sh: makes the page of a large report and runs page-test.mjs on it: for `make check-page'.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)

skip()
{
	echo "SKIP: $*"
	exit 77
}

chromium=$(command -v chromium) || skip "there is no Chromium (Debian: chromium)"
command -v node >/dev/null || skip "there is no Node.js (Debian: nodejs)"

for threads in 1 2; do
	expect 0 "$blasprof" -q -i store.db -- "$PWD/tests/shim/truth" $threads 0.5 60
done
expect 0 "${SQLITE3:-sqlite3}" store.db ".read $here/tests/page/large.sql"
workloads/ceilings --category=product --max-elements=1024 --limit=0 --cache=warm >"$work/cells.csv" || fail "there are no cells"
expect 0 "$blasprof" import -i store.db cells.csv
expect 0 "$blasprof" report -i store.db --format html --output large.html
mkdir -p page-shots
expect 0 node "$here/tests/page/page-test.mjs" "$chromium" "$work/large.html" "$PWD/page-shots"
cat "$work/out"
finish
