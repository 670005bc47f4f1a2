/* wait_kinds.h: what a thread waits on, told by the functions on its stack. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_WAIT_KINDS_H
#define SAMPLING_WAIT_KINDS_H

#include <stddef.h>

#include "store/run.h"

#define WAIT_RUN_QUEUE "run queue" /* ready to run, without a CPU */
#define WAIT_UNKNOWN   "unknown"   /* no stack was taken */

/* What the stack says; the strings are the frames' own, "" where there is no such frame. */
struct wait_reason {
	const char *kind;     /* a name of the table, or "other" */
	const char *function; /* that waits, as it was called from another object file */
	const char *caller;
};

/* Looks at the stack's frames, innermost first. */
struct wait_reason wait_reason_find(const struct run_frame *const *frames, size_t count);

/* 1 for a function that no other calls: "_start", "start_thread", "clone3", ... */
int wait_function_is_start(const char *function);

#endif
