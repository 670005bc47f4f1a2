/* machine_test.c: facts, checks, caches and load of recorded machines. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine_files.h"
#include "machine/machine.h"
#include "machine/measure.h"
#include "symbols/naming.h"
#include "tests/scratch.h"
#include "tests/unit.h"
#include "wire/session.h"

#define SERVER TEST_SRCDIR "/machine/machines/server"
#define ARM    TEST_SRCDIR "/machine/machines/arm"
#define GUEST  TEST_SRCDIR "/machine/machines/guest"

/* server: a quota of 2.5 CPUs in the parent group. arm: a container that sees its own group as the
 * root, cgroup v1, 1.5 CPUs. guest: an affinity mask of one CPU. */
static const struct {
	const char *root, *cpu, *host, *arch, *online;
	double available;
	const char *unit;
} machines[] = {
	{SERVER, "AMD EPYC 9354 32-Core Processor", "server7", "x86_64", "64", 2.5, NULL},
	{ARM, "Arm Neoverse N1", "graviton", "aarch64", "12", 1.5, NULL},
	{GUEST, "QEMU Virtual CPU version 2.5+", "guest", NULL, "4", 1, "AMX"},
};

FIXTURE(scratch_enter, scratch_leave)

TEST_EACH(facts, COUNT(machines))
{
	struct run run;

	run_init(&run);
	machine_describe(machines[_i].root, &run);
	ck_assert_str_eq(run_fact(&run, "cpu"), machines[_i].cpu);
	ck_assert_str_eq(run_fact(&run, "host"), machines[_i].host);
	if (machines[_i].arch)
		ck_assert_str_eq(run_fact(&run, "arch"), machines[_i].arch);
	ck_assert_str_eq(run_fact(&run, "cpus_online"), machines[_i].online);
	ck_assert_pstr_eq(run_fact(&run, "matrix_unit"), machines[_i].unit);
	ck_assert_double_eq(atof(run_fact(&run, "cpus_available")), machines[_i].available);
	ck_assert_double_eq(run.cpus_available, machines[_i].available);
	ck_assert_double_eq(machine_cpus_available(machines[_i].root), machines[_i].available);
	run_free(&run);
}

TEST(environment)
{
	struct run run;

	setenv("OPENBLAS_NUM_THREADS", "3", 1);
	setenv("OMP_PROC_BIND", "close", 1);
	setenv("OTHER_THING", "x", 1);
	run_init(&run);
	machine_describe(SERVER, &run);
	ck_assert_str_eq(run_fact(&run, "env.OPENBLAS_NUM_THREADS"), "3");
	ck_assert_str_eq(run_fact(&run, "env.OMP_PROC_BIND"), "close");
	ck_assert_ptr_null(run_fact(&run, "env.OTHER_THING"));
	run_free(&run);
}

/* Checks that only read files, and a part of the finding. */
static const struct {
	const char *root, *name;
	enum check_state state;
	const char *finding;
} expected[] = {
	{SERVER, "CPUs", CHECK_LIMITED,
	 "2.5 of 64 CPUs available, by the control group's quota, cores: 14"},
	{SERVER, "clock", CHECK_OK, "invariant"},
	{SERVER, "perf_event_paranoid", CHECK_OK, "is 1"},
	{SERVER, "uprobes", CHECK_LIMITED, "not for this user"},
	{SERVER, "waiting for a CPU", CHECK_OK, "schedstat"},
	{SERVER, "kernel names", CHECK_OK, "by name"},
	{ARM, "CPUs", CHECK_LIMITED, "1.5 of 12 CPUs available"},
	{ARM, "clock", CHECK_OK, "CNTVCT"},
	{ARM, "perf_event_paranoid", CHECK_OK, "is 2, which does not limit this user"},
	{ARM, "uprobes", CHECK_OK, "this user may set them"},
	{ARM, "kernel names", CHECK_LIMITED, "[kernel]"},
	{GUEST, "CPUs", CHECK_LIMITED, "by the affinity mask"},
	{GUEST, "clock", CHECK_LIMITED, "not invariant"},
	{GUEST, "perf_event_paranoid", CHECK_LIMITED, "is 3"},
	{GUEST, "uprobes", CHECK_MISSING, "no uprobes"},
	{GUEST, "waiting for a CPU", CHECK_LIMITED, "kinds of switch"},
	{GUEST, "kernel names", CHECK_LIMITED, "[kernel]"},
};

TEST_EACH(checks_of_recorded_machines, COUNT(expected))
{
	struct machine_check checks[32];
	size_t count = machine_check_all(expected[_i].root, checks, 32), found = 0;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(checks[i].name, expected[_i].name))
			continue;
		found++;
		ck_assert_int_eq(checks[i].state, expected[_i].state);
		ck_assert_has(checks[i].finding, expected[_i].finding);
	}
	ck_assert_uint_eq(found, 1);
}

