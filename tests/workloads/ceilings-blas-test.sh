#!/bin/sh
# ceilings-blas-test.sh: BLAS libraries are measured separately and compared; missing ones are named.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# one of the builds of OpenBLAS that are installed
files=$(ls /usr/lib/*/openblas-*/libblas.so.3 2>/dev/null | head -n 1; ls /usr/lib/*/blas/libblas.so.3 2>/dev/null)
case $files in
*openblas*/blas/*|*/blas/*openblas*) ;;
*)
	echo "SKIP: no two BLAS libraries where Debian has them"
	exit 77
	;;
esac
export CEILINGS_OPTIONS="--category=product --max-elements=300 --limit=0 --threads=1"
BLAS_FILES=$files CEILINGS_STORE=$work/blas.db sh "$srcdir/workloads/cells/ceilings-blas.sh" >"$work/out" 2>"$work/err" ||
	fail "status $?: $(cat "$work/err")"
grep -q '^kernel .* blas .* openblas$\|^kernel .* openblas .* blas$' "$work/out" || fail "no column for each library"
grep -q '^cblas_sgemm *16 *16 *16 *1 *warm *[0-9.]* *[0-9.]*$' "$work/out" || fail "no sgemm of 16 by both"
grep -q '^atlas is not here: apt install libatlas3-base$' "$work/out" || fail "does not name what is not there"
libraries=$(./blasprof report -i "$work/blas.db" --table=cells --columns=blas --format=csv --suite=1 | sed -n 2p)
others=$(./blasprof report -i "$work/blas.db" --table=cells --columns=blas --format=csv --suite=2 | sed -n 2p)
[ -n "$libraries" ] && [ "$libraries" != "$others" ] || fail "both are '$libraries'"

BLAS_FILES= CEILINGS_STORE=$work/none.db sh "$srcdir/workloads/cells/ceilings-blas.sh" >"$work/out" 2>"$work/err" &&
	fail "no library will do"
[ "$(grep -c ' is not here: apt install ' "$work/out")" -eq 4 ] || fail "does not name all four: $(cat "$work/out")"
[ ! -e "$work/none.db" ] || fail "makes a store for nothing"
finish
