/* writer_test.c: tests that the output of the writers reads back as the report. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/utf8.h"
#include "csv_reader.h"
#include "report/columns.h"
#include "tests/report/described_run.h"
#include "tests/report/fixture.h"
#include "tests/store/random_run.h"
#include "tests/unit.h"
#include "write/escape.h"
#include "write/format.h"

static struct run runs[4];

/* The names of columns, on which users rely. */
static const struct {
	const char *table, *header;
} headers[] = {
	{"threads",
	 "experiment,threads,runs,wall_ns,f_intercepted,f_sampled,blas_ns,blas_waiting_ns,other_ns,"
	 "waiting_ns,preempted_ns,calls,flops,work,throughput,speedup,speedup_amdahl,speedup_bound,"
	 "speedup_queue,speedup_forkjoin,speedup_inner,speedup_replay,speedup_usl,"
	 "f_intercepted_low,f_intercepted_high,f_sampled_low,f_sampled_high,throughput_low,"
	 "throughput_high,speedup_low,speedup_high,speedup_amdahl_low,speedup_amdahl_high,"
	 "speedup_bound_low,speedup_bound_high,speedup_queue_low,speedup_queue_high,"
	 "speedup_forkjoin_low,speedup_forkjoin_high,speedup_inner_low,speedup_inner_high,"
	 "speedup_replay_low,speedup_replay_high,speedup_usl_low,speedup_usl_high,what_if,"
	 "worker_share,f_estimated,mpi_ns,cpus_available,wall_ns_low,wall_ns_high,spin_ns,"
	 "speedup_pipeline,speedup_pipeline_low,speedup_pipeline_high,units,no_cpu_own_ns,"
	 "no_cpu_others_ns,no_cpu_steal_ns,no_cpu_quota_ns,parallel_efficiency,load_balance,"
	 "communication_efficiency,computation_efficiency,global_efficiency,instruction_scaling,"
	 "ipc_scaling,frequency_scaling,roi_share,coverage\r\n"},
	{"shapes",
	 "threads,routine,transa,transb,m,n,k,calls,total_ns,min_ns,p50_ns,p95_ns,max_ns,flops,"
	 "bytes,gflops,region,intensity,level,ceiling_flops,ceiling_share,bound,variant,"
	 "worker_share,gbytes_per_s,wall_ns,way,precision,unit\r\n"},
	{"ways", "threads,way,share,calls,total_ns,hottest\r\n"},
	{"callers",
	 "threads,function,inlined_into,object,file,line,routine,calls,total_ns,share,samples\r\n"},
	{"functions", "threads,function,object,code,samples,share,category,inlined_into,file,line,"
		      "samples_workers,unit\r\n"},
	{"categories", "threads,category,samples,share,share_other,hottest\r\n"},
	{"regions",
	 "threads,region,entries,share,f,blas_ns,blas_waiting_ns,other_ns,waiting_ns,preempted_ns,"
	 "calls,flops,gflops,mpi_ns,spin_ns\r\n"},
	{"counters",
	 "threads,event,unit,runs,count,counted,blas,other,kernel,waiting,outside,callers,workers,"
	 "others,per_work,per_cycle,per_cycle_blas,per_cycle_other,exact_blas,exact_other,split,"
	 "user_only\r\n"},
	{"mpi", "threads,routine,calls,total_ns,max_ns,share\r\n"},
	{"processes",
	 "rank,host,process,parent,command,intercepted,callers,alive_ns,blas_ns,blas_waiting_ns,"
	 "other_ns,mpi_ns,waiting_ns,preempted_ns,calls,flops,samples,all_threads,thread_ns,"
	 "waiting_share,spin_ns\r\n"},
	{"stacks", "threads,role,whole,stack,samples,share\r\n"},
	{"waits",
	 "threads,role,kind,function,caller,in_blas,waits,total_ns,longest_ns,waiting_threads,"
	 "uneven_ns,share,region,file,line\r\n"},
	{"cells",
	 "suite,category,kernel,element_bytes,m,n,k,offset_bytes,threads,cache,status,note,median_"
	 "ns,low_ns,high_ns,min_ns,max_ns,samples,runs,clock_ns,flops,bytes,gflops,gbytes_per_s,"
	 "bytes_per_flop,joules,elements,checked,checksum,mhz,host,cpu,system,blas,blas_threads,"
	 "compiler,flags,revision,date,seed,peak_gflops,peak_gbytes_per_s,share_of_peak\r\n"},
	{"parts", "threads,part,time_ns,share,share_low,share_high,lost,lost_low,lost_high,"
		  "what_if\r\n"},
	{"lost", "threads,part,contributor,lost\r\n"},
};

