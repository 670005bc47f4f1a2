#!/bin/sh
# scipy-test.sh: SciPy's calls of BLAS, and those that LAPACK makes for it, are counted as a second library counts them.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

python=/usr/bin/python3
folders=/usr/lib/$(gcc -dumpmachine)
"$python" -c 'import scipy.linalg' 2>/dev/null && [ -e "$folders/lapack/liblapack.so.3" ] || {
	echo "SKIP: install python3-scipy and liblapack3"
	exit 77
}
case $srcdir in
/*) calls=$srcdir/tests/clients/scipy_calls.py ;;
*) calls=$PWD/$srcdir/tests/clients/scipy_calls.py ;;
esac

# The reference LAPACK calls BLAS in another library: all its calls are seen. LD_PRELOAD is set already.
expect 0 env LD_LIBRARY_PATH="$folders/lapack:$folders/blas" COUNTER_FILE="$work/wanted" \
	LD_PRELOAD="$PWD/tests/clients/.libs/libcounter.so" "$blasprof" -q -i scipy.db -- "$python" "$calls"
expect_says out '^dgemm_ 12 11$'
sort -o "$work/wanted" "$work/wanted"
# The reference cblas_X calls X_, which the other library counts and a profile does not: only outermost calls count.
sqlite3 -separator ' ' "$work/scipy.db" "SELECT CASE WHEN routine LIKE 'cblas_%' THEN substr(routine, 7) || '_'
	ELSE routine END AS name, sum(calls) FROM shapes WHERE name IN
	('dgemm_', 'dtrsm_', 'dsyrk_', 'dgemv_', 'dtrmm_', 'dswap_', 'dscal_', 'dger_') GROUP BY 1" |
	sort >"$work/counted"
diff "$work/wanted" "$work/counted" || fail "wanted < and counted > differ"
grep -q '^dtrsm_ ' "$work/wanted" || fail "LAPACK made no call"
# LAPACK makes a product with 12 rows, too, when it factors.
[ "$(sqlite3 "$work/scipy.db" "SELECT sum(calls) FROM shapes WHERE routine = 'dgemm_' AND m = 12 AND n = 12")" -eq 11 ] ||
	fail "SciPy's own calls are not counted"
finish
