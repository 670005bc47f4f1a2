#!/bin/sh
# routines-test.sh: the list of routines fits the screen.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

expect 0 "$blasprof" routines
[ "$(wc -l <"$work/out")" -gt 200 ] || fail "few routines are listed"
long=$(awk 'length > 100' "$work/out")
[ -z "$long" ] || fail "lines of over 100 columns: $long"
expect_says out '^sgemm  *3  *s each m n k  '
expect_says out '^scipy_cblas_X64_  *CBLAS  *64 bits$'
expect_says out '^X_  *Fortran  *32 bits$'
finish