TEST(test_headers)
{
	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	fixture_report(runs, 1);
	for (int i = 0; i < COUNT(headers); i++) {
		const char *text = fixture_written("csv", headers[i].table);

		ck_assert_msg(!strncmp(text, headers[i].header, strlen(headers[i].header)), "%s",
			      text);
	}
}

static void check_number(const struct field *column, const void *row, const char *cell)
{
	const char *field = (const char *)row + column->offset;
	double value;

	if (column->type == FIELD_INT)
		value = *(const int *)field;
	else if (column->type == FIELD_INT64)
		value = (double)*(const int64_t *)field;
	else if (column->type == FIELD_COUNT)
		value = (double)*(const uint64_t *)field;
	else
		value = *(const double *)field;
	if (!isfinite(value)) {
		ck_assert_msg(!*cell, "%s is '%s'", column->name, cell);
		return;
	}
	ck_assert_uint_eq(strspn(cell, "0123456789+-.e"), strlen(cell));
	ck_assert_uint_gt(strlen(cell), 0);
	/* whole numbers are rounded; 15 digits remain of others */
	ck_assert_double_le(fabs(strtod(cell, NULL) - value),
			    0.5 * (column->type == FIELD_WHOLE) + 1e-14 * fabs(value));
}

static void check_cell(const struct field *column, const void *row, const char *cell)
{
	ck_assert_msg(utf8_valid(cell, strlen(cell)), "%s", cell);
	if (!column_text(column, row)) {
		check_number(column, row, cell);
		return;
	}
	ck_assert_msg(!*cell || !strchr("=+-@", *cell), "%s would be a formula", cell);
}

/* Checks that every cell of every table reads back as in the report. */
static void check_csv(void)
{
	EACH_ROW(table, report_tables, REPORT_TABLES) {
		const char *text = fixture_written("csv", table->name);
		struct csv csv;

		ck_assert_msg(!csv_read(text, &csv), "not RFC 4180: %s", text);
		ck_assert_uint_eq(csv.rows, 1 + table_count(table, &report));
		for (size_t row = 1; row < csv.rows; row++)
			for (size_t i = 0; i < table->nfields; i++)
				check_cell(&table->fields[i], table_row(table, &report, row - 1),
					   csv_cell(&csv, row, table->fields[i].name));
		csv_free(&csv);
	}
}

static size_t longest_line(const char *text)
{
	size_t longest = 0, length;

	for (; *text; text += length + (text[length] == '\n')) {
		char line[4096];

		length = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)length, text);
		longest = text_width(line) > longest ? text_width(line) : longest;
	}
	return longest;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Checks that the brief report fits a terminal of 24 lines, of which the prompt takes one. */
static void check_brief(void)
{
	const char *text;

	report.options.full = 0;
	text = fixture_written("text", NULL);
	ck_assert(utf8_valid(text, strlen(text)));
	ck_assert_msg(count_lines(text) <= 23 && longest_line(text) <= 80, "%s", text);
	ck_assert_msg(!report.nrows || strstr(text, "% of the time:\n"), "no table in %s", text);
	/* a warning is cut before it is left out, unless other lines say the same */
	for (size_t i = 0; i < report.nwarnings; i++)
		ck_assert_msg(report.warnings[i].severity != SEVERITY_WARNING ||
				      !strcmp(report.warnings[i].code, "threads_over_cpus") ||
				      !strcmp(report.warnings[i].code, "wall_clock") ||
				      (!strcmp(report.warnings[i].code, "other_load") &&
				       !strcmp(report.causes->cause, "other-programs")) ||
				      count_lines(text) >= 22 || strstr(text, "\nwarning  "),
			      "no warning in %s", text);
	report.options.full = 1;
}

static void check_text(size_t most)
{
	const char *text = fixture_written("text", NULL);

	ck_assert(utf8_valid(text, strlen(text)));
	for (const char *c = text; *c; c++)
		ck_assert_msg(*c == '\n' || ((unsigned char)*c >= 0x20 && *c != 0x7f),
			      "control character %#x", *c);
	ck_assert_uint_le(longest_line(text), most);
}

