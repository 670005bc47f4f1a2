/* thread.c: gives a thread its record at its first call and closes it when the thread ends. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

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
#include "shim/objects.h"
#include "base/text.h"

#define CALL_TIMES_THREADS 4
#define ARENAS_AT_ONCE	   32

_Alignas(64) __thread struct shim_thread shim_self = {.owner = OWNER_NOBODY};

static pthread_key_t end_key;
static int end_key_made; /* stays set after a fork, as the key stays valid */
static int (*set_specific)(pthread_key_t, const void *);

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

	if (thread->owner != process_token())
		return;
	/* In the last round, a sanitizer may have ended the thread for itself. The record then
	 * stays open until the process ends. */
	if (++thread->rounds == PTHREAD_DESTRUCTOR_ITERATIONS)
		return;
	GUARD_SIGNALS;
	thread->busy = 1;
	what_if_abandon(thread);
	offcpu_end(thread);
	offcpu_close_page(thread);
	counters_close(thread);
	release_arena(thread->arena);
	thread->owner = OWNER_NOBODY;
	thread->busy = 0;
}

/* glibc before 2.34 has the functions in libpthread, which the program may load later. If several
 * threads make a key then, any will do. */
void thread_make_key(void)
{
	int (*create)(pthread_key_t *, void (*)(void *)) = objects_next("pthread_key_create");

	set_specific = objects_next("pthread_setspecific");
	end_key_made = create && set_specific && !create(&end_key, thread_end);
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

/* The process ends by exit(): takes the last readings of the threads that are still alive. */
static __attribute__((destructor)) void process_end(void)
{
	struct row_cursor at = {0};
	struct thread_record *row;
	KEEP_ERRNO;

	if (!shim_process->token || wall_stands())
		return;
	shim_process->header->exit_ticks = clock_ticks(shim_session.clock);
	blas_describe_end(shim_process->header);
	tasks_note_cpus();
	if (objects_bind_past())
		session_note_trouble(TROUBLE_BOUND_PAST);
	while ((row = row_list_next(CHUNK_THREADS, &at, sizeof *row)))
		if (!row->end_ticks)
			thread_note_end(row, row->tid);
}

/* The sequence of calls, for the replay model, is kept for the session's first threads only. */
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

/* Maps tables; they take memory only when they are touched. */
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

/* Returns a table that an ended thread left, or a new one without a chunk; NULL without memory. The
 * first tables are mapped one by one, since most programs have few threads. Lock held. */
static struct arena *get_arena(int *is_fresh)
{
	struct shim_process *process = shim_process;
	unsigned many = process->threads_made < ARENAS_AT_ONCE ? 1 : ARENAS_AT_ONCE;
	struct arena *arena = process->free_arenas;

	*is_fresh = !arena;
	if (arena) {
		process->free_arenas = arena->next_free;
		return arena;
	}
	if (!process->nfresh_arenas && !map_arenas(many) && !map_arenas(1))
		return NULL;
	process->nfresh_arenas--;
	return process->fresh_arenas++;
}

static void count_unrecorded(void)
{
	uint64_t *count = process_attached() ? &shim_process->header->unrecorded_calls
					     : &shim_process->missed;

	__atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

/* Returns 1 if this thread is to make the process's record. Sleeps while another thread makes it.
 * Then all sleepers are woken at once: woken by the lock, each would only run after the one before
 * it has used its time slice. */
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

/* Gets the thread's record, and makes that of the process if this is its first call (*is_first).
 * Returns -1 if there is no room. */
static int get_record(struct shim_thread *thread, int *is_first)
{
	int makes_record = become_first(), is_fresh = 0;
	struct chunk_header *chunk = NULL;

	process_lock();
	*is_first = !shim_process->token;
	thread->arena = NULL;
	thread->record = NULL;
	thread->call_times = NULL;
	if (*is_first) {
		if (!session_attach())
			jit_write();
	}
	if (process_token() && (thread->arena = get_arena(&is_fresh)))
		thread->record = row_list_add(CHUNK_THREADS, sizeof *thread->record);
	if (thread->record) {
		thread->record->serial =
			__atomic_add_fetch(&shim_process->threads_made, 1, __ATOMIC_RELAXED);
		row_list_commit(CHUNK_THREADS);
		if (is_fresh)
			chunk = arena_chunk();
		thread->call_times = new_call_times(thread->record);
		spans_open(thread);
	}
	process_unlock();
	if (makes_record) {
		__atomic_store_n(&shim_process->attaching, 0, __ATOMIC_RELEASE);
		syscall(SYS_futex, &shim_process->attaching, FUTEX_WAKE_PRIVATE, INT_MAX, NULL,
			NULL, 0);
	}
	if (is_fresh && thread->arena) /* may fault in a page: not under the lock */
		arena_start(thread->arena, chunk);
	if (thread->record)
		return 0;
	if (thread->arena)
		release_arena(thread->arena);
	if (process_token())
		thread->owner = OWNER_REFUSED;
	return -1;
}

static void start_record(struct shim_thread *thread, int64_t begun_cpu_ns, int is_first)
{
	struct thread_record *record = thread->record;

	record->tid = syscall(SYS_gettid);
	task_note_cpus(record->tid);
	prctl(PR_GET_NAME, record->name);
	offcpu_plan_page(thread);
	if (is_first && shim_process->is_first)
		offcpu_open_page(thread); /* calibrate() measures calls with a page */
	if (!set_specific)
		thread_make_key();
	if (end_key_made)
		set_specific(end_key, thread);
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
	/* in a forked child these are still the parent's */
	thread->inside_mpi = 0;
	memset(thread->aside, 0, sizeof thread->aside);
	region_start(thread);
	gaps_start(thread);
	if (is_first && shim_process->is_first)
		calibrate(thread);
	spans_start_watch(thread);
	counters_add(thread, NULL);
	offcpu_start(thread);
	record->first_cpu_ns = record->read_cpu_ns;
	record->first_run_delay_ns = record->read_run_delay_ns;
	record->first_ticks = record->last_ticks = record->read_ticks;
	record->attach_ticks = ticks_of((double)(record->first_cpu_ns - begun_cpu_ns));
}

int thread_attach(int is_call)
{
	struct shim_thread *thread = &shim_self;
	int is_first, result = -1;
	int64_t begun_cpu_ns; /* not the wall time: waiting for the lock counts as any other wait */

	if (wall_stands() || (thread->owner == OWNER_REFUSED && process_token())) {
		if (is_call)
			count_unrecorded();
		return -1;
	}
	if (thread->busy || (session_state() != SESSION_OPEN && !session_try_again(is_call)))
		return -1;
	GUARD_SIGNALS;
	if (thread->owner == process_token()) /* the call of a signal handler attached it */
		return 0;
	thread->busy = 1;
	begun_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!get_record(thread, &is_first)) {
		if (is_first)
			tasks_note();
		start_record(thread, begun_cpu_ns, is_first);
		blas_describe(); /* libraries for which another thread had no stack left */
		result = 0;
	} else if (is_call) {
		count_unrecorded();
	}
	thread->busy = 0;
	return result;
}
