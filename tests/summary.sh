#!/bin/sh
# summary.sh: counts the single tests behind the harness's logs: "N passed, N failed[, N skipped]".
# SPDX-License-Identifier: MIT
#
# Usage: summary.sh LOG...   each LOG has its result beside it, in a .trs file
#
# A test program that uses Check prints its own count in its log; any other is one test. A test
# without a result did not run, and counts as failed. Exit status 1 when one failed.
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
