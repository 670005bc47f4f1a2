#!/bin/sh
# routines-test.sh: the list of routines fits the screen, and its formulas read well.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

expect 0 "$blasprof" routines
[ "$(wc -l <"$work/out")" -gt 200 ] || fail "few routines are listed"
long=$(awk 'length > 100' "$work/out")
[ -z "$long" ] || fail "lines of over 100 columns: $long"
expect_says out '^sgemm  *3  *s 2 m n k  '
expect_says out '^ztrmm  *3  *z 4 m n k + 2 m n  '
expect_says out '^scipy_cblas_X64_  *CBLAS  *64 bits$'
expect_says out '^X_  *Fortran  *32 bits$'
! grep -q '[*(] *0\|0 *)' "$work/out" || fail "a formula has terms that are nothing"
finish
