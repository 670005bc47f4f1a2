/* brief.c: the report that fits a terminal of 24 lines: what is lost, to what, and what to do. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/array.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/causes.h"
#include "write/escape.h"
#include "write/terminal.h"
#include "write/text.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define BRIEF_LINES   23 /* a terminal has 24, and its prompt takes one */
#define BRIEF_WIDTH   80
#define VERDICT_LINES 4
#define REMEDY_LINES  4
#define WARNING_LINES 3 /* of each */
#define MORE_LINES    3
#define AROUND_TABLE  4	    /* an empty line, the caption, the heading, the marks */
#define ROWS_KEPT     4	    /* thread counts that warnings leave room for */
#define BARS	      3	    /* causes that are shown */
#define SHOWN_MIN     0.005 /* less is 0.00 */
#define LABEL_KEPT    16    /* of what is lost to, where its place is long */

/* A part of the report, kept until it is known how many lines the others leave. */
struct part {
	FILE *file;
	char *text;
	size_t size;
};
enum { VERDICT, TABLE, BAR, WARNINGS, MORE, REMEDY, PARTS_COUNT }; /* in their order */

static int count_lines(struct part *part)
{
	int lines = 0;

	fflush(part->file);
	for (const char *end = part->text; (end = strchr(end, '\n')); end++)
		lines++;
	return lines;
}

/* The thread count that the bars and the verdict are about. */
static const struct report_row *brief_row(const struct report *report)
{
	const struct report_row *row =
		report->ncauses ? report_find_row(report, report->causes[0].threads) : NULL;

	return row ? row : text_focus(report);
}

static int has_speedup(const struct report_row *row)
{
	return row && row->threads > 1 && isfinite(row->speedup);
}

static int is_known(const struct report_cause *cause)
{
	return strcmp(cause->cause, cause_kinds[CAUSE_NONE].name) != 0;
}

/* "2 threads give 1.39 ± 0.06 of 2.00. ", where the cause's sentence does not begin so itself. */
static void say_speedup(const struct report_row *row, const struct report_cause *cause, char *text,
			size_t size)
{
	char range[RANGE_TEXT_MAX];

	snprintf(text, size, "%d threads give ", row->threads);
	if (strncmp(cause->sentence, text, strlen(text)) != 0)
		say(text, size, "%s of %.2f. ",
		    range_text(AS_NUMBER, row->speedup, row->speedup_range.low,
			       row->speedup_range.high, range),
		    row->lost.ideal);
	else
		*text = '\0';
}

/* Where there is a way besides BLAS's names. */
static void write_ways(const struct report *report, int threads, FILE *out)
{
	char text[REPORT_WAYS_MAX];

	for (size_t i = 0; i < report->nways; i++)
		if (report->ways[i].threads == threads && report->ways[i].share >= REPORT_WAY_MIN &&
		    strcmp(report->ways[i].way, "blas") != 0) {
			fputs("Matrix work: ", out);
			text_wrap_most(13, report_ways_text(report, threads, text), 2, out);
			return;
		}
}

/* The speed-up and what lost most of the rest; what to do about that is the last line. */
static void write_verdict(const struct report *report, FILE *out)
{
	const struct report_cause *cause = report->causes;
	const struct report_row *row = brief_row(report);
	char text[REPORT_VERDICT_MAX + 512], speedup[RANGE_TEXT_MAX + 64] = "", sure[32] = "";

	if (!cause) {
		report_verdict(report, text);
	} else {
		if (has_speedup(row))
			say_speedup(row, cause, speedup, sizeof speedup);
		if (is_known(cause))
			snprintf(sure, sizeof sure, " (%s)", cause->sure);
		snprintf(text, sizeof text, "%s%s%s%s%s%s.",
			 *report->what_if ? "under what-if " : "", report->what_if,
			 *report->what_if ? ", which is not real: " : "", speedup, cause->sentence,
			 sure);
	}
	terminal_style(STYLE_STRONG, out);
	text_wrap_most(0, text, VERDICT_LINES, out);
	terminal_style(STYLE_PLAIN, out);
	if (row)
		write_ways(report, row->threads, out);
}

