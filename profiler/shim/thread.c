/* thread.c: gives a thread its record at its first call and closes it when the thread ends. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/signal_guard.h"
#include "wire/clock.h"
#include "blas/routines.h"
#include "shim/counters.h"
#include "shim/objects.h"
#include "shim/spans.h"
#include "base/text.h"

#define CHUNK_THREADS_ROWS 51 /* fills four pages */
#define CALL_TIMES_THREADS 4
#define ARENAS_AT_ONCE	   32

_Alignas(64) __thread struct shim_thread shim_self = {.owner = OWNER_NOBODY};

static pthread_key_t end_key;
static int end_key_made; /* outlives a fork, as the key does */

static void release_arena(struct arena *arena)
{
	process_lock();
	arena->next_free = shim_process->free_arenas;
	shim_process->free_arenas = arena;
	process_unlock();
}

static void thread_end(void *data)
{
	struct shim_thread *thread = data;
	struct signal_guard guard;
	int saved = errno;

	if (thread->owner != process_token())
		return;
	signal_guard_begin(&guard);
	thread->busy = 1;
	what_if_abandon(thread);
	offcpu_end(thread);
	offcpu_close_page(thread);
	counters_close(thread);
	release_arena(thread->arena);
	thread->owner = OWNER_NOBODY;
	thread->busy = 0;
	signal_guard_end(&guard);
	errno = saved;
}

void thread_note_end(struct thread_record *record, int64_t tid)
{
	char path[64], *end = path + sizeof path;

	text_add(text_add_number(text_add(path, end, "/proc/self/task/"), end, tid), end,
		 "/schedstat");
	if (offcpu_read_schedstat(AT_FDCWD, path, &record->end_cpu_ns, &record->end_run_delay_ns) &&
	    offcpu_read_cpu(tid, &record->end_cpu_ns))
		return;
	record->end_ticks = clock_ticks(shim_session.clock);
}

/* Names of C++ are many, and none of BLAS's. */
static int is_wrapped(const char *name)
{
	return *name != '_' && routine_exists(routine_find(name));
}

/* The process ends in good order: threads that still live get their last readings here. */
static __attribute__((destructor)) void process_end(void)
{
	struct chunk_header *chunk = shim_process->token ? shim_process->first_threads : NULL;
	int saved = errno;

	if (wall_stands())
		return;
	if (shim_process->token) {
		shim_process->header->exit_ticks = clock_ticks(shim_session.clock);
		blas_describe_end(shim_process->header);
		tasks_note_cpus();
		if (objects_bind_past(is_wrapped))
			session_note_trouble(TROUBLE_BOUND_PAST);
	}
	for (; chunk; chunk = (struct chunk_header *)(uintptr_t)chunk->next) {
		struct thread_record *rows = (void *)(chunk + 1);

		for (unsigned i = 0; i < chunk->used; i++)
			if (!rows[i].end_ticks)
				thread_note_end(&rows[i], rows[i].tid);
	}
	errno = saved;
}

/* The next row of the process's thread table. Lock held. */
static struct thread_record *new_record(void)
{
	struct shim_process *process = shim_process;
	struct chunk_header *chunk = process->threads;

	if (!chunk || chunk->used == chunk_rows(chunk, sizeof(struct thread_record))) {
		chunk = session_add_chunk(CHUNK_THREADS,
					  CHUNK_THREADS_ROWS * sizeof(struct thread_record));
		if (!chunk)
			return NULL;
		if (process->threads)
			process->threads->next = (uintptr_t)chunk;
		else
			process->first_threads = chunk;
		process->threads = chunk;
	}
	((struct thread_record *)(chunk + 1))[chunk->used].serial =
		__atomic_add_fetch(&process->threads_made, 1, __ATOMIC_RELAXED);
	return (struct thread_record *)(chunk + 1) + chunk->used++;
}

/* The sequence of calls is kept for the session's first threads only: it is for replaying one. */
static struct call_times *new_call_times(const struct thread_record *record)
{
	struct chunk_header *chunk;
	struct call_times *block;

	if (!shim_process->is_first || shim_process->threads_made > CALL_TIMES_THREADS ||
	    !session_has_plenty(sizeof *block))
		return NULL;
	chunk = session_add_chunk(CHUNK_CALL_TIMES, sizeof *block);
	if (!chunk)
		return NULL;
	block = (struct call_times *)(chunk + 1);
	block->serial = record->serial;
	chunk->used = 1;
	return block;
}

/* Maps tables: only what is touched takes memory. */
static struct arena *map_arenas(unsigned count)
{
	struct arena *arenas = mmap(NULL, count * sizeof *arenas, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (arenas == MAP_FAILED)
		return NULL;
	shim_process->fresh_arenas = arenas;
	shim_process->nfresh_arenas = count;
	return arenas;
}

/* A table that an ended thread left, or a fresh one, which has no chunk. The first ones are mapped
 * one by one: most programs have few threads. Lock held. */
static struct arena *get_arena(int *fresh)
{
	struct shim_process *process = shim_process;
	unsigned many = process->threads_made < ARENAS_AT_ONCE ? 1 : ARENAS_AT_ONCE;
	struct arena *arena = process->free_arenas;

