/* call_graph.c: the settings of perf events that take call stacks. */
/* SPDX-License-Identifier: MIT */
#include "perf/call_graph.h"

#include <string.h>
#include <time.h>

#include "perf/sample_record.h"

enum { WAIT_STACK_BYTES = 2048 };

const char *const call_graph_names[CALL_GRAPHS] = {"fp", "dwarf", "none"};

static void copy_stack(struct perf_event_attr *attr, unsigned int bytes)
{
	attr->sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = SAMPLE_REGS_MASK;
	attr->sample_stack_user = bytes;
	attr->exclude_callchain_user = 1;
}

void call_graph_set(struct perf_event_attr *attr, enum call_graph call_graph, int stack_bytes)
{
	if (call_graph == CALL_GRAPH_FP)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	else if (call_graph == CALL_GRAPH_DWARF)
		copy_stack(attr, (unsigned int)stack_bytes);
}

void call_graph_set_waits(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->sample_type = TIMELINE_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->enable_on_exec = 1;
	attr->inherit = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	copy_stack(attr, WAIT_STACK_BYTES);
}