/* Without the folders of the program. */
static const char *program_name(const char *command)
{
	const char *name = command;

	for (const char *c = command; *c && !strchr(" '\\", *c); c++)
		if (*c == '/' && c > command + 1) /* "./train" stays */
			name = c + 1;
	return name;
}

/* ", OpenBLAS 0.3.21", or ", OpenBLAS, oneDNN" where calls went to several libraries. */
static void add_libraries(const struct report *report, char *text, size_t size)
{
	const char *blas = report_fact(report, "blas"), *version;
	const char *second = report_fact(report, "blas_2");

	version = second ? NULL : report_fact(report, "blas_version");
	say(text, size, "%s%.20s%s%.*s%s%.20s%s", blas ? ", " : "", blas ? blas : "",
	    version ? " " : "", version ? (int)fmin(20, (double)strcspn(version, " ")) : 0,
	    version ? version : "", second ? ", " : "", second ? second : "",
	    report_fact(report, "blas_3") ? ", ..." : "");
}

/* What the table is of, on one line: the command is cut where it has no room. */
static void write_caption(const struct report *report, FILE *out)
{
	double share = report_roi_share(report);
	char facts[192] = "", command[256];
	int width = terminal_line_width(), length;

	SAY(facts, ": %zu run%s", report->nruns, plural(report->nruns));
	if (report->cpus_available > 0)
		SAY(facts, ", %g CPU%s", report->cpus_available, plural(report->cpus_available));
	if (*report->roi && strcmp(report->roi, "blas"))
		SAY(facts, ", inside %.24s", report->roi);
	if (isfinite(share) && strcmp(report->roi, "process"))
		SAY(facts, ", %.*g %% of CPU time", share < 0.1 ? 2 : 3, 100 * share);
	if (width >= BRIEF_WIDTH)
		add_libraries(report, facts, sizeof facts);
	SAY(facts, "; %% of the time:");
	length = (int)strlen(facts);
	escape_text(program_name(report->nruns > 1 ? report->experiment : report->command),
		    (size_t)(width - length > 8 ? width - length : 8), command, sizeof command);
	text_wrap_most(0, strcat(command, facts), 1, out);
}

/* Chooses evenly among the rows, with the first, the last and the one that the bars are of. */
static size_t choose_rows(const struct report *report, size_t most, const void **rows)
{
	const struct report_row *wanted = brief_row(report);
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

/* "* more threads than CPUs; left out: 3, 5-8". */
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

	if (!report->nrows || room <= AROUND_TABLE)
		return;
	fputs("\n", out);
	write_caption(report, out);
	rows = memory_rows(report->nrows, sizeof *rows);
	count = choose_rows(report, (size_t)(room - AROUND_TABLE), rows);
	text_brief_table(report, rows, count, out);
	write_marks(report, rows, count, out);
	free(rows);
}

/* A line of the bars: a part of the ideal speed-up, or of the threads' time. */
struct bar {
	double value;
	int is_lost;
	char label[128], place[192];
};

COMPARE(compare_bars, struct bar, ORDER(b->value, a->value))

static void set_location(struct bar *bar, const struct code_location *at)
{
	if (at->line > 0 && *at->file)
		snprintf(bar->place, sizeof bar->place, "%.90s (%.60s:%d)", at->function,
			 object_name(at->file), at->line);
	else
		snprintf(bar->place, sizeof bar->place, "%s", at->function);
}

/* Where most of the category's time at the row's thread count is spent: the caller of BLAS, the
 * function outside it or that spins, the wait. What other threads than those that take part spin in
 * is none of their time. */
static void find_place(const struct report *report, const struct report_row *row, int category,
		       struct bar *bar)
{
	enum run_code code = category == CAT_SPIN ? RUN_CODE_SPIN : RUN_CODE_OTHER;