/* On any machine, each check has a finding, and a remedy if something is missing. */
TEST(checks_of_this_machine)
{
	struct machine_check checks[32];
	size_t count = machine_check_all("", checks, 32);

	ck_assert_uint_ge(count, 10);
	ck_assert_uint_eq(machine_check_all("", checks, 3), 3);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_gt(strlen(checks[i].finding), 0);
		if (checks[i].state == CHECK_MISSING)
			ck_assert_uint_gt(strlen(checks[i].remedy), 0);
	}
}

TEST(kernel_function_names)
{
	struct named_address addresses[] = {
		{.address = 0xffffffffc0001010}, {.address = 0xffffffff81000310},
		{.address = 0xffffffff80000000}, {.address = 0xffffffff81000105},
		{.address = 0xffffffff810002ff}, {.address = 0xffffffff82000010},
	};
	static const char *const names[] = {"[kernel]",	 "do_first", "do_first",
					    "do_second", "[kernel]", "module_code"};

	kernel_symbols_name(SERVER, addresses, 6);
	for (int i = 0; i < 6; i++)
		ck_assert_str_eq(addresses[i].function, names[i]);
	kernel_symbols_name(GUEST, addresses, 6);
	for (int i = 0; i < 6; i++)
		ck_assert_str_eq(addresses[i].function, "[kernel]");
	kernel_symbols_name(ARM, addresses, 1);
	ck_assert_str_eq(addresses[0].function, "[kernel]");
}

static const struct {
	const char *machine;
	int level;
	const char *type, *size, *lists;
} recorded_caches[] = {
#define CACHES(machine, level, type, size, lists) {machine, level, type, size, lists},
#include "caches.def"
};

/* Flags of a CPU, and the clock source that the kernel chose. */
static const struct {
	const char *cpu, *source;
	enum check_state state;
	const char *finding;
} counters[] = {
	{"flags : constant_tsc nonstop_tsc", "tsc", CHECK_OK, "invariant"},
	{"flags : constant_tsc nonstop_tsc", "kvm-clock", CHECK_OK, "invariant"},
	{"flags : constant_tsc nonstop_tsc", "xen", CHECK_OK, "invariant"},
	{"flags : constant_tsc nonstop_tsc", "hyperv_clocksource_tsc_page", CHECK_OK, "invariant"},
	{"flags : constant_tsc nonstop_tsc", "", CHECK_OK, "invariant"},
	{"flags : constant_tsc nonstop_tsc", "hpet", CHECK_LIMITED, "clock source 'hpet'"},
	{"flags : constant_tsc nonstop_tsc", "acpi_pm", CHECK_LIMITED, "clock source 'acpi_pm'"},
	{"flags : constant_tsc nonstop_tsc", "jiffies", CHECK_LIMITED, "clock source 'jiffies'"},
	{"flags : constant_tsc nonstop_tsc", "refined-jiffies", CHECK_LIMITED, "refined-jiffies"},
	{"flags : constant_tsc", "tsc", CHECK_LIMITED, "not invariant"},
	{"flags : tsc", "xen", CHECK_LIMITED, "not invariant"},
	{"CPU implementer : 0x41", "arch_sys_counter", CHECK_OK, "CNTVCT"},
	{"processor : 0", "tsc", CHECK_LIMITED, "no known counter"},
};

/* Returns what the machine's check of the clock found. */
static struct machine_check clock_check(const char *root)
{
	struct machine_check checks[32];
	size_t i = 0, count = machine_check_all(root, checks, 32);

	while (i < count && strcmp(checks[i].name, "clock"))
		i++;
	ck_assert_uint_lt(i, count);
	return checks[i];
}

TEST_EACH(clock_of_recorded_machines, COUNT(counters))
{
	struct machine_check check;

	scratch_text("root/proc/cpuinfo", counters[_i].cpu);
	scratch_text("root/sys/devices/system/clocksource/clocksource0/current_clocksource",
		     counters[_i].source);
	check = clock_check("root");
	ck_assert_int_eq(check.state, counters[_i].state);
	ck_assert_msg(strstr(check.finding, counters[_i].finding) != NULL, "%s", check.finding);
}

/* A session uses the clock that the check says. */
TEST(clock_of_a_session)
{
	const struct session wanted = {0};
	struct session_dir session;
	struct error err;
	uint32_t clock;

	ck_assert_int_eq(session_create(&session, &wanted, &err), 0);
	clock = session.control.clock;
	session_remove(&session);
	ck_assert_int_eq(clock, clock_check("").state == CHECK_OK ? CLOCK_TICKS : CLOCK_GETTIME);
}

