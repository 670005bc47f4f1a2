/* report_build.c: builds and frees the report, and answers questions about it. */
/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "report/columns.h"
#include "report/scaling.h"
#include "base/human.h"
#include "base/array.h"
#include "report/warnings.h"
#include "base/memory.h"
#include "base/string_pool.h"

static void build_header(const struct run *newest, struct report *report)
{
	report->experiment = string_pooled(newest->experiment);
	report->command = string_pooled(newest->command);
	report->work_unit = string_pooled(run_work_unit(newest));
	report->what_if = string_pooled(newest->what_if);
	report->roi = string_pooled(newest->roi);
	memcpy(report->started, newest->started, sizeof report->started);
	report->newest_id = newest->id;
	report->exit_status = newest->exit_status;
	report->exit_signal = newest->exit_signal;
	report->cpus_available = newest->cpus_available;
	report->elapsed_ns = newest->elapsed_ns;
	EACH_ROW(fact, newest->facts, newest->nfacts)
		memory_append(&report->facts, &report->nfacts, sizeof *report->facts,
			      &(struct report_fact){.name = fact->name, .value = fact->value});
}

/* Among spans of equal length, a region comes before the call inside it. */
COMPARE(compare_spans, struct run_span,
	ORDER(a->pid, b->pid) ?: ORDER(a->tid, b->tid) ?: ORDER(a->start_ns, b->start_ns) ?:
	ORDER(b->end_ns, a->end_ns) ?: strcmp(b->kind, a->kind))

void build_timeline(struct report *report)
{
	static const enum run_part parts[] = {RUN_PART_SPANS, RUN_PART_THREADS, RUN_PART_PROCESSES};
	struct run *timeline = &report->timeline;
	const struct run *run = NULL;

	EACH_ROW(row, report->runs, report->nruns)
		run = row->run->nspans ? row->run : run;
	if (!run)
		return;
	timeline->id = run->id;
	timeline->command = run->command;
	EACH_ROW(part, parts, COUNT(parts)) {
		const struct table *table = &run_tables[*part];

		for (size_t i = 0; i < table_count(table, run); i++)
			memcpy(table_add(table, timeline), table_row(table, run, i),
			       table->row_size);
	}
	qsort(timeline->spans, timeline->nspans, sizeof *timeline->spans, compare_spans);
}

int report_begin(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err)
{
	static const struct run none;

	memset(report, 0, sizeof *report);
	report->options = *options;
	scaling_free(&report->scaling);
	if (!count && !options->ncells)
		return error_set(err, "record a run first: blasprof -- command",
				 "there is no run to report on");
	if (!(options->units >= 0) || !isfinite(options->units))
		return error_set(err, "give a number over 0, like 1 or 2.5",
				 "the number of matrix units cannot be %g", options->units);
	build_header(count ? &runs[count - 1] : &none, report);
	build_runs(runs, count, report);
	return 0;
}

int report_build(const struct run *runs, size_t count, const struct report_options *options,
		 struct report *report, struct error *err)
{
	if (report_begin(runs, count, options, report, err))
		return -1;
	if (!count) { /* only cells */
		build_cells(report);
		return 0;
	}
#define BUILD(name) build_##name(report);
	REPORT_PARTS(BUILD)
	return 0;
}

void report_free(struct report *report)
{
	EACH_ROW(run, report->runs, report->nruns)
		free(run->roles);
	EACH_ROW(shape, report->shapes, report->nshapes)
		table_free_row(&run_tables[RUN_PART_SHAPES], &shape->sum);
	EACH_ROW(shape, report->region_shapes, report->nregion_shapes)
		table_free_row(&run_tables[RUN_PART_SHAPES], &shape->sum);
	EACH_ROW(table, report_tables, REPORT_TABLES)
		table_free(table, report);
	free(report->shapes);
	scaling_free(&report->scaling);
	run_free(&report->timeline);
	memset(report, 0, sizeof *report);
}

const char *report_fact(const struct report *report, const char *name)
{
	EACH_ROW(fact, report->facts, report->nfacts)
		if (!strcmp(fact->name, name))
			return fact->value;
	return NULL;
}

double report_roi_share(const struct report *report)
{
	double cpu_ns = 0, roi_cpu_ns = 0;

	EACH_ROW(row, report->rows, report->nrows) {
		cpu_ns += row->cpu_ns;
		roi_cpu_ns += row->roi_cpu_ns;
	}
	return cpu_ns > 0 ? roi_cpu_ns / cpu_ns : NAN;
}

int report_roi_is_region(const char *roi)
{
	return *roi && strcmp(roi, "blas") != 0 && strcmp(roi, "process") != 0;
}

/* Appends " --option value", quoted for a shell, or nothing if there is no room for all of it. */
static void append_option(const char *option, const char *value, char *text, size_t size)
{
	const char *word = human_word(value);

	if (strlen(text) + strlen(option) + strlen(word) + 3 <= size)
		say(text, size, " %s %s", option, word);
}

void report_command(const struct report *report, const char *option, char *text, size_t size)
{
	const struct report_options *options = &report->options;
	const char *store = options->unstored ? NULL : options->store;

	snprintf(text, size, "%s %s", store ? "blasprof report" : "with",
		 options->unstored ? "--full" : option);
	if (store && *store)
		append_option("-i", store, text, size);
	if (store && options->experiment)
		append_option("-x", options->experiment, text, size);
}

