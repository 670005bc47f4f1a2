/* text_tables.c: the tables of the report for people. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/grid.h"
#include "report/human.h"
#include "report/text.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void add_headings(struct grid *grid, const char *const *headings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		grid_add(grid, "%s", headings[i]);
}

/* "4", "4*" over the CPUs available, "4!" where only failed runs are there. */
static void add_threads(struct grid *grid, const struct report_row *row)
{
	grid_add(grid, "%d%s%s", row->threads, row->threads > row->cpus_available ? "*" : "",
		 row->failed ? "!" : "");
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

static void add_account(struct grid *grid, const struct report_row *row)
{
	const struct account *account = &row->account;
	double all_ns = row->threads * account->wall_ns;
	const double f[] = {account->f_intercepted, account->f_sampled};
	const double parts[] = {account->category_ns[CAT_BLAS], account->blas_waiting_ns,
				account->category_ns[CAT_OTHER], account->category_ns[CAT_WAITING],
				account->category_ns[CAT_NO_CPU]};
	char text[HUMAN_MAX];

	add_threads(grid, row);
	grid_add(grid, "%d", row->runs);
	grid_add(grid, "%s", human_time(account->wall_ns / row->runs, text));
	for (size_t i = 0; i < COUNT(f); i++)
		grid_add(grid, isfinite(f[i]) ? "%.3f" : "-", f[i]);
	for (size_t i = 0; i < COUNT(parts); i++)
		grid_add(grid, "%s", human_share(parts[i] / all_ns, text));
	grid_add(grid, "%s", human_count(account->calls, text));
	grid_add(grid, "%s", human_figures(row->flops_per_s / 1e9, text));
	grid_add(grid, "%s", human_count(row->throughput, text));
}

int text_accounts(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"threads", "runs",    "wall",  "f int",	 "f smp",
					       "BLAS",	  "stall",   "other", "waiting", "no CPU",
					       "calls",	  "GFLOP/s", "work/s"};
	struct grid grid = {.align = "rrrrrrrrrrrrr"};
	char text[512];

	if (!report->nrows)
		return 0;
	fputs("\nWhere the threads' time goes, in % of threads x wall time.\n", out);
	snprintf(text, sizeof text,
		 "f: BLAS share of the work, by interception and by samples; stall: the part of "
		 "BLAS "
		 "spent blocked; waiting: blocked outside BLAS; work/s: in %s.",
		 report->work_unit);
	text_wrap("", text, out);
	add_headings(&grid, headings, COUNT(headings));
	for (size_t i = 0; i < report->nrows; i++)
		add_account(&grid, &report->rows[i]);
	if (grid_print(&grid, out))
		return -1;
	write_marks(report, out);
	return 0;
}

static void add_speedup(struct grid *grid, const struct report_row *row)
{
	char text[HUMAN_MAX];

	add_threads(grid, row);
	grid_add(grid, "%s", human_number(row->speedup, text));
	for (size_t i = 0; i < REPORT_MODELS; i++) {
		grid_add(grid, "%s", human_number(row->predicted[i], text));
		grid_add(grid, "%s", human_error(row->predicted[i] / row->speedup - 1, text));
	}
}

/* Which model is made for what was seen at the highest thread count. */
static const char *model_advice(const struct report *report)
{
	switch (report->rows[report->nrows - 1].account.parallel) {
	case PARALLEL_INNER:
		return "One caller: inner is the model for it.";
	case PARALLEL_BOTH:
		return "No model is made for callers with BLAS workers.";
	default:
		return "Several callers: queue is the model for them.";
	}
}

int text_speedups(const struct report *report, FILE *out)
{
	struct grid grid = {.align = "rrrrrrrrrrrr"};
	char text[512];

	if (report->nrows < 2 || !isfinite(report->f_models))
		return 0;
	fputs("\n", out);
	snprintf(text, sizeof text,
		 "Speed-up over one thread: measured, and what each model predicts from f = %.3f "
		 "(err: "
		 "against measured). bound, queue and forkjoin assume %g matrix unit%s shared by "
		 "all "
		 "threads. %s",
		 report->f_models, report->options.units, report->options.units == 1 ? "" : "s",
		 model_advice(report));
	text_wrap("", text, out);
	grid_add(&grid, "threads");
	grid_add(&grid, "measured");
	for (size_t i = 0; i < REPORT_MODELS; i++) {
		grid_add(&grid, "%s", models[i].name);
		grid_add(&grid, "err");
	}
	for (size_t i = 0; i < report->nrows; i++)
		add_speedup(&grid, &report->rows[i]);
	return grid_print(&grid, out);
}

static void add_loss(struct grid *grid, const struct report_row *row)
{
	char text[HUMAN_MAX];

	add_threads(grid, row);
	grid_add(grid, "%s", human_number(row->lost.ideal, text));
	grid_add(grid, "%s", human_number(row->speedup, text));
	grid_add(grid, "%s", human_number(row->lost.ideal - row->speedup, text));
	for (int category = 0; category < CAT_COUNT; category++)
		grid_add(grid, "%s", human_number(row->lost.lost[category], text));
}

