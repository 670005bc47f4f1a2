/* text.c: the text report; the header and the closing lines of the full one. */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "write/escape.h"
#include "write/format.h"
#include "base/human.h"
#include "write/terminal.h"
#include "write/text_line.h"
#include "write/text_table.h"
#include "write/view.h"

void text_verdict(const struct report *report, FILE *out)
{
	fputs("\n", out);
	terminal_style(STYLE_STRONG, out);
	text_wrap("", report_verdict(report), out);
	terminal_style(STYLE_PLAIN, out);
}

enum { BLAS_LINE = 1 };
/* A line of the header: its facts in order, each with the text printed before and after it. */
static const struct header_line {
	const char *label;
	struct {
		const char *name, *before, *after;
	} facts[7];
} header_lines[] = {
	{"on       ",
	 {{"host", "", ""},
	  {"cpu", ": ", ""},
	  {"cpus_available", "; ", " CPUs available"},
	  {"cpus_online", " of ", " online"},
	  {"cores", ", cores: ", ""},
	  {"kernel", "; Linux ", ""},
	  {"arch", " ", ""}}},
	[BLAS_LINE] = {"BLAS     ",
		       {{"blas", "", ""},
			{"blas_version", " ", ""},
			{"blas_core", ", core type ", ""},
			{"blas_layer", ", threading by ", ""},
			{"blas_threads", ", threads set to ", ""},
			{"blas_threads_first", ", at first ", ""},
			{"blas_path", ", ", ""}}},
	{"clocks   ", {{"clock", "", " for calls"}, {"sampler_event", "; samples by ", ""}}},
	{"blasprof ", {{"blasprof_version", "", ""}}},
};

/* Prints a line of the header, with the facts about the BLAS library with this number, or others if
 * that is 1. Returns 0 if no fact is known. A negative number means that the value is not set (the
 * number of threads of BLIS). */
static int write_facts(const struct report *report, const struct header_line *line,
		       const char *label, int library, FILE *out)
{
	char text[1024] = "";

	for (size_t i = 0; i < COUNT(line->facts) && line->facts[i].name; i++) {
		const char *value =
			report_fact(report, run_library_fact(line->facts[i].name, library));

		if (value && *value && *value != '-')
			SAY(text, "%s%s%s", *text ? line->facts[i].before : "", value,
			    line->facts[i].after);
	}
	if (*text)
		text_wrap(label, text, out);
	return *text != '\0';
}

/* The what-if, the region of interest, and the unit of work if it is not flops. */
static void write_choices(const struct report *report, FILE *out)
{
	double share = report_roi_share(report);
	char text[256];

	text_what_if(report->what_if, out);
	if (*report->roi) {
		snprintf(text, sizeof text, "%s%s",
			 !strcmp(report->roi, "blas")	   ? "the interval in which BLAS calls are "
							     "dense, to the end of the work"
			 : !strcmp(report->roi, "process") ? "the whole process"
							   : report->roi,
			 report_roi_is_region(report->roi)
				 ? " (a region; f is known by interception only, and the functions "
				   "include code that ran between visits of the region)"
				 : "");
		if (isfinite(share))
			SAY(text, ": %.*g %% of the CPU time", share < 0.1 ? 2 : 3, 100 * share);
		text_wrap("measured ", text, out);
	}
	if (strcmp(report->work_unit, "flops"))
		text_say(out, "work     ", "counted in %s", report->work_unit);
}

static const char *case_text(const struct report_row *row)
{
	switch (row->account.parallel) {
	case PARALLEL_INNER:
		return "one caller; BLAS itself runs on several threads";
	case PARALLEL_BOTH:
		return "several callers, and BLAS also has threads of its own";
	default:
		return row->threads == 1
			       ? "one caller; BLAS runs on its thread"
			       : "callers; each BLAS call runs on the thread that makes it";
	}
}

