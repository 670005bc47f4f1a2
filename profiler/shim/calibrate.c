/* calibrate.c: measures what an intercepted call costs, on a routine that does nothing. */
/* SPDX-License-Identifier: MIT */
#define BLAS_VALUE int64_t
#include "shim/call.h"
#include "blas/shapes.h"
#include "shim/signal_guard.h"

#include <sys/mman.h>

#define BATCH	 64
#define BATCHES	 8
#define AGAIN_NS 100000000 /* a measurement takes some 50 us */

static void __attribute__((noinline)) do_nothing(C_PARAMS(GEMM, s))
{
	__asm__ volatile("");
}

static uint64_t caller; /* of the wrapper; 0: not known yet */
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

/* Takes the minimum of several batches, since any disturbance makes a batch longer. But what a call
 * costs depends on the other threads of the core, too, and may be nearly twice as much; so the
 * header has the mean of all measurements so far, each with the weight of some number of calls. */
static void measure(const struct thread_record *scratch, struct process_header *header,
		    double weight)
{
	gemm_function volatile direct = do_nothing,
			       wrapped = (gemm_function)(void *)calibration_stub;
	uint64_t bare = UINT64_MAX, whole = UINT64_MAX, inside = UINT64_MAX;

	for (int i = 0; i < BATCHES; i++) {
		uint64_t before = scratch->sums.in[IN_BLAS].ticks;

		bare = least(bare, time_batch(direct));
		whole = least(whole, time_batch(wrapped));
		inside = least(inside, scratch->sums.in[IN_BLAS].ticks - before);
		if (shim_self.owner != process_token()) /* recording has ended meanwhile */
			return;
	}
	inside = inside > bare ? inside : bare;
	whole = whole > inside ? whole : inside;
	process_lock();
	shim_process->calls_measured += weight;
	weight /= shim_process->calls_measured;
	header->call_inside_ticks +=
		((double)(inside - bare) / BATCH - header->call_inside_ticks) * weight;
	header->call_outside_ticks +=
		((double)(whole - inside) / BATCH - header->call_outside_ticks) * weight;
	process_unlock();
}

/* Returns how many calls the thread has made since this was asked last, at least 1. */
static double new_calls(struct shim_thread *thread)
{
	const struct region_record *region = thread->own_regions;
	uint64_t calls = thread->record->sums.calls, before = thread->calls_measured;

	for (; region; region = (const struct region_record *)(uintptr_t)region->next)
		calls += region->sums.calls;
	thread->calls_measured = calls;
	return calls > before ? (double)(calls - before) : 1;
}

/* What a calibration uses instead of the thread's own data. Mapped, since some threads have too
 * little stack left. */
struct workbench {
	struct arena arena;
	struct thread_record record;
	struct shape_record row;
	struct shim_thread saved;
	struct call_times call_times;
};

void calibrate(struct shim_thread *thread)
{
	struct workbench *bench = mmap(NULL, sizeof *bench, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double weight = new_calls(thread);
	uint64_t place;

	if (bench == MAP_FAILED)
		return;
	bench->saved = *thread;
	bench->record.last_ticks = clock_ticks(shim_session.clock);
	arena_start(&bench->arena, NULL);
	thread->arena = &bench->arena;
	thread->row = thread->expected = &bench->arena.nowhere;
	thread->record = &bench->record;
	thread->sums = &bench->record.sums;
	if (thread->call_times) /* recording them is part of the cost */
		thread->call_times = &bench->call_times;
	if (!(thread->state & STATE_SPECIAL))
		thread->spans = NULL;
	thread->enter_frame = NULL;
	thread->inside_mpi = 0;
	thread->nasides = 0;
	thread->last_lock = *thread->lock;
	thread->refresh_at = thread->page_at = thread->watch_at = thread->gap_after = UINT64_MAX;
	thread->long_after = INT32_MAX;
	thread->region_bits = 0;
	thread->state &= STATE_PYTHON | STATE_SPECIAL;
	if (!caller) {
		thread->state |= STATE_OUTSIDE; /* this call does not count */
		calibration_entry.function = (void *)tell_caller;
		call_once((gemm_function)(void *)calibration_stub);
		calibration_entry.function = (void *)do_nothing;
		thread->state &= ~(unsigned)STATE_OUTSIDE;
	}
	place = thread->state & STATE_PYTHON ? call_site(caller) : caller;
	shape_insert(&bench->arena, &bench->row,
		     &(struct shape_key){shape_head(ROUTINE_COUNT, 111, 111, 0), 8, 8, 8, place});
	measure(&bench->record, shim_process->header, weight);
	spans_empty(thread);
	*thread = bench->saved;
	munmap(bench, sizeof *bench);
	/* from now on, other threads may measure */
	__atomic_store_n(&shim_process->calibrate_at, clock_ticks(shim_session.clock),
			 __ATOMIC_RELEASE);
}

uint64_t calibrate_again(struct shim_thread *thread, uint64_t now)
{
	uint64_t at = __atomic_load_n(&shim_process->calibrate_at, __ATOMIC_ACQUIRE), after;

	if (!at || now < at || !shim_process->is_first || wall_is_silent() ||
	    thread->state & ~(unsigned)STATE_PYTHON ||
	    !__atomic_compare_exchange_n(&shim_process->calibrate_at, &at, 0, 0, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return now;
	{
		GUARD_SIGNALS;
		calibrate(thread);
	}
	__atomic_store_n(&shim_process->calibrate_at, now + ticks_of(AGAIN_NS), __ATOMIC_RELEASE);
	/* after a switch, offcpu_book() tells how much of it was off the CPU */
	if (!thread->page || *thread->lock != thread->last_lock)
		return now;
	after = clock_ticks(shim_session.clock);
	thread->record->own_ticks += after - now;
	return after;
}
