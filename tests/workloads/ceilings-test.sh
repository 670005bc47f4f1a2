#!/bin/sh
# ceilings-test.sh: ceilings prints whole rows, keeps them when it is interrupted, and refuses bad arguments.
# SPDX-License-Identifier: MIT
work=$(mktemp -d ./ceilings-XXXXXX) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

complain()
{
	echo "FAIL: $*" >&2
	failures=$((failures + 1))
}

# whole FILE ROWS: a header and so many rows or more, each from its category to its seed.
whole()
{
	[ "$(wc -l <"$1")" -gt "$2" ] || complain "only $(wc -l <"$1") lines"
	head -n 1 "$1" | grep -q '^category,kernel,.*,seed$' || complain "another header: $(head -n 1 "$1")"
	sed 1d "$1" | grep -vE '^[a-z]+,[^,]+,.*,[0-9]+$' && complain "rows that are not whole"
	[ -z "$(tail -c 1 "$1")" ] || complain "the last line has no end"
}

# refused WORD...: status 2, one line, nothing printed.
refused()
{
	workloads/ceilings "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq 2 ] || complain "$*: status $status"
	[ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "$*: $(cat "$work/out" "$work/err")"
}

workloads/ceilings --category=product,overhead --threads=1,2 --max-elements=1100 --limit=0 >"$work/rows" 2>"$work/err" ||
	complain "status $?: $(cat "$work/err")"
[ ! -s "$work/err" ] || complain "complains: $(cat "$work/err")"
whole "$work/rows" 10
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["status"] != "ok" { print "not ok: " $0; bad = 1 }
	!($at["median_ns"] > 0) { print "no time: " $0; bad = 1 }
	$at["category"] == "product" { product++ }
	$at["category"] == "product" && $at["flops"] != 2 * $at["m"] * $at["n"] * $at["k"] * $at["threads"] {
		print "other flops: " $0; bad = 1 }
	$at["category"] != "product" && $at["category"] != "overhead" { print "not asked for: " $0; bad = 1 }
	$at["cache"] == "cold" { cold++ }
	END { exit bad || !product || !cold }' "$work/rows" || complain "rows are not as they should be"
grep -q "^product,cblas_sgemm,4,32,32,32,0,2,warm,ok," "$work/rows" || complain "no sgemm of 32 with 2 threads"
grep -q "^copy\|,64,64,64," "$work/rows" && complain "rows beyond what was asked for"

workloads/ceilings --threads=1 >"$work/rows" 2>"$work/err" &
pid=$!
tries=0
while [ "$(wc -l <"$work/rows")" -lt 4 ] && [ $tries -lt 100 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
# an asynchronous child of a shell ignores SIGINT
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 130 ] || complain "interrupted: status $status"
grep -q '^ceilings: interrupted: [0-9]* of [0-9]* cells are done$' "$work/err" || complain "interrupted: $(cat "$work/err")"
whole "$work/rows" 3

refused --category=nix
grep -q "'nix'.*copy, product" "$work/err" || complain "names no categories: $(cat "$work/err")"
refused --threads=0
refused --threads=1,x
refused --threads=
refused --limit=-1
refused --max-elements=0
refused --seed=x
refused --bogus
refused 4
workloads/ceilings --category=overhead --max-elements=1 --limit=0 >/dev/full 2>"$work/err" && complain "/dev/full will do"
exit $((failures > 0))
