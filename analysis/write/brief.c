/* brief.c: the default report, which fits a terminal of 24 lines: what was lost, to what causes,
 * and what to do. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/causes.h"
#include "report/warnings.h"
#include "write/escape.h"
#include "write/terminal.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define BRIEF_LINES   23 /* a terminal has 24, and its prompt takes one */
#define BRIEF_WIDTH   80
#define VERDICT_LINES 4
#define REMEDY_LINES  4
#define WARNING_LINES 3 /* kept for warnings */
#define WARNING_MOST  5 /* for each of them */
#define MORE_LINES    3
#define AROUND_TABLE  4	    /* an empty line, the caption, the heading, the line of marks */
#define ROWS_KEPT     4	    /* rows of the table that warnings may not displace */
#define BARS	      3	    /* causes with a bar of their own */
#define MATRIX_MIN    0.02  /* a smaller share of the work needs no line of its own */
#define SHOWN_MIN     0.005 /* a smaller value would be printed as 0.00 */
#define LABEL_KEPT    16    /* characters of a bar's label that a long place may not displace */

/* The parts of the report. They are written to memory first, since the number of lines that some
 * may take depends on the others. */
enum { VERDICT, TABLE, BAR, WARNINGS, MORE, REMEDY, PARTS_COUNT }; /* in order of output */

static int has_speedup(const struct report_row *row)
{
	return row && row->threads > 1 && isfinite(row->speedup);
}

/* Writes the speed-up with the largest cause of the loss, and the ways in which matrix work was
 * found if there are others than BLAS calls and it is more than a trifle. */
static void write_verdict(const struct report *report, FILE *out)
{
	const struct report_row *row = text_focus(report);

	terminal_style(STYLE_STRONG, out);
	text_wrap_most(0, string_printf("%s.", report_finding(report)), VERDICT_LINES, out);
	terminal_style(STYLE_PLAIN, out);
	if (!row || fmax(row->account.f_intercepted, row->account.f_sampled) < MATRIX_MIN)
		return;
	EACH_AT(way, report, ways, row->threads)
		if (way->share >= REPORT_WAY_MIN && strcmp(way->way, "blas") != 0) {
			fputs("Matrix work: ", out);
			text_wrap_most(13, report_ways_text(report, row->threads), 2, out);
			break;
		}
}

/* Writes the table's caption on one line. The libraries (", OpenBLAS 0.3.21", or ", OpenBLAS,
 * oneDNN") are left out if the command does not fit beside them; the command is cut to the room
 * that is left. */
static void write_caption(const struct report *report, FILE *out)
{
	static const char unit[] = "; % of the time:";
	const char *name = report->nruns > 1 ? report->experiment : report->command;
	const char *blas = report_fact(report, "blas"), *second = report_fact(report, "blas_2");
	const char *version = second ? NULL : report_fact(report, "blas_version");
	double share = report_roi_share(report);
	char facts[192] = "", command[256];
	int width = terminal_line_width(), length;
	size_t without, used = 0;

	EACH_ROW(run, report->runs, report->nruns)
		used += run->used != 0;
	name = escape_skip_directory(name);
	SAY(facts, ": %s", human_noun((double)used, "run"));
	if (report->cpus_available > 0)
		SAY(facts, ", %s", human_noun(report->cpus_available, "CPU"));
	if (report_roi_is_region(report->roi))
		SAY(facts, ", inside %.24s", report->roi);
	if (!strcmp(report->roi, "process"))
		SAY(facts, ", whole process");
	else if (isfinite(share))
		SAY(facts, ", %.*g %% of CPU time", share < 0.1 ? 2 : 3, 100 * share);
	without = strlen(facts);
	SAY(facts, "%s%.20s%s%.*s%s%.20s%s", blas ? ", " : "", blas ? blas : "", version ? " " : "",
	    version ? (int)fmin(20, (double)strcspn(version, " ")) : 0, version ? version : "",
	    second ? ", " : "", second ? second : "", report_fact(report, "blas_3") ? ", ..." : "");
	if (strlen(name) + strlen(facts) + strlen(unit) > (size_t)width)
		facts[without] = '\0';
	SAY(facts, "%s", unit);
	length = (int)strlen(facts);
	escape_text(name, (size_t)(width - length > 8 ? width - length : 8), command,
		    sizeof command);
	text_wrap_most(0, strcat(command, facts), 1, out);
}

