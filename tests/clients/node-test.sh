#!/bin/sh
# node-test.sh: functions that Node compiles at run time are named by its perf map file.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# It writes a log to the current folder, and the map to /tmp.
pid=$(cd "$work" && node --perf-basic-prof -e 'console.log(process.pid)' 2>/dev/null) || {
	echo "SKIP: there is no Node that writes perf maps; install nodejs"
	exit 77
}
rm -f "/tmp/perf-$pid.map"
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

# profile OPTION: profiles Node beside train, because Node makes no BLAS call. Counts the samples in code made at run time
# with and without a name.
profile()
{
	rm -f "$work/node.db"
	expect 0 "$blasprof" --full --roi=process -F 997 -i node.db -- \
		sh -c "node $1 hot.js && '$train' --steps=2 1 >train.out"
	expect_says out 'true [0-9]'
	rm -f "/tmp/perf-$(sed -n 's/^true //p' "$work/out").map"
	named=$(ask node.db "SELECT coalesce(sum(samples), 0) FROM functions WHERE function LIKE '%burnHere%'")
	unnamed=$(ask node.db "SELECT coalesce(sum(samples), 0) FROM functions WHERE function = '[unknown]' AND object = '[anon]'")
	echo "node $1: $named samples in burnHere, $unnamed in code without a name"
}

profile ""
may_sample || exit 77
[ "$unnamed" -ge 50 ] && [ "$named" -eq 0 ] || fail "without a perf map the code has no names"
expect_says err 'code made at run time has no names'
profile --perf-basic-prof
[ "$named" -ge 50 ] && [ "$named" -gt "$((10 * unnamed))" ] || fail "Node's code has no names"
finish
