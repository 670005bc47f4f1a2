#!/bin/sh
# kinds-test.sh: programs that cannot load the preload library run as usual and are reported.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

printf 'int puts(const char *);\nint main(void)\n{\n\treturn puts("here") < 0;\n}\n' >"$work/here.c"

# A 32-bit program, if the compiler can make one.
if gcc -m32 -o "$work/narrow" "$work/here.c" 2>"$work/gcc"; then
	prints '^here$' --full -- ./narrow
	expect_says err 'another kind of machine'
	# As a child of a shell that has LD_PRELOAD set.
	if [ -e .libs/kinds/lib/i386-linux-gnu/libblasprof.so ] && [ -e /lib/i386-linux-gnu ]; then
		expect 4 "$blasprof" -q -- sh -c './narrow; exit 4'
		expect_says out '^here$'
		! grep -q 'ld\.so' "$work/err" || fail "the loader of 32-bit programs complains: $(cat "$work/err")"
	fi
fi

if command -v musl-gcc >/dev/null && musl-gcc -o "$work/musl" "$work/here.c"; then
	prints '^here$' --full -- ./musl
	expect_says err 'uses musl'
	expect 4 "$blasprof" -q -- sh -c './musl && exit 4'
	expect_says out '^here$'
	! grep -q '^Error' "$work/err" || fail "musl's loader complains: $(cat "$work/err")"
fi

# A script without an interpreter line runs in a shell; one with a missing interpreter cannot run.
printf 'echo here; exit 3\n' >"$work/script"
chmod +x "$work/script"
expect 3 "$blasprof" --full -- ./script
expect_says out '^here$'
printf '#!/no/such/interpreter\n' >"$work/script"
expect_failure 127 "$blasprof" -- ./script

# A program that removes LD_PRELOAD from the environment of its children.
expect 0 "$blasprof" --full -i kinds.db -- sh -c "\"$train\" --help; unset LD_PRELOAD; exec \"$train\" --steps=2 1"
expect_says err 'no BLAS call'
expect_says err 'ran without the preload library'
expect 0 "$blasprof" -q -F 0 -i kinds.db -- sh -c "unset LD_PRELOAD; \"$train\" --steps=200 1; true"
expect_says err 'ran without the preload library: train (process [0-9]*) uses lib.*LD_PRELOAD was removed'
finish