/* Chooses at most `most` rows: the first, the last, the one that the bars describe, and others at
 * equal distances. Returns how many. */
static size_t choose_rows(const struct report *report, size_t most, const void **rows)
{
	const struct report_row *wanted = text_focus(report);
	size_t count = report->nrows < most ? report->nrows : most, nearest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t index = count > 1 ? i * (report->nrows - 1) / (count - 1) : 0;

		rows[i] = &report->rows[index];
		if (rows[i] <= (const void *)wanted)
			nearest = i;
	}
	if (count)
		rows[nearest] = wanted;
	return count;
}

/* Explains the marks on thread counts, and says how many thread counts are shown if not all. */
static void write_marks(const struct report *report, const void *const *rows, size_t count,
			FILE *out)
{
	int over = 0, failed = 0;
	char text[256] = "";

	for (size_t i = 0; i < count; i++) {
		const struct report_row *row = rows[i];

		over |= row->threads > row->cpus_available;
		failed |= row->failed;
	}
	if (over)
		SAY(text, "* more threads than CPUs available");
	if (failed)
		SAY(text, "%s! all its runs failed", *text ? "; " : "");
	if (count < report->nrows)
		SAY(text, "%s%zu of %zu thread counts", *text ? "; " : "", count, report->nrows);
	text_wrap_most(0, text, 1, out);
}

static void write_table(const struct report *report, int room, FILE *out)
{
	const void **rows;
	size_t count;
	int has_marks = 0;

	if (!report->nrows || room <= AROUND_TABLE)
		return;
	EACH_ROW(row, report->rows, report->nrows)
		has_marks |= row->threads > row->cpus_available || row->failed;
	fputs("\n", out);
	write_caption(report, out);
	rows = memory_rows(report->nrows, sizeof *rows);
	count = choose_rows(report, (size_t)(room - AROUND_TABLE), rows);
	if (count + 1 == report->nrows && !has_marks) /* the last row has the marks' line */
		count = choose_rows(report, report->nrows, rows);
	text_brief_table(report, rows, count, out);
	write_marks(report, rows, count, out);
	free(rows);
}

/* A line with a bar for a part of the ideal speed-up, or of the threads' time. */
struct bar {
	double value;
	int is_lost;
	const char *label, *place;
};

COMPARE(compare_bars, struct bar, ORDER(b->value, a->value))

static const char *location_text(const struct code_location *at)
{
	return at->line > 0 && *at->file ? string_printf("%.90s (%.60s:%d)", at->function,
							 object_name(at->file), at->line)
					 : at->function;
}

/* Finds where most of the category's time is spent: the caller of BLAS, the function outside BLAS
 * or the one that spins, or the wait. Functions that mostly run in threads of BLAS do not count,
 * since the bars show the time of participants. */
static const char *find_place(const struct report *report, const struct report_row *row,
			      int category)
{
	enum run_code code = category == CAT_SPIN ? RUN_CODE_SPIN : RUN_CODE_OTHER;
	const struct account *account = &row->account;
	double away_ns = account->absent_ns + account->late_ns + account->ended_ns;

	if (category == CAT_OTHER && *row->other_place)
		return row->other_place;
	if (category == CAT_WAITING && account->parallel == PARALLEL_INNER)
		return "BLAS's threads, between calls";
	if (category == CAT_BLAS)
		EACH_AT(caller, report, callers, row->threads)
			return *row->blas_place ? row->blas_place
						: location_text(&caller->sum.location);
	if (category == CAT_OTHER || category == CAT_SPIN)
		EACH_AT(function, report, functions, row->threads)
			if ((function->sum.code == code ||
			     (category == CAT_OTHER && !(account->calls > 0) &&
			      function->sum.code == RUN_CODE_BLAS)) &&
			    !object_is_unseen(function->sum.location.object) &&
			    function->sum.samples_workers <= function->sum.samples / 2)
				return location_text(&function->sum.location);
	if (category == CAT_WAITING)
		EACH_AT(wait, report, waits, row->threads)
			if (wait_is_waiting(wait, row) && *wait->sum.function &&
			    (double)wait->sum.total_ns >= away_ns)
				return string_printf("%s, %s", wait->sum.kind,
						     *wait_place(wait) ? wait_place(wait)
								       : wait->sum.function);
	return category == CAT_WAITING && away_ns > 0 ? "not yet started, or ended" : "";
}

