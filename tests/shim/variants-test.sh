#!/bin/sh
# variants-test.sh: calls by every name, bound by the loader or looked up, pass all arguments on, with all 64 bits, and count.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

libraries=$PWD/tests/shim/.libs
for i in 1 2 3 4; do
	cp "$libraries/libvariants_one.so" "$work/one$i.so"
done

# count: prints each name that the last run called, and the number of its calls
count()
{
	sqlite3 -separator ' ' "$work/variants.db" "
		SELECT CASE WHEN variant = '' THEN routine ELSE replace(variant, 'X', base) END AS name, sum(calls)
		FROM (SELECT *, CASE WHEN routine LIKE 'cblas_%' THEN substr(routine, 7)
			ELSE substr(routine, 1, length(routine) - 1) END AS base FROM shapes) GROUP BY name" | sort
}

# check LIBRARY...: runs variants, which looks up every name in each
check()
{
	record_new variants.db -F 0 -- "$PWD/tests/shim/variants" "$@"
	awk '{ n[$1] += $2 } END { for (i in n) print i, n[i] }' "$work/out" | sort >"$work/wanted"
	count >"$work/counted"
	diff "$work/wanted" "$work/counted" >"$work/diff" && return
	fail "variants $*: wanted < and counted > differ"
	head -20 "$work/diff"
}

check
[ "$(wc -l <"$work/wanted")" -gt 2000 ] || fail "variants calls only $(wc -l <"$work/wanted") names"

# A look-up by a handle finds its own functions, although all libraries have the same names, and no missing names.
check_looked_up()
{
	rm -f "$work/variants.db"
	expect 0 "$blasprof" --full -F 0 -i variants.db -- "$PWD/tests/shim/variants" "$@"
	wanted=$(awk '{ n += $2 } END { print n }' "$work/out")
	counted=$(ask variants.db "SELECT sum(calls) FROM shapes")
}
check ./one1.so
check ./one1.so ./one2.so ./one3.so
grep -q 'looked up one routine' "$work/err" && fail "three libraries are said to be too many"
check_looked_up ./one1.so ./one2.so ./one3.so ./one4.so
expect_says err 'looked up one routine (dlsym) in more libraries'
last=$(nm -D --defined-only "$work/one4.so" | grep -c ' T .*[a-z]')
[ $((wanted - counted)) -gt 0 ] && [ $((wanted - counted)) -le "$last" ] ||
	fail "of four libraries, $counted of $wanted calls are counted"

finish