/* The last line says what to do next. At two threads, other code takes longer by this. */
static const struct {
	const char *two, *last, *store;
} last_lines[] = {
	{"2 .5 .5 .5; cpus_available=2", "\n-> nothing to do: 2 threads use the CPUs well\n"},
	{"2 .5 .5 .5; cpus_available=8", "\n-> try more threads: the program has 8 CPUs\n"},
	/* 7 % are lost to waiting, of which nothing is known */
	{"2 .5376 .4650 .4650; cpus_available=8",
	 "\n-> see what the threads do: with --by=wait, or --table=functions\n"},
	{"2 .5376 .4650 .4650; cpus_available=8",
	 "\n-> see what the threads do: blasprof report --by=wait -i a.db, or", "a.db"},
};

TEST_EACH(test_last_line, COUNT(last_lines))
{
	REPORT_ON("1 1 .5 .5", last_lines[_i].two);
	report.options.full = 0;
	report.options.store = last_lines[_i].store;
	expect_text(last_lines[_i].last);
}

/* What no cause explains has the same name as in the page, unless smaller causes are left out. */
TEST(bar_of_the_rest)
{
	REPORT_ON("1 1 .5 .5", "2 .53 .54 .48; cpus_available=2");
	report.options.full = 0;
	expect_text("  0.02                    not explained\n");
}

/* Makes a random run that can be compared with others. Every other seed gives it plausible times,
 * so that the report has rows. */
static void make_random(struct run *run, unsigned int seed)
{
	random_run(run, seed, 8);
	*run->what_if = '\0';
	strcpy(run->roi, "blas");
	run->work = 0;
	if (seed % 2)
		return;
	run->roi_ns = 1 + (run->roi_ns & 0xffffffffff);
	run->threads_requested = (int)(seed % 5);
	run->exit_status = seed % 3 ? 0 : 1;

	for (size_t i = 0; i < run->nthreads; i++) {
		run->threads[i].end_ns = run->roi_ns;
		run->threads[i].calls = 1 + i;
	}
}

TEST(test_random_runs)
{
	size_t rows = 0;

	for (unsigned int seed = 0; seed < 40; seed++) {
		for (unsigned int i = 0; i < 4; i++)
			make_random(&runs[i], seed * 4 + i);
		fixture_report(runs, 4);
		check_csv();
		check_text(4000);
		check_brief();
		rows += report.nrows;
		report_free(&report);
	}
	ck_assert_uint_gt(rows, 40);
}

static void make_usual(void)
{
	fixture_run(&runs[0], 1, SECOND, 0.55, 0.45);
	fixture_run(&runs[1], 2, SECOND * 63 / 100, 0.6, 0.35);
	fixture_run(&runs[2], 4, SECOND * 60 / 100, 0.7, 0.2);
}

TEST(test_usual_runs)
{
	make_usual();
	run_add_note(&runs[2], "no_kernel_samples",
		     "a detail that is so long that its line has to be broken into two or three "
		     "parts before it reaches the edge, and then again");
	fixture_report(runs, 3);
	check_csv();
	check_text(100);
	expect_no_text(" \n");
}

