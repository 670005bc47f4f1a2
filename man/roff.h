/* roff.h: text of tables for a manual page. */
/* SPDX-License-Identifier: MIT */
#ifndef MAN_ROFF_H
#define MAN_ROFF_H

/* Prints text to standard output so that roff takes none of it for a hyphen, an escape or a
 * request. */
void roff_text(const char *text);

#endif
