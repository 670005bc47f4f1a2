#!/bin/sh
# scipy-test.sh: SciPy's calls of BLAS and LAPACK are counted, and BLAS calls made by LAPACK.
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

# The reference LAPACK calls BLAS in another library; a second preload library counts these calls, too.
expect 0 env LD_LIBRARY_PATH="$folders/lapack:$folders/blas" COUNTER_FILE="$work/wanted" \
	LD_PRELOAD="$PWD/tests/clients/.libs/libcounter.so" "$blasprof" -q -i scipy.db -- "$python" "$calls"
expect_says out '^dgemm_ 12 11$'
sort -o "$work/wanted" "$work/wanted"
# cblas_X of the reference BLAS calls X_, which the other library counts. blasprof counts the outermost call only.
sqlite3 -separator ' ' "$work/scipy.db" "SELECT CASE WHEN routine LIKE 'cblas_%' THEN substr(routine, 7) || '_'
	ELSE routine END AS name, sum(calls) FROM shapes WHERE name IN
	('dgemm_', 'dtrsm_', 'dsyrk_', 'dgemv_', 'dtrmm_', 'dswap_', 'dscal_', 'dger_') GROUP BY 1" |
	sort >"$work/counted"
diff "$work/wanted" "$work/counted" || fail "wanted < and counted > differ"
grep -q '^dgemv_ ' "$work/wanted" || fail "LAPACK made no call"
[ "$(sqlite3 "$work/scipy.db" "SELECT sum(calls) FROM shapes WHERE routine = 'dgemm_' AND m = 12 AND n = 12 AND k = 12")" -eq 11 ] ||
	fail "SciPy's own calls are not counted"

# LAPACK routines of the table are counted as calls, and products inside them are part of them.
expect 0 env LD_LIBRARY_PATH="$folders/lapack:$folders/blas" "$blasprof" -q -i lapack.db -- "$python" "$calls" lapack
[ "$(sqlite3 "$work/lapack.db" "SELECT group_concat(routine || calls, ' ') FROM (SELECT routine, sum(calls) AS calls
	FROM shapes WHERE way = 'lapack' OR routine = 'dtrsm_' GROUP BY 1 ORDER BY 1)")" = 'dgetrf_1 dgetrs_1 dpotrf_1' ] ||
	fail "LAPACK's calls are not counted as its own"
finish
