#!/bin/sh
# threads-test.sh: of many threads that begin at once on one CPU each is counted, and has waited for that CPU and not for
# the preload library.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/cli/common.sh"
[ -n "$SQLITE3" ] || exit 77

cpu=$(awk '/^Cpus_allowed_list/ { split($2, cpus, /[-,]/); print cpus[1] }' /proc/self/status)

# ask STORE COLUMNS [MORE]: of the threads that made calls.
ask()
{
	"$SQLITE3" "$work/$1" "SELECT $2 FROM threads WHERE calls > 0 $3"
}

for rate in 0 99; do
	expect 0 taskset -c "$cpu" "$blasprof" -q -F $rate -o $rate.db -- "$PWD/tests/soak/many" threads 160 2000
	counted=$(ask $rate.db "count(*)" "AND calls = 2000")
	[ "$counted" -eq 160 ] || fail "-F $rate: $counted of 160 threads have all their calls"
	share=$(ask $rate.db "CAST(100.0 * sum(preempted_ns) / sum(preempted_ns + waiting_ns) AS INTEGER)")
	[ "$share" -ge 30 ] || fail "-F $rate: without a CPU: $share % of the time off it, where 160 threads share one"
done
finish