/* Makes bars of the largest causes of the lost speed-up. Returns how many causes there are. */
static size_t make_cause_bars(const struct report *report, const struct report_row *row,
			      struct bar bars[BARS])
{
	size_t count = 0;

	EACH_AT(cause, report, causes, row->threads)
		if (cause->lost >= SHOWN_MIN && count++ < BARS) {
			int is_known = report_cause_is_known(cause);

			bars[count - 1] = (struct bar){cause->lost, 1,
						       is_known ? cause->cause : "not explained",
						       cause->place};
		}
	return count;
}

/* Makes bars of the categories of time, for a thread count whose speed-up is not known, the largest
 * first. Returns how many. */
static size_t make_share_bars(const struct report *report, const struct report_row *row,
			      struct bar bars[CAT_COUNT])
{
	double all_ns = row->threads * row->account.wall_ns;
	size_t count = 0;

	for (int category = 0; category < CAT_COUNT; category++) {
		double share = row->account.category_ns[category] / all_ns;

		if (share >= SHOWN_MIN)
			bars[count++] = (struct bar){share, 0, time_categories[category].label,
						     find_place(report, row, category)};
	}
	qsort(bars, count, sizeof *bars, compare_bars);
	return count;
}

/* Writes the value, a bar as long as its part of `whole`, the label and the place. If both do not
 * fit, the label is cut first, since the place says more. */
static void write_bar(const struct bar *bar, double whole, int is_share, FILE *out)
{
	int most = terminal_line_width() / 5;
	int length = (int)lround(fmin(fmax(bar->value / whole, 0), 1) * most);
	const char *number =
		is_share ? string_printf("%.0f %%", 100 * bar->value) : human_number(bar->value);
	char label[128], place[192];
	size_t used, room;

	used = (size_t)(fprintf(out, "%6s  ", number) + most + 2);
	room = (size_t)terminal_line_width() - used;
	for (int i = 0; i < length; i++)
		fputs(bar->is_lost ? "▒" : "█", out);
	used = text_width(bar->place) + (*bar->place ? 2 : 0);
	escape_text(bar->label, used + LABEL_KEPT < room ? room - used : LABEL_KEPT, label,
		    sizeof label);
	used = text_width(label) + 2;
	escape_text(bar->place, room > used + 3 ? room - used : 3, place, sizeof place);
	fprintf(out, "%*s  %s%s%s\n", most - length, "", label, *place ? ": " : "", place);
}

/* Writes bars that add up to the ideal speed-up: what was reached, and the causes of the loss. If
 * the speed-up is not known, writes the shares of the threads' time. */
static void write_bars(const struct report *report, FILE *out)
{
	const struct report_row *row = text_focus(report);
	struct bar bars[CAT_COUNT];
	int is_share = !has_speedup(row);
	double whole = 1, rest = 1;
	size_t count;

	if (!row)
		return;
	if (is_share) {
		fprintf(out, "\nWhere the time of %s goes:\n", human_noun(row->threads, "thread"));
		count = make_share_bars(report, row, bars);
	} else {
		whole = row->lost.ideal;
		fprintf(out, "\nSpeed-up at %d threads (ideal: %.2f):\n", row->threads, whole);
		count = make_cause_bars(report, row, bars);
		write_bar(&(struct bar){row->speedup, 0, "reached", ""}, whole, 0, out);
		rest = whole - row->speedup;
	}
	for (size_t i = 0; i < count && i < BARS; i++) {
		write_bar(&bars[i], whole, is_share, out);
		rest -= bars[i].value;
	}
	if (fabs(rest) >= SHOWN_MIN)
		write_bar(&(struct bar){rest, !is_share,
					rest < 0		   ? "gained"
					: is_share || count > BARS ? "everything else"
								   : "not explained",
					""},
			  whole, is_share, out);
}

/* The table marks thread counts over the CPUs, and the verdict has the whole run's speed-up. */
static int is_shown(const struct report_warning *warning)
{
	return warning->severity == SEVERITY_WARNING &&
	       strcmp(warning->code, "threads_over_cpus") != 0 &&
	       strcmp(warning->code, "wall_clock") != 0;
}