	if (category == CAT_OTHER && *row->script_place) {
		snprintf(bar->place, sizeof bar->place, "%s", row->script_place);
		return;
	}
	if (category == CAT_WAITING && row->account.parallel == PARALLEL_INNER) {
		snprintf(bar->place, sizeof bar->place,
			 "BLAS's threads, while the caller does not call it");
		return;
	}
	if (category == CAT_BLAS)
		EACH_ROW(caller, report->callers, report->ncallers)
			if (caller->threads == row->threads) {
				set_location(bar, &caller->sum.location);
				return;
			}
	if (category == CAT_OTHER || category == CAT_SPIN)
		EACH_ROW(function, report->functions, report->nfunctions)
			if (function->threads == row->threads && function->sum.code == code &&
			    function->sum.samples_workers <= function->sum.samples / 2) {
				set_location(bar, &function->sum.location);
				return;
			}
	if (category == CAT_WAITING)
		EACH_ROW(wait, report->waits, report->nwaits)
			if (wait->threads == row->threads && wait->is_caller &&
			    !wait->sum.in_blas && strcmp(wait->sum.kind, "run queue") != 0) {
				snprintf(bar->place, sizeof bar->place, "%s, %.80s", wait->sum.kind,
					 *wait->sum.caller ? wait->sum.caller : wait->sum.function);
				return;
			}
}

/* The largest causes of the lost speed-up. Returns how many there are. */
static size_t make_cause_bars(const struct report *report, const struct report_row *row,
			      struct bar bars[BARS])
{
	size_t count = 0;
	int largest = 0;

	for (int category = 1; category < CAT_COUNT; category++)
		if (row->lost.lost[category] > row->lost.lost[largest])
			largest = category;
	for (size_t i = 0; i < report->ncauses && count < BARS; i++) {
		const struct report_cause *cause = &report->causes[i];
		struct bar *bar = &bars[count];

		if (cause->threads != row->threads || !(cause->lost >= SHOWN_MIN))
			continue;
		*bar = (struct bar){.value = cause->lost, .is_lost = 1};
		snprintf(bar->label, sizeof bar->label, "%s",
			 is_known(cause) ? cause->cause : "not explained");
		if (is_known(cause))
			snprintf(bar->place, sizeof bar->place, "%s", cause->place);
		else
			snprintf(bar->place, sizeof bar->place, "most is %s",
				 category_names[largest]);
		count++;
	}
	return count;
}

/* The largest parts of the time of a thread count whose speed-up is not known, likewise. */
static size_t make_share_bars(const struct report *report, const struct report_row *row,
			      struct bar bars[CAT_COUNT])
{
	double all_ns = row->threads * row->account.wall_ns;
	size_t count = 0;

	for (int category = 0; category < CAT_COUNT; category++) {
		struct bar *bar = &bars[count];
		double share = row->account.category_ns[category] / all_ns;

		if (!(share >= SHOWN_MIN))
			continue;
		*bar = (struct bar){.value = share};
		snprintf(bar->label, sizeof bar->label, "%s", category_names[category]);
		find_place(report, row, category, bar);
		count++;
	}
	qsort(bars, count, sizeof *bars, compare_bars);
	return count;
}

/* The place tells more than what is lost to: that one is cut where both have no room. */
static void write_label(const struct bar *bar, size_t room, FILE *out)
{
	size_t used = text_width(bar->place) + (*bar->place ? 2 : 0);
	char label[128], place[192];

	escape_text(bar->label, used + LABEL_KEPT < room ? room - used : LABEL_KEPT, label,
		    sizeof label);
	used = text_width(label) + 2;
	escape_text(bar->place, room > used + 3 ? room - used : 3, place, sizeof place);
	fprintf(out, "%s%s%s\n", label, *place ? ": " : "", place);
}

/* A bar as long as its part of `whole`. */
static void write_bar(const struct bar *bar, double whole, int is_share, FILE *out)
{
	int most = terminal_line_width() / 5;
	int length = (int)lround(fmin(fmax(bar->value / whole, 0), 1) * most);
	char number[HUMAN_MAX];
	int used;

	if (is_share)
		snprintf(number, sizeof number, "%.0f %%", 100 * bar->value);
	else
		human_number(bar->value, number);
	used = fprintf(out, "%6s  ", number) + most + 2;
	for (int i = 0; i < length; i++)
		fputs(bar->is_lost ? "▒" : "█", out);
	fprintf(out, "%*s  ", most - length, "");
	write_label(bar, (size_t)(terminal_line_width() - used), out);
}

