#!/bin/sh
# consumers.sh: has pprof read the call stacks, and compares what each format of them says: for `make check-consumers'.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/common.sh"

# as FORMAT: writes the report to $work/FORMAT.
as()
{
	expect 0 "$blasprof" report -i store.db --format "$1" --output "$1"
}

expect 0 "$blasprof" -q -F 2000 --roi=process -o store.db -- "$train" --steps=60 2
as folded
as pprof
expect 0 "$blasprof" report -i store.db --format csv --table stacks
samples=$(awk -F, 'NR > 1 { sum += $(NF - 1) } END { print sum + 0 }' "$work/out")
[ "$samples" -gt 0 ] || fail "there are no samples in stacks"
folded=$(awk '{ sum += $NF } END { print sum + 0 }' "$work/folded")
[ "$folded" -eq "$samples" ] || fail "the folded stacks have $folded samples, the table $samples"
grep -v -q '^[^;].* [1-9][0-9]*$' "$work/folded" && fail "a line of the folded stacks is none"
expect 0 sh -c 'gzip -t <pprof'

if command -v go >/dev/null && go tool pprof -help >/dev/null 2>&1; then
	expect 0 env HOME="$work" go tool pprof -raw pprof
	found=$(awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 } on && $1 ~ /^[0-9]+$/ { sum += $1 } END { print sum + 0 }' "$work/out")
	[ "$found" -eq "$samples" ] || fail "pprof reads $found samples, the table has $samples"
	expect 0 env HOME="$work" go tool pprof -top -sample_index=samples pprof
	expect_says out 'adamw_update'
	echo "pprof reads $found samples"
else
	echo "SKIP: there is no go tool pprof (Debian: golang-go)"
fi

# A run without stacks says what to do.
expect 0 "$blasprof" -q --call-graph=none -o none.db -- "$train" --steps=5 2
for format in folded pprof; do
	expect_failure 125 "$blasprof" report -i none.db --format $format
	expect_failure 125 "$blasprof" report -i store.db --format $format --output /dev/full
done
finish
