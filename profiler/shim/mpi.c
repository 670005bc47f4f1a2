/* mpi.c: books the time that threads spend in MPI. */
/* SPDX-License-Identifier: MIT
 *
 * Handles are ints in some MPI libraries and pointers in others. But every argument is an integer
 * or a pointer, one machine word each, so a wrapper can pass the words on without knowing their
 * types. No MPI library is linked.
 */
#include "shim/signal_guard.h"
#include "shim/call.h"
#include "blas/shapes.h"

/* Returns the process's table of MPI calls, or NULL if there is no room. */
static struct mpi_record *get_table(void)
{
	struct chunk_header *chunk = __atomic_load_n(&shim_process->mpi, __ATOMIC_ACQUIRE);

	if (likely(chunk != NULL))
		return (struct mpi_record *)(chunk + 1);
	LOCK_PROCESS;
	chunk = shim_process->mpi;
	if (!chunk)
		chunk = session_add_chunk(CHUNK_MPI, MPI_IDS * sizeof(struct mpi_record));
	if (chunk)
		chunk->used = MPI_IDS;
	__atomic_store_n(&shim_process->mpi, chunk, __ATOMIC_RELEASE);
	return chunk ? (struct mpi_record *)(chunk + 1) : NULL;
}

/* Ignores threads that have not called BLAS yet: if the region of interest begins before that,
 * samples tell how long they are in MPI. An MPI call inside a BLAS call or another MPI call is part
 * of that one. */
static void mpi_enter(enum mpi_id id, const void *frame)
{
	struct shim_thread *thread = &shim_self;

	if (thread->owner != process_token() || thread->busy || thread->state & STATE_OUTSIDE ||
	    call_is_nested(thread, frame))
		return;
	thread->inside_mpi = 1 + (int)id;
	thread->enter_frame = frame;
	GUARD_FLOATS;
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
	GUARD_FLOATS;
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
}

#define WORDS_1(E) E(1)
#define WORDS_2(E) WORDS_1(E), E(2)
#define WORDS_3(E) WORDS_2(E), E(3)
#define WORDS_4(E) WORDS_3(E), E(4)
#define WORDS_5(E) WORDS_4(E), E(5)

static void mpi_end(const void *const *frame)
{
	mpi_leave(*frame);
}

#define DEFINE(symbol, mpi_id, first_key, params, args)                                            \
	int symbol params __attribute__((visibility("default")));                                  \
	int symbol params                                                                          \
	{                                                                                          \
		static void *target;                                                               \
		int(*real) params = __atomic_load_n(&target, __ATOMIC_ACQUIRE);                    \
		const void *frame __attribute__((cleanup(mpi_end))) = __builtin_frame_address(0);  \
                                                                                                   \
		WHEN_UNWOUND;                                                                      \
		if (unlikely(!real))                                                               \
			real = resolve_other(first_key + mpi_id, __builtin_return_address(0),      \
					     &target);                                             \
		mpi_enter(mpi_id, frame);                                                          \
		return real args;                                                                  \
	}

/* Fortran also passes the address of the error code. */
#define MPI_CALL(name, fortran, words)                                                             \
	DEFINE(MPI_##name, MPI_ID_##name, KEY_MPI, (WORDS_##words(WORD_PARAM)),                    \
	       (WORDS_##words(WORD)))                                                              \
	DEFINE(mpi_##fortran##_, MPI_ID_##name, KEY_MPI + MPI_IDS,                                 \
	       (WORDS_##words(WORD_PARAM), size_t error), (WORDS_##words(WORD), error))
#include "blas/mpi.def"
