/* paper.c: what text for people is written on: its width, and whether it shows colours. */
/* SPDX-License-Identifier: MIT */
#include "write/paper.h"

static struct {
	int width, colours;
} paper = {PAPER_WIDTH, 0};

/* Control characters stand for inks on the way. A name that holds them would change the ink, no
 * more. */
static const struct {
	char byte;
	const char *code;
} inks[INK_COUNT] = {
	[INK_PLAIN] = {'\x0f', "\033[0m"},
	[INK_STRONG] = {'\x0e', "\033[1m"},
	[INK_ALARM] = {'\x10', "\033[33m"},
};

void paper_set(int width, int colours)
{
	paper.width = width < PAPER_WIDTH_MIN ? PAPER_WIDTH_MIN : width;
	paper.colours = colours;
}

int paper_width(void)
{
	return paper.width;
}

int paper_line_width(void)
{
	return paper.width < PAPER_WIDTH ? paper.width : PAPER_WIDTH;
}

void paper_ink(enum ink ink, FILE *out)
{
	if (paper.colours)
		fputc(inks[ink].byte, out);
}

const char *paper_code(char byte)
{
	for (int i = 0; paper.colours && i < INK_COUNT; i++)
		if (inks[i].byte == byte)
			return inks[i].code;
	return NULL;
}
