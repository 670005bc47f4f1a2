#!/bin/sh
# summary-test.sh: the last line of the tests counts single tests; tests that did not run count as failed.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

result()
{
	echo ":test-result: $2" >"$work/$1.trs"
	echo "$3" >"$work/$1.log"
}

summary=$(cd "$srcdir" && pwd)/tests/summary.sh
counts()
{
	line=$1 status=$2
	shift 2
	expect "$status" sh "$summary" "$@"
	expect_says out "^$line\$"
}

result script PASS "all is well"
result unit PASS "100%: Checks: 12, Failures: 0, Errors: 0"
result unit_bad FAIL "70%: Checks: 10, Failures: 2, Errors: 1"
result crash FAIL "100%: Checks: 4, Failures: 0, Errors: 0"
result skipped SKIP ""
counts "13 passed, 0 failed" 0 script.log unit.log
counts "13 passed, 0 failed, 1 skipped" 0 script.log unit.log skipped.log
counts "8 passed, 3 failed" 1 script.log unit_bad.log
counts "4 passed, 1 failed" 1 crash.log
counts "1 passed, 1 failed" 1 script.log never-ran.log
finish
