#!/bin/sh
# node-test.sh: functions that Node compiles at run time have names by its perf map.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

(cd "$work" && node --perf-basic-prof -e 0) 2>/dev/null || { # it leaves a log where it runs
	echo "SKIP: there is no Node that writes perf maps; install nodejs"
	exit 77
}
cat >"$work/hot.js" <<'END'
function burnHere(numbers, count) {
	let sum = 0;
	for (let i = 0; i < count; i++)
		sum += Math.sqrt(numbers[i % numbers.length] * i);
	return sum;
}
const numbers = Array.from({ length: 1000 }, (_, i) => i);
let all = 0;
for (let round = 0; round < 200; round++)
	all += burnHere(numbers, 500000);
console.log(all > 0, process.pid);
END

# Node makes no BLAS call: train makes some beside it. Of the samples in code made at run time: named, and not.
profile()
{
	rm -f "$work/node.db"
	expect 0 "$blasprof" --full --roi=process -F 997 -i node.db -- \
		sh -c "node $1 hot.js && '$train' --steps=2 1 >train.out"
	expect_says out 'true [0-9]'
	rm -f "/tmp/perf-$(sed -n 's/^true //p' "$work/out").map"
	named=$(count "function LIKE '%burnHere%'")
	unnamed=$(count "function = '[unknown]' AND object = '[anon]'")
	echo "node $1: $named samples in burnHere, $unnamed in code without a name"
}

count()
{
	sqlite3 "$work/node.db" "SELECT coalesce(sum(samples), 0) FROM functions WHERE $1"
}

profile ""
if grep -q 'no samples were taken' "$work/err"; then
	echo "SKIP: this user may not sample (sysctl kernel.perf_event_paranoid)"
	exit 77
fi
[ "$unnamed" -ge 50 ] && [ "$named" -eq 0 ] || fail "without a perf map the code has no names"
expect_says err 'code made at run time has no names'
profile --perf-basic-prof
[ "$named" -ge 50 ] && [ "$named" -gt "$((10 * unnamed))" ] || fail "Node's code has no names"
finish
