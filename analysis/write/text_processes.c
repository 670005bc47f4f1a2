/* text_processes.c: processes and MPI calls, for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

static void add_mpi(struct grid *grid, const struct report_mpi *row)
{
	const double times[] = {row->total_ns, row->total_ns / row->calls, row->max_ns};
	char text[HUMAN_MAX];

	grid_add_text(grid, row->routine, 28);
	grid_add(grid, "%s", human_count(row->calls, text));
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		grid_add(grid, "%s", human_time(times[i], text));
	grid_add(grid, "%s", human_share(row->share, text));
}

int text_mpi(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"routine", "calls", "total", "mean", "max", "share"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "lrrrrr"};
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < report->nmpi && focus; i++)
		count += report->mpi[i].threads == focus->threads;
	if (!count)
		return 0;
	text_title(out,
		   "MPI calls at %d thread%s: %zu of %zu, by total time (share: %% of the callers' "
		   "time)",
		   focus->threads, focus->threads == 1 ? "" : "s", text_limit(report, count),
		   count);
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->nmpi && shown < text_limit(report, count); i++)
		if (report->mpi[i].threads == focus->threads) {
			add_mpi(&grid, &report->mpi[i]);
			shown++;
		}
	return grid_print(&grid, out);
}

/* 1 where the processes ran on several machines. */
static int has_hosts(const struct report *report)
{
	for (size_t i = 1; i < report->nprocesses; i++)
		if (strcmp(report->processes[i].host, report->processes[0].host) != 0)
			return 1;
	return 0;
}

static int has_ranks(const struct report *report)
{
	return report->nprocesses && report->processes[report->nprocesses - 1].rank >= 0;
}

static void add_process(struct grid *grid, const struct report *report,
			const struct report_process *row)
{
	const double parts[TEXT_PARTS] = {row->blas_ns, row->blas_waiting_ns, row->other_ns,
					  row->mpi_ns,	row->waiting_ns,      row->preempted_ns};
	char text[HUMAN_MAX];

	if (has_ranks(report))
		grid_add(grid, row->rank < 0 ? "-" : "%d", row->rank);
	if (has_hosts(report))
		grid_add_text(grid, row->host, 10);
	grid_add(grid, "%lld", (long long)row->pid);
	grid_add_text(grid, row->command, 12);
	grid_add(grid, row->intercepted ? "%s" : "-", human_count(row->callers, text));
	grid_add(grid, "%s", human_time(row->callers > 0 ? row->alive_ns : NAN, text));
	text_add_parts(grid, report, parts, row->callers > 0 ? row->thread_ns : NAN);
	grid_add(grid, row->intercepted ? "%s" : "-", human_count(row->calls, text));
	grid_add(grid, "%s", human_count(row->samples, text));
}

int text_processes(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"process", "command", "callers", "alive"};
	static const char aligned[] = "rrrlrrrrrrrrr"; /* with rank and host */
	struct grid grid = {
		.align = text_align(report, &aligned[!has_ranks(report) + !has_hosts(report)])};
	size_t shown = text_limit(report, report->nprocesses);
	char name[RUN_NAME_MAX];

	if (report->nprocesses < 2)
		return 0;
	fprintf(out, "\nProcesses of %s, in %% of their threads' time: %zu of %zu\n",
		text_run(report->runs[report->threads_run].id, name), shown, report->nprocesses);
	if (isfinite(report->imbalance))
		fprintf(out, "Imbalance: the busiest rank computes %.0f %% longer than the mean.\n",
			100 * report->imbalance);
	if (has_ranks(report))
		grid_add(&grid, "rank");
	if (has_hosts(report))
		grid_add(&grid, "host");
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		grid_add(&grid, "%s", headings[i]);
	text_add_part_headings(&grid, report);
	grid_add(&grid, "calls");
	grid_add(&grid, "samples");
	for (size_t i = 0; i < shown; i++)
		add_process(&grid, report, &report->processes[i]);
	return grid_print(&grid, out);
}