	*fresh = !arena;
	if (arena) {
		process->free_arenas = arena->next_free;
		return arena;
	}
	if (!process->nfresh_arenas && !map_arenas(many) && !map_arenas(1))
		return NULL;
	process->nfresh_arenas--;
	return process->fresh_arenas++;
}

/* What belongs to the process as a whole, at its first call. Lock held. */
static int attach_process(void)
{
	if (shim_process->token)
		return 0;
	if (!end_key_made && !pthread_key_create(&end_key, thread_end))
		end_key_made = 1;
	return session_attach();
}

static void count_unrecorded(void)
{
	uint64_t *count = process_attached() ? &shim_process->header->unrecorded_calls
					     : &shim_process->missed;

	__atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

/* While another thread makes the process's record, this one sleeps; 1: it is the one to make it.
 * All who slept are woken at once: by the lock they would come one after another, each when the one
 * before has had its time. */
static int become_first(void)
{
	struct shim_process *process = shim_process;
	uint32_t nobody = 0;

	while (!process_token()) {
		if (__atomic_compare_exchange_n(&process->attaching, &nobody, 1, 0,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return 1;
		nobody = 0;
		syscall(SYS_futex, &process->attaching, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	}
	return 0;
}

static void let_others_attach(void)
{
	__atomic_store_n(&shim_process->attaching, 0, __ATOMIC_RELEASE);
	syscall(SYS_futex, &shim_process->attaching, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static int attach(struct shim_thread *thread, int *first)
{
	int makes_record = become_first(), fresh = 0;
	struct chunk_header *chunk = NULL;

	process_lock();
	*first = !shim_process->token;
	thread->arena = NULL;
	thread->record = NULL;
	if (!attach_process() && *first)
		jit_write();
	if (process_token() && (thread->arena = get_arena(&fresh)))
		thread->record = new_record();
	if (thread->record && fresh)
		chunk = arena_chunk();
	thread->call_times = thread->record ? new_call_times(thread->record) : NULL;
	if (thread->record)
		spans_open(thread);
	process_unlock();
	if (makes_record)
		let_others_attach();
	if (fresh && thread->arena)
		arena_start(thread->arena,
			    chunk); /* a page that the kernel has to find: not under the lock */
	if (thread->record)
		return 0;
	if (thread->arena)
		release_arena(thread->arena);
	if (process_token())
		thread->owner = OWNER_REFUSED;
	return -1;
}

static void start_record(struct shim_thread *thread, int64_t begun_cpu_ns, int first)
{
	struct thread_record *record = thread->record;

	record->tid = syscall(SYS_gettid);
	task_note_cpus(record->tid);
	prctl(PR_GET_NAME, record->name);
	offcpu_plan_page(thread);
	if (first && shim_process->is_first)
		offcpu_open_page(thread); /* it is what calibrate() measures */
	if (end_key_made)
		pthread_setspecific(end_key, thread);
	thread->owner = process_token();
	counters_open(thread);
	thread->state = 0;
	if (shim_session.clock != CLOCK_TICKS || thread->ncounts || thread->spans)
		thread->state |= STATE_SPECIAL;
	if (what_if_asked())
		thread->state |= STATE_WHAT_IF;
	if (call_sites_start())
		thread->state |= STATE_PYTHON;
	thread->watch_at = UINT64_MAX;
	thread->row = thread->expected = &thread->arena->nowhere;
	thread->enter_frame = NULL;
	thread->inside_mpi = 0; /* the parent's, in a forked child, and so are calls set aside */
	memset(thread->aside, 0, sizeof thread->aside);
	region_start(thread);
	gaps_start(thread);
	if (first && shim_process->is_first)
		calibrate(thread);
	spans_start_watch(thread);
	counters_start(thread);
	offcpu_start(thread);
	record->first_cpu_ns = record->read_cpu_ns;
	record->first_run_delay_ns = record->read_run_delay_ns;
	record->first_ticks = record->last_ticks = record->read_ticks;
	record->attach_ticks = (uint64_t)((double)(record->first_cpu_ns - begun_cpu_ns) /
					  shim_session.ns_per_tick);
}

static int attach_thread(int is_call)
{
	struct shim_thread *thread = &shim_self;
	int saved = errno, first, result = -1;
	struct signal_guard guard;
	int64_t begun_cpu_ns; /* others may hold the lock for long: that is waiting as any other */

	if (wall_stands()) {
		if (is_call)
			count_unrecorded();
		return -1;
	}
	if (thread->busy || (session_state() != SESSION_OPEN && !session_try_again(is_call)))
		return -1;
	if (thread->owner == OWNER_REFUSED && process_token()) {
		if (is_call)
			count_unrecorded();
		return -1;
	}
	signal_guard_begin(&guard);
	if (thread->owner == process_token()) { /* a signal handler's call came before */
		signal_guard_end(&guard);
		errno = saved;
		return 0;
	}
	thread->busy = 1;
	begun_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!attach(thread, &first)) {
		if (first)
			tasks_note();
		start_record(thread, begun_cpu_ns, first);
		blas_describe(); /* what another thread had no room for */
		result = 0;
	} else if (is_call) {
		count_unrecorded();
	}
	thread->busy = 0;
	signal_guard_end(&guard);
	errno = saved;
	return result;
}

int thread_attach(void)
{
	return attach_thread(1);
}

void thread_attach_ahead(void)
{
	attach_thread(0);
}
