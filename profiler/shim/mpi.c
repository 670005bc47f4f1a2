/* mpi.c: books the time that threads spend in MPI. */
/* SPDX-License-Identifier: MIT
 *
 * Handles are ints in some MPI libraries and pointers in others. But every argument is an integer
 * or a pointer, one machine word each, so a wrapper can pass the words on without knowing their
 * types. No MPI library is linked.
 */
#include "shim/signal_guard.h"
#include "shim/call.h"
#include "blas/mpi_ids.h"
#include "shim/spans.h"

static const char *const c_names[] = {
#define MPI_CALL(name, fortran, words) "MPI_" #name,
#include "blas/mpi.def"
};
static const char *const fortran_names[] = {
#define MPI_CALL(name, fortran, words) "mpi_" #fortran "_",
#include "blas/mpi.def"
};
static void *c_targets[MPI_IDS], *fortran_targets[MPI_IDS];

/* A process has one MPI library, so one answer serves all callers. */
static __attribute__((noinline)) void *find_target(const char *name, void **target,
						   const void *caller)
{
	struct signal_guard guard;
	void *function;
	int is_scoped;

	signal_guard_begin(&guard);
	function = resolve_next(name, caller, &is_scoped);
	__atomic_store_n(target, function, __ATOMIC_RELEASE);
	signal_guard_end(&guard);
	return function;
}

void mpi_forget(int (*is_gone)(const void *function))
{
	for (int id = 0; id < MPI_IDS; id++)
		for (int fortran = 0; fortran < 2; fortran++) {
			void **target = fortran ? &fortran_targets[id] : &c_targets[id];

			if (is_gone(__atomic_load_n(target, __ATOMIC_ACQUIRE)))
				__atomic_store_n(target, NULL, __ATOMIC_RELEASE);
		}
}

/* Returns the process's table of MPI calls, or NULL if there is no room. */
static struct mpi_record *get_table(void)
{
	struct chunk_header *chunk = __atomic_load_n(&shim_process->mpi, __ATOMIC_ACQUIRE);
	struct signal_guard guard;

	if (likely(chunk != NULL))
		return (struct mpi_record *)(chunk + 1);
	process_lock_guarded(&guard);
	chunk = shim_process->mpi;
	if (!chunk)
		chunk = session_add_chunk(CHUNK_MPI, MPI_IDS * sizeof(struct mpi_record));
	if (chunk)
		chunk->used = MPI_IDS;
	__atomic_store_n(&shim_process->mpi, chunk, __ATOMIC_RELEASE);
	process_unlock_guarded(&guard);
	return chunk ? (struct mpi_record *)(chunk + 1) : NULL;
}

/* Ignores threads that have not called BLAS yet, since the region of interest begins with the first
 * call. An MPI call inside a BLAS call or another MPI call is part of that one. */
static void mpi_enter(enum mpi_id id, const void *frame)
{
	struct shim_thread *thread = &shim_self;

	if (thread->owner != process_token() || thread->busy || thread->state & STATE_OUTSIDE ||
	    call_is_nested(thread, frame))
		return;
	thread->inside_mpi = 1 + (int)id;
	go_inside(thread, thread->state, frame);
	thread->enter_ticks = call_end_gap(thread);
}

