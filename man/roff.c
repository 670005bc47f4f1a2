/* roff.c: text of tables for a manual page. */
/* SPDX-License-Identifier: MIT */
#include "roff.h"

#include <stdio.h>

void roff_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
}