/* What the caches of all CPUs hold, and those of a few: KiB by level, worked out by hand. */
static const struct {
	const char *machine;
	struct {
		const char *cpus;
		int kib[LEVEL_MEMORY];
	} sets[3];
} cached_machines[] = {
	/* 6 cores with 2 threads, and 8 cores whose second level serves 4 of them */
	{"Core i7-1370P",
	 {{"0-19", {6 * 48 + 8 * 32, 6 * 1280 + 2 * 2048, 24576}},
	  {"10-13", {48 + 2 * 32, 1280 + 2048, 24576}},
	  {"0", {48, 1280, 24576}}}},
	/* 2 sockets, 8 cores with 2 threads each */
	{"Xeon Silver 4108",
	 {{"0-31", {16 * 32, 16 * 1024, 2 * 11264}}, {"0,16", {32, 1024, 11264}}}},
	/* 4 sockets, whose CPUs are numbered in turns */
	{"Xeon E7-4870",
	 {{"0-39", {40 * 32, 40 * 256, 4 * 30720}}, {"0-4", {5 * 32, 5 * 256, 4 * 30720}}}},
	/* 2 sockets of 64 cores; 32 share the third level */
	{"Kunpeng 920",
	 {{"0-127", {128 * 64, 128 * 512, 4 * 32768}}, {"31-32", {2 * 64, 2 * 512, 2 * 32768}}}},
	/* two kinds of cores, and two third levels of different sizes */
	{"GB10",
	 {{"0-19", {20 * 64, 10 * 512 + 10 * 2048, 8192 + 16384}},
	  {"4,5,10", {3 * 64, 2 * 512 + 2048, 8192 + 16384}}}},
};

/* Writes what the kernel lists for the machine, in the current directory. */
static void write_caches(const char *machine)
{
	int count[128] = {0};

	for (int i = 0; i < COUNT(recorded_caches); i++) {
		char *lists = strdup(recorded_caches[i].lists), *rest = lists, *list, level[16];
		const char *files[][2] = {{"level", level},
					  {"type", recorded_caches[i].type},
					  {"size", recorded_caches[i].size},
					  {"shared_cpu_list", NULL}};

		snprintf(level, sizeof level, "%d", recorded_caches[i].level);
		while (!strcmp(recorded_caches[i].machine, machine) &&
		       (list = strsep(&rest, " "))) {
			struct cpu_list cpus = {0};

			files[3][1] = list;
			cpu_list_parse(&cpus, list);
			EACH_CPU(cpu, &cpus)
			{
				int index = count[cpu]++;

				for (int k = 0; k < COUNT(files); k++) {
					char path[120];

					snprintf(path, sizeof path,
						 "sys/devices/system/cpu/cpu%d/cache/index%d/%s",
						 cpu, index, files[k][0]);
					scratch_text(path, files[k][1]);
				}
			}
		}
		free(lists);
	}
}

/* A list may hold any number, also one before the first CPU. */
TEST(lists_of_cpus)
{
	struct cpu_list cpus = {0};

	cpu_list_parse(&cpus, "-99999999999999999999-1,4,65535-99999999999999999999");
	ck_assert_uint_eq(cpus.count, 4);
	ck_assert(cpu_list_has(&cpus, 0) && cpu_list_has(&cpus, 1) && cpu_list_has(&cpus, 4));
}

TEST_EACH(memory_is_measured_over_more_than_all_caches, COUNT(cached_machines))
{
	const double least = 64 << 20;

	write_caches(cached_machines[_i].machine);
	for (int i = 0; i < 3 && cached_machines[_i].sets[i].cpus; i++) {
		double bytes[LEVEL_MEMORY], sum = 0;
		struct cpu_list cpus = {0};

		cpu_list_parse(&cpus, cached_machines[_i].sets[i].cpus);
		probe_caches(".", &cpus, bytes);
		for (int level = 0; level < LEVEL_MEMORY; level++) {
			ck_assert_double_eq(bytes[level],
					    cached_machines[_i].sets[i].kib[level] * 1024.0);
			sum += bytes[level];
		}
		ck_assert_double_eq(probe_memory_bytes(bytes), fmax(4 * sum, least));
	}
}

/* If the kernel lists no caches, the size comes from the CPU, or is more than its caches have. */
TEST(unlisted_caches)
{
	static const double none[LEVEL_MEMORY];

	ck_assert_double_ge(probe_memory_bytes(none), 4.0 * (double)sysconf(_SC_LEVEL3_CACHE_SIZE));
	ck_assert_double_ge(probe_memory_bytes(none), 64.0 * 1024 * 1024);
}

/* A clock tick in ns. */
#define TICK (INT64_C(1000000000) / sysconf(_SC_CLK_TCK))

