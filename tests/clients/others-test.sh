#!/bin/sh
# others-test.sh: programs under valgrind, AddressSanitizer, another preload library or a second profiler.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

train="$PWD/workloads/train"
steps='--steps=2 1'

# run WORD...: runs the training program with these words before it, and prints the counted calls
run()
{
	rm -f "$work/others.db"
	# shellcheck disable=SC2086 # the words are separate arguments
	expect 0 "$@" $steps
	sqlite3 "$work/others.db" "SELECT sum(calls) FROM shapes"
}

wanted=$(run "$blasprof" -q -F 0 -i others.db -- "$train")
if command -v valgrind >/dev/null; then
	counted=$(run "$blasprof" -q -F 0 -i others.db -- valgrind -q --error-exitcode=9 "$train")
	[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted under valgrind"
fi
counted=$(run env LD_PRELOAD="$PWD/tests/clients/.libs/libcounter.so" "$blasprof" -q -F 0 -i others.db -- "$train")
[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted above another preload library"
if command -v perf >/dev/null; then
	counted=$(run perf record -q -o perf.data -- "$blasprof" -q -F 0 -i others.db -- "$train")
	[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted under perf record"
fi
for compiler in gcc clang; do
	"$compiler" -g -fsanitize=address -o "$work/sanitized" "$srcdir/tests/shim/ends.c" \
		"$PWD/tests/shim/.libs/libtruth_blas.so" -Wl,-rpath,"$PWD/tests/shim/.libs" -lpthread 2>/dev/null || continue
	rm -f "$work/others.db"
	(cd "$work" && "$blasprof" -q -F 0 -i others.db -- ./sanitized exit 70) 2>"$work/err" || fail "$compiler: ends with $?"
	expect_silent err
	counted=$(sqlite3 "$work/others.db" "SELECT sum(calls) FROM shapes")
	[ "$counted" = 70 ] || fail "$counted of 70 calls are counted with AddressSanitizer of $compiler"
done
asan=$(gcc -print-file-name=libasan.so)
if [ -f "$asan" ]; then
	counted=$(run env LD_PRELOAD="$asan" "$blasprof" -q -F 0 -i others.db -- "$train")
	[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted with AddressSanitizer preloaded"
fi
counted=$(run "$blasprof" -q -i outer.db -- "$blasprof" -q -i others.db -- "$train")
[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted by blasprof under blasprof"
finish
