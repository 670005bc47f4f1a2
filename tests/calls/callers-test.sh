#!/bin/sh
# callers-test.sh: every call has its caller: a function, inlined code, a library, by a Fortran name.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
callers=$PWD/tests/calls/callers

for threads in 1 3; do
	expect 0 "$blasprof" --full -F 0 -i "$threads.db" -- "$callers" $threads
	mv "$work/err" "$work/report"
	expect 0 "$blasprof" report -i "$threads.db" --format=csv --table=callers
	sed 's/\r$//' "$work/out" | awk -F, -v n=$threads 'NR > 1 {
		file = $4; sub(".*/", "", file)
		print $2, ($3 == "" ? "-" : $3), file, $7, $8 / n }' | sort >"$work/seen"
	sort >"$work/wanted" <<-END
		call_directly - callers cblas_sgemm 10
		call_inlined call_by_inlined callers cblas_sgemm 20
		call_fortran - callers sgemm_ 30
		library_call - libcallers.so cblas_sgemm 40
		call_by_pointer - callers cblas_sgemm 50
	END
	diff "$work/wanted" "$work/seen" >"$work/diff" || {
		fail "$threads threads: wanted < and seen > differ"
		cat "$work/diff"
	}
	expect_says report '^Who calls BLAS'
	expect_says report 'cblas_sgemm  *call_inlined  *call_by_inlined  *callers.c:[0-9]'
	# Each BLAS time has a caller, and a shape with several callers counts once.
	sed 's/\r$//' "$work/out" | awk -F, 'NR > 1 { share += $10 } END { exit !(share > 0.999 && share < 1.001) }' ||
		fail "the shares of the callers of $threads threads do not add up to 1"
	expect 0 "$blasprof" report -i "$threads.db" --format=csv --table=shapes
	[ "$(wc -l <"$work/out")" -eq 3 ] || fail "not two shapes with $threads threads"
done

# Without symbols, a caller is shown as object and offset, not with a wrong name.
cp "$callers" "$work/stripped" && strip "$work/stripped"
expect 0 "$blasprof" --full -F 0 -i stripped.db -- "$work/stripped" 1
expect 0 "$blasprof" report -i stripped.db --format=csv --table=callers
[ "$(grep -c 'stripped+0x[0-9a-f]*,' "$work/out")" -eq 4 ] || fail "not four callers without a name"
expect_says out '^1,library_call,'

# The table keeps 1,024 shapes with both callers, and the callers of all other shapes.
expect 0 "$blasprof" -q -F 0 -i shapes.db -- "$callers" 0
for row in call_shape call_shape_again; do
	selects shapes.db "SELECT sum(calls) FROM callers WHERE function = '$row'" 5000 "calls from $row"
done
# Each call does 2 m flops.
selects shapes.db "SELECT count(*), sum(calls), sum(flops) FROM shapes" '1025|10000|50010000.0' "shapes, calls and flops"

# In a folder with a long name, a caller has its name as well.
long=$work/$(printf '%0250d' 0)
mkdir "$long"
cp "$callers" "$long"
expect 0 "$blasprof" -q -F 0 -i long.db -- "$long/callers" 1
selects long.db "SELECT count(*) FROM callers WHERE function = 'call_directly'" 1 "callers in a long path that have a name"
finish
