/* failure.c: fills a failure. */
/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "failure.h"

int failure_set(struct failure *failure, int status, const char *fmt, ...)
{
	va_list args;

	failure->status = status;
	va_start(args, fmt);
	vsnprintf(failure->what, sizeof(failure->what), fmt, args);
	va_end(args);
	return -1;
}