void mpi_leave(const void *frame)
{
	struct shim_thread *thread = &shim_self;
	uint64_t now, ticks, service;
	struct mpi_record *table;
	struct call_sums *sums;
	enum mpi_id id;

	if (thread->enter_frame != frame || thread->owner != process_token() || !thread->inside_mpi)
		return;
	id = (enum mpi_id)(thread->inside_mpi - 1);
	sums = thread->sums;
	now = clock_ticks(shim_session.clock);
	service = ticks = now - thread->enter_ticks;
	spans_add(thread, &(struct span_record){.start = thread->enter_ticks,
						.end = now,
						.kind = SPAN_MPI,
						.number = id});
	now = offcpu_book(thread, now, &service, &sums->in[IN_MPI].waiting_ns,
			  &sums->in[IN_MPI].preempted_ns);
	sums->in[IN_MPI].ticks += ticks;
	table = get_table();
	if (table) {
		__atomic_add_fetch(&table[id].calls, 1, __ATOMIC_RELAXED);
		__atomic_add_fetch(&table[id].ticks, ticks, __ATOMIC_RELAXED);
		if (ticks > __atomic_load_n(&table[id].max_ticks, __ATOMIC_RELAXED))
			__atomic_store_n(&table[id].max_ticks, ticks, __ATOMIC_RELAXED);
	}
	thread->record->last_ticks = now;
	thread->inside_mpi = 0;
	thread->enter_frame = NULL;
	thread->state &= ~(uint32_t)STATE_INSIDE;
}

#define WORDS_1	 long a
#define WORDS_2	 WORDS_1, long b
#define WORDS_3	 WORDS_2, long c
#define WORDS_4	 WORDS_3, long d
#define WORDS_5	 WORDS_4, long e
#define WORDS_6	 WORDS_5, long f
#define WORDS_7	 WORDS_6, long g
#define WORDS_8	 WORDS_7, long h
#define WORDS_9	 WORDS_8, long i
#define WORDS_10 WORDS_9, long j
#define WORDS_11 WORDS_10, long k
#define WORDS_12 WORDS_11, long l
#define WORDS_13 WORDS_12, long m
#define PASS_1	 a
#define PASS_2	 PASS_1, b
#define PASS_3	 PASS_2, c
#define PASS_4	 PASS_3, d
#define PASS_5	 PASS_4, e
#define PASS_6	 PASS_5, f
#define PASS_7	 PASS_6, g
#define PASS_8	 PASS_7, h
#define PASS_9	 PASS_8, i
#define PASS_10	 PASS_9, j
#define PASS_11	 PASS_10, k
#define PASS_12	 PASS_11, l
#define PASS_13	 PASS_12, m
/* Fortran also passes the address of the error code. */
#define MORE_1	 2
#define MORE_2	 3
#define MORE_3	 4
#define MORE_4	 5
#define MORE_5	 6
#define MORE_6	 7
#define MORE_7	 8
#define MORE_8	 9
#define MORE_9	 10
#define MORE_10	 11
#define MORE_11	 12
#define MORE_12	 13

static void mpi_end(const void *const *frame)
{
	mpi_leave(*frame);
}

#define DEFINE(symbol, mpi_id, names, targets, words)                                              \
	int symbol(WORDS_##words) __attribute__((visibility("default")));                          \
	int symbol(WORDS_##words)                                                                  \
	{                                                                                          \
		int (*real)(WORDS_##words) = __atomic_load_n(&targets[mpi_id], __ATOMIC_ACQUIRE);  \
		const void *frame __attribute__((cleanup(mpi_end))) = __builtin_frame_address(0);  \
                                                                                                   \
		WHEN_UNWOUND;                                                                      \
		if (unlikely(!real))                                                               \
			real = find_target(names[mpi_id], &targets[mpi_id],                        \
					   __builtin_return_address(0));                           \
		if (unlikely(!real))                                                               \
			resolve_fail(names[mpi_id]);                                               \
		mpi_enter(mpi_id, frame);                                                          \
		return real(PASS_##words);                                                         \
	}
#define DEFINE_WITH(symbol, mpi_id, names, targets, words)                                         \
	DEFINE(symbol, mpi_id, names, targets, words)

#define MPI_CALL(name, fortran, words) DEFINE(MPI_##name, MPI_ID_##name, c_names, c_targets, words)
#include "blas/mpi.def"
#define MPI_CALL(name, fortran, words)                                                             \
	DEFINE_WITH(mpi_##fortran##_, MPI_ID_##name, fortran_names, fortran_targets, MORE_##words)
#include "blas/mpi.def"
