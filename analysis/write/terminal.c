/* terminal.c: the width of text output, and whether it has colours. */
/* SPDX-License-Identifier: MIT */
#include "write/terminal.h"

static struct {
	int width, colours, limit;
} terminal = {TERMINAL_WIDTH, 0, 0};

/* Control characters stand for the styles until escape_end() replaces them. A name that holds one
 * changes the style and does no other harm. */
static const struct {
	char byte;
	const char *code;
} styles[STYLE_COUNT] = {
	[STYLE_PLAIN] = {'\x0f', "\033[0m"},
	[STYLE_STRONG] = {'\x0e', "\033[1m"},
	[STYLE_ALARM] = {'\x10', "\033[33m"},
};

void terminal_set(int width, int colours)
{
	terminal.width = width < TERMINAL_WIDTH_MIN ? TERMINAL_WIDTH_MIN : width;
	terminal.colours = colours;
}

void terminal_limit(int width)
{
	terminal.limit = width;
}

int terminal_width(void)
{
	return terminal.limit && terminal.limit < terminal.width ? terminal.limit : terminal.width;
}

int terminal_line_width(void)
{
	int width = terminal_width();

	return width < TERMINAL_WIDTH ? width : TERMINAL_WIDTH;
}

void terminal_style(enum style style, FILE *out)
{
	if (terminal.colours)
		fputc(styles[style].byte, out);
}

const char *terminal_code(char byte)
{
	for (int i = 0; terminal.colours && i < STYLE_COUNT; i++)
		if (styles[i].byte == byte)
			return styles[i].code;
	return NULL;
}
