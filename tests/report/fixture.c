/* fixture.c: a run with known figures, for the tests of the report. */
/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/build.h"
#include "report/columns.h"
#include "tests/store/random_run.h"
#include "tests/unit.h"
#include "write/format.h"

static void add_thread(struct run *run, int threads, int index, double blas, double other)
{
	struct run_thread *thread = run_add_thread(run);

	thread->pid = 100;
	thread->tid = 100 + index;
	snprintf(thread->name, sizeof thread->name, "train-%hhu", (unsigned char)index);
	thread->end_ns = run->roi_ns;
	thread->times.ns[CAT_BLAS] = (int64_t)((double)run->roi_ns * blas);
	thread->times.blas_waiting_ns = thread->times.ns[CAT_BLAS] / 10;
	thread->times.ns[CAT_OTHER] = (int64_t)((double)run->roi_ns * other);
	thread->times.ns[CAT_WAITING] =
		run->roi_ns - thread->times.ns[CAT_BLAS] - thread->times.ns[CAT_OTHER];
	thread->calls = 1200 / (uint64_t)threads;
	thread->flops = 2e9 / threads;
	thread->samples_blas = (uint64_t)(1000 * blas * 0.9 / (blas * 0.9 + other) / threads);
	thread->samples_other = (uint64_t)(1000 / threads) - thread->samples_blas;
}

void fixture_calls(struct run_shape *shape, int bucket, uint64_t calls, int other, uint64_t others)
{
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS] = {0};

	histogram[bucket] = calls;
	histogram[other] += others;
	free(shape->histogram);
	shape->histogram = histogram_of(histogram);
}

static void add_shape(struct run *run, int64_t m, double share, int64_t blas_ns)
{
	struct run_shape *shape = table_add(&run_tables[RUN_PART_SHAPES], run);

	shape->shape.routine = "cblas_sgemm";
	shape->shape.variant = shape->shape.way = shape->shape.region = "";
	shape->shape.transa = 'N';
	shape->shape.transb = 'T';
	shape->shape.m = m;
	shape->shape.n = shape->shape.k = 64;
	shape->calls = (uint64_t)(1200 * share);
	shape->total_ns = (int64_t)((double)blas_ns * share);
	shape->min_ns = shape->total_ns / (int64_t)shape->calls / 2;
	shape->max_ns = shape->total_ns / (int64_t)shape->calls * 2;
	shape->flops = 2e9 * share;
	shape->bytes = 1e9 * share;
	fixture_calls(shape, run_bucket((double)shape->total_ns / (double)shape->calls),
		      shape->calls, 0, 0);
}

static void add_facts(struct run *run)
{
	static const char *const facts[][2] = {{"host", "lab"},
					       {"cpu", "Test CPU 3000"},
					       {"cpus_available", "2"},
					       {"cpus_online", "2"},
					       {"kernel", "6.1.0"},
					       {"arch", "x86_64"},
					       {"blas", "OpenBLAS"},
					       {"blas_version", "0.3.21"},
					       {"blas_threads", "1"},
					       {"clock", "tsc"},
					       {"sampler_event", "cpu-clock"},
					       {"blasprof_version", "0.1.0"}};

	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		run_add_fact(run, facts[i][0], facts[i][1]);
}

struct run_function *fixture_function(struct run *run, const char *function, const char *object)
{
	struct run_function *row = table_add(&run_tables[RUN_PART_FUNCTIONS], run);

	row->location.function = string_pooled(function);
	row->location.object = string_pooled(object);
	return row;
}

void fixture_run(struct run *run, int threads, int64_t roi_ns, double blas, double other)
{
	char command[32];

	run_init(run);
	snprintf(command, sizeof command, "./train %d", threads);
	run->experiment = "./train {}";
	run->command = string_pooled(command);
	strcpy(run->started, "2026-11-21T08:43:19Z");
	run->roi_ns = roi_ns;
	run->elapsed_ns = roi_ns + roi_ns / 10;
	run->cpus_available = 2;
	run->call_inside_ns = 12;
	run->call_outside_ns = 15;
	run->sample_rate_hz = 499;
	run->samples = run->samples_attributed = 1000;
	for (int i = 0; i < threads; i++)
		add_thread(run, threads, i, blas, other);
	add_shape(run, 64, 0.75, (int64_t)((double)roi_ns * blas * threads));
	add_shape(run, 128, 0.25, (int64_t)((double)roi_ns * blas * threads));
	fixture_function(run, "sgemm_kernel", "/usr/lib/libopenblas.so.0")->samples = 500;
	fixture_function(run, "rmsnorm_forward", "/home/u/train")->samples = 300;
	run->functions[1].code = RUN_CODE_OTHER;
	fixture_function(run, "[unknown]", "[kernel]")->samples = 200;
	run->functions[2].code = RUN_CODE_KERNEL;
	add_facts(run);
}

struct run_wait *fixture_wait(struct run *run, int64_t tid, const char *kind, double share)
{
	struct run_wait *wait = table_add(&run_tables[RUN_PART_WAITS], run);

	strcpy(wait->kind, kind);
	wait->function = "wait_for_it";
	wait->caller = "step";
	wait->file = "/home/u/train.c";
	wait->line = 120;
	wait->stack = -1;
	wait->pid = 100;
	wait->tid = tid;
	wait->waits = 10;
	wait->total_ns = (int64_t)(share * (double)run->roi_ns);
	wait->longest_ns = wait->total_ns / 5;
	return wait;
}

