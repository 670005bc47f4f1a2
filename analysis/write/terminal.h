/* terminal.h: the width that text for people may take, and whether it has colours. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TERMINAL_H
#define WRITE_TERMINAL_H

#include <stdio.h>

#define TERMINAL_WIDTH	   100 /* where nothing else is known, and the widest line of sentences */
#define TERMINAL_WIDTH_MIN 40

/* How a piece of text looks; it ends with STYLE_PLAIN. */
enum style { STYLE_PLAIN, STYLE_STRONG, STYLE_ALARM, STYLE_COUNT };

/* One setting for the whole program, made once by cli before anything is written. The default is
 * TERMINAL_WIDTH and no colours; a width below TERMINAL_WIDTH_MIN counts as that. */
void terminal_set(int width, int colours);
/* The widest table and the widest line of sentences, in characters. */
int terminal_width(void);
int terminal_line_width(void);
/* No wider than that, until it is called with 0. */
void terminal_limit(int width);
/* Changes the style of text that passes through safe_end() (escape.h). Does nothing where there are
 * no colours. */
void terminal_style(enum style style, FILE *out);
/* The escape sequence for a byte that terminal_style() wrote; NULL for any other byte. */
const char *terminal_code(char byte);

#endif
