/* probe_calls.c: pairs entries and returns by the stack pointer. */
/* SPDX-License-Identifier: MIT */
#include "sampling/probe_calls.h"

#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "base/array.h"

int probe_calls_init(struct probe_calls *calls, size_t count)
{
	memset(calls, 0, sizeof *calls);
	calls->routines = calloc(count ? count : 1, sizeof *calls->routines);
	calls->nroutines = calls->routines ? count : 0;
	return calls->routines ? 0 : -1;
}

void probe_calls_free(struct probe_calls *calls)
{
	free(calls->threads);
	free(calls->routines);
	free(calls->shapes);
	idmap_free(&calls->shape_numbers);
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
		       int64_t now_ns, const struct probe_shape *shape)
{
	struct probe_thread *state = find_thread(calls, thread);

	if (!state ||
	    (state->sp && (sp < state->sp || (sp == state->sp && routine != state->routine))))
		return;
	state->sp = sp;
	state->routine = routine;
	state->since_ns = now_ns;
	state->shape_known = shape != NULL;
	if (shape)
		state->shape = *shape;
	state->out_waiting_ns = state->out_preempted_ns = 0;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

/* By which a shape is found; two of one hash are told apart by looking. */
static uint64_t shape_hash(uint32_t routine, const struct probe_shape *shape)
{
	uint64_t hash = mix(routine, (uint64_t)shape->transa << 8 | shape->transb);

	return mix(mix(mix(hash, (uint64_t)shape->m), (uint64_t)shape->n), (uint64_t)shape->k);
}

static int shape_is(const struct probe_routine *row, size_t id, const struct probe_shape *shape)
{
	return row->id == id && row->shape.transa == shape->transa &&
	       row->shape.transb == shape->transb && row->shape.m == shape->m &&
	       row->shape.n == shape->n && row->shape.k == shape->k;
}

/* The row of the shape; NULL: it has none, and there is no room for one. */
static struct probe_routine *find_shape(struct probe_calls *calls, uint32_t routine,
					const struct probe_shape *shape)
{
	uint64_t hash = shape_hash(routine, shape);
	uint32_t number = idmap_find(&calls->shape_numbers, hash);
	size_t id = calls->routines[routine].id;
	struct probe_routine *row;

	if (number != IDMAP_NONE)
		return shape_is(&calls->shapes[number], id, shape) ? &calls->shapes[number] : NULL;
	if (calls->nshapes == PROBE_SHAPES_MAX)
		return NULL;
	if (idmap_put(&calls->shape_numbers, hash, (uint32_t)calls->nshapes) ||
	    !(row = array_add(&calls->shapes, &calls->nshapes, sizeof *row))) {
		calls->failed = 1;
		return NULL;
	}
	row->id = id;
	row->shape_known = 1;
	row->shape = *shape;
	return row;
}

/* Where the thread's call belongs. */
static struct probe_routine *find_row(struct probe_calls *calls, const struct probe_thread *state)
{
	struct probe_routine *routine = &calls->routines[state->routine], *row;

	if (!state->shape_known)
		return routine;
	row = find_shape(calls, state->routine, &state->shape);
	if (row)
		return row;
	routine->holds_others = 1;
	return routine;
}

static void add_work(struct probe_thread *state, struct probe_routine *row)
{
	double m = (double)state->shape.m, n = (double)state->shape.n, k = (double)state->shape.k;
	double flops;

	if (!state->shape_known)
		return;
	flops = routine_flops(row->id, m, n, k);
	state->flops += flops;
	row->flops += flops;
	row->bytes += routine_bytes(row->id, m, n, k);
}

static void add_call(struct probe_routine *routine, int64_t ns)
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
	struct probe_routine *row;
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
	row = find_row(calls, state);
	add_call(row, inside_ns > own_ns ? inside_ns - own_ns : 0);
	add_work(state, row);
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