/* What the threads reached and what the rest was lost to, which add up to the ideal; without a
 * speed-up, what their time went to. */
static void write_bars(const struct report *report, FILE *out)
{
	const struct report_row *row = brief_row(report);
	struct bar bars[CAT_COUNT], reached = {.label = "reached"}, others = {0};
	int is_share = !has_speedup(row);
	double whole = 1, rest;
	size_t count;

	if (!row)
		return;
	if (is_share) {
		fprintf(out, "\nThe time of %d thread%s:\n", row->threads, plural(row->threads));
		count = make_share_bars(report, row, bars);
	} else {
		whole = row->lost.ideal;
		fprintf(out, "\nOf an ideal %.2f at %d threads:\n", whole, row->threads);
		count = make_cause_bars(report, row, bars);
		reached.value = row->speedup;
		write_bar(&reached, whole, 0, out);
	}
	rest = whole - reached.value;
	for (size_t i = 0; i < count && i < BARS; i++) {
		write_bar(&bars[i], whole, is_share, out);
		rest -= bars[i].value;
	}
	others.value = rest;
	others.is_lost = !is_share;
	strcpy(others.label, rest > 0 ? "all else" : "won back by all else");
	if (fabs(rest) >= SHOWN_MIN)
		write_bar(&others, whole, is_share, out);
}

static const struct report_warning *next_warning(const struct report *report, size_t *index)
{
	while (*index < report->nwarnings) {
		const struct report_warning *warning = &report->warnings[(*index)++];

		/* the table marks such thread counts */
		if (warning->severity == SEVERITY_WARNING &&
		    strcmp(warning->code, "threads_over_cpus") != 0)
			return warning;
	}
	return NULL;
}

/* As many warnings as there is room for, without the remedy that the last lines have. Returns how
 * many. */
static size_t write_warnings(const struct report *report, const char *remedy, int room, FILE *out)
{
	const struct report_warning *warning;
	size_t index = 0, shown = 0;
	char text[1400];

	while (room > (shown ? 1 : 2) && (warning = next_warning(report, &index))) {
		int says_remedy = *warning->remedy && strcmp(warning->remedy, remedy) != 0;

		if (!shown++) {
			fputs("\n", out);
			room--;
		}
		snprintf(text, sizeof text, "%s%s%s", warning->text, says_remedy ? " -> " : "",
			 says_remedy ? warning->remedy : "");
		terminal_style(STYLE_ALARM, out);
		fputs("warning  ", out);
		room -= text_wrap_most(9, text, room < WARNING_LINES ? room : WARNING_LINES, out);
		terminal_style(STYLE_PLAIN, out);
	}
	return shown;
}

/* Writes a command as a shell takes it, broken where it has spaces that are not quoted, if that
 * makes no more than `most` lines. 0 where it does not fit, and nothing is written. */
static int write_command(const char *command, int most, FILE *out)
{
	size_t width = (size_t)terminal_line_width(), length;
	char safe[4096], text[4096] = "";
	int lines = 1;

	escape_text(command, sizeof safe, safe, sizeof safe);
	if (strcmp(safe, command) != 0)
		return 0;
	for (; text_width(command) > width; command += length) {
		for (length = width - 2; length && command[length] != ' '; length--)
			;
		if (!length || ++lines > most || strpbrk(command, "'\"\\"))
			return 0;
		SAY(text, "%.*s \\\n", (int)length, command);
	}
	fprintf(out, "%s%s\n", text, command);
	return 1;
}

/* What to run for a speed-up. 0 where nothing is missing, or the command has to be repaired first.
 */
static int write_next(const struct report *report, FILE *out)
{
	static const char before[] = "-> for the speed-up: ";
	const struct report_row *row = brief_row(report);
	char command[2048];

	if ((row && row->failed) || !report_next_command(report, command, sizeof command))
		return 0;
	if (sizeof before - 1 + text_width(command) <= (size_t)terminal_line_width())
		fputs(before, out);
	else
		fputs("-> for the speed-up, run\n", out);
	if (!write_command(command, REMEDY_LINES, out))
		fprintf(out, "   the same with %s\n",
			report_find_row(report, 1) ? "more threads" : "1 thread");
	return 1;
}

