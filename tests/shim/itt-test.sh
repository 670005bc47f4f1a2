#!/bin/sh
# itt-test.sh: tasks that are reported to ITT as oneDNN reports them count as calls, and no other tasks do.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

expect 0 "$blasprof" -q -F 0 -i x.db -- "$PWD/tests/shim/itt" 20
expect_silent err
found=$(ask x.db "SELECT routine, way, type, sum(calls) FROM shapes GROUP BY 1, 2, 3" | tr '\n' ' ')
[ "$found" = 'onednn_convolution|onednn|u|20 onednn_matmul|onednn|u|22 ' ] || fail "calls: $found"

# Next to calls that take far longer, the work is still counted in flops.
expect 0 "$blasprof" -q -F 0 -i work.db -- sh -c '"$0" --steps=200 1 && "$1" 0' "$train" "$PWD/tests/shim/itt"
[ "$(ask work.db "SELECT work_unit, (SELECT count(*) FROM shapes WHERE type = 'u') FROM runs")" = 'flops|1' ] ||
	fail "calls whose flops are not known are few, and the work is counted in $(ask work.db 'SELECT work_unit FROM runs')"

# The library collects only if it was preloaded.
expect 3 env INTEL_LIBITTNOTIFY64="$PWD/.libs/libblasprof.so" "$PWD/tests/shim/itt"
finish