/* Finds the line of `text` that begins with `start`, after the first occurrence of `after`. */
static void find_line(const char *text, const char *after, const char *start, char *line,
		      size_t size)
{
	const char *at = strstr(text, after);

	ck_assert_msg(at != NULL, "no '%s' in %s", after, text);
	while (at && (at = strchr(at, '\n')) && strncmp(++at, start, strlen(start)))
		continue;
	ck_assert_msg(at != NULL, "no line '%s' in %s", start, text);
	snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Returns the text on one line, without indentation. */
static const char *unwrapped(const char *text)
{
	static char line[65536];
	size_t length = 0;

	for (; *text && length < sizeof line - 1; text++)
		if (!strchr(" \n", *text) || (length && line[length - 1] != ' '))
			line[length++] = *text == '\n' ? ' ' : *text;
	line[length] = '\0';
	return line;
}

TEST(test_all_causes)
{
	const char *text;

	REPORT_ON("1 1 .5 .5", "2 .8 .5 .4; +waits each kind=mutex total_ns=10%",
		  "4 .6 .3 .3; +waits each kind=mutex total_ns=20%");
	ck_assert_uint_gt(report.ncauses, 4);
	check_text(100);
	text = unwrapped(fixture_written("text", NULL));
	EACH_ROW(cause, report.causes, report.ncauses) {
		const char *at = strstr(
			text, string_printf("lost speed-up at %d threads: ", cause->threads));
		const char *said =
			string_printf("%s: %s%s%s ", cause->cause, report_cause_text(cause),
				      *cause->remedy ? " -> " : "", cause->remedy);

		ck_assert_msg(at && strstr(at, said), "no '%s'", said);
	}
}

/* The bars of a single run say where its time goes. */
static const struct {
	const char *run, *says;
} places[] = {
	{"1 1 .5 .5; +functions function=clock_ticks object=/usr/lib/libblasprof.so code=other "
	 "samples=400",
	 "other code: rmsnorm_forward\n"},
	/* what calls the library that takes most */
	{"1 1 .5 .5; functions[1] function=sin object=/usr/lib/libm.so.6; +frames function=solve;"
	 "+stacks; +frames function=sin object=/usr/lib/libm.so.6; +stacks parent=0 "
	 "samples_callers=140",
	 "other code: solve()\n"},
	{"1 1 .5 .2; +waits kind=mutex total_ns=30%", "waiting: mutex, train.c:120 step()\n"},
	{"1 1 .5 .2; +waits kind=mutex total_ns=30% line=0", "waiting: mutex, step()\n"},
};

TEST_EACH(test_places, COUNT(places))
{
	REPORT_ON(places[_i].run);
	report.options.full = 0;
	expect_text(places[_i].says);
}

/* The default report counts the runs that its figures come from. */
TEST(test_runs_in_use)
{
	REPORT_ON("1 1 .5 .5", "2 .6 .5 .5", "1 1 .5 .5; roi=step", "2 .6 .5 .5; roi=step");
	report.options.full = 0;
	expect_text("./train {}: 2 runs, ");
}

#define STARVED	  "preempted_ns=40% waiting_ns=0; elapsed_ns=roi_ns others_ns=roi_ns; "
#define MAKE_RUNS "facts 'other_programs=1.00 CPUs: make 0.90'"

/* Where all f are printed as 0.000, nothing is predicted from them. */
TEST_EACH(test_prediction_needs_blas, 2)
{
	REPORT_ON(_i ? "1 1 .0006 .9994" : "1 1 .0004 .9996",
		  _i ? "2 1 .0006 .9994" : "2 1 .0004 .9996");
	report.options.full = 0;
	ck_assert_int_eq(strstr(fixture_written("text", NULL), " predicted\n") != NULL, _i);
}

/* Other programs that are the cause are in no warning, so that others have room for their remedies.
 */
TEST(test_warnings_have_remedies)
{
	const char *text;

	REPORT_ON("1 1 .5 .5",
		  "2 .9 .3 .3; +notes code=no_offcpu_page detail=1; threads " STARVED MAKE_RUNS);
	ck_assert_str_eq(report.causes->cause, "other-programs");
	ck_assert_ptr_nonnull(fixture_warning("other_load"));
	check_brief();
	report.options.full = 0;
	text = unwrapped(fixture_written("text", NULL));
	ck_assert_ptr_null(strstr(text, "warning other programs"));
	ck_assert_has(text, fixture_warning("no_offcpu_page")->remedy);
	ck_assert_has(text, "-> end the other programs");
	/* the last line is the command to run */
	REPORT_ON("2 1 .3 .3; threads " STARVED MAKE_RUNS);
	report.options.full = 0;
	text = unwrapped(fixture_written("text", NULL));
	ck_assert_has(text, "warning other programs");
	ck_assert_has(text, fixture_warning("other_load")->remedy);
	/* too many to be shown: those that do not fit are left out, not cut */
	REPORT_ON("1 1 .5 .5", "2 .6 .5 .5; +notes code=ranks_missing; +notes code=lookups_full;"
			       "+notes code=session_hidden; +notes code=session_shut_out");
	check_brief();
	report.options.full = 0;
	text = fixture_written("text", NULL);
	ck_assert_has(text, " more warnings, ");
	ck_assert_ptr_null(strstr(text, "...\n"));
}

TEST(test_text_and_csv_agree)
{
	static const struct {
		const char *column;
		int has_error;
	} shown_models[] = {{"speedup_amdahl", 1},
			    {"speedup_bound", 0},
			    {"speedup_queue", 1},
			    {"speedup_forkjoin", 1},
			    {"speedup_usl", 0}};
	char line[256], shown[32], *cell;
	const char *text;
	struct csv csv;

	make_usual();
	fixture_report(runs, 3);
	ck_assert(!csv_read(fixture_written("csv", NULL), &csv));
	text = fixture_written("text", NULL);
	find_line(text, "Speed-up over one thread", "      2 ", line, sizeof line);
	ck_assert_int_eq(atoi(strtok(line, " ")), 2);
	snprintf(shown, sizeof shown, "%.2f", atof(csv_cell(&csv, 2, "speedup")));
	ck_assert_str_eq(strtok(NULL, " "), shown);
	for (int i = 0; i < COUNT(shown_models); i++) {
		snprintf(shown, sizeof shown, "%.2f",
			 atof(csv_cell(&csv, 2, shown_models[i].column)));
		cell = strtok(NULL, " ");
		ck_assert_str_eq(cell, shown);
		if (shown_models[i].has_error)
			ck_assert_ptr_nonnull(strchr(strtok(NULL, " "), '%'));
	}
	find_line(text, "Where the threads' time goes", "     4*", line, sizeof line);
	snprintf(shown, sizeof shown, " %.3f ", atof(csv_cell(&csv, 3, "f_intercepted")));
	ck_assert_has(line, shown);
	csv_free(&csv);
}

TEST(test_awkward_strings)
{
	static const char *const names[][2] = {
		{"a,b \"c\"\nd", "a,b \"c\"\nd"},
		{"=1+2", "'=1+2"},
		{"@sum", "'@sum"},
		{"-x", "'-x"},
		{"+x", "'+x"},
		{"\xff\xc3\xa9", "\\xff\xc3\xa9"},
		{"\x1b[2J", "\\x1b[2J"},
		{"plain", "plain"},
	};
	struct csv csv;

	fixture_run(&runs[0], 1, SECOND, 0.5, 0.5);
	for (size_t i = 0; i < COUNT(names); i++)
		fixture_function(&runs[0], names[i][0], "x")->samples = 100000 - i;
	fixture_report(runs, 1);
	check_csv();
	check_text(100);
	ck_assert(!csv_read(fixture_written("csv", "functions"), &csv));
	for (size_t i = 0; i < COUNT(names); i++)
		ck_assert_str_eq(csv_cell(&csv, i + 1, "function"), names[i][1]);
	csv_free(&csv);
}

/* Nobody reads. tests/cli/full-test.sh has a full disk. */
TEST(test_writing_fails)
{
	static const char *const formats[] = {"text", "csv"};
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	make_usual();
	fixture_report(runs, 3);
	for (size_t i = 0; i < 2; i++) {
		struct error err = {.what = ""};
		FILE *out;

		ck_assert_int_eq(pipe(ends), 0);
		close(ends[0]);
		out = fdopen(ends[1], "w");
		ck_assert_int_eq(
			report_write(&report, report_format_find(formats[i]), NULL, out, &err), -1);
		ck_assert_has(err.what, "cannot write the report");
		ck_assert_uint_gt(strlen(err.remedy), 0);
		fclose(out);
	}
}

#define CELL(category_)                                                                            \
	.category = category_, .kernel = "kernel", .element_bytes = 4, .threads = 1,               \
	.cache = "warm", .status = "ok"

/* tests/report/cells_test.c has the shares of all kinds of cells. */
TEST(test_cells)
{
	const struct cell cells[] = {
		{CELL("peak"), .bytes = 1, .gflops = 100, .gbytes_per_s = 1},
		{CELL("copy"), .bytes = 1000, .gflops = NAN, .gbytes_per_s = 200},
		{CELL("product"), .bytes = 500, .gflops = 60, .gbytes_per_s = 20},
	};
	const struct report_options options = {.units = 1, .cells = cells, .ncells = COUNT(cells)};
	struct error err;
	const char *text;

	ck_assert_int_eq(report_build(NULL, 0, &options, &report, &err), 0);
	check_csv();
	text = fixture_written("json", NULL);
	ck_assert_has(text, "\"share_of_peak\": 0.6");
	ck_assert_has(text, "3 cells, and no run.");
}
