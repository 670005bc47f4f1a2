# local.mk: builds the tests of profiler/machine.
# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/machine/machine_test
SHELL_TESTS += \
	tests/machine/ceilings-test.sh
ALONE_SHELL_TESTS += tests/machine/no-cpu-test.sh
tests_machine_machine_test_CPPFLAGS = $(TEST_CPPFLAGS)

# recorded machines
EXTRA_DIST += \
	tests/machine/machines/arm/proc/cpuinfo \
	tests/machine/machines/arm/proc/self/cgroup \
	tests/machine/machines/arm/proc/self/schedstat \
	tests/machine/machines/arm/proc/self/status \
	tests/machine/machines/arm/proc/sys/kernel/arch \
	tests/machine/machines/arm/proc/sys/kernel/hostname \
	tests/machine/machines/arm/proc/sys/kernel/osrelease \
	tests/machine/machines/arm/proc/sys/kernel/perf_event_paranoid \
	tests/machine/machines/arm/sys/bus/event_source/devices/uprobe/type \
	tests/machine/machines/arm/sys/devices/system/cpu/online \
	tests/machine/machines/arm/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us \
	tests/machine/machines/arm/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us \
	tests/machine/machines/guest/proc/cpuinfo \
	tests/machine/machines/guest/proc/kallsyms \
	tests/machine/machines/guest/proc/self/cgroup \
	tests/machine/machines/guest/proc/self/status \
	tests/machine/machines/guest/proc/stat \
	tests/machine/machines/guest/proc/sys/kernel/hostname \
	tests/machine/machines/guest/proc/sys/kernel/osrelease \
	tests/machine/machines/guest/proc/sys/kernel/perf_event_paranoid \
	tests/machine/machines/guest/sys/devices/system/clocksource/clocksource0/current_clocksource \
	tests/machine/machines/guest/sys/devices/system/cpu/online \
	tests/machine/machines/server/proc/cpuinfo \
	tests/machine/machines/server/proc/kallsyms \
	tests/machine/machines/server/proc/self/cgroup \
	tests/machine/machines/server/proc/self/schedstat \
	tests/machine/machines/server/proc/self/status \
	tests/machine/machines/server/proc/sys/kernel/arch \
	tests/machine/machines/server/proc/sys/kernel/hostname \
	tests/machine/machines/server/proc/sys/kernel/osrelease \
	tests/machine/machines/server/proc/sys/kernel/perf_event_mlock_kb \
	tests/machine/machines/server/proc/sys/kernel/perf_event_paranoid \
	tests/machine/machines/server/sys/bus/event_source/devices/power/cpumask \
	tests/machine/machines/server/sys/bus/event_source/devices/power/events/energy-pkg \
	tests/machine/machines/server/sys/bus/event_source/devices/power/events/energy-pkg.scale \
	tests/machine/machines/server/sys/bus/event_source/devices/power/type \
	tests/machine/machines/server/sys/bus/event_source/devices/uprobe/type \
	tests/machine/machines/server/sys/devices/system/clocksource/clocksource0/current_clocksource \
	tests/machine/machines/server/sys/devices/system/cpu/online \
	tests/machine/machines/server/sys/fs/cgroup/batch.slice/cpu.max \
	tests/machine/machines/server/sys/fs/cgroup/batch.slice/job_17/cpu.max
