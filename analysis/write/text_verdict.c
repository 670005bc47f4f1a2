/* text_verdict.c: the verdict, above all tables. */
/* SPDX-License-Identifier: MIT */
#include "write/terminal.h"
#include "write/text.h"
#include "write/text_line.h"

int text_verdict(const struct report *report, FILE *out)
{
	char text[REPORT_VERDICT_MAX];

	fputs("\n", out);
	terminal_style(STYLE_STRONG, out);
	text_wrap("", report_verdict(report, text), out);
	terminal_style(STYLE_PLAIN, out);
	return 0;
}
