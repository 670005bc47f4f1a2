#!/bin/sh
# threads-test.sh: many threads that start at once on one CPU are all counted, and waited for that CPU and not for the
# preload library. The times of shapes do not include time without a CPU.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
[ -n "$SQLITE3" ] || exit 77

cpu=$(one_cpu)

# many THREADS CALLS RATE: checks THREADS threads that make CALLS calls each, sampled at RATE.
many()
{
	expect 0 taskset -c "$cpu" "$blasprof" -q -F "$3" -i "$1.$3.db" -- "$PWD/tests/soak/many" threads "$1" "$2"
	counted=$(ask "$1.$3.db" "SELECT count(*) FROM threads WHERE calls = $2")
	[ "$counted" -eq "$1" ] || fail "-F $3: $counted of $1 threads have all their calls"
	share=$(ask "$1.$3.db" "SELECT CAST(100.0 * sum(preempted_ns) / sum(preempted_ns + waiting_ns) AS INTEGER)
		FROM threads WHERE calls > 0")
	[ "$share" -ge 30 ] || fail "-F $3: without a CPU: $share % of the time off it, where $1 threads share one"
}

many 160 2000 0
many 160 2000 99
many 900 100 0 # most of them are not asked how long they waited
many 900 100 99

# The times of the shapes add up to those of the threads, without time off the CPU, which their wall times include. The
# calls last longer than a time slice: threads with short calls lose their CPU between them, while the clocks are read.
expect 0 taskset -c "$cpu" "$blasprof" -q -F 0 -i shapes.db -- \
	"$train" --hidden=256 --sequence=1024 --blocks=1 --steps=12 6
times=$(ask shapes.db "SELECT sum(total_ns) || ' ' || sum(wall_ns) FROM shapes")
threads=$(ask shapes.db "SELECT sum(blas_ns) FROM threads WHERE calls > 0")
echo "$times $threads" | awk '{ exit !($1 > 0.99 * $3 && $1 < 1.01 * $3 && $2 > 1.2 * $1) }' ||
	fail "shapes have $times ns in all and on the wall, threads $threads in BLAS"

# No call counts as shorter than the fastest one that always had a CPU. Bucket i begins at 2^(i/4) ns.
expect 0 taskset -c "$cpu" "$blasprof" -q -F 0 -i short.db -- "$train" --steps=200 2
"$SQLITE3" -separator ' ' "$work/short.db" "SELECT min_ns, CAST(histogram AS INTEGER) FROM shapes" |
	awk 'exp(log(2) * ($2 + 1) / 4) < $1 { short++ } END { exit !NR || short }' || fail "calls are shorter than the fastest"
finish
