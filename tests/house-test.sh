#!/bin/sh
# house-test.sh: each source file says what it is for and under which licence; notes have their texts.
# SPDX-License-Identifier: MIT
failures=0

fail()
{
	echo "FAIL: $*"
	failures=1
}

check_file()
{
	head -n 2 "$1" | grep -q "$(basename "$1" | sed 's/\./\\./g'): " || fail "$1 does not say what it is for"
	head -n 4 "$1" | grep -q 'SPDX-License-Identifier: MIT' || fail "$1 names no licence"
}

cd "$srcdir" || exit 99
files=$(find profiler analysis workloads man tests -name '*.[chx]' -o -name '*.sh' -o -name '*.mk' -o -name '*.def')
[ "$(echo "$files" | wc -l)" -ge 20 ] || fail "found few files"
for file in $files; do
	check_file "$file"
done

# What is noted while recording has a row in the table of warnings, and so a text and a remedy.
codes=$(cat profiler/*/*.c | tr -d '\n' | grep -oE 'run_add_note\([^"();]*"[a-z_]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u)
[ "$(echo "$codes" | wc -l)" -ge 8 ] || fail "found few codes of notes"
for code in $codes; do
	grep -q "{\"$code\"," analysis/report/warnings.c || fail "the note $code has no row in the table of warnings"
done
exit $failures
