/* probe_calls.c: pairs entries and returns of probed routines by the stack pointer. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

void probe_calls_init(struct probe_calls *calls, size_t count)
{
	memset(calls, 0, sizeof *calls);
	calls->routines = memory_rows(count, sizeof *calls->routines);
	calls->nroutines = count;
	EACH_ROW(routine, calls->routines, count)
		routine->row.shape.transa = routine->row.shape.transb = '-';
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
		memory_add(&calls->threads, &calls->nthreads, sizeof *calls->threads);
	return &calls->threads[thread];
}

/* The stack grows down: an entry further down is a nested call. A routine that jumps to another one
 * at its end enters that at the same stack pointer; this continues the call under way. */
void probe_calls_enter(struct probe_calls *calls, uint32_t thread, uint32_t routine, uint64_t sp,
		       int64_t now_ns, const struct probe_shape *shape)
{
	struct probe_thread *state = find_thread(calls, thread);

	if (state->sp && (sp < state->sp || (sp == state->sp && routine != state->routine)))
		return;
	state->sp = sp;
	state->routine = routine;
	state->since_ns = now_ns;
	state->shape_known = shape != NULL;
	if (shape)
		state->shape = *shape;
	state->out_waiting_ns = state->out_preempted_ns = 0;
}

/* Returns the row of the shape, or NULL if it has none and there is no room for one. */
static struct probe_routine *find_shape(struct probe_calls *calls, uint32_t routine,
					const struct probe_shape *shape)
{
	const uint64_t words[] = {routine,
				  shape->transa,
				  shape->transb,
				  (uint64_t)shape->m,
				  (uint64_t)shape->n,
				  (uint64_t)shape->k};
	uint64_t hash = string_hash((const char *)words, sizeof words);
	uint32_t number = idmap_find(&calls->shape_numbers, hash);
	struct probe_routine *row;

	if (number != IDMAP_NONE)
		return &calls->shapes[number];
	if (calls->nshapes == PROBE_SHAPES_MAX)
		return NULL;
	idmap_put(&calls->shape_numbers, hash, (uint32_t)calls->nshapes);
	row = memory_add(&calls->shapes, &calls->nshapes, sizeof *row);
	row->id = calls->routines[routine].id;
	row->row.shape = (struct call_shape){
		.transa = routine_transpose(row->id, shape->transa),
		.transb = routine_transpose(row->id, shape->transb),
		.m = shape->m,
		.n = shape->n,
		.k = shape->k,
		.region = "",
	};
	return row;
}

void probe_calls_return(struct probe_calls *calls, uint32_t thread, uint64_t sp, int64_t now_ns)
{
	struct probe_thread *state = find_thread(calls, thread);
	struct probe_routine *routine, *counted;
	int64_t inside_ns, own_ns;
	struct run_shape *row;
	int has_returned = sp >= state->sp;

#if defined __x86_64__
	has_returned = sp > state->sp; /* the return has popped its address */
#endif
	if (!state->sp || !has_returned || state->routine >= calls->nroutines)
		return;
	inside_ns = now_ns - state->since_ns;
	own_ns = (int64_t)calls->inside_ns;
	if (!state->calls)
		state->first_ns = state->since_ns;
	if (!calls->last_ns || state->since_ns < calls->first_ns)
		calls->first_ns = state->since_ns;
	state->last_ns = calls->last_ns = now_ns;
	state->calls++;
	state->inside_ns += inside_ns;
	state->waiting_ns += state->out_waiting_ns;
	state->preempted_ns += state->out_preempted_ns;
	state->sp = 0;
	/* the call is counted in the row of its shape, or in the row for calls of the routine
	 * without one */
	routine = &calls->routines[state->routine];
	counted = state->shape_known ? find_shape(calls, state->routine, &state->shape) : routine;
	if (!counted) {
		routine->row.shape.other_shapes = 1;
		counted = routine;
	}
	row = &counted->row;
	inside_ns = inside_ns > own_ns ? inside_ns - own_ns : 0;
	row->min_ns = row->calls && row->min_ns < inside_ns ? row->min_ns : inside_ns;
	row->max_ns = row->max_ns > inside_ns ? row->max_ns : inside_ns;
	row->total_ns += inside_ns;
	counted->histogram[run_bucket((double)inside_ns)]++;
	row->calls++;
	if (state->shape_known) {
		double m = (double)state->shape.m, n = (double)state->shape.n;
		double k = (double)state->shape.k, flops = routine_flops(routine->id, m, n, k);

		state->flops += flops;
		row->flops += flops;
		row->bytes += routine_bytes(routine->id, m, n, k);
	}
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
