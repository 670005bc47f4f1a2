#!/bin/sh
# uprobes-test.sh: the calls of a static program are counted by uprobes, or the report says why that is not possible.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

program=$PWD/tests/perf/static_blas
uprobes=/sys/bus/event_source/devices/uprobe/type

expect_failure 125 "$blasprof" --uprobes -F 0 -- "$program" 1 1
fails_with 'does not see regions' --uprobes --roi=steps -- "$program" 1 1
fails_with 'does not see the progress' --uprobes --work=steps -- "$program" 1 1
expect 0 "$blasprof" --full --uprobes -- "$train" --steps=5 1
expect_says err 'no uprobes were set'
may_sample || finish # nor may uprobes be set
# The program runs as without probes, and the report says why it has no calls.
cp "$program" "$work/stripped"
"${STRIP:-strip}" "$work/stripped" && expect 0 "$blasprof" --full --uprobes -- ./stripped 1 3
expect_says out '^cblas_sgemm NT 3 4 5 2 240$'
expect_says err 'has no symbols'
if [ "$(id -u)" -ne 0 ] || [ ! -r $uprobes ]; then
	expect 0 "$blasprof" --full --uprobes -- "$program" 1 3
	expect_says err 'this user may not set uprobes\|this machine has no uprobes'
	finish
fi
if unshare -m sh -c 'mount -t tmpfs none /sys/devices/uprobe' 2>/dev/null; then
	expect 0 unshare -m sh -c "mount -t tmpfs none /sys/devices/uprobe && exec '$blasprof' --full --uprobes -- '$program' 1 3"
	expect_says err 'this machine has no uprobes'
fi
# The remedy is not what the user has given already, and doctor says the same.
if setpriv --bounding-set=-sys_admin,-perfmon "$blasprof" doctor | grep -q '^sampling  *yes'; then
	expect 0 setpriv --bounding-set=-sys_admin,-perfmon "$blasprof" --full --uprobes -- "$program" 1 3
	tr -s ' \n' ' ' <"$work/err" >"$work/said"
	expect_says said 'this user may not set uprobes; .*CAP_SYS_ADMIN'
	! grep -q 'uprobes can count' "$work/said" || fail "--uprobes is the remedy for --uprobes"
	expect 0 setpriv --bounding-set=-sys_admin,-perfmon "$blasprof" doctor
	expect_says out 'CAP_SYS_ADMIN'
fi

expect 0 "$blasprof" -q --uprobes -i uprobes.db -- "$program" 3 50
sqlite3 -separator ' ' "$work/uprobes.db" "SELECT routine, transa || transb, m, n, k, calls, CAST(flops AS INTEGER)
	FROM shapes ORDER BY 1, 3" >"$work/counted"
diff "$work/out" "$work/counted" || fail "expected < and counted > differ"
[ "$(sqlite3 "$work/uprobes.db" "SELECT count(*) FROM threads WHERE calls = 57 AND flops = 25 * 120 + 25 * 12000 + 252")" -eq 3 ] ||
	fail "the three threads do not have 57 calls each, with their flops"
# The measured time is at least what a call spends, and at most what its caller sees; 5 % are allowed for the clock and for the
# cost of probes, which is measured on another function.
total=$(sqlite3 "$work/uprobes.db" "SELECT sum(total_ns) FROM shapes WHERE routine = 'cblas_sgemm'")
awk -v total="$total" -v seen="$(tail -n 1 "$work/err")" 'BEGIN { exit !(total > 0.95 * 150 * 200000 && total < 1.05 * seen) }' ||
	fail "$total ns in calls, not between 30 ms and $(tail -n 1 "$work/err") ns"
[ "$(sqlite3 "$work/uprobes.db" "SELECT count(*) FROM threads WHERE blas_ns + other_ns + mpi_ns + waiting_ns +
	preempted_ns + own_ns <> end_ns - start_ns")" -eq 0 ] || fail "the parts of a thread do not add up to its time"
prints 'counted by uprobes' report --full -i uprobes.db
! grep -q 'can be intercepted' "$work/out" || fail "the report says that calls cannot be intercepted"
expect_says out 'us a call on a loop of empty ones, 18 calls have no shape'
finish
