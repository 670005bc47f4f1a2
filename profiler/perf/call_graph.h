/* call_graph.h: the ways to take the call stacks of samples, and the event that takes those of
 * waits. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CALL_GRAPH_H
#define RECORD_CALL_GRAPH_H

#include <linux/perf_event.h>

enum call_graph {
	CALL_GRAPH_FP,	  /* the kernel follows the frame pointers */
	CALL_GRAPH_DWARF, /* the kernel copies the stack, which is unwound by call frame information
			   */
	CALL_GRAPH_NONE,
	CALL_GRAPHS,
};
extern const char *const call_graph_names[CALL_GRAPHS]; /* "fp", "dwarf", "none" */

#define CALL_GRAPH_STACK_BYTES 8192 /* of a copy, where nothing else is asked for */

/* Makes the samples of the event carry what this way needs; stack_bytes: a multiple of 8. */
void call_graph_set(struct perf_event_attr *attr, enum call_graph call_graph, int stack_bytes);

/* The event that tells where a thread was when it left the CPU. It needs the right to see the
 * kernel, and always copies a piece of the stack: the C library, in which threads wait, has no
 * frame pointers. */
void call_graph_set_waits(struct perf_event_attr *attr);

#endif
