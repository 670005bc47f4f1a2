#!/bin/sh
# ceilings-test.sh: ceilings prints complete rows even if it is interrupted, and refuses bad arguments.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# whole FILE ROWS: checks that there is a header and at least this number of complete rows.
whole()
{
	[ "$(wc -l <"$1")" -gt "$2" ] || fail "only $(wc -l <"$1") lines"
	head -n 1 "$1" | grep -q '^category,kernel,.*,seed$' || fail "another header: $(head -n 1 "$1")"
	sed 1d "$1" | grep -vE '^[a-z]+,[^,]+,.*,[0-9]+$' && fail "rows that are not whole"
	[ -z "$(tail -c 1 "$1")" ] || fail "the last line has no end"
}

# refused WORD...: checks for status 2 and one line on standard error.
refused()
{
	workloads/ceilings "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq 2 ] || fail "$*: status $status"
	[ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: $(cat "$work/out" "$work/err")"
}

# A cell with cold caches takes much longer: one size of each kernel.
workloads/ceilings --category=product,overhead --threads=1,2 --max-elements=1100 --limit=0 --cache=warm >"$work/rows" 2>"$work/err" ||
	fail "status $?: $(cat "$work/err")"
workloads/ceilings --category=product,overhead --threads=1,2 --size=16 --limit=0 --cache=cold >"$work/cold" 2>>"$work/err" ||
	fail "status $? with cold caches: $(cat "$work/err")"
sed 1d "$work/cold" >>"$work/rows"
grep -v '^ceilings: product [a-z0-9_]* is left out: this BLAS has no [a-z0-9_]*$' "$work/err" &&
	fail "complains: $(cat "$work/err")"
whole "$work/rows" 10
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["status"] != "ok" { print "not ok: " $0; bad = 1 }
	!($at["median_ns"] > 0) { print "no time: " $0; bad = 1 }
	$at["category"] == "product" { product++ }
	$at["category"] == "product" && $at["flops"] != 2 * $at["m"] * $at["n"] * $at["k"] * $at["threads"] {
		print "other flops: " $0; bad = 1 }
	$at["category"] != "product" && $at["category"] != "overhead" { print "not asked for: " $0; bad = 1 }
	$at["cache"] == "cold" { cold++ }
	END { exit bad || !product || !cold }' "$work/rows" || fail "rows are not as they should be"
grep -q "^product,cblas_sgemm,4,32,32,32,0,2,warm,ok," "$work/rows" || fail "no sgemm of 32 with 2 threads"
grep -q "^copy\|,64,64,64," "$work/rows" && fail "rows beyond what was asked for"

: >"$work/rows" # removes the rows of the run before
workloads/ceilings --threads=1 >"$work/rows" 2>"$work/err" &
pid=$!
until [ "$(wc -l <"$work/rows")" -ge 4 ] || ! kill -0 $pid; do
	sleep 0.1
done
# an asynchronous child of a shell ignores SIGINT
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 130 ] || fail "interrupted: status $status"
grep -q '^ceilings: interrupted: [0-9]* of [0-9]* cells are done$' "$work/err" || fail "interrupted: $(cat "$work/err")"
whole "$work/rows" 3

# given sizes; a cell that does not fit the memory has a row with the reason and no times
workloads/ceilings --kernel=cblas_dgemm,add --size=24,5x6x7 --limit=0 --threads=1 >"$work/rows" || fail "--size: status $?"
cut -d, -f2,4-6,9-10 "$work/rows" | sed 1d | sort >"$work/sizes"
printf '%s\n' add,,24,,cold,ok add,,24,,warm,ok cblas_dgemm,24,24,24,cold,ok cblas_dgemm,24,24,24,warm,ok \
	cblas_dgemm,5,6,7,cold,ok cblas_dgemm,5,6,7,warm,ok | cmp -s - "$work/sizes" || fail "--size: $(cat "$work/sizes")"
workloads/ceilings --kernel=cblas_sgemm --size=900000000x900000000x8 --threads=1 >"$work/rows" 2>"$work/err" ||
	fail "too large: status $?"
grep -qE ',left out,"needs [0-9]+ MiB, more than half of the machine.s [0-9]+ MiB",,,' "$work/rows" ||
	fail "too large: $(cat "$work/rows")"
grep -qE '^ceilings: product cblas_sgemm is left out: needs [0-9]+ MiB, more than half of the machine.s [0-9]+ MiB$' "$work/err" ||
	fail "too large: $(cat "$work/err")"

refused --category=nix
grep -q "'nix'.*copy, product" "$work/err" || fail "names no categories: $(cat "$work/err")"
refused --category=product --kernel=add
grep -q "no kernel 'add'; there are cblas_sgemm, cblas_dgemm" "$work/err" || fail "names no kernels: $(cat "$work/err")"
for bad in --size= --size=0 --size=x --size=3x4 --size=4x5x6x7 "--size=64," --size=,64 --size=-1 --size=9999999999 --size=64x \
	--cache=hot --threads=0 --threads=1,x --threads= --limit=-1 --max-elements=0 --seed=x --bogus 4; do
	refused $bad
done
# the number of elements must be a multiple of 4,096
refused --category=fusion --kernel=adamw-fused --size=100
refused --kernel=add --size=3x4x5
workloads/ceilings --kernel=add --size=24 --cache=warm --limit=0 --threads=1 | cut -d, -f9 >"$work/rows"
[ "$(tail -n +2 "$work/rows")" = warm ] || fail "--cache=warm: $(cat "$work/rows")"
workloads/ceilings --kernel=add --size=24 --cache=warm --limit=0 --threads=1 >/dev/full 2>"$work/err" && fail "/dev/full will do"
finish
