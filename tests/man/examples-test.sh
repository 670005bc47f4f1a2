#!/bin/sh
# examples-test.sh: every example in the manual pages runs, unless it needs something that is not there.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/man/examples.sh"
[ -e man/blasprof.1 ] || exit 77

# The examples use what a reader has recorded before: eight runs of a program, and a file of cells.
make_place recorded
expect 0 sh -c "cd '$place' && exec '$blasprof' -q -w 0 -F 0 -t 1,2 -r 4 -- ./train {}"
recorded=$place
expect 0 "$work/bin/ceilings" --category=copy
cp "$work/out" "$recorded/arm.csv"
for name in baseline old openblas blis other; do
	cp "$recorded/blasprof.db" "$recorded/$name.db"
done

for file in man/*.[1-8]; do
	make_place "in-$(basename "$file")"
	cp "$recorded"/*.db "$recorded/arm.csv" "$place"
	run_examples "$file" man
	[ $((ran + skipped)) -gt 0 ] || ! grep -q "^[.]SH EXAMPLES" "$file" || fail "no example of $file was found"
	total_ran=$((${total_ran:-0} + ran))
	total_skipped=$((${total_skipped:-0} + skipped))
	ran=0
	skipped=0
done
echo "ran $total_ran examples, $total_skipped not"
[ "$total_ran" -ge 20 ] || fail "few examples ran"
finish
