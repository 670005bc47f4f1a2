#!/bin/sh
# ceilings-progress-test.sh: ceilings shows its progress on a terminal in one line that is erased at the end.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

terminal=$PWD/tests/cli/terminal
# ceilings WORD...: writes the output on a terminal of 60 columns to the file lines.
ceilings()
{
	"$terminal" "$@" >"$work/out" || fail "$*: status $?"
	tr '\r' '\n' <"$work/out" | sed 's/\x1b\[K//g' >"$work/lines"
}

small="--category=elementwise,overhead --kernel=add,malloc --threads=1 --max-elements=16384 --limit=0.02 --cache=warm"
# shellcheck disable=SC2086 # the options are words
ceilings -o "$work/rows" workloads/ceilings $small
[ "$(wc -l <"$work/rows")" -gt 4 ] || fail "only $(wc -l <"$work/rows") lines of output"
[ "$(wc -l <"$work/out")" -eq 0 ] || fail "the progress takes more than one line"
grep -q '^\[\.\{20\}\]  0 %, about [1-9][0-9]* s left: add$' "$work/lines" || fail "no beginning: $(head -n 3 "$work/lines")"
grep -q '^\[#\{18,20\}\.*\] [89][0-9] %, about 1 s left: malloc$' "$work/lines" || fail "no end: $(tail -n 3 "$work/lines")"
awk 'length > 59 { exit 1 }' "$work/lines" || fail "a line is wider than the terminal"
[ -z "$(tail -n 1 "$work/lines")" ] || fail "the line is not erased"
awk '/ %,/ { share = substr($0, 24) + 0; if (share < last) exit 1; last = share }' "$work/lines" || fail "it goes back"

# Rows on the same terminal begin in its first column.
# shellcheck disable=SC2086
ceilings workloads/ceilings $small
grep -c '^\(category\|elementwise\|overhead\),' "$work/lines" | grep -qx "$(wc -l <"$work/rows")" ||
	fail "rows and progress are mixed up: $(cat "$work/lines")"

# shellcheck disable=SC2086
workloads/ceilings $small >"$work/rows" 2>"$work/err" || fail "status $?"
[ ! -s "$work/err" ] || fail "progress where there is no terminal: $(cat "$work/err")"
finish
