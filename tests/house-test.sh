#!/bin/sh
# house-test.sh: each source file has a purpose and a licence, each room has tests, each note has a warning.
# SPDX-License-Identifier: MIT
failures=0

fail()
{
	echo "FAIL: $*"
	failures=1
}

cd "$srcdir" || exit 99
files=$(find profiler analysis workloads man tests -name '*.[chx]' -o -name '*.sh' -o -name '*.mk' -o -name '*.def')
[ "$(echo "$files" | wc -l)" -ge 20 ] || fail "found few files"
# shellcheck disable=SC2086 # a list of files
awk 'function check() {
		if (!says) { print "FAIL: " file " does not say what it is for"; bad = 1 }
		if (!licensed) { print "FAIL: " file " names no licence"; bad = 1 }
	}
	FNR == 1 { if (file) check(); file = name = FILENAME; sub(/.*\//, "", name); says = licensed = 0 }
	FNR <= 2 && index($0, name ": ") { says = 1 }
	/SPDX-License-Identifier: MIT/ { licensed = 1 }
	FNR == 4 { nextfile }
	END { check(); exit bad }' $files || failures=1

# The guard of a header has the name of its room: BASE_ARRAY_H, TESTS_CAUSES_WORK_H.
# shellcheck disable=SC2046 # a list of files
guards=$(grep -nE '^#ifndef [A-Z0-9_]*_H$' $(echo "$files" | grep '/.*/.*[.]h$'))
[ "$(echo "$guards" | wc -l)" -ge 90 ] || fail "found few guards"
strange=$(echo "$guards" | awk -F '[:/ .]' '
	{ guard = toupper(($1 == "tests" && NF > 6 ? "TESTS_" : "") $(NF - 5) "_" $(NF - 4) "_H"); if ($NF != guard) print $0 ", not " guard }')
[ -z "$strange" ] || fail "headers whose guards name other rooms: $strange"

# Each room has tests; their names are NAME-test.sh and NAME_test.c.
for room in analysis/*/ profiler/*/; do
	[ -d "tests/$(basename "$room")" ] || fail "$room has no tests"
done
strange=$(find tests -name 'test[-_]*' -o -name '*_test.sh' -o -name '*-test.c')
[ -z "$strange" ] || fail "tests with other names: $strange"

# Each note of the recorder has a row in the table of warnings, and so a text and a remedy.
codes=$(cat profiler/*/*.c | tr -d '\n' | grep -oE 'run_add_note\([^"();]*"[a-z_]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u)
[ "$(echo "$codes" | wc -l)" -ge 8 ] || fail "found few codes of notes"
for code in $codes; do
	grep -q "{\"$code\"," analysis/report/warning_rows.c || fail "the note $code has no row in the table of warnings"
done
exit $failures
