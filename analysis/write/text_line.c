/* text_line.c: wrapped sentences and titles of text output, and the thread count it is about. */
/* SPDX-License-Identifier: MIT */
#include "write/text_line.h"

#include <stdarg.h>
#include <string.h>

#include "base/string_pool.h"
#include "report/build.h"
#include "write/escape.h"
#include "write/terminal.h"

const char *text_run(int64_t id)
{
	return id ? string_printf("run %lld", (long long)id) : "a run that is not stored";
}

const struct report_row *text_focus(const struct report *report)
{
	const struct report_row *row = report_verdict_row(report);

	for (size_t i = report->nruns; i-- && !row;)
		if (report->runs[i].used)
			row = report_find_row(report, report->runs[i].threads);
	return row;
}

int text_threads(const struct report *report)
{
	const struct report_row *focus = text_focus(report);

	return focus ? focus->threads : 0;
}

size_t text_limit(const struct report *report, size_t count)
{
	size_t top = report->options.top > 0 ? (size_t)report->options.top : count;

	return count < top ? count : top;
}

/* A number and its % are one word. */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");

	return strncmp(text + length, " %", 2) ? length
					       : length + 1 + strcspn(text + length + 1, " ");
}

/* Returns the length of the longest start of `text` that ends before a space and has at most `room`
 * bytes. A first word that is longer stays whole. */
static size_t line_length(const char *text, size_t room)
{
	size_t length = 0, next = word_length(text);

	do {
		length = next;
		next += strspn(text + next, " ");
		next += word_length(text + next);
	} while (text[length] && next <= room);
	return length;
}

int text_wrap_most(int indent, const char *text, int most, FILE *out)
{
	int lines = 0;
	size_t room = (size_t)(terminal_line_width() - indent);
	char safe[4096], line[sizeof safe], shown[sizeof safe];

	escape_text(text, sizeof safe, safe, sizeof safe);
	for (text = safe; *text && (!most || lines < most); lines++) {
		size_t length = lines + 1 == most ? strlen(text) : line_length(text, room);

		snprintf(line, sizeof line, "%.*s", (int)length, text);
		escape_text(line, most ? room : sizeof line, shown, sizeof shown);
		fprintf(out, "%*s%s\n", lines ? indent : 0, "", shown);
		text += length;
		text += strspn(text, " ");
	}
	return lines;
}

void text_wrap(const char *first, const char *text, FILE *out)
{
	fputs(first, out);
	text_wrap_most((int)strlen(first), text, 0, out);
}

void text_say(FILE *out, const char *first, const char *fmt, ...)
{
	char text[2048];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	text_wrap(first, text, out);
}

void text_what_if(const char *what_if, FILE *out)
{
	if (*what_if)
		text_say(out, "what-if  ", "%s: these runs were changed; nothing here is real",
			 what_if);
}

int text_lines(struct memory_file *memory)
{
	int lines = 0;

	fflush(memory->file);
	for (const char *end = memory->text; (end = strchr(end, '\n')); end++)
		lines++;
	return lines;
}
