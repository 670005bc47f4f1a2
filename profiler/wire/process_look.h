/* process_look.h: what /proc says of another process. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PROCESS_LOOK_H
#define RECORD_PROCESS_LOOK_H

#include <stdio.h>
#include <sys/types.h>

/* Its file of that name, for reading; NULL: it has ended, or is another user's. */
FILE *process_open(pid_t pid, const char *what);
/* Its first thread's name; "" where there is none. */
void process_name(pid_t pid, char *name, size_t size);
/* 1 where the variable, as the process was started, is this or, with `part`, has this in it. */
int process_environment_has(pid_t pid, const char *variable, const char *text, int part);

struct process_libraries {
	char blas[256]; /* file name of a BLAS library that is mapped; "": none of a known name */
	int has_shim;	/* 1: the preload library is */
};
void process_libraries(pid_t pid, struct process_libraries *libraries);

#endif
