/* text_tables.c: the tables of the report for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_headings(struct grid *grid, const char *const *headings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		grid_add(grid, "%s", headings[i]);
}

int text_has_category(const struct report *report, enum category category)
{
	return category != CAT_MPI || report->nmpi;
}

const char *text_align(const struct report *report, const char *without)
{
	static char with[40];

	if (!text_has_category(report, CAT_MPI))
		return without;
	snprintf(with, sizeof with, "%sr", without);
	return with;
}

void text_add_parts(struct grid *grid, const struct report *report, const double parts[TEXT_PARTS],
		    double all_ns)
{
	char text[HUMAN_MAX];

	for (int i = 0; i < TEXT_PARTS; i++)
		if (i != TEXT_PART_MPI || text_has_category(report, CAT_MPI))
			grid_add(grid, "%s", human_share(parts[i] / all_ns, text));
}

void text_add_part_headings(struct grid *grid, const struct report *report)
{
	static const char *const headings[TEXT_PARTS] = {"BLAS", "stall",   "other",
							 "MPI",	 "waiting", "no CPU"};

	for (int i = 0; i < TEXT_PARTS; i++)
		if (i != TEXT_PART_MPI || text_has_category(report, CAT_MPI))
			grid_add(grid, "%s", headings[i]);
}

void text_add_threads(struct grid *grid, const struct report_row *row)
{
	grid_add(grid, "%d%s%s", row->threads, row->threads > row->cpus_available ? "*" : "",
		 row->failed ? "!" : "");
}

void text_add_rate_heading(struct grid *grid, const struct report *report)
{
	char text[32];

	snprintf(text, sizeof text, "%.15s/s", report->work_unit);
	grid_add_text(grid, text, sizeof text);
}

static void write_marks(const struct report *report, FILE *out)
{
	int over = 0, failed = 0;

	for (size_t i = 0; i < report->nrows; i++) {
		over |= report->rows[i].threads > report->rows[i].cpus_available;
		failed |= report->rows[i].failed;
	}
	if (over)
		fputs("* more threads than CPUs available\n", out);
	if (failed)
		fputs("! all runs at this thread count failed\n", out);
}

/* The last has no room beside MPI. */
static const char *const work_headings[] = {"calls", "GFLOP/s"};

static void add_account(struct grid *grid, const struct report *report,
			const struct report_row *row)
{
	const struct account *account = &row->account;
	double all_ns = row->threads * account->wall_ns;
	const double f[] = {account->f_intercepted, account->f_sampled};
	const double parts[TEXT_PARTS] = {
		account->category_ns[CAT_BLAS],	   account->blas_waiting_ns,
		account->category_ns[CAT_OTHER],   account->category_ns[CAT_MPI],
		account->category_ns[CAT_WAITING], account->category_ns[CAT_NO_CPU]};
	char text[HUMAN_MAX];

	text_add_threads(grid, row);
	grid_add(grid, "%d", row->runs);
	grid_add(grid, "%s", human_time(account->wall_ns / row->runs, text));
	for (size_t i = 0; i < COUNT(f); i++)
		grid_add(grid, isfinite(f[i]) ? "%.3f" : "-", f[i]);
	text_add_parts(grid, report, parts, all_ns);
	grid_add(grid, "%s", human_count(account->calls, text));
	if (!text_has_category(report, CAT_MPI))
		grid_add(grid, "%s", human_figures(row->flops_per_s / 1e9, text));
	grid_add(grid, "%s", human_count(row->throughput, text));
}

static int has_repeats(const struct report *report)
{
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].runs > 1)
			return 1;
	return 0;
}

