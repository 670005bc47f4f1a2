#!/bin/sh
# summary.sh: counts the single tests in the logs of the test harness: "N passed, N failed[, N skipped]".
# SPDX-License-Identifier: MIT
#
# Usage: summary.sh LOG...   the result of each LOG is in a .trs file beside it
#
# The log of a Check program has its number of tests; any other log is one test. A test without a
# result did not run, and counts as failed. The exit status is 1 if any failed.
passed=0 failed=0 skipped=0
for log; do
	trs=${log%.log}.trs
	result=$(sed -n 's/^:test-result: \([A-Z]*\).*/\1/p' "$trs" 2>/dev/null)
	count=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' \
		"$log" 2>/dev/null | awk '{ all += $1; bad += $2 + $3 } END { if (NR) print all - bad, bad }')
	case $result in
	PASS | XFAIL) set -- ${count:-1 0} ;;
	SKIP)
		skipped=$((skipped + 1))
		set -- 0 0
		;;
	*)
		set -- ${count:-0 1}
		[ "$2" -gt 0 ] || set -- "$1" 1
		;;
	esac
	passed=$((passed + $1)) failed=$((failed + $2))
done
line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" -eq 0 ]
