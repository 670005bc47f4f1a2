#!/bin/sh
# readme-test.sh: the commands of README.md run in order; make has the targets that it and HACKING.md mention.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/man/examples.sh"
[ -e man/blasprof.1 ] || exit 77
unwind_whole_stacks

# A reader has measured the same program before.
make_place readme
expect 0 sh -c "cd '$place' && exec '$blasprof' -q -F 0 -i baseline.db -t 1,2,4 -- ./train {}"
run_examples "$srcdir/README.md" markdown
[ $ran -ge 4 ] || fail "few commands in README.md"
[ $skipped -le 1 ] || fail "$skipped blocks of README.md did not run"

grep -ohE '(^    |`)make [a-z]+[a-z-]*' "$srcdir/README.md" "$srcdir/HACKING.md" | sed 's/.*make //' | sort -u >"$work/targets"
[ "$(wc -l <"$work/targets")" -ge 12 ] || fail "README.md and HACKING.md have few targets of make"
while IFS= read -r target; do
	grep -q "^$target:" Makefile || fail "README.md or HACKING.md has 'make $target', which is not there"
done <"$work/targets"
grep -oE 'build/[a-z/.0-9]+[a-z0-9]' "$srcdir/README.md" | sort -u >"$work/built"
[ "$(wc -l <"$work/built")" -ge 3 ] || fail "README.md does not say what is in build/"
while IFS= read -r file; do
	[ -e "${file#build/}" ] || fail "README.md names $file, which is not there"
done <"$work/built"
echo "ran $ran blocks, $skipped not"
finish