int text_accounts(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"threads", "runs", "wall", "f int", "f smp"};
	struct grid grid = {.align = "rrrrrrrrrrrrr"};
	char text[512];

	if (!report->nrows)
		return 0;
	fputs("\nWhere the threads' time goes, in % of threads x wall time.\n", out);
	snprintf(text, sizeof text,
		 "f: BLAS share of the work, by interception and by samples; stall: the part of "
		 "BLAS spent blocked; waiting: blocked outside BLAS, or not yet or no longer "
		 "there.%s",
		 has_repeats(report) ? " wall: of one run, on average; calls: of all runs." : "");
	text_wrap("", text, out);
	add_headings(&grid, headings, COUNT(headings));
	text_add_part_headings(&grid, report);
	add_headings(&grid, work_headings,
		     COUNT(work_headings) - text_has_category(report, CAT_MPI));
	text_add_rate_heading(&grid, report);
	for (size_t i = 0; i < report->nrows; i++)
		add_account(&grid, report, &report->rows[i]);
	if (grid_print(&grid, out))
		return -1;
	write_marks(report, out);
	return 0;
}

static void add_region(struct grid *grid, const struct report *report, const struct report_row *row,
		       const struct report_region *region)
{
	const double parts[TEXT_PARTS] = {region->blas_ns,    region->blas_waiting_ns,
					  region->other_ns,   region->mpi_ns,
					  region->waiting_ns, region->preempted_ns};
	double all_ns = region->blas_ns + region->other_ns + region->mpi_ns + region->waiting_ns +
			region->preempted_ns;
	char text[HUMAN_MAX];

	text_add_threads(grid, row);
	grid_add_text(grid, region->region, 20);
	grid_add(grid, "%s", human_count(region->entries, text));
	grid_add(grid, "%s", human_share(region->share, text));
	grid_add(grid, isfinite(region->f) ? "%.3f" : "-", region->f);
	text_add_parts(grid, report, parts, all_ns);
	grid_add(grid, "%s", human_count(region->calls, text));
	if (!text_has_category(report, CAT_MPI))
		grid_add(grid, "%s", human_figures(region->gflops, text));
}

int text_regions(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"threads", "region", "entries", "share", "f"};
	struct grid grid = {.align = "rlrrrrrrrrrr"};

	if (!report->nregions)
		return 0;
	fputs("\n", out);
	text_wrap(
		"",
		"Regions that the program marked. share: % of the callers' time; f: BLAS share of "
		"the work in the region; BLAS to no CPU: % of the region's time; GFLOP/s: while in "
		"BLAS.",
		out);
	add_headings(&grid, headings, COUNT(headings));
	text_add_part_headings(&grid, report);
	add_headings(&grid, work_headings,
		     COUNT(work_headings) - text_has_category(report, CAT_MPI));
	for (size_t row = 0; row < report->nrows; row++)
		for (size_t i = 0, shown = 0; i < report->nregions; i++)
			if (report->regions[i].threads == report->rows[row].threads &&
			    shown++ < text_limit(report, report->nregions))
				add_region(&grid, report, &report->rows[row], &report->regions[i]);
	return grid_print(&grid, out);
}

size_t text_limit(const struct report *report, size_t count)
{
	size_t top = report->options.top > 0 ? (size_t)report->options.top : count;

	return count < top ? count : top;
}

static void add_dimensions(struct grid *grid, const struct report_shape *shape)
{
	const double sizes[] = {shape->m, shape->n, shape->k};

	for (size_t i = 0; i < COUNT(sizes); i++)
		grid_add(grid, isfinite(sizes[i]) && sizes[i] > 0 ? "%.0f" : "-", sizes[i]);
}

void text_add_shape_name(struct grid *grid, const struct report_shape *shape)
{
	char transposes[8];

	grid_add_text(grid, shape->routine, sizeof shape->routine);
	snprintf(transposes, sizeof transposes, "%s%s", shape->transa, shape->transb);
	grid_add_text(grid, *transposes ? transposes : "-", 8);
	add_dimensions(grid, shape);
}

static void add_shape(struct grid *grid, const struct report_shape *shape, int with_variant,
		      int with_workers)
{
	const double times[] = {shape->total_ns, shape->total_ns / shape->calls, shape->p50_ns,
				shape->p95_ns};
	char text[HUMAN_MAX];

	if (with_variant)
		grid_add_text(grid, *shape->variant ? shape->variant : "X", sizeof shape->variant);
	text_add_shape_name(grid, shape);
	grid_add(grid, "%s", human_count(shape->calls, text));
	for (size_t i = 0; i < COUNT(times); i++)
		grid_add(grid, "%s", human_time(times[i], text));
	grid_add(grid, "%s", human_figures(shape->gflops, text));
	grid_add(grid, "%s", human_share(shape->share, text));
	if (with_workers)
		grid_add(grid, "%s", human_share(shape->worker_share, text));
}

