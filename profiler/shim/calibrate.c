/* calibrate.c: measures what an intercepted call costs, on a routine that does nothing. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"
#include "shim/routine_ids.h"
#include "shim/shapes.h"
#include "shim/spans.h"
#include "shim/wrap.h"

#include <sys/mman.h>

#define BATCH	64
#define BATCHES 16

static void __attribute__((noinline)) do_nothing(C_GEMM_PARAMS(s))
{
	(void)order, (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)al, (void)a, (void)lda;
	(void)b, (void)ldb, (void)be, (void)c, (void)ldc;
	__asm__ volatile("");
}

/* The wrapper under test: what cblas_sgemm is made of. */
WRAP(blasprof_calibration_gemm, ROUTINE_COUNT, void, (C_GEMM_PARAMS(s)), (C_GEMM_ARGS), C_GEMM_DIMS)

typedef void (*gemm_function)(C_GEMM_PARAMS(s));

/* The only place that the calls come from. */
static __attribute__((noinline)) void call_once(gemm_function function)
{
	function(102, 111, 111, 8, 8, 8, 1, NULL, 8, NULL, 8, 0, NULL, 8);
	__asm__ volatile("");
}

/* Ticks of a batch of calls, all in all. */
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

/* The least of several batches: everything that disturbs one makes it longer. */
static void measure(const struct thread_record *scratch, struct process_header *header)
{
	gemm_function volatile direct = do_nothing, wrapped = blasprof_calibration_gemm;
	uint64_t bare = UINT64_MAX, whole = UINT64_MAX, inside = UINT64_MAX;

	for (int i = 0; i < BATCHES; i++) {
		uint64_t before = scratch->sums.blas_ticks;

		bare = least(bare, time_batch(direct));
		whole = least(whole, time_batch(wrapped));
		inside = least(inside, scratch->sums.blas_ticks - before);
	}
	inside = inside > bare ? inside : bare;
	whole = whole > inside ? whole : inside;
	header->call_inside_ticks = (double)(inside - bare) / BATCH;
	header->call_outside_ticks = (double)(whole - inside) / BATCH;
}

/* The address that the wrapper is called from: by a call that does not count. */
static uint64_t find_caller(struct shim_thread *thread)
{
	unsigned state = thread->state;

	thread->state |= STATE_OUTSIDE;
	call_once(blasprof_calibration_gemm);
	thread->state = state;
	return (uintptr_t)thread->caller;
}

void calibrate(struct shim_thread *thread)
{
	struct shim_thread saved = *thread;
	struct thread_record scratch = {0};
	struct shape_record row = {0};

	thread->arena = mmap(NULL, sizeof *thread->arena, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (thread->arena != MAP_FAILED) {
		arena_start(thread->arena, NULL);
		thread->state =
			shim_session.clock != CLOCK_TICKS || thread->ncounts || thread->spans
				? STATE_SPECIAL
				: 0;
		thread->row = thread->expected = &thread->arena->nowhere;
		thread->refresh_at = UINT64_MAX;
		thread->long_after = UINT32_MAX;
		thread->record = &scratch;
		thread->sums = &scratch.sums;
		thread->region_bits = 0;
		__atomic_store_n(&resolve_cache[ROUTINE_COUNT], (void *)do_nothing,
				 __ATOMIC_RELEASE);
		shape_insert(thread->arena, &row,
			     &(struct shape_key){shape_head(ROUTINE_COUNT, 111, 111, 0), 8, 8, 8,
						 find_caller(thread)});
		measure(&scratch, shim_process->header);
		spans_empty(thread);
		munmap(thread->arena, sizeof *thread->arena);
	}
	*thread = saved;
}