/* If other programs are the cause, the verdict has their names, and the last line their remedy. */
static int is_said(const struct report *report, const struct report_warning *warning,
		   const char *remedy)
{
	return !strcmp(warning->code, "other_load") && report->ncauses &&
	       !strcmp(report->causes->cause, cause_kinds[CAUSE_OTHER_PROGRAMS].name) &&
	       !strncmp(remedy, report->causes->remedy, strlen(report->causes->remedy));
}

static int warning_lines(const char *text)
{
	struct memory_file memory;
	int lines = text_wrap_most(9, text, 0, memory_file_begin(&memory));

	memory_file_end(&memory);
	free(memory.text);
	return lines;
}

/* Writes as many warnings as there is room for, and returns how many. Only the first is cut. A
 * remedy that the last lines of the report give is not repeated. */
static size_t write_warnings(const struct report *report, const char *remedy, int room, FILE *out)
{
	size_t shown = 0;
	char text[1400];

	EACH_ROW(warning, report->warnings, report->nwarnings) {
		int says_remedy = *warning->remedy && strcmp(warning->remedy, remedy) != 0;
		int most = room - !shown < WARNING_MOST ? room - !shown : WARNING_MOST;

		if (!is_shown(warning) || is_said(report, warning, remedy) || most < 1)
			continue;
		snprintf(text, sizeof text, "%s%s%s", warning->text, says_remedy ? " -> " : "",
			 says_remedy ? warning->remedy : "");
		if (shown && warning_lines(text) > most)
			continue;
		if (!shown++) {
			fputs("\n", out);
			room--;
		}
		terminal_style(STYLE_ALARM, out);
		fputs("warning  ", out);
		room -= text_wrap_most(9, text, most, out);
		terminal_style(STYLE_PLAIN, out);
	}
	return shown;
}

/* Returns a command that can be pasted into a shell, with lines broken at spaces outside of quotes;
 * NULL if it takes more than REMEDY_LINES, cannot be printed, or is long and has a quoted quote. */
static const char *wrap_command(const char *command)
{
	size_t width = (size_t)terminal_line_width();
	char safe[4096], text[4096] = "";
	int lines = 1;

	escape_text(command, sizeof safe, safe, sizeof safe);
	if (strcmp(safe, command) != 0)
		return NULL;
	while (text_width(command) > width) {
		size_t length = 0;
		int quoted = 0;

		for (size_t i = 0; i < width - 1; i++) {
			quoted ^= command[i] == '\'';
			length = command[i] == ' ' && !quoted ? i : length;
		}
		if (!length || ++lines > REMEDY_LINES || strchr(command, '\\'))
			return NULL;
		SAY(text, "%.*s \\\n", (int)length, command);
		command += length;
	}
	return string_printf("%s%s", text, command);
}

/* Writes the command to run if runs for the speed-up are missing. Returns 0 if none is missing, or
 * if the command failed. */
static int write_next(const struct report *report, FILE *out)
{
	const char *intro, *wrapped;
	char command[2048];

	if (report_failed(report) || !report_next_command(report, command, sizeof command))
		return 0;
	wrapped = wrap_command(command);
	intro = report_next_intro(wrapped ? command : "");
	fputs("-> ", out);
	if (text_width(intro) + text_width(command) + 5 <= (size_t)terminal_line_width())
		fprintf(out, "%s: ", intro);
	else
		text_wrap_most(3, intro, 2, out);
	fprintf(out, "%s\n",
		wrapped			     ? wrapped
		: report_find_row(report, 1) ? "   the same with more threads"
					     : "   the same with 1 thread");
	return 1;
}

