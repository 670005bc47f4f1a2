#!/bin/sh
# soak.sh: checks that a billion calls are all counted without growing memory, and that thousands of processes and threads
# take at most twice as long with blasprof. CALLS (of each of 4 threads), CHILDREN, THREADS and ROUNDS change the sizes.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
calls=${CALLS:-250000000}
children=${CHILDREN:-10000}
threads=${THREADS:-2000}
rounds=${ROUNDS:-3}
driver=$PWD/tests/bench/calls
many=$PWD/tests/soak/many
failed=0

# judge WHAT CONDITION: prints a line with the result, and records a failure.
judge()
{
	if [ "$2" -eq 1 ]; then echo "ok    $1"; else echo "FAIL  $1"; failed=1; fi
}

# counted STORE: prints the calls of its newest run.
counted()
{
	"$blasprof" report -i "$1" --format csv --table runs | tr -d '\r' |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { calls = $at["calls"] } END { print calls }'
}

# resident PID: prints the resident KiB of the process and its parent, blasprof, together.
resident()
{
	cat "/proc/$1/status" "/proc/$profiler/status" 2>/dev/null | awk '/^VmRSS/ { sum += $2 } END { print sum + 0 }'
}

# spent PID: prints the CPU time that the process has used, in s.
spent()
{
	awk -v ticks="$(getconf CLK_TCK)" '{ sub(/.*[)] /, ""); print int(($12 + $13) / ticks) }' "/proc/$1/stat" 2>/dev/null
}

"$blasprof" -q -i "$work/billion.db" -- "$driver" 4 64 "$calls" >/dev/null &
profiler=$!
program=
while [ -z "$program" ] && sleep 0.1 && kill -0 $profiler; do
	program=$(tr -d ' ' <"/proc/$profiler/task/$profiler/children")
done
# Until then, the sampler meets new stacks. Once the program has ended, blasprof needs memory for names.
begun_s=4 first=0 last=0
while sleep 0.5 && now=$(resident "$program") && cpu_s=$(spent "$program") && [ -e "/proc/$program/exe" ]; do
	[ "$cpu_s" -ge $begun_s ] || continue
	[ "$first" -gt 0 ] || first=$now
	last=$now
done
wait $profiler
wanted=$((4 * calls + 4000))
got=$(counted "$work/billion.db")
judge "$got of $wanted calls from 4 threads" "$([ "$got" = "$wanted" ] && echo 1 || echo 0)"
judge "resident memory $first KiB after $begun_s s of CPU time, $last KiB at the end" \
	"$([ "$first" -gt 0 ] && [ "$last" -le $((first + 2048)) ] && echo 1 || echo 0)"

# seconds WORD...: prints the wall time.
seconds()
{
	begun=$(date +%s.%N)
	"$@" >"$work/out" || failed=1
	awk -v a="$begun" -v b="$(date +%s.%N)" 'BEGIN { printf "%.3f\n", b - a }'
}

# compare WHAT WORD...: runs the words without and with blasprof in turns.
compare()
{
	what=$1
	shift
	rm -f "$work"/plain "$work"/profiled "$work"/x.db
	round=0
	while [ $round -lt "$rounds" ]; do
		seconds "$@" >>"$work/plain"
		seconds "$blasprof" -q -i "$work/x.db" -- "$@" >>"$work/profiled"
		[ "$(counted "$work/x.db")" = "$(cat "$work/out")" ] || judge "$what: not all calls are in the store" 0
		round=$((round + 1))
	done
	plain=$(median "$work/plain")
	profiled=$(median "$work/profiled")
	judge "$what: $profiled s with blasprof, $plain s without: $(ratio "$profiled" "$plain" %.2f)" \
		"$(awk -v a="$profiled" -v b="$plain" 'BEGIN { print a <= 2 * b }')"
}

compare "$children fork+exec children" "$many" children "$children" 1
compare "$threads threads at once, of 1000 calls" "$many" threads "$threads" 1000
compare "100000 threads in turn" "$many" turns 100000 1
exit $failed
