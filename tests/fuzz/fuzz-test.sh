#!/bin/sh
# fuzz-test.sh: gives the readers of files and arguments the kept inputs, and a fixed number of mutations of them.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
corpus=$(cd "$srcdir/tests/fuzz/corpus" && pwd)
mutations=${MUTATIONS:-200}

"$PWD/tests/fuzz/seeds" "$work/seeds" || exit 99
mkdir -p "$work/seeds/symbols"
cp "$PWD/tests/sampling/libburn_stripped.so" "$work/seeds/symbols/object"
for target in $FUZZ_TARGETS; do
	set --
	for path in "$work/seeds/$target" "$corpus/$target"; do
		[ ! -d "$path" ] || set -- "$@" "$path"
	done
	expect 0 timeout 60 "$PWD/tests/fuzz/${target}_fuzz" -m "$mutations" "$@"
	expect_says out "and $mutations mutations"
	[ ! -e "$work/crash-input" ] || fail "$target: $(od -An -tx1 -v "$work/crash-input" | head -c 600)"
	rm -f "$work/crash-input"
done
finish
