/* terminal.h: the width of text output, and whether it has colours. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TERMINAL_H
#define WRITE_TERMINAL_H

#include <stdio.h>

#define TERMINAL_WIDTH	   100 /* the default, and the widest line of sentences */
#define TERMINAL_WIDTH_MIN 40

/* The style of the text that follows; STYLE_PLAIN ends another style. */
enum style { STYLE_PLAIN, STYLE_STRONG, STYLE_ALARM, STYLE_COUNT };

/* Sets the width and the colours for the whole program; cli does it once before anything is
 * written. The default is TERMINAL_WIDTH and no colours. The least width is TERMINAL_WIDTH_MIN. */
void terminal_set(int width, int colours);
/* The widest table and the widest line of sentences, in characters. */
int terminal_width(void);
int terminal_line_width(void);
/* Limits both widths until it is called with 0. */
void terminal_limit(int width);
/* Changes the style of text that passes through escape_end() (escape.h). Does nothing without
 * colours.
 */
void terminal_style(enum style style, FILE *out);
/* The escape sequence for a byte that terminal_style() wrote; NULL for any other byte. */
const char *terminal_code(char byte);

#endif