/* Writes "blasprof -- " with the options that make the next run compare with these, and `more`. */
static void begin_command(const struct report *report, const char *more, char *text, size_t size)
{
	const char *pattern = report_fact(report, "work_pattern");
	size_t room = size - 4 - strlen(more);

	snprintf(text, size, "blasprof");
	if (report->options.store && *report->options.store)
		append_option("-i", report->options.store, text, room);
	if (*report->what_if)
		append_option("--what-if", report->what_if, text, room);
	if (!strcmp(report->work_unit, "steps"))
		append_option("--work", "steps", text, room);
	else if (pattern)
		append_option("--work", pattern, text, room);
	if (*report->roi && strcmp(report->roi, "blas") != 0)
		append_option("--roi", report->roi, text, room);
	say(text, size, "%s -- ", more);
}

double report_matrix_share(const struct report_row *row)
{
	const struct account *account = &row->account;

	return account->samples_matrix / (account->samples_blas + account->samples_other);
}

/* 1 if the program calls MPI, but no launcher started it as a rank. */
static int is_lone_rank(const struct report *report)
{
	const struct report_process *caller = NULL;

	EACH_ROW(row, report->processes, report->nprocesses) {
		if (caller && row->process.calls)
			return 0;
		caller = row->process.calls ? row : caller;
	}
	EACH_ROW(row, report->processes, report->nprocesses)
		if (caller && row->process.pid == caller->process.parent)
			return 0;
	return caller && report->nmpi && !report_fact(report, "mpi.rank");
}

int report_little_blas(const struct report *report)
{
	const struct report_row *row = report->rows;

	return report->nrows == 1 && row->threads == 1 && row->account.calls > 0 &&
	       !strstr(report->experiment, "{}") && row->account.f_intercepted < LITTLE_BLAS &&
	       !(report_matrix_share(row) >= LITTLE_BLAS) && !is_lone_rank(report);
}

int report_idle_pool(const struct report *report)
{
	const struct report_row *row = report->rows;
	const char *setting = report_fact(report, "blas_threads");

	return setting && report->nrows == 1 && row->threads == 1 && row->account.samples_blas > 0
		       ? atoi(setting) - 1
		       : 0;
}

/* The CPUs that another run should use, at least 2; a damaged store may say any number. */
static int next_cpus(const struct report *report)
{
	return (int)fmin(fmax(2, report->cpus_available), INT_MAX);
}

const char *report_next_intro(const char *command)
{
	return strstr(command, "--threads-env=VARIABLE ")
		       ? "for the speed-up, run this, or with {} for the count"
		       : "for the speed-up, run";
}

int report_next_command(const struct report *report, char *text, size_t size)
{
	const char *experiment = report->experiment, *end = experiment + strlen(experiment);
	const char *mark = experiment;
	int has_one = report_find_row(report, 1) != NULL;
	int threads = has_one ? next_cpus(report) : 1;
	/* without calls, runs with different thread counts are units of work */
	int has_calls = report->nrows && report->rows[0].account.calls > 0;
	char begin[1024], more[64];

	if (!report->nrows || !*report->command || (has_one && report->nrows > 1) ||
	    (has_calls && !(report->rows[0].account.work > 0)) || report_little_blas(report))
		return 0;
	if (report_fact(report, "mpi.rank")) {
		if (has_one) /* one of the ranks alone, for which a warning asks for the others */
			return 0;
		begin_command(report, "", begin, sizeof begin);
		snprintf(text, size, "mpirun -n 1 %s%s", begin, report->command);
	} else if (strstr(experiment, "{}")) {
		/* the experiment's name, without the mark of a what-if */
		int turns = report->nrows && report->rows[0].account.taking_turns;

		/* of threads that take turns, it is not known how many work at once in another run
		 */
		snprintf(more, sizeof more, turns ? " -t %d" : "", threads);
		begin_command(report, more, text, size);
		while (*report->what_if && (mark = strstr(mark, " [what-if ")))
			end = mark++;
		while (experiment < end && strlen(text) + 12 < size) {
			int is_count = !turns && !strncmp(experiment, "{}", 2);

			say(text, size, is_count ? "%d" : "%c", is_count ? threads : *experiment);
			experiment += is_count ? 2 : 1;
		}
	} else if (is_lone_rank(report)) {
		snprintf(more, sizeof more, " -t 1,%d", next_cpus(report));
		begin_command(report, more, text, size);
		say(text, size, "mpirun -n {} %s", report->command);
	} else if (!has_calls ||
		   (threads == 1 && report->rows[0].account.parallel == PARALLEL_CALLERS)) {
		/* the program's own threads are parallel; how is their number set? */
		int seen = report->rows[0].threads, most = next_cpus(report);

		snprintf(more, sizeof more, " -t 1,%d --threads-env=%s",
			 has_one || seen > most ? most : seen,
			 report_runs_openmp(report, seen) ? "OMP_NUM_THREADS" : "VARIABLE");
		begin_command(report, more, text, size);
		say(text, size, "%s", report->command);
	} else if (has_one && report_idle_pool(report) > 0) {
		return 0;
	} else {
		begin_command(report, "", begin, sizeof begin);
		snprintf(text, size, "%s=%d %s%s", report_threads_variable(report), threads, begin,
			 report->command);
	}
	return 1;
}
