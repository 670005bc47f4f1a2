/* probe_calls.c: pairs entries and returns by the stack pointer. */
/* SPDX-License-Identifier: MIT */
#include "record/probe_calls.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

int probe_calls_init(struct probe_calls *calls, size_t routines)
{
	memset(calls, 0, sizeof *calls);
	calls->routines = calloc(routines ? routines : 1, sizeof *calls->routines);
	calls->nroutines = calls->routines ? routines : 0;
	return calls->routines ? 0 : -1;
}

void probe_calls_free(struct probe_calls *calls)
{
	free(calls->threads);
	free(calls->routines);
	memset(calls, 0, sizeof *calls);
}

static struct probe_thread *find_thread(struct probe_calls *calls, uint32_t thread)
{
	while (calls->nthreads <= thread)
		if (!array_add(&calls->threads, &calls->nthreads, sizeof *calls->threads)) {
			calls->failed = 1;
			return NULL;
		}
	return &calls->threads[thread];
}

/* The stack grows down: what is entered further down belongs to the call under way, and so does
 * what a routine that jumps on to another one ends with. */
void probe_calls_enter(struct probe_calls *calls, uint32_t thread, uint32_t routine, uint64_t sp,
		       int64_t now_ns)
{
	struct probe_thread *state = find_thread(calls, thread);

	if (!state ||
	    (state->sp && (sp < state->sp || (sp == state->sp && routine != state->routine))))
		return;
	state->sp = sp;
	state->routine = routine;
	state->since_ns = now_ns;
	state->out_waiting_ns = state->out_preempted_ns = 0;
}

static void add_routine(struct probe_routine *routine, int64_t ns)
{
	routine->min_ns = routine->calls && routine->min_ns < ns ? routine->min_ns : ns;
	routine->max_ns = routine->max_ns > ns ? routine->max_ns : ns;
	routine->total_ns += ns;
	routine->histogram[run_bucket((double)ns)]++;
	routine->calls++;
}

/* On x86-64 the return takes its address off the stack; elsewhere the pointer is as it was. */
static int is_back(uint64_t sp, uint64_t entered)
{
#if defined __x86_64__
	return sp > entered;
#else
	return sp >= entered;
#endif
}

void probe_calls_return(struct probe_calls *calls, uint32_t thread, uint64_t sp, int64_t now_ns)
{
	struct probe_thread *state = find_thread(calls, thread);
	int64_t inside_ns, own_ns;

	if (!state || !state->sp || !is_back(sp, state->sp) || state->routine >= calls->nroutines)
		return;
	inside_ns = now_ns - state->since_ns;
	own_ns = (int64_t)calls->inside_ns;
	if (!state->calls)
		state->first_ns = state->since_ns;
	state->last_ns = now_ns;
	state->calls++;
	state->inside_ns += inside_ns;
	state->waiting_ns += state->out_waiting_ns;
	state->preempted_ns += state->out_preempted_ns;
	state->sp = 0;
	add_routine(&calls->routines[state->routine], inside_ns > own_ns ? inside_ns - own_ns : 0);
}

void probe_calls_off(struct probe_calls *calls, uint32_t thread, int preempted, int64_t off_ns)
{
	struct probe_thread *state = thread < calls->nthreads ? &calls->threads[thread] : NULL;

	if (!state || !state->sp)
		return;
	if (preempted)
		state->out_preempted_ns += off_ns;
	else
		state->out_waiting_ns += off_ns;
}
