#!/bin/sh
# ceilings-ports-test.sh: a BLAS call from a port is a cell that is checked like others; a port that fails is left out.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/workloads/ports/ports.sh"
. "$srcdir/tests/common.sh"

# status NAME: status and note of the port's cell.
status()
{
	awk -F, -v kernel="product-by-$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$2 == kernel { print $at["status"] ($at["note"] == "" ? "" : ": " $at["note"]) }' "$work/rows"
}

# timed NAME: the times of the cell.
timed()
{
	awk -F, -v kernel="product-by-$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$2 == kernel { print $at["median_ns"], $at["min_ns"], $at["max_ns"], $at["samples"], $at["runs"] }' "$work/rows"
}

workloads/ceilings --category=overhead --threads=1,2 --limit=0 --max-elements=1 --cache=warm \
	--kernel=product-by-good,product-by-wrong,product-by-silent,product-by-failing,product-by-garbage,product-by-missing \
	--port=good='echo call product 0.375 runs 10 ns 7 5 6' --port=wrong='echo call product 0.5 runs 10 ns 5' \
	--port=silent=true --port=failing='echo call product 0.375 runs 10 ns 5; exit 3' \
	--port=garbage='echo call product 0.375 runs ten ns 5' --port=missing='no-such-program-here 2>/dev/null' \
	>"$work/rows" 2>"$work/err"
[ $? -eq 1 ] || fail "a wrong port and status $?"
[ "$(status good)" = ok ] || fail "the good one: $(status good)"
# six rounds
[ "$(timed good)" = "6 5 7 18 10" ] || fail "other times: $(timed good)"
case $(status wrong) in
'wrong: 1 of 1 elements are wrong: element 0 is 0.5 and should be 0.375') ;;
*) fail "the wrong one: $(status wrong)" ;;
esac
for port in silent failing garbage missing; do
	case $(status $port) in
	"left out: '"*"': it "*) ;;
	*) fail "$port: $(status $port)" ;;
	esac
	[ "$(timed $port)" = "    " ] || fail "$port has times: $(timed $port)"
done
for bad in x =x x= "$(printf '%060d' 1)=x"; do
	workloads/ceilings --port="$bad" >"$work/out" 2>"$work/err" && fail "--port=$bad will do"
	[ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] || fail "--port=$bad: $(cat "$work/err")"
done

# A real port beside the C interfaces.
if build_port python; then
	LANGUAGES=python CEILINGS_STORE=$work/ports.db CEILINGS_OPTIONS='--limit=0 --max-elements=1 --cache=warm --kernel=cblas_sgemm,product-by-python' \
		sh "$srcdir/workloads/cells/ceilings-ports.sh" >"$work/out" 2>"$work/err" || fail "ceilings-ports: status $?: $(cat "$work/err")"
	grep -q '^overhead  *product-by-python .* warm ' "$work/out" && grep -q '^overhead  *cblas_sgemm .* warm ' "$work/out" ||
		fail "no cell of Python: $(cat "$work/out")"
else
	echo "python: left out: $missing"
fi
finish