void text_header(const struct report *report, FILE *out)
{
	static const char prefix[] = "env.";
	const struct report_row *row = text_focus(report);
	char name[700];
	char environment[1024] = "";
	const char *ways;
	int library = 1;

	escape_text(report->command, 600, name, sizeof name);
	text_say(out, "ran      ", "%s (%s, %.31s, %s, %s %d)", name, text_run(report->newest_id),
		 report->started, human_time((double)report->elapsed_ns),
		 report->exit_signal ? "ended by signal" : "exit status",
		 report->exit_signal ? report->exit_signal : report->exit_status);
	EACH_ROW(line, header_lines, COUNT(header_lines))
		write_facts(report, line, line->label, library, out);
	do
		library++;
	while (write_facts(report, &header_lines[BLAS_LINE], "and      ", library, out));
	EACH_ROW(fact, report->facts, report->nfacts)
		if (!strncmp(fact->name, prefix, strlen(prefix)))
			SAY(environment, "%s%s=%s", *environment ? " " : "",
			    fact->name + strlen(prefix), fact->value);
	if (*environment)
		text_wrap("with     ", environment, out);
	write_choices(report, out);
	if (report->nruns > 1)
		text_say(out, "together ", "%zu runs of %s", report->nruns, report->experiment);
	if (row && row->account.calls > 0)
		fprintf(out, "parallel %s\n", case_text(row));
	ways = row ? report_ways_text(report, row->threads) : "";
	if (*ways)
		text_wrap("matrix   ", ways, out);
}

/* How the figures were measured: the samples, how well they agree with interception, and what
 * blasprof itself cost. */
static void write_quality(const struct report *report, const struct report_row *row, FILE *out)
{
	const struct report_run *run = &report->runs[report->threads_run];
	const struct account *account = &row->account;
	double all_ns = account->own_ns + row->threads * account->wall_ns;

	if (run->sample_rate_hz > 0)
		text_say(out, "samples  ",
			 "%.0f, at %g per second and thread, in %s: %.0f in known code, %.0f "
			 "outside the region of interest, %.0f at unknown addresses; %.0f more "
			 "were lost; the kernel throttled sampling %.0f times",
			 run->samples, run->sample_rate_hz, text_run(run->id),
			 run->samples_attributed, run->samples_outside_roi, run->samples_unknown,
			 run->samples_lost, run->throttled);
	if (isfinite(account->f_sampled))
		text_say(out, "coverage ",
			 "%s %% of the callers' computing time is in BLAS libraries%s by samples, "
			 "and %s %% in BLAS calls by interception (%s)",
			 human_share(account->f_sampled),
			 account->samples_matrix > 0 ? " and other matrix work" : "",
			 human_share(row->f_on_cpu), human_noun(row->threads, "thread"));
	if (row->worker_share > 0)
		text_say(out, "workers  ",
			 "%s %% of the samples in BLAS are in threads of the library, the others "
			 "in threads that call it",
			 human_share(row->worker_share));
	text_say(out, "own cost ",
		 "%s per call, %s %% of the threads' time; subtracted from all figures above",
		 human_time(run->call_ns),
		 human_share(all_ns > 0 ? account->own_ns / all_ns : NAN));
}

static void write_warning(const struct report_warning *warning, FILE *out)
{
	char first[32], text[900];

	snprintf(first, sizeof first, "%-8s ", severity_names[warning->severity]);
	snprintf(text, sizeof text, "%s", warning->text);
	if (warning->more)
		SAY(text, " (and %d more like it)", warning->more);
	if (warning->runs > 1)
		SAY(text, " (in %d runs)", warning->runs);
	if (warning->severity == SEVERITY_WARNING)
		terminal_style(STYLE_ALARM, out);
	text_wrap(first, text, out);
	if (warning->severity == SEVERITY_WARNING)
		terminal_style(STYLE_PLAIN, out);
	if (*warning->remedy)
		text_wrap("      -> ", warning->remedy, out);
}

void text_closing(const struct report *report, FILE *out)
{
	const struct report_row *row = text_focus(report);
	char command[2048], safe[8200];

	fputs("\n", out);
	if (row)
		write_quality(report, row, out);
	for (int severity = SEVERITY_COUNT - 1; severity >= 0; severity--)
		EACH_ROW(warning, report->warnings, report->nwarnings)
			if ((int)warning->severity == severity)
				write_warning(warning, out);
	if (report_next_command(report, command, sizeof command)) {
		escape_text(command, sizeof safe, safe, sizeof safe);
		/* one line, to be copied */
		fprintf(out, "%s: %s\n", report_next_intro(command), safe);
	}
}

int text_write(const struct report *report, const char *table, FILE *out, struct error *err)
{
	struct memory_file memory;
	FILE *file = memory_file_begin(&memory);

	if (report->options.view)
		text_view(report, file);
	else if (!report->options.full)
		brief_write(report, file);
	else
		text_full(report, file);
	escape_end(&memory, out);
	return 0;
}
