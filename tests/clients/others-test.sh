#!/bin/sh
# others-test.sh: programs under other tools: valgrind, AddressSanitizer, a second profiler on top.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/common.sh"

train="$PWD/workloads/train"
steps='--steps=2 1'

# run WORD...: the training program by these words, its calls counted
run()
{
	rm -f "$work/others.db"
	# shellcheck disable=SC2086 # the words are separate arguments
	expect 0 "$@" $steps
	sqlite3 "$work/others.db" "SELECT sum(calls) FROM shapes"
}

wanted=$(run "$blasprof" -q -F 0 -o others.db -- "$train")
if command -v valgrind >/dev/null; then
	counted=$(run "$blasprof" -q -F 0 -o others.db -- valgrind -q --error-exitcode=9 "$train")
	[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted under valgrind"
fi
counted=$(run env LD_PRELOAD="$PWD/tests/clients/.libs/libcounter.so" "$blasprof" -q -F 0 -o others.db -- "$train")
[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted above another preload library"
counted=$(run "$blasprof" -q -o outer.db -- "$blasprof" -q -o others.db -- "$train")
[ "$counted" = "$wanted" ] || fail "$counted of $wanted calls are counted by blasprof under blasprof"
finish
