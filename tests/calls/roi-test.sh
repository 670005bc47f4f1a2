#!/bin/sh
# roi-test.sh: the region of interest and its participants if a program does more than BLAS calls.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
may_sample || exit 77
[ -n "$SQLITE3" ] || exit 77
program=$PWD/tests/calls/roi

# record STORE OPTION... -- COMMAND...: samples often enough to see threads of 100 ms.
record()
{
	store=$1
	shift
	expect 0 "$blasprof" -q -w 0 -i "$store" -F 997 "$@"
}

# column TABLE NAME THREADS: prints the column of the newest experiment's row with THREADS threads.
column()
{
	"$blasprof" report --store="$work/$store" --format=csv --table="$1" | tr -d '\r' | awk -F, -v name="$2" -v threads="$3" \
		'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["threads"] == threads { print $at[name] }'
}

# ask COLUMNS [FROM [KEY]]: prints SQL columns of the newest run.
ask()
{
	"$SQLITE3" "$work/$store" "SELECT $1 ${2:-FROM runs} WHERE ${3:-id} = (SELECT max(id) FROM runs)"
}

# between WHAT LOW FIGURE HIGH: fails if FIGURE is not between LOW and HIGH.
between()
{
	awk -v low="$2" -v figure="${3:-nan}" -v high="$4" 'BEGIN { exit !(figure >= low && figure <= high) }' ||
		fail "$1 is ${3:-nothing}, not $2 to $4"
}

# inside WHAT LOW HIGH [MS]: the CPU time inside the ROI, less MS, over the callers' computing time is within the limits.
inside()
{
	between "$1: CPU time inside, over the callers' own" "$2" \
		"$(ask "(roi_cpu_ns - 1e6 * ${4:-0}) / sum(t.other_ns + t.blas_ns)" "FROM runs JOIN threads t ON t.run = runs.id AND t.calls > 0" runs.id)" "$3"
}

# outside WHAT HIGH: the CPU time outside the ROI over what the program says it used before is at most HIGH.
outside()
{
	first=$(tail -n 1 "$work/out")
	between "$1: CPU time outside, over the program's own clock" 0.85 "$(ask "(cpu_ns - roi_cpu_ns) / 1e6 / $first")" "$2"
}

# roles: prints the sorted roles of the newest run's threads.
roles()
{
	"$blasprof" report --store="$work/$store" --format=csv --table=run-threads --columns=role | sed 1d | tr -d '\r' | sort | tr '\n' ' '
}

# The main thread's stray calls are outside the ROI, and it is no participant, because it only joins the others.
record stray.db -t 1,2 -- "$program" stray {}
[ "$(column threads runs 1) $(column threads runs 2)" = "1 1" ] || fail "stray calls: not the rows 1 and 2"
[ "$(column threads calls 2)" = 402 ] || fail "stray calls: not 402 calls"
[ "$(ask roi)" = blas ] || fail "stray calls: the region is $(ask roi)"
outside "stray calls" 10
inside "stray calls" 0.9 1.15
between "stray calls: f" 0.4 "$(column threads f_intercepted 2)" 0.6
[ "$(roles)" = "caller caller other " ] || fail "stray calls: roles $(roles)"
# So it is if it computes before the process ends, also without samples.
record ending.db -- "$program" stray 2
[ "$(column threads calls 2) $(roles)" = "402 caller caller other " ] || fail "work at the end: roles $(roles)"
[ "$("$blasprof" list -i "$work/ending.db" | awk 'NR == 2 { print $3 }')" = 2 ] || fail "work at the end: the list has other threads"
record plain.db -F 0 -- "$program" stray 2
[ "$(column threads calls 2)" = 402 ] || fail "without samples: not two threads"
outside "without samples" 1.1

# If it computes for longer, that is work that the program does not share.
record tail.db -t 2 -- "$program" tail {}
inside "a serial part at the end" 0.9 1.15
between "a serial part at the end: CPU time" 850 "$(column threads other_ns 2 | awk '{ print $1 / 1e6 }')" 1100

