#!/bin/sh
# reports.sh: measures the time and memory of a report, and of a comparison, of 10,000 runs.
# SPDX-License-Identifier: MIT
# shellcheck source=/dev/null
. "$srcdir/tests/bench/bench.sh"
${MAKE:-make} -s workloads/train blasprof tests/bench/usage || exit
command -v sqlite3 >/dev/null || exit 77
store=$work/runs.db runs=${RUNS:-10000}

for threads in 1 2; do
	"$blasprof" -q -i "$store" -- workloads/train $threads >/dev/null || exit
done

# columns_of TABLE: prints its columns but the number of the run, separated by commas.
columns_of()
{
	sqlite3 "$store" "SELECT group_concat(name) FROM pragma_table_info('$1') WHERE name NOT IN ('id', 'run')"
}

# Copies all runs, which are numbered from 1 on, until there are enough.
count=2
while [ "$count" -lt "$runs" ]; do
	echo "BEGIN;"
	columns=$(columns_of runs)
	echo "INSERT INTO runs ($columns) SELECT $columns FROM runs ORDER BY id;"
	for table in $(sqlite3 "$store" "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE c.name = 'run'"); do
		columns=$(columns_of "$table")
		echo "INSERT INTO $table (run, $columns) SELECT run + $count, $columns FROM $table;"
	done
	echo "COMMIT;"
	count=$((count * 2))
done >"$work/copy.sql"
sqlite3 "$store" "PRAGMA synchronous = OFF" ".read $work/copy.sql" \
	"PRAGMA foreign_keys = ON; DELETE FROM runs WHERE id > $runs" >"$work/log" || exit

# measure NAME COMMAND...: prints the CPU time and the peak memory of the command.
measure()
{
	name=$1
	shift
	"$PWD/tests/bench/usage" "$work/usage" "$@" >"$work/out" || exit
	awk -v name="$name of $runs runs" '{ printf "%s: %.2f s of CPU time, %.0f MB\n", name, $3, $1 / 1000 }' "$work/usage"
}

measure report "$blasprof" report "$store"
measure "report --full" "$blasprof" report --full "$store"
measure compare "$blasprof" compare "$store" "$store"
