/* doctor.c: `blasprof doctor`: what this machine and this user can measure, and how to change it.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"

#include <string.h>
#include <time.h>

#include "base/human.h"
#include "cli/output.h"
#include "machine/measure.h"
#include "machine/machine.h"
#include "write/grid.h"
#include "write/text_line.h"

#define CHECKS_MAX 64

static struct doctor_settings {
	int measure;
} settings;

static const struct option_row options[] = {
	{0, "measure", NULL,
	 "measure this machine's peak flops and bandwidth instead,\n"
	 "print them, and save them for the roofline in reports;\n"
	 "takes some seconds",
	 OPTION_FLAG, offsetof(struct doctor_settings, measure)},
};

static struct cache_key this_machine(void)
{
	struct cache_key key;
	struct run run;

	run_init(&run);
	machine_describe("", &run);
	key = cache_key_of_run(&run);
	run_free(&run);
	return key;
}

/* "today", "3 days ago". */
static void describe_age(const char *measured, char *text, size_t size)
{
	struct tm utc = {0};
	double days = 0;

	if (strptime(measured, "%Y-%m-%dT%H:%M:%SZ", &utc))
		days = difftime(time(NULL), timegm(&utc)) / 86400;
	if (days < 1)
		snprintf(text, size, "less than a day ago");
	else
		snprintf(text, size, "%.0f day%s ago", days, days < 1.5 ? "" : "s");
}

/* The line on the ceilings: when they were measured, or how to measure them. */
static void check_ceilings(struct machine_check *check)
{
	struct cache_key key = this_machine();
	char age[32], path[PATH_MAX] = "";
	struct cached cached;
	enum cache_state state = cache_load(&key, &cached);

	*check = (struct machine_check){.name = "ceilings", .state = CHECK_MISSING};
	cache_path(&key, path, NULL);
	if (state == CACHE_FOUND) {
		describe_age(cached.measured, age, sizeof age);
		check->state = CHECK_OK;
		snprintf(check->finding, sizeof check->finding,
			 "peak flops and bandwidth were measured %s (%s)", age, cached.measured);
	} else if (state == CACHE_DAMAGED) {
		snprintf(check->finding, sizeof check->finding,
			 "the file of their figures, '%.180s', is damaged", path);
	} else {
		snprintf(check->finding, sizeof check->finding,
			 "peak flops and bandwidth of this machine are not measured yet");
	}
	if (state != CACHE_FOUND)
		snprintf(check->remedy, sizeof check->remedy,
			 "for the roofline in reports, run 'blasprof doctor --measure'");
}

static void add_interval(struct grid *grid, const struct interval *interval)
{
	char text[HUMAN_MAX], low[HUMAN_MAX], high[HUMAN_MAX];

	grid_add(grid, "%s", human_figures(interval->value / 1e9, text));
	grid_add(grid, "%s-%s", human_figures(interval->low / 1e9, low),
		 human_figures(interval->high / 1e9, high));
}

static void add_bytes(struct grid *grid, double bytes)
{
	char text[HUMAN_MAX];

	if (bytes > 0)
		grid_add(grid, "%s", human_count(bytes, text));
}

static void print_results(const char *heading, const struct probe_result *results, size_t count,
			  int cpus)
{
	int has_bytes = results[0].bytes_one > 0;
	struct grid grid = {.align = cpus == 1	 ? has_bytes ? "lrrl" : "lrl"
				     : has_bytes ? "lrrlrrl"
						 : "lrlrl"};

	grid_add(&grid, "%s", heading);
	for (int all = 0; all < (cpus > 1 ? 2 : 1); all++) {
		if (has_bytes)
			grid_add(&grid, "bytes");
		grid_add(&grid, all ? "%d threads" : "%d thread", all ? cpus : 1);
		grid_add(&grid, "95 %%");
	}
	for (size_t i = 0; i < count; i++) {
		grid_add(&grid, "%s", results[i].name);
		add_bytes(&grid, results[i].bytes_one);
		add_interval(&grid, &results[i].one);
		if (cpus > 1) {
			add_bytes(&grid, results[i].bytes_all);
			add_interval(&grid, &results[i].all);
		}
	}
	grid_print(&grid, stdout);
}

static void print_probe(const struct probe *probe, int cpus)
{
	printf("Medians of %d by CPU time, with their 95 %% intervals. Arithmetic is in "
	       "registers;\n"
	       "GB/s are read plus written, over half of each cache, and over at least four "
	       "times what all hold.\n\n",
	       TEAM_REPEATS);
	print_results("GFLOP/s", probe->flops, probe->nflops, cpus);
	putchar('\n');
	print_results("GB/s", probe->bytes, probe->nbytes, cpus);
}

/* Measures the ceilings, prints them, and keeps them for later runs and reports. */
static int measure(struct error *err)
{
	struct cache_key key = this_machine();
	static struct probe probe;
	char path[PATH_MAX];

	if (cache_path(&key, path, err) || probe_measure("", key.cpus, &probe, err))
		return -1;
	print_probe(&probe, key.cpus);
	if (cache_save(&key, &probe.ceilings, err))
		return -1;
	printf("\nkept for the roofline in reports: %s\n", path);
	return 0;
}

static void print_line(const char *name, const char *state, const char *text)
{
	char label[64];

	snprintf(label, sizeof label, "%-20s  %-7s  ", name, state);
	text_wrap(label, text, stdout);
}

static int run_doctor(char **arguments)
{
	static const char *const states[] = {
		[CHECK_OK] = "yes", [CHECK_LIMITED] = "limited", [CHECK_MISSING] = "no"};
	static struct machine_check checks[CHECKS_MAX + 1];
	struct error err;
	size_t count;

	if (settings.measure)
		return measure(&err) ? output_failure(&err) : output_finish();
	count = machine_check_all("", checks, CHECKS_MAX);
	check_ceilings(&checks[count++]);
	for (size_t i = 0; i < count; i++) {
		print_line(checks[i].name, states[checks[i].state], checks[i].finding);
		if (*checks[i].remedy)
			print_line("", "remedy:", checks[i].remedy);
	}
	return output_finish();
}

const struct command command_doctor = {
	.name = "doctor",
	.usage = "[OPTION]...",
	.purpose = "say what can be measured here, and how to change it",
	.about = "Try everything that blasprof measures with, on this machine and as this user.\n"
		 "Say of each whether it works, is limited or does not work, and what to do\n"
		 "about it.",
	COMMAND_OPTIONS,
	.run = run_doctor,
};