/* Says how to print what the brief report leaves out. */
static void write_more(const struct report *report, size_t warnings_shown, FILE *out)
{
	size_t more = 0, notes = 0;
	char text[1024] = "All tables", command[512];
	int counted = 0;

	EACH_ROW(warning, report->warnings, report->nwarnings) {
		more += warning->severity == SEVERITY_WARNING;
		notes += warning->severity == SEVERITY_NOTE;
	}
	more -= warnings_shown;
	if (!warnings_shown)
		fputs("\n", out);
	EACH_ROW(row, report->counters, report->ncounters)
		counted |= !report_counter_is_energy(row);
	if (counted)
		SAY(text, " (the counts of events are in the table counters)");
	if (more)
		SAY(text, ", %zu%s warning%s", more, warnings_shown ? " more" : "", plural(more));
	if (notes)
		SAY(text, ", %s", human_noun(notes, "note"));
	report_command(report, "--full", command, sizeof command);
	SAY(text, ": %s", command);
	text_wrap_most(0, text, 2, out);
}

/* Returns the verdict's remedy. If it has none, returns that of the first warning with
 * one, or of another cause at least half as large, or else what to do about the loss as a whole;
 * "" if there is no speed-up. */
static const char *find_remedy(const struct report *report)
{
	const struct report_row *row = text_focus(report);
	const struct report_cause *first = report->causes;
	char command[512];

	if (report_failed(report))
		first = NULL;
	if (first && *report_remedy(report))
		return report_remedy(report);
	EACH_ROW(warning, report->warnings, report->nwarnings)
		/* a program that has a speed-up without BLAS need not use it */
		if (is_shown(warning) && *warning->remedy &&
		    !(has_speedup(row) && (!strcmp(warning->code, "no_calls") ||
					   warning_excludes_calls(warning->code))))
			return warning->remedy;
	if (!first)
		return "";
	EACH_AT(cause, report, causes, row->threads)
		if (*cause->remedy && cause->lost >= first->lost / 2)
			return cause->remedy;
	if (!has_speedup(row))
		return "";
	report_command(report, "--by=wait", command, sizeof command);
	if (first->lost > LOSS_MIN * row->threads)
		return string_printf("see what the threads do: %s, or --table=functions", command);
	return row->threads < row->cpus_available
		       ? string_printf("try more threads: the program has %g CPUs",
				       row->cpus_available)
		       : string_printf("nothing to do: %d threads use the CPUs well", row->threads);
}

/* Writes the parts whose length does not depend on others first. The table, and then the warnings,
 * get the lines that are left. */
static void write_parts(const struct report *report, struct memory_file parts[PARTS_COUNT])
{
	int left = BRIEF_LINES, room, rows, has_warnings = 0;
	size_t shown;
	const char *remedy = find_remedy(report);

	write_verdict(report, parts[VERDICT].file);
	write_bars(report, parts[BAR].file);
	if (write_next(report, parts[REMEDY].file)) {
		remedy = "";
	} else if (*remedy) {
		terminal_style(STYLE_STRONG, parts[REMEDY].file);
		fputs("-> ", parts[REMEDY].file);
		text_wrap_most(3, remedy, REMEDY_LINES, parts[REMEDY].file);
		terminal_style(STYLE_PLAIN, parts[REMEDY].file);
	}
	EACH_ROW(warning, report->warnings, report->nwarnings)
		has_warnings |= is_shown(warning) && !is_said(report, warning, remedy);
	left -= text_lines(&parts[VERDICT]) + text_lines(&parts[BAR]) + text_lines(&parts[REMEDY]) +
		MORE_LINES;
	rows = report->nrows < ROWS_KEPT ? (int)report->nrows : ROWS_KEPT;
	room = left - (has_warnings ? WARNING_LINES + 1 : 0);
	if (room < AROUND_TABLE + rows)
		room = left < AROUND_TABLE + rows ? left : AROUND_TABLE + rows;
	write_table(report, room, parts[TABLE].file);
	left -= text_lines(&parts[TABLE]);
	/* with warnings, the empty line stands before these */
	shown = write_warnings(report, remedy, left + 1, parts[WARNINGS].file);
	write_more(report, shown, parts[MORE].file);
}

void brief_write(const struct report *report, FILE *out)
{
	struct memory_file parts[PARTS_COUNT];

	terminal_limit(BRIEF_WIDTH);
	for (int i = 0; i < PARTS_COUNT; i++)
		memory_file_begin(&parts[i]);
	write_parts(report, parts);
	terminal_limit(0);
	for (int i = 0; i < PARTS_COUNT; i++) {
		memory_file_end(&parts[i]);
		fputs(parts[i].text, out);
		free(parts[i].text);
	}
}
