/* warnings.c: how the notes of runs, and what checks find, become warnings of the report. */
/* SPDX-License-Identifier: MIT */
#include "report/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/repeats.h"

#define NOTES_SHOWN 4 /* of one code in one run */

struct report_warning *warning_find_added(const struct report *report, const char *code)
{
	EACH_ROW(warning, report->warnings, report->nwarnings)
		if (!strcmp(warning->code, code))
			return warning;
	return NULL;
}

const char *const severity_names[SEVERITY_COUNT] = {"note", "warning"};

const struct warning *warning_find(const char *code)
{
	EACH_ROW(warning, warnings, warnings_count)
		if (!strcmp(warning->code, code))
			return warning;
	return NULL;
}

/* Copies the template with `value` in the place of {}; without a value, ": {}" is left out. */
static void fill_in(const char *template, const char *value, char *text, size_t size)
{
	const char *place = strstr(template, "{}");
	int before = place ? (int)(place - template) : (int)strlen(template);

	if (place && !*value && before >= 2 && !strncmp(place - 2, ": ", 2))
		before -= 2;
	snprintf(text, size, "%.*s%s%s", before, template, place ? value : "",
		 place ? place + 2 : "");
}

static struct report_warning *add_warning(struct report *report, const char *code)
{
	struct report_warning *warning =
		memory_add(&report->warnings, &report->nwarnings, sizeof *warning);

	snprintf(warning->code, sizeof warning->code, "%s", code);
	return warning;
}

static void set_texts(const struct warning *row, const char *detail, const char *hint,
		      struct report_warning *warning)
{
	warning->severity = row->severity;
	fill_in(row->text, detail, warning->text, sizeof warning->text);
	fill_in(row->remedy, hint, warning->remedy, sizeof warning->remedy);
}

/* Adds the note of the run with this index. The newest run that has a code shows up to NOTES_SHOWN
 * notes of it; older runs are only counted. */
static void add_note(struct report *report, const struct run_note *note, size_t run)
{
	const struct warning *row = warning_find(note->code);
	struct report_warning *warning = warning_find_added(report, note->code);
	int shown = 0;

	EACH_ROW(other, report->warnings, report->nwarnings)
		shown += !strcmp(other->code, note->code);
	if (warning && warning->newest == run && shown >= NOTES_SHOWN) {
		warning->more++;
		return;
	}
	if (warning && warning->newest != run) {
		warning->runs += warning->oldest != run;
		warning->oldest = run;
		return;
	}
	warning = add_warning(report, note->code);
	warning->runs = 1;
	warning->newest = warning->oldest = run;
	if (row)
		set_texts(row, note->detail, "", warning);
	if (!*warning->text) { /* from a newer blasprof, or without its detail */
		warning->severity = row ? row->severity : SEVERITY_NOTE;
		snprintf(warning->text, sizeof warning->text, "%s%s%s", note->code,
			 *note->detail ? ": " : "", note->detail);
	}
}

/* Finds the thread count with the largest figure above the row's limit, and what to say of it; NAN
 * is above nothing. Returns 1 if there is one. */
static int find_worst(const struct report *report, const struct warning *warning,
		      struct finding *finding)
{
	double most = warning->limit;
	int found = 0;

	EACH_ROW(row, report->rows, report->nrows) {
		struct finding now = {0};
		double value = warning->figure(report, row, &now);

		if (value > most) {
			most = value;
			*finding = now;
			found = 1;
		}
	}
	return found;
}

/* The time for a unit of work. */
static double run_time(const struct account *run, const void *context)
{
	return 1 / run_throughput(run, context);
}

/* Returns 1 and fills *finding if the row's check finds something in the report. */
static int find_cause_for(const struct report *report, const struct warning *row,
			  struct finding *finding)
{
	int found = 0;

	if (row->check)
		return row->check(report, finding);
	if (row->figure)
		return find_worst(report, row, finding);
	for (size_t i = 0; row->say_times && i < report->nrows && !found; i++) {
		int threads = report->rows[i].threads;
		struct repeats times = repeats_gather(report, threads, 1, run_time, NULL);

		found = row->say_times(times.values, times.count, threads, finding);
		free(times.values);
	}
	return found;
}

/* Adds the warning of this row if its check finds something, and no note has it already. */
static void add_found(struct report *report, const struct warning *row)
{
	struct finding finding = {0};

	if (!warning_find_added(report, row->code) && find_cause_for(report, row, &finding))
		set_texts(row, finding.detail, finding.hint, add_warning(report, row->code));
}

void build_warnings(struct report *report)
{
	add_found(report, warning_find("failed_runs")); /* it may explain the others */
	for (size_t i = report->nruns; i--;) {
		const struct run *run = report->runs[i].run;

		/* the newest run may count other events than an older run could not count */
		EACH_ROW(note, run->notes, report->runs[i].alike ? run->nnotes : 0)
			if (i + 1 == report->nruns || strncmp(note->code, "counter_", 8) != 0 ||
			    warning_find_added(report, note->code))
				add_note(report, note, i);
	}
	EACH_ROW(warning, warnings, warnings_count)
		add_found(report, warning);
}
