#!/bin/sh
# wide-test.sh: a BLAS with 64-bit integers under the plain names (ILP64) gets all 64 bits.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

wide=$PWD/tests/shim/wide
expect 0 "$wide"
mv "$work/out" "$work/alone"
expect 0 "$blasprof" -q -F 0 -i wide.db -- "$wide"
diff "$work/alone" "$work/out" || fail "the numbers are < without, and > with blasprof"
[ "$(ask wide.db "SELECT sum(calls) FROM threads")" = 4 ] || fail "not all 4 calls are counted"
finish