int text_losses(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"threads", "ideal", "measured", "lost"};
	struct grid grid = {.align = "rrrrrrrr"};
	size_t shown = 0;

	add_headings(&grid, headings, COUNT(headings));
	for (int category = 0; category < CAT_COUNT; category++)
		grid_add(&grid, "%s", category_names[category]);
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].threads > 1 && isfinite(report->rows[i].speedup)) {
			add_loss(&grid, &report->rows[i]);
			shown++;
		}
	if (shown)
		fputs("\nWhere the rest of the speed-up went: the parts add up to lost; less than "
		      "0 is "
		      "a gain.\n",
		      out);
	else
		grid.count = 0;
	return grid_print(&grid, out);
}

static size_t limit(const struct report *report, size_t count)
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

static void add_shape(struct grid *grid, const struct report_shape *shape)
{
	const double times[] = {shape->total_ns, shape->total_ns / shape->calls, shape->p50_ns,
				shape->p95_ns};
	char text[HUMAN_MAX], transposes[8];

	grid_add_text(grid, shape->routine, 16);
	snprintf(transposes, sizeof transposes, "%s%s", shape->transa, shape->transb);
	grid_add_text(grid, *transposes ? transposes : "-", 8);
	add_dimensions(grid, shape);
	grid_add(grid, "%s", human_count(shape->calls, text));
	for (size_t i = 0; i < COUNT(times); i++)
		grid_add(grid, "%s", human_time(times[i], text));
	grid_add(grid, "%s", human_figures(shape->gflops, text));
	grid_add(grid, "%s", human_share(shape->share, text));
}

int text_shapes(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"routine", "op",	  "m",	 "n",	"k",	   "calls",
					       "total",	  "mean", "p50", "p95", "GFLOP/s", "share"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "llrrrrrrrrrr"};
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < report->nshapes && focus; i++)
		count += report->shapes[i].threads == focus->threads;
	if (!count)
		return 0;
	fprintf(out,
		"\nBLAS calls by shape at %d thread%s: %zu of %zu, by total time (share: %% of "
		"it)\n",
		focus->threads, focus->threads == 1 ? "" : "s", limit(report, count), count);
	add_headings(&grid, headings, COUNT(headings));
	for (size_t i = 0; i < report->nshapes && shown < limit(report, count); i++)
		if (report->shapes[i].threads == focus->threads) {
			add_shape(&grid, &report->shapes[i]);
			shown++;
		}
	return grid_print(&grid, out);
}

static int is_listed(const struct report_function *function, int threads)
{
	return function->threads == threads &&
	       strcmp(function->code, run_code_names[RUN_CODE_BLAS]) != 0;
}

static void add_function(struct grid *grid, const struct report_function *function)
{
	const char *slash = strrchr(function->object, '/');
	char text[HUMAN_MAX];

	grid_add(grid, "%s", human_share(function->share, text));
	grid_add(grid, "%s", human_count(function->samples, text));
	grid_add_text(grid, function->function, 44);
	grid_add_text(grid, slash && slash[1] ? slash + 1 : function->object, 30);
}

int text_functions(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"share", "samples", "function", "object"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "rrll"};
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < report->nfunctions && focus; i++)
		count += is_listed(&report->functions[i], focus->threads);
	if (!count)
		return 0;
	fprintf(out,
		"\nFunctions outside BLAS at %d thread%s: %zu of %zu, by share of all samples "
		"(%%)\n",
		focus->threads, focus->threads == 1 ? "" : "s", limit(report, count), count);
	add_headings(&grid, headings, COUNT(headings));
	for (size_t i = 0; i < report->nfunctions && shown < limit(report, count); i++)
		if (is_listed(&report->functions[i], focus->threads)) {
			add_function(&grid, &report->functions[i]);
			shown++;
		}
	return grid_print(&grid, out);
}

static void add_thread(struct grid *grid, const struct report_thread *thread)
{
	const double parts[] = {thread->blas_ns, thread->blas_waiting_ns, thread->other_ns,
				thread->waiting_ns, thread->preempted_ns};
	char text[HUMAN_MAX];

	grid_add(grid, "%lld", (long long)thread->tid);
	grid_add_text(grid, thread->name, 14);
	grid_add(grid, "%s", thread->role);
	grid_add(grid, "%s", human_time(thread->alive_ns, text));
	for (size_t i = 0; i < COUNT(parts); i++)
		grid_add(grid, "%s",
			 human_share(thread->calls > 0 ? parts[i] / thread->alive_ns : NAN, text));
	grid_add(grid, "%s", human_count(thread->calls, text));
	grid_add(grid, "%s", human_count(thread->samples, text));
}

#define THREADS_SHOWN 32

int text_threads(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"thread", "name",  "role",   "alive",
					       "BLAS",	 "stall", "other",  "waiting",
					       "no CPU", "calls", "samples"};
	struct grid grid = {.align = "rllrrrrrrrr"};
	char name[RUN_NAME_MAX];
	size_t shown = 0;

	add_headings(&grid, headings, COUNT(headings));
	for (size_t i = 0; i < report->nthreads && shown < THREADS_SHOWN; i++)
		if (report->threads[i].calls + report->threads[i].samples > 0) {
			add_thread(&grid, &report->threads[i]);
			shown++;
		}
	if (!shown) {
		grid.count = 0;
		return grid_print(&grid, out);
	}
	fprintf(out, "\nThreads of %s, in %% of the time each was alive: %zu of %zu%s\n",
		text_run(report->runs[report->threads_run].id, name), shown, report->nthreads,
		shown < THREADS_SHOWN && shown < report->nthreads ? ", the others were idle" : "");
	return grid_print(&grid, out);
}
