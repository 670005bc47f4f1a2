/* wait_kinds.h: what a thread waits on and for which line of the program, told by its stack. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_WAIT_KINDS_H
#define SAMPLING_WAIT_KINDS_H

#include <stddef.h>

#include "store/run.h"
#include "symbols/debug_info.h"

#define WAIT_RUN_QUEUE "run queue" /* ready to run, without a CPU */
#define WAIT_UNKNOWN   "unknown"   /* no stack was taken */
#define WAIT_OTHER     "other"	   /* its stack says nothing */

/* What the tables say of a function; it is the same on each stack. */
struct wait_code {
	int is_known;
	int owner; /* enum owner of wait_kinds.c */
	size_t row;
};

/* One function of a stack. */
struct wait_frame {
	const struct run_frame *frame;
	const struct symbol_frame *symbol; /* the same function, with its line */
	int is_script;			   /* 1: its file is one of Python code */
	struct wait_code *code; /* zeroed at first, and kept by the caller from stack to stack */
};

/* What the stack says; the strings are the frames' own, "" where there is no such frame. */
struct wait_reason {
	const char *kind;     /* a name of the table, or WAIT_OTHER */
	const char *function; /* that waits, as the program called it: of a library, or a system
				 call */
	const char *caller;   /* the program's own function that this is waited for in */
	const char *file;     /* and its line */
	int line;
	const char *object; /* whose function it called; its own, where it waits itself */
};

/* Looks at the stack's frames, innermost first. */
struct wait_reason wait_reason_find(const struct wait_frame *frames, size_t count);

/* 1 for a function that no other calls: "_start", "start_thread", "clone3", ... */
int wait_function_is_start(const char *function);

#endif
