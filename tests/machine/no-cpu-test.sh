#!/bin/sh
# no-cpu-test.sh: splits the time without a CPU into own threads, other programs and a quota; counts the program's CPUs.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

cpu=$(one_cpu)
group=
busy=
trap '[ -z "$busy" ] || kill $busy; [ -z "$group" ] || rmdir "$group"; clean' EXIT

# part COLUMN: prints it in % of the time without a CPU.
part()
{
	whole=$(column threads preempted_ns -i x.db)
	awk -v part="$(column threads "no_cpu_$1_ns" -i x.db)" -v whole="$whole" 'BEGIN { printf "%.0f\n", 100 * part / whole }'
}

# record WORD...: records a single run in the store; its parts must not exceed the whole.
record()
{
	record_new x.db -- "$@"
	sum=$(($(part own) + $(part others) + $(part steal) + $(part quota)))
	[ $sum -ge 0 ] && [ $sum -le 102 ] || fail "the parts are $sum % of the whole"
}

# available CPUS: the run must have that many CPUs available.
available()
{
	[ "$(column threads cpus_available -i x.db)" = "$1" ] ||
		fail "$(column threads cpus_available -i x.db) CPUs available, not $1"
}

# Many threads on one CPU: all but one of them wait for each other, and few other programs matter.
record taskset -c "$cpu" "$train" --steps=1000 32
available 1
[ "$(part own)" -ge 60 ] || fail "$(part own) % are its own threads'"
# Time without a CPU is not taken out of a call that did not last as long.
"$blasprof" report -i "$work/x.db" --table=shapes --format=tsv --columns=min_ns | sed 1d >"$work/out"
[ $(($(grep -c '^0' "$work/out") * 2)) -le "$(wc -l <"$work/out")" ] || fail "calls of most shapes took no time at all"

# One thread beside another program.
cp "$(command -v sh)" "$work/busybody"
taskset -c "$cpu" "$work/busybody" -c 'while :; do :; done' &
busy=$!
record taskset -c "$cpu" "$train" --steps=1000 1
used=$(sed 's/.*) //' "/proc/$busy/stat" | cut -d ' ' -f 12)
kill $busy
busy=
[ "$(part others)" -ge 60 ] || fail "$(part others) % are other programs'"
[ "$(part own)" -le 20 ] || fail "$(part own) % are its own thread's"
# While the main thread waits for it, it computes or is ready to: nobody waits alone.
if waits_known x.db; then
	ask x.db "SELECT 1 FROM waits WHERE kind = 'join' GROUP BY 1 HAVING sum(alone_ns) <= 0.2 * sum(total_ns)" >"$work/out"
	expect_says out 1
fi
# (On a busy host its share may be too small to be named.)
[ "$used" -lt $(($(column runs elapsed_ns -i x.db) / 40000000)) ] ||
	column runs other_programs -i x.db | grep -q '^[0-9.]* CPUs: .*busybody [0-9.]*' ||
	fail "other programs: $(column runs other_programs -i x.db)"
prints 'other programs took the CPUs: .*they used [0-9.]* CPUs:' report -i x.db --table=warnings --format=tsv

# A control group of this test with a part of a CPU. The period is long, so that a throttled thread waits for most of it,
# and the group comes before other programs, so that it uses its part up.
for hierarchy in cpu cpu,cpuacct; do
	[ -z "$group" ] && mkdir "/sys/fs/cgroup/$hierarchy/blasprof-$$" 2>/dev/null && group=/sys/fs/cgroup/$hierarchy/blasprof-$$
done
if [ -n "$group" ] && echo 200000 2>/dev/null >"$group/cpu.cfs_period_us" && echo 20000 >"$group/cpu.cfs_quota_us" &&
	echo 200000 >"$group/cpu.shares"; then
	rm -f "$work/x.db"
	expect 0 sh -c "echo \$\$ >'$group/cgroup.procs' && exec '$blasprof' -q -i x.db -- '$train' --steps=100 2"
	available 0.1
	# (With many other programs, threads wait for a CPU before the quota is used up.)
	[ "$(part quota)" -ge 10 ] || fail "$(part quota) % are the quota's"
	prints 'the control group had used up its CPU quota: .* on 0.1 CPUs' report -i x.db --table=warnings --format=tsv

	# The command itself joins the group.
	record sh -c "echo \$\$ >'$group/cgroup.procs' && exec '$train' --steps=100 2"
	available 0.1
	[ "$(part quota)" -ge 10 ] || fail "$(part quota) % are the quota's in a group that the command joined"

	# So does a command without BLAS calls.
	! may_sample || {
		record sh -c "echo \$\$ >'$group/cgroup.procs' && exec '$work/busybody' -c 'i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done'"
		available 0.1
	}
fi
finish
