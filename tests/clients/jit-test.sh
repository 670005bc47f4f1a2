#!/bin/sh
# jit-test.sh: functions of Java and of Python (from 3.12 on) are named by perf map files.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

cat >"$work/Hot.java" <<'END'
public class Hot {
	static double burnHere(double[] numbers, int count) {
		double sum = 0;
		for (int i = 0; i < count; i++)
			sum += Math.sqrt(numbers[i % numbers.length] * i);
		return sum;
	}
	public static void main(String[] arguments) {
		double[] numbers = new double[1000];
		double all = 0;
		for (int i = 0; i < 1000; i++)
			numbers[i] = i;
		for (int round = 0; round < 150; round++)
			all += burnHere(numbers, 500000);
		System.out.println(all > 0);
	}
}
END
cat >"$work/hot.py" <<'END'
def burn_here(count):
    total = 0.0
    for i in range(count):
        total += i * 0.5
    return total


for _ in range(30):
    burn_here(200000)
END
tried=0

# profile OPTION WORD...: profiles the words beside train, because they make no BLAS call.
profile()
{
	option=$1
	shift
	rm -f "$work/x.db"
	expect 0 "$blasprof" --full "$option" --roi=process -F 997 -i x.db -- sh -c '
		train=$1; shift; "$@" & echo $! >pid; wait $! && exec "$train" --steps=2 1' sh "$train" "$@"
	rm -f "/tmp/perf-$(cat "$work/pid").map"
	may_sample || exit 77
	tried=$((tried + 1))
}

java=-XX:+DumpPerfMapAtExit
if java -XX:+UnlockDiagnosticVMOptions $java -version >/dev/null 2>&1; then
	profile --call-graph=fp java -XX:+UnlockDiagnosticVMOptions $java Hot.java
	named=$(sqlite3 "$work/x.db" "SELECT coalesce(sum(samples), 0) FROM functions WHERE function LIKE '%Hot.burnHere(%'")
	echo "java: $named samples in burnHere"
	[ "$named" -ge 50 ] || fail "Java's code has no names"
fi
# Python's functions are callers of its interpreter, which usually has no frame pointers.
if python3.12 -X perf -c 0 2>/dev/null; then
	profile --call-graph=dwarf python3.12 -X perf hot.py
	sqlite3 "$work/x.db" "SELECT DISTINCT function FROM frames WHERE function LIKE 'py::burn_here:%/hot.py'" | grep . ||
		fail "Python's function is in no call stack"
fi
[ $tried -gt 0 ] || { echo "SKIP: there is no Java (openjdk-17-jre-headless) and no Python 3.12" && exit 77; }
finish
