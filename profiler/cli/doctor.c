/* doctor.c: `blasprof doctor`: prints what can be measured on this machine and by this user. */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <math.h>
#include <time.h>

#include "base/human.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "machine/measure.h"
#include "machine/machine.h"
#include "record/record.h"
#include "write/grid.h"
#include "write/text_line.h"

#define CHECKS_MAX 64

static struct {
	int measure;
} settings;

static const struct option_row options[] = {
	{0, "measure", NULL,
	 "instead measure this machine's peak flops and bandwidth, which takes some seconds, print "
	 "them, and save them for the roofline in reports",
	 OPTION_FLAG, &settings.measure},
};

static struct run machine; /* has the facts about this one */

static void check_recordings(struct machine_check *check)
{
	FREED struct left_session *sessions;
	size_t count;

	left_sessions_find(&sessions, &count);
	check->name = "recordings";
	if (count)
		check_set(check, CHECK_LIMITED,
			  "'blasprof recover' lists them and saves them in a store",
			  "%zu recording%s left behind by a blasprof that was killed", count,
			  count == 1 ? " was" : "s were");
	else
		check_set(check, CHECK_OK, "",
			  "nothing was left behind by a blasprof that was killed");
}

/* Says when the ceilings were measured, or how to measure them. */
static void check_ceilings(struct machine_check *check)
{
	static const char remedy[] = "for the roofline in reports, run 'blasprof doctor --measure'";
	char age[32] = "less than a day", path[PATH_MAX] = "";
	struct cached cached;
	enum cache_state state = cache_load(&machine, &cached);
	struct tm utc = {0};
	double days = 0;

	check->name = "ceilings";
	cache_path(&machine, path, NULL);
	if (state == CACHE_FOUND) {
		if (strptime(cached.measured, "%Y-%m-%dT%H:%M:%SZ", &utc))
			days = difftime(time(NULL), timegm(&utc)) / 86400;
		if (days >= 1)
			snprintf(age, sizeof age, "%.0f day%s", days, days < 1.5 ? "" : "s");
		check_set(check, CHECK_OK, "", "peak flops and bandwidth were measured %s ago (%s)",
			  age, cached.measured);
	} else if (state == CACHE_DAMAGED) {
		check_set(check, CHECK_MISSING, remedy,
			  "the file with the measured ceilings, '%.180s', is damaged", path);
	} else {
		check_set(check, CHECK_MISSING, remedy,
			  "peak flops and bandwidth of this machine have not been measured yet");
	}
}

static void add_interval(struct grid *grid, const struct interval *interval)
{
	grid_add(grid, human_figures(interval->value / 1e9), 0);
	grid_add(grid,
		 string_printf("%s-%s", human_figures(interval->low / 1e9),
			       human_figures(interval->high / 1e9)),
		 0);
}

static void add_bytes(struct grid *grid, double bytes)
{
	if (bytes > 0)
		grid_add(grid, human_count(bytes), 0);
}

static void print_results(const char *heading, const struct probe_result *results, size_t count,
			  int cpus)
{
	int has_bytes = results[0].bytes_one > 0;
	struct grid grid = {.align = cpus == 1	 ? has_bytes ? "lrrl" : "lrl"
				     : has_bytes ? "lrrlrrl"
						 : "lrlrl"};

	grid_add(&grid, heading, 0);
	for (int all = 0; all < (cpus > 1 ? 2 : 1); all++) {
		if (has_bytes)
			grid_add(&grid, "bytes", 0);
		grid_add(&grid, human_noun(all ? cpus : 1, "thread"), 0);
		grid_add(&grid, "95 %", 0);
	}
	for (size_t i = 0; i < count; i++) {
		grid_add(&grid, results[i].name, 0);
		add_bytes(&grid, results[i].bytes_one);
		add_interval(&grid, &results[i].one);
		if (cpus > 1) {
			add_bytes(&grid, results[i].bytes_all);
			add_interval(&grid, &results[i].all);
		}
	}
	grid_print(&grid, stdout);
}

/* Measures the ceilings, prints them, and saves them for later runs and reports. */
static int measure(struct error *err)
{
	int cpus = (int)ceil(machine.cpus_available);
	static struct probe probe;
	char path[PATH_MAX];

	if (cache_path(&machine, path, err) || probe_measure(cpus, &probe, err))
		return -1;
	printf("Medians of %d measurements by CPU time, with their 95 %% intervals. GFLOP/s are "
	       "measured in\n"
	       "registers. GB/s count bytes read and written, in half of each cache, and in %s\n\n",
	       TEAM_REPEATS,
	       probe.memory_is_short
		       ? "an eighth of\nthe memory, which is less than four times the caches."
		       : "at least four\ntimes the size of all caches for memory.");
	print_results("GFLOP/s", probe.flops, probe.nflops, cpus);
	putchar('\n');
	print_results("GB/s", probe.bytes, probe.nbytes, cpus);
	if (cache_save(&machine, &probe.ceilings, err))
		return -1;
	printf("\nSaved for the roofline in reports: %s\n", path);
	return 0;
}

static void print_line(const char *name, const char *state, const char *text)
{
	text_wrap(string_printf("%-20s  %-7s  ", name, state), text, stdout);
}

static int run_doctor(char **arguments, struct error *err)
{
	static const char *const states[] = {
		[CHECK_OK] = "yes", [CHECK_LIMITED] = "limited", [CHECK_MISSING] = "no"};
	static struct machine_check checks[CHECKS_MAX + 2];
	size_t count;

	run_init(&machine);
	machine_describe("", &machine);
	if (settings.measure)
		return measure(err);
	count = machine_check_all("", checks, CHECKS_MAX);
	check_recordings(&checks[count++]);
	check_ceilings(&checks[count++]);
	for (size_t i = 0; i < count; i++) {
		print_line(checks[i].name, states[checks[i].state], checks[i].finding);
		if (*checks[i].remedy)
			print_line("", "remedy:", checks[i].remedy);
	}
	return 0;
}

const struct command command_doctor = {
	.name = "doctor",
	.usage = "[OPTION]...",
	.purpose = "check what can be measured on this machine",
	.about = "Try each source of measurements that blasprof uses, on this machine and as\n"
		 "this user. Print whether it works, is limited or does not work, and what to\n"
		 "do about it.",
	COMMAND_OPTIONS,
	.run = run_doctor,
};
