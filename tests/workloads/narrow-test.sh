#!/bin/sh
# narrow-test.sh: products of 8 and 16 bits are cells if the BLAS library has the routines; else a line names the routine.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

routines=cblas_sbgemm,cblas_hgemm,cblas_gemm_s8u8s32
# measure LIBRARY WORD...
measure()
{
	library=$1
	shift
	LD_PRELOAD=$library timeout 600 workloads/ceilings --threads=1,2 --limit=0 "$@" >"$work/rows" 2>"$work/err"
}

stand_in=$PWD/tests/workloads/.libs/libnarrow_blas.so
measure "$stand_in" --kernel=$routines --size=3x5x7,17x1x33,1x1x300 --cache=warm || fail "status $?: $(cat "$work/err")"
mv "$work/rows" "$work/warm"
measure "$stand_in" --kernel=$routines --size=16 || fail "status $?: $(cat "$work/err")"
sed 1d "$work/warm" >>"$work/rows"
lacks=0
if [ -s "$work/err" ]; then
	# a compiler without half precision
	[ "$(cat "$work/err")" = "ceilings: product cblas_hgemm is left out: this BLAS has no cblas_hgemm" ] ||
		fail "complains: $(cat "$work/err")"
	lacks=1
fi
# four sizes of each routine: warm with 1 and 2 threads, one of them cold with 1
awk -F, -v kernels=$((3 - lacks)) 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["status"] != "ok" { print "not ok: " $0; bad = 1 }
	$at["element_bytes"] != ($2 == "cblas_gemm_s8u8s32" ? 1 : 2) { print "other elements: " $0; bad = 1 }
	{ m = $at["m"]; n = $at["n"]; k = $at["k"]
	  result = $2 == "cblas_hgemm" ? 2 : 4
	  rows++; if ($at["bytes"] != ($at["element_bytes"] * (m * k + k * n) + result * m * n) * $at["threads"]) {
		print "other bytes: " $0; bad = 1 } }
	END { exit bad || rows != 9 * kernels }' "$work/rows" || fail "rows are not as they should be: $(cut -d, -f1-11 "$work/rows")"

# A wrong result is found.
NARROW_BLAS_WRONG=1 measure "$stand_in" --kernel=cblas_sbgemm --size=8 --cache=warm && fail "a wrong result will do"
grep -q '^product,cblas_sbgemm,2,8,8,8,0,1,warm,wrong,' "$work/rows" || fail "the wrong cell is not called so: $(cat "$work/rows")"

# If the library has no such routine: a line for each, status 2 and no rows. Cells of other routines are measured.
measure '' --kernel=$routines
status=$?
left_out=$(grep -c "^ceilings: product cblas_[a-z0-9_]* is left out: this BLAS has no cblas_[a-z0-9_]*$" "$work/err")
if [ "$left_out" -eq 3 ]; then
	[ $status -eq 2 ] && [ ! -s "$work/rows" ] || fail "none of three: status $status, $(cat "$work/rows")"
	[ "$(wc -l <"$work/err")" -eq 4 ] || fail "none of three: $(cat "$work/err")"
	measure '' --kernel=cblas_sgemm,$routines --size=8 --cache=warm || fail "beside sgemm: status $?"
	[ "$(wc -l <"$work/rows")" -eq 3 ] && [ "$(wc -l <"$work/err")" -eq 3 ] || fail "beside sgemm: $(cat "$work/rows" "$work/err")"
fi
finish