# A single call after 800 ms of other work: the whole process is measured, and the report says so.
record late.db -- "$program" late
[ "$(ask roi)" = process ] || fail "a late call: the region is $(ask roi)"
between "a late call: f" 0 "$(column threads f_intercepted 1)" 0.01
between "a late call: CPU time of the callers" 700 "$(column threads other_ns 1 | awk '{ print $1 / 1e6 }')" 1200
"$blasprof" report --store="$work/late.db" >"$work/out"
expect_says out 'the whole process is measured'
record forced.db --roi=blas -- "$program" late
[ "$(ask roi)" = blas ] || fail "--roi=blas: the region is $(ask roi)"
[ -z "$(column threads speedup_queue 1)" ] || fail "--roi=blas: a prediction from too little CPU time"
"$blasprof" report --store="$work/forced.db" >"$work/out"
expect_says out 'the region of interest has little'
# The work continues after the call.
record soon.db -- "$program" soon
inside "an early call" 0.95 1.1 "$(tail -n 1 "$work/out")"
between "an early call: CPU time of the callers" 380 "$(column threads other_ns 1 | awk '{ print $1 / 1e6 }')" 600

# A marked region that begins before the ROI has only its time inside.
record marked.db -- "$program" marked
[ "$(ask roi)" = blas ] || fail "a marked region: the ROI is $(ask roi)"
between "a marked region: its time over the thread's" 0.98 \
	"$(ask "sum(r.blas_ns + r.other_ns) * 1.0 / (t.blas_ns + t.other_ns)" "FROM runs JOIN threads t ON t.run = runs.id JOIN regions r ON r.run = runs.id" runs.id)" 1.001

# Threads without a call are participants that compute. With few CPUs, they also have time without a CPU.
record beside.db -t 4 -- "$program" beside {}
[ "$(roles)" = "caller computing computing computing other " ] || fail "one calls, three compute: roles $(roles)"
read -r share all <"$work/out"
between "one calls, three compute: CPU time, over the program's own clock of $all ms" 0.95 \
	"$(echo "$(column threads blas_ns 4) $(column threads other_ns 4) $all" | awk '{ print ($1 + $2) / 1e6 / $3 }')" 1.05
between "one calls, three compute: f, less the share by the program's own clock of $share" -0.02 \
	"$(column threads f_intercepted 4 | awk -v share="$share" '{ print $1 - share }')" 0.02

# The caller finishes early, and another thread continues to compute.
record ahead.db -t 1,2 -- "$program" ahead {}
for threads in 1 2; do
	between "done early: CPU time at $threads threads" 400 "$(column threads other_ns $threads | awk '{ print $1 / 1e6 }')" 800
done

# A thread that ends before the slowest one is imbalance: one computes for 100 ms, the other for 200 ms.
record uneven.db -t 1,2 -- "$program" uneven {}
# (Causes are only found if there is a loss, which is not so if other programs slowed down the run on one thread.)
"$blasprof" report --store="$work/uneven.db" --format=csv --table=lost | tr -d '\r' |
	awk -F, '$3 == "threads at an end before the slowest" { lost = $4 } END { exit !(lost > 0.1) }' ||
	fail "uneven threads: no time of a thread that ended first"

# Child processes count like threads.
record forks.db -- "$program" forks 2
[ "$(column threads calls 2)" = 201 ] || fail "children: not 2 threads with 201 calls"
outside "children" 10
inside "children" 0.9 1.15

# A thread that calls BLAS, executes another program and calls BLAS again is one thread.
record again.db -- "$program" again
[ "$(column threads calls 1)" = 602 ] || fail "exec: not 1 thread with 602 calls"
inside "exec" 0.95 1.05

# An OpenMP pool computes between the calls; N is the requested number of threads.
export OMP_WAIT_POLICY=passive
record pool.db -t 1,2 -- "$program" pool {}
[ "$(column threads runs 1) $(column threads runs 2)" = "1 1" ] || fail "a pool: not the rows 1 and 2"
[ "$(roles)" = "caller computing " ] || fail "a pool: roles $(roles)"
between "a pool: CPU time" 460 "$(($(column threads blas_ns 2) / 1000000 + $(column threads other_ns 2) / 1000000))" 600
finish
