/* paper.h: what text for people is written on: its width, and whether it shows colours. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PAPER_H
#define REPORT_PAPER_H

#include <stdio.h>

#define PAPER_WIDTH	100 /* where nothing else is known, and the widest for sentences */
#define PAPER_WIDTH_MIN 40

/* How a piece of text looks; it ends with INK_PLAIN. */
enum ink { INK_PLAIN, INK_STRONG, INK_ALARM, INK_COUNT };

/* One for the whole program, as the locale is: the terminal's, set once by cli before anything is
 * written. Without that: PAPER_WIDTH and no colours. A width below PAPER_WIDTH_MIN counts as that.
 */
void paper_set(int width, int colours);
/* The widest that a table may be, and a line of sentences, in characters. */
int paper_width(void);
int paper_line_width(void);
/* Changes the ink, in text that safe_end() (escape.h) hands on; nothing where there are no colours.
 */
void paper_ink(enum ink ink, FILE *out);
/* What a terminal takes for a byte that paper_ink() wrote; NULL for any other byte. */
const char *paper_code(char byte);

#endif
