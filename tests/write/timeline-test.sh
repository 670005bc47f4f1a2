#!/bin/sh
# timeline-test.sh: --timeline records the times of calls, up to a limit, and trace viewers can open it.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
here=$(cd "${srcdir:-.}" && pwd)

# traced STORE CALLS: the trace of the store has CALLS calls.
traced()
{
	expect 0 "$blasprof" report -i "$1" --format chrome --output trace.json
	expect 0 python3 "$here/tests/write/read_trace.py" trace.json "$2"
}

# The timeline has all calls, with the same times as the shapes.
expect 0 "$blasprof" -q --timeline -i all.db -- "$train" --steps=40 2
calls=$(ask all.db "SELECT sum(calls) FROM threads")
traced all.db "$calls"
expect_says out ' 4 tracks\| 3 tracks\| 2 tracks'
selects all.db "SELECT count(*) FROM notes WHERE code LIKE 'timeline%'" 0 "warnings of a complete timeline"
selects all.db "WITH s AS (SELECT routine, transa, transb, m, n, k, sum(calls) AS calls, sum(wall_ns) AS ns
	FROM shapes GROUP BY 1, 2, 3, 4, 5, 6),
	t AS (SELECT name AS routine, transa, transb, m, n, k, count(*) AS calls, sum(end_ns - start_ns) AS ns
	FROM timeline WHERE kind = 'blas' GROUP BY 1, 2, 3, 4, 5, 6)
	SELECT count(*) FROM s LEFT JOIN t USING (routine, transa, transb, m, n, k)
	WHERE t.calls IS NOT s.calls OR abs(t.ns - s.ns) > s.ns * 0.01 + s.calls * 20" \
	0 "shapes that have other calls or times in the timeline"
# Each call lies in a region that its thread marked.
selects all.db "SELECT count(*) FROM timeline c WHERE kind = 'blas' AND NOT EXISTS (SELECT 1 FROM timeline r
	WHERE r.kind = 'region' AND r.tid = c.tid AND r.start_ns <= c.start_ns + 1 AND r.end_ns >= c.end_ns - 1)" 0 "calls in no region"
expect 0 "$blasprof" report --full -i all.db
grep -q 'timeline' "$work/out" && fail "the report warns about a complete timeline"

# A limited timeline keeps the last calls, and the report says what is missing.
expect 0 "$blasprof" -q --timeline-keep=50 -i last.db -- "$PWD/tests/shim/truth" 2 0.5 60
calls=$(ask last.db "SELECT sum(calls) FROM threads")
traced last.db 100
expect_says out "100 of $calls calls"
expect 0 "$blasprof" report --full -i last.db
tr -s '\n ' '  ' <"$work/out" >"$work/line"
grep -q "timeline has only a part of the calls: 100 of $calls calls" "$work/line" || fail "the report does not say what is missing"
# A single thread makes the same calls in each run, so that the last ones can be compared.
sequence()
{
	ask "$1" "SELECT name, transa, transb, m, n, k FROM timeline WHERE kind = 'blas' ORDER BY seq"
}
expect 0 "$blasprof" -q --timeline -i whole.db -- "$train" --steps=6 1
sequence whole.db >"$work/whole"
expect 0 "$blasprof" -q --timeline-keep=33 -i one.db -- "$train" --steps=6 1
sequence one.db >"$work/one"
kept=$(wc -l <"$work/one")
[ "$kept" -gt 20 ] && [ "$kept" -le 33 ] || fail "$kept calls of 33 were kept"
tail -n "$kept" "$work/whole" | cmp -s - "$work/one" || fail "the calls that are kept are not the last"

# Without the option nothing is kept, and the format has a remedy.
expect 0 "$blasprof" -q -i none.db -- "$train" --steps=5 2
selects none.db "SELECT count(*) FROM timeline" 0 "calls that were kept without --timeline"
expect_failure 125 "$blasprof" report -i none.db --format chrome
expect_failure 125 "$blasprof" report -i all.db -i none.db --format chrome
for keep in 0 262145 x ''; do
	expect_failure 125 "$blasprof" --timeline-keep="$keep" -i none.db -- true
done
# The timeline is also written directly after the run.
expect 0 "$blasprof" --timeline --format chrome --output direct.json -i direct.db -- "$train" --steps=5 2
expect 0 python3 "$here/tests/write/read_trace.py" direct.json "$(ask direct.db "SELECT sum(calls) FROM threads")"
finish