/* Shown only where BLAS's own threads took part in some call. */
static int has_workers(const struct report *report, int threads)
{
	for (size_t i = 0; i < report->nshapes; i++)
		if (report->shapes[i].threads == threads && report->shapes[i].samples_workers > 0)
			return 1;
	return 0;
}

/* The names that were called are shown only where some are not the common ones. */
static int has_variants(const struct report *report)
{
	for (size_t i = 0; i < report->nshapes; i++)
		if (*report->shapes[i].variant)
			return 1;
	return 0;
}

int text_shapes(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"called as", "routine", "op",	"m",	  "n",
					       "k",	    "calls",   "total", "mean",	  "p50",
					       "p95",	    "GFLOP/s", "share", "workers"};
	static const char *const aligns[2][2] = {{"llrrrrrrrrrr", "llrrrrrrrrrrr"},
						 {"lllrrrrrrrrrr", "lllrrrrrrrrrrr"}};
	const struct report_row *focus = text_focus(report);
	int variants = has_variants(report), workers = focus && has_workers(report, focus->threads);
	struct grid grid = {.align = aligns[variants][workers]};
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < report->nshapes && focus; i++)
		count += report->shapes[i].threads == focus->threads;
	if (!count)
		return 0;
	text_title(out,
		   "BLAS calls by shape at %d thread%s: %zu of %zu, by total time (share: %% of "
		   "it%s)",
		   focus->threads, focus->threads == 1 ? "" : "s", text_limit(report, count), count,
		   workers ? "; workers: % of the calls' samples that lie in BLAS's own threads"
			   : "");
	add_headings(&grid, headings + !variants,
		     COUNT(headings) - (size_t)!variants - (size_t)!workers);
	for (size_t i = 0; i < report->nshapes && shown < text_limit(report, count); i++)
		if (report->shapes[i].threads == focus->threads) {
			add_shape(&grid, &report->shapes[i], variants, workers);
			shown++;
		}
	return grid_print(&grid, out);
}

static void add_thread(struct grid *grid, const struct report *report,
		       const struct report_thread *thread)
{
	const double parts[TEXT_PARTS] = {thread->blas_ns,    thread->blas_waiting_ns,
					  thread->other_ns,   thread->mpi_ns,
					  thread->waiting_ns, thread->preempted_ns};
	char text[HUMAN_MAX];

	grid_add(grid, "%lld", (long long)thread->tid);
	grid_add_text(grid, thread->name, 14);
	grid_add(grid, "%s", thread->role);
	grid_add(grid, "%s", human_time(thread->alive_ns, text));
	text_add_parts(grid, report, parts, thread->calls > 0 ? thread->alive_ns : NAN);
	grid_add(grid, "%s", human_count(thread->calls, text));
	grid_add(grid, "%s", human_count(thread->samples, text));
}

#define THREADS_SHOWN 32

int text_threads(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"thread", "name", "role", "alive"};
	static const char *const count_headings[] = {"calls", "samples"};
	struct grid grid = {.align = text_align(report, "rllrrrrrrrr")};
	char name[RUN_NAME_MAX];
	size_t shown = 0;

	add_headings(&grid, headings, COUNT(headings));
	text_add_part_headings(&grid, report);
	add_headings(&grid, count_headings, COUNT(count_headings));
	for (size_t i = 0; i < report->nthreads && shown < THREADS_SHOWN; i++)
		if (report->threads[i].calls + report->threads[i].samples > 0) {
			add_thread(&grid, report, &report->threads[i]);
			shown++;
		}
	if (!shown) {
		grid.count = 0;
		return grid_print(&grid, out);
	}
	text_title(out, "Threads of %s, in %% of the time each was alive: %zu of %zu%s",
		   text_run(report->runs[report->threads_run].id, name), shown, report->nthreads,
		   shown < THREADS_SHOWN && shown < report->nthreads ? ", the others were idle"
								     : "");
	return grid_print(&grid, out);
}
