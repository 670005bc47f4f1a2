/* calibrate.c: measures what an intercepted call costs, on a routine that does nothing. */
/* SPDX-License-Identifier: MIT */
#define BLAS_VALUE int64_t
#include "shim/call.h"
#include "blas/routines.h"
#include "blas/shapes.h"

#include <sys/mman.h>

#define BATCH	64
#define BATCHES 16

static void __attribute__((noinline)) do_nothing(C_PARAMS(GEMM, s))
{
	__asm__ volatile("");
}

static uint64_t caller; /* of the wrapper */
static void __attribute__((noinline)) tell_caller(C_PARAMS(GEMM, s))
{
	const void *const *frame = __builtin_frame_address(0);

	for (int i = 0; i < WRAPPER_FRAMES; i++)
		frame = *frame;
	caller = (uint64_t)(uintptr_t)frame[1];
}

extern char calibration_stub[] __attribute__((visibility("hidden"))); /* of entries.c */

/* The wrapper under test, the same as that of cblas_sgemm. */
WRAP(calibration_wrapper, void, (C_PARAMS(GEMM, s)), (C_ARGS(GEMM)), (C_DIMS(GEMM)))

typedef void (*gemm_function)(C_PARAMS(GEMM, s));

/* The only call site. */
static __attribute__((noinline)) void call_once(gemm_function function)
{
	function(102, 111, 111, 8, 8, 8, 1, NULL, 8, NULL, 8, 0, NULL, 8);
	__asm__ volatile("");
}

/* Returns the ticks that a batch of calls takes. */
static uint64_t time_batch(gemm_function function)
{
	uint64_t begun = clock_ticks(shim_session.clock);

	for (int i = 0; i < BATCH; i++)
		call_once(function);
	return clock_ticks(shim_session.clock) - begun;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Takes the minimum of several batches, since any disturbance makes a batch longer. */
static void measure(const struct thread_record *scratch, struct process_header *header)
{
	gemm_function volatile direct = do_nothing,
			       wrapped = (gemm_function)(void *)calibration_stub;
	uint64_t bare = UINT64_MAX, whole = UINT64_MAX, inside = UINT64_MAX;

	for (int i = 0; i < BATCHES; i++) {
		uint64_t before = scratch->sums.in[IN_BLAS].ticks;

		bare = least(bare, time_batch(direct));
		whole = least(whole, time_batch(wrapped));
		inside = least(inside, scratch->sums.in[IN_BLAS].ticks - before);
	}
	inside = inside > bare ? inside : bare;
	whole = whole > inside ? whole : inside;
	header->call_inside_ticks = (double)(inside - bare) / BATCH;
	header->call_outside_ticks = (double)(whole - inside) / BATCH;
}

/* What a calibration uses instead of the thread's own data. Mapped, since some threads have too
 * little stack left. */
struct workbench {
	struct arena arena;
	struct thread_record record;
	struct shape_record row;
	struct shim_thread saved;
};

/* The sequence of calls is recorded while the calls are measured, since that is part of their cost,
 * and restored afterwards. */
void calibrate(struct shim_thread *thread)
{
	struct workbench *bench = mmap(NULL, sizeof *bench, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t written = thread->call_times ? thread->call_times->written : 0;

	if (bench == MAP_FAILED)
		return;
	bench->saved = *thread;
	arena_start(&bench->arena, NULL);
	thread->arena = &bench->arena;
	thread->state &= STATE_PYTHON;
	if (shim_session.clock != CLOCK_TICKS || thread->ncounts || thread->spans)
		thread->state |= STATE_SPECIAL;
	thread->row = thread->expected = &bench->arena.nowhere;
	thread->refresh_at = UINT64_MAX;
	thread->long_after = INT32_MAX;
	thread->record = &bench->record;
	thread->sums = &bench->record.sums;
	thread->region_bits = 0;
	thread->state |= STATE_OUTSIDE; /* the first call does not count */
	calibration_entry.function = (void *)tell_caller;
	call_once((gemm_function)(void *)calibration_stub);
	calibration_entry.function = (void *)do_nothing;
	thread->state &= ~(unsigned)STATE_OUTSIDE;
	if (thread->state & STATE_PYTHON)
		caller = call_site(caller);
	shape_insert(&bench->arena, &bench->row,
		     &(struct shape_key){shape_head(ROUTINE_COUNT, 111, 111, 0), 8, 8, 8, caller});
	measure(&bench->record, shim_process->header);
	spans_empty(thread);
	*thread = bench->saved;
	if (thread->call_times)
		thread->call_times->written = written;
	munmap(bench, sizeof *bench);
}
