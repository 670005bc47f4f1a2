/* error.c: fills a struct error. */
/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* Replaces control characters, which a terminal would obey: names of files and commands may contain
 * any byte. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
}

int error_set(struct error *err, const char *remedy, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return -1;
	va_start(args, fmt);
	vsnprintf(err->what, sizeof err->what, fmt, args);
	va_end(args);
	snprintf(err->remedy, sizeof err->remedy, "%s", remedy ? remedy : "");
	one_line(err->what);
	one_line(err->remedy);
	return -1;
}

const char *error_remedy(int number, const char *otherwise)
{
	switch (number) {
	case EFBIG:
		return "raise the limit on file sizes (ulimit -f)";
	case EMFILE:
		return "raise the limit on open files (ulimit -n)";
	default:
		return otherwise;
	}
}

int error_out_of_memory(struct error *err)
{
	return error_set(err, "free some memory", "out of memory");
}