static size_t count_severity(const struct report *report, enum severity severity)
{
	size_t count = 0;

	EACH_ROW(warning, report->warnings, report->nwarnings)
		count += warning->severity == severity;
	return count;
}

/* Where the rest is. */
static void write_more(const struct report *report, size_t warnings_shown, FILE *out)
{
	size_t warnings = count_severity(report, SEVERITY_WARNING) - warnings_shown;
	size_t notes = count_severity(report, SEVERITY_NOTE);
	char text[1024] = "All tables";

	if (!warnings_shown)
		fputs("\n", out);
	if (warnings)
		SAY(text, ", %zu%s warning%s", warnings, warnings_shown ? " more" : "",
		    plural(warnings));
	if (notes)
		SAY(text, ", %zu note%s", notes, plural(notes));
	SAY(text, ": %s%s%s", report->options.store ? "blasprof report --full" : "with --full",
	    report->options.store && *report->options.store ? " -i " : "",
	    report->options.store ? report->options.store : "");
	text_wrap_most(0, text, 2, out);
}

/* What the largest cause calls for; where that calls for nothing, what the first warning does or
 * another cause of that size. */
static const char *find_remedy(const struct report *report)
{
	const struct report_row *row = brief_row(report);
	const struct report_cause *first = report->causes;
	const struct report_warning *warning;
	size_t index = 0;

	if (row && row->failed)
		first = NULL;
	if (first && *first->remedy)
		return first->remedy;
	while ((warning = next_warning(report, &index)))
		if (*warning->remedy)
			return warning->remedy;
	for (size_t i = 1; first && i < report->ncauses; i++)
		if (report->causes[i].threads == row->threads && *report->causes[i].remedy &&
		    report->causes[i].lost >= first->lost / 2)
			return report->causes[i].remedy;
	return first && has_speedup(row) && first->lost >= SHOWN_MIN * row->threads
		       ? "see what the threads do: blasprof report --by=wait, or --table=functions"
		       : "";
}

/* The parts of fixed length come first; the table and then the warnings have what is left. */
static void write_parts(const struct report *report, struct part parts[PARTS_COUNT])
{
	int left = BRIEF_LINES, room, rows;
	size_t index = 0, shown;
	const char *remedy = find_remedy(report);
	const int has_warnings = next_warning(report, &index) != NULL;

	write_verdict(report, parts[VERDICT].file);
	write_bars(report, parts[BAR].file);
	if (!write_next(report, parts[REMEDY].file) && *remedy) {
		terminal_style(STYLE_STRONG, parts[REMEDY].file);
		fputs("-> ", parts[REMEDY].file);
		text_wrap_most(3, remedy, REMEDY_LINES, parts[REMEDY].file);
		terminal_style(STYLE_PLAIN, parts[REMEDY].file);
	}
	left -= count_lines(&parts[VERDICT]) + count_lines(&parts[BAR]) +
		count_lines(&parts[REMEDY]) + MORE_LINES;
	/* warnings leave room for some rows, at least */
	rows = report->nrows < ROWS_KEPT ? (int)report->nrows : ROWS_KEPT;
	room = left - (has_warnings ? WARNING_LINES + 1 : 0);
	if (room < AROUND_TABLE + rows)
		room = left < AROUND_TABLE + rows ? left : AROUND_TABLE + rows;
	write_table(report, room, parts[TABLE].file);
	left -= count_lines(&parts[TABLE]);
	room = left > 0 ? left : 0;
	shown = write_warnings(report, remedy, room, parts[WARNINGS].file);
	write_more(report, shown, parts[MORE].file);
}

void brief_write(const struct report *report, FILE *out)
{
	struct part parts[PARTS_COUNT];

	terminal_limit(BRIEF_WIDTH);
	for (int i = 0; i < PARTS_COUNT; i++)
		parts[i].file = memory_need(open_memstream(&parts[i].text, &parts[i].size));
	write_parts(report, parts);
	terminal_limit(0);
	for (int i = 0; i < PARTS_COUNT; i++) {
		memory_check(fclose(parts[i].file));
		fputs(parts[i].text, out);
		free(parts[i].text);
	}
}