/* Writes the files of a process; times are in ticks. */
static void write_process(const char *root, int pid, const char *name, int parent, int user,
			  int children, const char *cpus)
{
	char path[32], line[256];

	snprintf(path, sizeof path, "%s/proc/%d/stat", root, pid);
	snprintf(line, sizeof line, "%d (%s) S %d 1 1 0 -1 0 1 2 3 4 %d 0 %d 0 20 0 1 0 %d 1 2\n",
		 pid, name, parent, user, children, 1000 + pid);
	scratch_text(path, line);
	snprintf(path, sizeof path, "%s/proc/%d/status", root, pid);
	snprintf(line, sizeof line, "Name:\t%s\nCpus_allowed_list:\t%s\n", name, cpus);
	scratch_text(path, line);
}

/* The program may use two of three CPUs, for 1000 ticks. */
TEST(others_on_the_programs_cpus)
{
	const uint64_t cpus = 3;
	const struct load_program program = {
		.pid = 20, .profiler = 10, .cpu_ns = 800 * TICK, .cpus = &cpus, .words = 1};
	struct load before, after;
	struct run run;

	scratch_text("before/proc/stat",
		     "cpu  0 0 0 0 0 0 0 0\ncpu0 100 0 50 900 0 0 0 10 0 0\n"
		     "cpu1 100 0 50 900 0 0 0 20 0 0\ncpu2 100 0 50 900 0 0 0 30 0 0\n");
	scratch_text("after/proc/stat",
		     "cpu  0 0 0 0 0 0 0 0\ncpu0 800 100 100 900 0 10 40 60 0 0\n"
		     "cpu1 600 0 50 1300 0 0 0 90 0 0\ncpu2 1100 0 50 900 0 0 0 930 0 0\n");
	scratch_text("before/proc/self/cgroup", "0::/box\n");
	scratch_text("before/sys/fs/cgroup/box/cpu.stat", "throttled_usec 1000\n");
	scratch_text("after/proc/self/cgroup", "0::/box\n");
	scratch_text("after/sys/fs/cgroup/box/cpu.stat", "usage_usec 7\nthrottled_usec 5000\n");
	/* a name with brackets; make, one child of which ends, while another one starts and ends; a
	 * process that ends without a parent; one on another CPU; the profiler, whose children's
	 * time is the program's; the blasprof of somebody else, on any CPU */
	write_process("before", 5, "odd) (name", 1, 10, 0, "0-1");
	write_process("after", 5, "odd) (name", 1, 160, 0, "0-1");
	write_process("before", 4, "blasprof", 1, 0, 0, "0-255");
	write_process("after", 4, "blasprof", 1, 150, 0, "0-255");
	write_process("before", 6, "make", 1, 0, 700, "0-1");
	write_process("before", 7, "cc1", 6, 100, 0, "0-1");
	write_process("after", 6, "make", 1, 0, 700 + 100 + 90 + 60, "0-1");
	write_process("before", 8, "gone", 1, 100, 0, "0-1");
	write_process("before", 9, "elsewhere", 1, 0, 0, "2");
	write_process("after", 9, "elsewhere", 1, 1000, 0, "2");
	write_process("before", 10, "blasprof", 1, 1, 0, "0-1");
	write_process("after", 10, "blasprof", 1, 61, 800, "0-1");
	load_read("before", &before);
	load_read("after", &after);
	after.now_ns = before.now_ns + 1000 * TICK;
	run_init(&run);
	load_note("after", &before, &after, &program, &run);
	/* 900 and 500 busy ticks, less the program's 800 */
	ck_assert_double_eq(run.others_ns, (double)(600 * TICK));
	ck_assert_double_eq(run.steal_ns, (double)(120 * TICK));
	ck_assert_double_eq(run.quota_ns, 4e6);
	ck_assert_str_eq(
		run_fact(&run, "other_programs"),
		"0.60 CPUs: make 0.15, odd) (name 0.15, blasprof 0.10, this blasprof 0.06, "
		"not known 0.14");
	run_free(&run);
	load_free(&before);
	load_free(&after);
}

/* The kernel shows no load. */
TEST(load_is_not_known)
{
	const uint64_t cpus = 1;
	const struct load_program program = {.cpus = &cpus, .words = 1};
	struct load before, after;
	struct run run;

	load_read(ARM, &before);
	load_read(ARM, &after);
	run_init(&run);
	load_note(ARM, &before, &after, &program, &run);
	ck_assert(isnan(run.others_ns) && isnan(run.steal_ns) && isnan(run.quota_ns));
	ck_assert_ptr_null(run_fact(&run, "other_programs"));
	run_free(&run);
	load_free(&before);
	load_free(&after);
}
