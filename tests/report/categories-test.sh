#!/bin/sh
# categories-test.sh: other code by category, patterns of one's own, and every sample in one figure.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# tsv TABLE EXPRESSION: what awk makes of the table's rows; columns by name: $f["samples"].
tsv()
{
	(cd "$work" && "$blasprof" report --format=tsv --table="$1") |
		awk -F '\t' "NR == 1 { for (i = 1; i <= NF; i++) f[\$i] = i; next } $2"
}

printf 'train adam* my optimizer\n\nonly two\n' >"$work/bad"
expect_failure 125 "$blasprof" --categories=bad -- touch "$work/ran"
expect_says err "line 3 of 'bad'"
[ -e "$work/ran" ] && fail "the command ran with bad categories"
expect_failure 125 "$blasprof" report --categories=nowhere
printf 'train adam* my optimizer\n' >"$work/good"

may_sample || finish
expect 0 "$blasprof" --full -F 1999 --categories=good -- "$train" --steps=400 1
expect_says err '^Other code by category at 1 thread'
expect_says err ' my optimizer  *adamw'
expect_says err '^share  *samples  *function .* hottest line$'
expect_says err ' kernels\.c:[0-9]'
expect 0 "$blasprof" report --full
expect_says out ' math kernels  *adamw'

in_functions=$(tsv functions '{ sum += $f["samples"] } END { print sum }')
outside=$(tsv functions '$f["category"] != "BLAS" { sum += $f["samples"] } END { print sum }')
in_categories=$(tsv categories '{ sum += $f["samples"] } END { print sum }')
[ "$in_categories" = "$outside" ] || fail "categories have $in_categories samples of $outside"
counts='$f["samples"], $f["samples_attributed"] + $f["samples_outside_roi"] + $f["samples_unknown"], $f["samples_attributed"]'
tsv runs "{ print $counts }" >"$work/counts"
read -r taken accounted attributed <"$work/counts"
[ "$taken" -gt 0 ] && [ "$taken" -eq "$accounted" ] || fail "of $taken samples $accounted are in a figure"
[ "$attributed" -eq "$in_functions" ] || fail "functions have $in_functions samples of $attributed"
finish