void fixture_random_runs(struct run *runs, unsigned int seed)
{
	for (unsigned int i = 0; i < 3; i++) {
		struct run *run = &runs[i];

		random_run(run, seed * 3 + i, 1 + (size_t)i * 4);
		*run->what_if = '\0';
		strcpy(run->roi, "blas");
		run->exit_status = 0;
		run->work = 0;
		run->roi_ns = 1 + (run->roi_ns & 0xffffffffff);
		run->threads_requested = i ? 1 + (int)seed % 7 : 1;
		run_add_thread(run);
		EACH_ROW(thread, run->threads, run->nthreads) {
			thread->end_ns = run->roi_ns;
			thread->flops = 1 + fabs(fmod(thread->flops, 1e9));
			thread->times.ns[CAT_BLAS] = 1 + (thread->times.ns[CAT_BLAS] & 0xffff);
			thread->calls = 1;
		}
	}
}

void fixture_pair(struct run *run, uint32_t gap_ns, uint32_t service_ns)
{
	const struct run_pair pair = {gap_ns, service_ns};

	memory_append(&run->pairs, &run->npairs, sizeof pair, &pair);
}

struct categories fixture_categories;
struct report report;

void fixture_use_categories(void)
{
	ck_assert(!categories_read(&fixture_categories,
				   TEST_SRCDIR "/../analysis/report/categories.txt", NULL));
}

static void free_last(void)
{
	report_free(&report);
}

void fixture_report(struct run *runs, size_t count)
{
	static int is_first = 1;
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct error err;

	options.categories = &fixture_categories;
	options.full = 1;
	if (is_first)
		atexit(free_last);
	is_first = 0;
	report_free(&report);
	ck_assert_msg(!report_build(runs, count, &options, &report, &err), "%s", err.what);
	for (size_t i = 0; i < count; i++)
		run_free(&runs[i]);
}

static struct memory_file written;

const char *fixture_written(const char *format, const char *table)
{
	struct error err = {.what = ""};
	int result;

	free(written.text);
	result = report_write(&report, report_format_find(format), table,
			      memory_file_begin(&written), &err);
	memory_file_end(&written);
	ck_assert_msg(!result, "%s", err.what);
	ck_assert_uint_eq(strlen(written.text), written.size);
	return written.text;
}

const struct report_warning *fixture_warning(const char *code)
{
	EACH_ROW(warning, report.warnings, report.nwarnings)
		if (!strcmp(warning->code, code))
			return warning;
	return NULL;
}

const char *fixture_table_written(table_writer *write, enum table_format format, const void *data)
{
	free(written.text);
	write(data, format, memory_file_begin(&written));
	memory_file_end(&written);
	return written.text;
}

void expect_text(const char *words)
{
	ck_assert_has(fixture_written("text", NULL), words);
}

void expect_no_text(const char *words)
{
	const char *text = fixture_written("text", NULL);

	ck_assert_msg(strstr(text, words) == NULL, "'%s' in\n%s", words, text);
}

void expect_next_command(const char *wanted)
{
	char command[256];

	ck_assert_int_eq(report_next_command(&report, command, sizeof command), wanted != NULL);
	if (wanted)
		ck_assert_str_eq(command, wanted);
}

void expect_rows(const char *name, const char *columns, const char *wanted)
{
	const struct table *table = report_table_find(name);
	struct table_order order = table_order_by(table, columns);
	size_t rows = table_count(table, &report), size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < order.count; j++) {
			const struct field *column = order.by[j];
			const void *row = table_row(table, &report, i);

			if (column_is_text(column))
				fputs(column_text(column, row), out);
			else if (isnan(column_value(column, row)))
				fputs("-", out);
			else
				fprintf(out, "%.6g", column_value(column, row));
			fputs(j + 1 < order.count ? " " : "\n", out);
		}
	fclose(out);
	ck_assert_str_eq(text, wanted);
	free(text);
}

double lost_to(const char *contributor)
{
	EACH_ROW(loss, report.losses, report.nlosses)
		if (!strcmp(loss->contributor, contributor))
			return loss->lost;
	ck_abort_msg("no contributor %s", contributor);
}

const struct report_row *row_of(int threads)
{
	const struct report_row *row = report_find_row(&report, threads);

	ck_assert_msg(row != NULL, "no row for %d threads", threads);
	return row;
}

void expect_whole_losses(void)
{
	EACH_ROW(point, report.rows, report.nrows) {
		double sums[CAT_COUNT] = {0}, sum = 0, size = fabs(point->lost.ideal);

		EACH_AT(loss, &report, losses, point->threads) {
			sums[loss->category] += loss->lost;
			size += fabs(loss->lost);
			ck_assert_str_eq(loss->part, time_categories[loss->category].label);
		}
		if (point->threads == 1 || isnan(point->speedup))
			continue;
		for (int category = 0; category < CAT_COUNT; category++) {
			ck_assert_double_eq_tol(sums[category], point->lost.lost[category],
						1e-6 * size);
			sum += sums[category];
		}
		ck_assert_double_eq_tol(sum, point->lost.ideal - point->speedup, 1e-6 * size);
	}
}
