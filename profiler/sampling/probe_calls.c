/* probe_calls.c: pairs entries and returns of probed routines by the stack pointer. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "calls/records.h"

void probe_calls_init(struct probe_calls *calls, size_t count)
{
	memset(calls, 0, sizeof *calls);
	calls->nroutines = count;
	while (calls->nrows < count) {
		struct probe_row *routine =
			memory_add(&calls->rows, &calls->nrows, sizeof *routine);

		routine->row.shape.transa = routine->row.shape.transb = '-';
	}
}

void probe_calls_free(struct probe_calls *calls)
{
	free(calls->threads);
	free(calls->rows);
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

/* Returns the row of the call's shape, or that of its routine if the shape is not known or there is
 * no room for it. */
static struct probe_row *find_row(struct probe_calls *calls, const struct probe_thread *call)
{
	const struct probe_shape *shape = &call->shape;
	uint32_t routine = call->routine;
	const uint64_t words[] = {routine,
				  shape->transa,
				  shape->transb,
				  (uint64_t)shape->m,
				  (uint64_t)shape->n,
				  (uint64_t)shape->k};
	uint64_t hash = string_hash((const char *)words, sizeof words);
	uint32_t number = idmap_find(&calls->shape_numbers, hash);
	struct probe_row *row;

	if (!call->shape_known)
		return &calls->rows[routine];
	if (number != IDMAP_NONE)
		return &calls->rows[number];
	if (calls->nrows == calls->nroutines + PROBE_SHAPES_MAX) {
		calls->rows[routine].row.shape.other_shapes = 1;
		return &calls->rows[routine];
	}
	idmap_put(&calls->shape_numbers, hash, (uint32_t)calls->nrows);
	row = memory_add(&calls->rows, &calls->nrows, sizeof *row);
	row->id = calls->rows[routine].id;
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
	int64_t inside_ns, own_ns;
	struct probe_row *counted;
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
	counted = find_row(calls, state);
	row = &counted->row;
	inside_ns = larger(inside_ns - own_ns, 0);
	row->min_ns = row->calls && row->min_ns < inside_ns ? row->min_ns : inside_ns;
	row->max_ns = larger(row->max_ns, inside_ns);
	row->total_ns += inside_ns;
	counted->histogram[run_bucket((double)inside_ns)]++;
	row->calls++;
	if (state->shape_known) {
		double m = (double)state->shape.m, n = (double)state->shape.n;
		double k = (double)state->shape.k, flops = routine_flops(counted->id, m, n, k);

		state->flops += flops;
		row->flops += flops;
		row->bytes += routine_bytes(counted->id, m, n, k);
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
