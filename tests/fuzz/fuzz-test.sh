#!/bin/sh
# fuzz-test.sh: feeds the readers of files and arguments with the stored inputs and a fixed number of mutations.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
corpus=$(cd "$srcdir/tests/fuzz/corpus" && pwd)
mutations=${MUTATIONS:-200}

"$PWD/tests/fuzz/seeds" "$work/seeds" || exit 99
mkdir -p "$work/seeds/symbols"
cp "$PWD/tests/sampling/libburn_stripped.so" "$work/seeds/symbols/object"
for reader in $(grep -o 'READER([a-z]*),' "$srcdir/tests/fuzz/fuzz.c" | sed 's/READER(\(.*\)),/\1/'); do
	program=$PWD/tests/fuzz/fuzz
	set --
	for path in "$work/seeds/$reader" "$corpus/$reader"; do
		[ ! -d "$path" ] || set -- "$@" "$path"/*
	done
	expect 0 env FUZZ_READER="$reader" timeout 600 "$program" -m "$mutations" "$@"
	expect_says out "and $mutations mutations"
	[ ! -e "$work/crash-input" ] || fail "$reader: $(od -An -tx1 -v "$work/crash-input" | head -c 600)"
	rm -f "$work/crash-input"
done
finish
