#!/bin/sh
# marks-test.sh: regions begin and end by one rule at any depth, also where there is no room for names, and many are fast.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
marks=$PWD/tests/shim/marks

# counts REGION CALLS MARK...: fails if the marks do not book so many calls to REGION: to its row, or as ROI.
counts()
{
	region=$1 calls=$2
	shift 2
	options= from="regions WHERE name = '$region'"
	[ "$region" != roi ] || options='--roi roi' from=threads
	# shellcheck disable=SC2086 # words
	record_new marks.db -F 0 $options -- "$marks" "$@"
	selects marks.db "SELECT ifnull(sum(calls), 0) FROM $from" "$calls" "calls in $region after $(echo "$*" | tail -c 100)"
}

all=$(seq -f +r%.0f 16)
most=$(seq -f +r%.0f 15)
names=$(seq 1000 | sed 's/.*/+r& 1 -r&/')

# shellcheck disable=SC2086
{
	# The ROI counts at any depth, and has a row of its own.
	counts roi 10 $all +roi 10 -roi 1
	counts roi 10 $all +x +roi 7 +y 2 -y 1 -roi 1 -x 1
	counts roi 2 $all +roi +roi 1 -roi 1 -roi 1
	counts roi 2 $most +roi +roi +roi -roi 1 -roi 1 -roi 1
	counts roi 3 +roi $all +roi 1 -roi 1 -r16 1 -roi 1
	counts roi 3 $all +roi 3 -roi 2 -r16 2 +x +y -roi 2

	# It ends with a region around it.
	counts roi 3 +outer +roi 3 -outer 2
	counts roi 3 +outer +roi +roi 3 -outer 2 -roi 2 +outer -outer 2
	counts roi 3 +outer +roi +inner 1 -roi 1 +roi 2 -outer 1 -roi 1
	counts roi 3 $all +roi 3 -r16 2
	counts roi 3 $all +r16 +roi 1 -roi -r16 +roi 2 -r16 4
	counts roi 5 $all +roi +roi 3 -r16 1 +roi 2 -roi 1

	# An end without a begin does not end it.
	counts roi 4 +roi 3 -x 1 -roi 1
	counts roi 4 $all +x +roi -y 3 -x 1 -roi 1
	counts roi 3 $all +x -y -z +roi 3 -roi 1

	# Ends of regions that are too deep are found by their names.
	counts r15 2 $all +x -r16 1 -x 1 -r15 1
	counts r16 3 $all +r16 +r16 -y 1 -r16 1 -r16 1 -r16 1
	counts r1 1 $all +r2 -r16 +x -x +r16 -r2 1
	counts r1 1 $most +r2 +r2 -r15 +y -y -r2 1
	counts deep 2 $(yes +deep | head -n 20) 1 $(yes -- -deep | head -n 19) 1 -deep 1

	# Many different names are kept apart.
	counts r1000 1 $names
	counts last 10 $names +last 10 -last 1
	counts roi 10 $names +roi 10 -roi 1
}

# Where there is no room for more names, a region still ends.
for region in roi late; do
	record_new marks.db -F 0 --roi $region -- \
		sh -c 'ulimit -f 512; exec "$@"' sh "$marks" 1 +roi -roi %20000 "+$region" 3 "-$region" 2
	selects marks.db "SELECT sum(calls) FROM threads" 3 "without room, calls in the ROI '$region'"
	! "$blasprof" report -i "$work/marks.db" --format=tsv --table=warnings | grep -q roi_unmarked ||
		fail "a warning says that the ROI is not marked"
done

# compare WHAT FACTOR OPTION... -- MARK...: fails if the last pairs that the marks time take FACTOR times the first.
compare()
{
	what=$1 factor=$2
	shift 2
	expect 0 "$blasprof" -q -F 0 -i time.db "$@"
	awk -v factor="$factor" 'NR == 1 { first = $1 } END { exit !(NR == 2 && $1 < factor * first) }' "$work/out" ||
		fail "ns of 20,000 marks, and $what: $(cat "$work/out")"
}

# One of thousands of names is found in a tree; in a list, that took thousands of times as long. The clocks of the
# kernel are read only on entry to the ROI.
compare "with 5,000 names" 200 -- "$marks" 1 %4 %5000
compare "outside the ROI" 100 --roi roi -- "$marks" +roi 1 %4 -roi %4
finish
