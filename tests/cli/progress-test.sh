#!/bin/sh
# progress-test.sh: a sweep shows its progress on a terminal, and Ctrl-C keeps the finished runs.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
terminal=$PWD/tests/cli/terminal
truth=$PWD/tests/shim/truth
ln -s "$truth" "$work/truth"

# If the program's output is redirected, one line is overwritten for each run and erased at the end.
expect 0 "$terminal" -o there "$blasprof" -F 0 --output=report -t 1,2 -r 2 -- ./truth {} 0.5 3 1
[ "$(wc -l <"$work/out")" -eq 0 ] || fail "the progress takes more than one line"
tr '\r' '\n' <"$work/out" >"$work/lines"
mv "$work/lines" "$work/out"
expect_says out '^run 1 of 6 (warm-up): ./truth 1 0.5 3 1$'
expect_says out '^run 6 of 6, .* left: ./truth 2 0.5 3 1$'
[ "$(tail -n 1 "$work/out" | tr -d ' ')" = "" ] || fail "the line is not erased"
[ "$(wc -l <"$work/there")" -eq 6 ] || fail "the program's output is lost"
expect 0 "$terminal" -o there "$blasprof" -F 0 --output=report -t 1,2 -- ./truth {} 0.5 3 \
	1 0 with some words more than fit beside each other
tr '\r' '\n' <"$work/out" >"$work/lines"
awk 'length > 59 { exit 1 }' "$work/lines" || fail "a progress line is wider than the terminal"
grep -q '^run 4 of 4, .*\.\.\.$' "$work/lines" || fail "a long line is not cut"

# If the program writes to the terminal too, each progress line stays above its output.
expect 0 "$terminal" "$blasprof" -F 0 --output=report -t 1,2 -w 0 -- ./truth {} 0.5 3 1
[ "$(wc -l <"$work/out")" -eq 4 ] || fail "not a line for each run and one of each program"
expect_says out '^run 2 of 2, .*./truth 2 0.5 3 1'

# A format that no terminal can show is refused on a terminal before the command runs.
for option in '' '-o -'; do
	# shellcheck disable=SC2086 # no word, or two
	expect 125 "$terminal" "$blasprof" -f xlsx $option -- touch ran
	expect_says out 'xlsx cannot be shown on a terminal; name a file'
done
expect 125 "$terminal" "$blasprof" -f html -- touch ran
expect_says out 'html cannot be shown on a terminal; name a file'
[ ! -e "$work/ran" ] || fail "the command ran although its report cannot be shown"

# There is no progress line for a single run, with --quiet, or without a terminal.
expect 0 "$terminal" -o there "$blasprof" -F 0 --output=report -- ./truth 1 0.5 3 1
expect_silent out
expect 0 "$terminal" -o there "$blasprof" -F 0 -q -t 1,2 -- ./truth {} 0.5 3 1
expect_silent out
expect 0 "$blasprof" -F 0 --output=report -t 1,2 -- ./truth {} 0.5 3 1
expect_silent err

# Ctrl-C in the last run, which would never end: the others are kept and reported.
echo 0 >"$work/n"
expect 130 "$terminal" -c ready -o there "$blasprof" --full -F 0 -i c.db -t 1,2 -w 0 -r 2 -- \
	sh -c './truth $0 0.5 3 1; n=$(cat n); echo $((n + 1)) >n
		[ $n -lt 3 ] || { echo ready >&2; exec tail -f /dev/null; }' {}
expect_says out 'interrupted in run 4 of 4: 3 finished runs are kept'
expect_says out 'together 3 runs of sh'
# The same if the program exits normally on Ctrl-C.
echo 0 >"$work/n"
expect 130 "$terminal" -c ready -o there "$blasprof" -F 0 -q -i c.db -t 1,2 -w 0 -- \
	sh -c './truth $0 0.5 3 1; n=$(cat n); echo $((n + 1)) >n; trap "exit 0" INT
		[ $n -lt 1 ] || { echo ready >&2; while :; do sleep 0.01; done; }' {}
expect_says out 'interrupted in run 2 of 2: 1 finished run is kept'
finish
