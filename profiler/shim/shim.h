/* shim.h: what the parts of the preload library share: the thread's and the process's state. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SHIM_H
#define SHIM_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "blas/mpi_ids.h"
#include "blas/routines.h"
#include "shim/glibc.h"
#include "wire/layout.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static inline void errno_restore(const int *saved)
{
	errno = *saved;
}
/* Restores errno at the end of the block. */
#define KEEP_ERRNO    int saved_errno __attribute__((unused, cleanup(errno_restore))) = errno

#define SHAPES_MAX    2048 /* rows by shape and caller of a thread's table */
#define OTHERS_MAX    1024 /* "other shapes" rows by caller; each routine may have one more */
#define TABLE_SLOTS   8192 /* hash slots: room for all of these */
#define OWNER_NOBODY  1	   /* a thread that has not attached; never the value of a token */
#define OWNER_REFUSED 2	   /* a thread that could not attach: its calls pass through uncounted */
#define OWNER_WALLED  3	   /* the token of a process that may not make system calls any more */
#define FIRST_TOKEN   16
#define LOCK_SPINS    100 /* attempts before yielding; takes some microseconds */
#define LOCK_YIELDS   100 /* attempts with sched_yield() before sleeping */

/* What-if: a thread's place in the queue for a simulated matrix unit. */
struct unit_ticket {
	struct unit_ticket *next; /* list of all tickets ever used, in no order */
	int is_listed;
	uint64_t number; /* 0: none. The same word marks the ticket and the unit as taken */
};

/* A hash table of shapes and the shared rows it points to. One thread owns it at a time. When that
 * thread ends, another one reuses the table, so that short-lived threads do not cost memory. A
 * thread with a single shape touches two pages: the first one, and the one of its slot. */
struct arena {
	_Alignas(LAYOUT_PAGE) struct arena *next_free;
	struct chunk_header *chunk; /* where the next row comes from */
	unsigned shapes;
	struct unit_ticket ticket;   /* here because this memory outlives the thread */
	struct shape_record nowhere; /* counts calls for which there is no room */
	_Alignas(LAYOUT_PAGE) struct shape_record *slots[TABLE_SLOTS];
};

/* A call that was left by a jump or a change of the stack, and may still return. */
struct call_aside {
	const void *frame; /* of its wrapper; NULL: unused */
	struct shape_record *row;
};
#define ASIDES_MAX   8
#define REGION_DEPTH 16 /* regions that may be open at once, without the ROI */

/* A region that a thread has entered. */
struct open_region {
	uint64_t hash;		      /* of its name */
	struct region_record *record; /* NULL: there was no room */
	uint64_t since;		      /* ticks */
	unsigned again;		      /* open ones of the same name that were too deep */
};

/* Bits of shim_thread.state. A call may take the fast path only if all are 0. */
enum thread_state {
	STATE_OUTSIDE = 1, /* outside the ROI's region, where calls do not count */
	STATE_SPECIAL = 2, /* the clock is clock_gettime, events are counted, or a timeline or the
			      calls are recorded */
	STATE_WHAT_IF = 4, /* the session changes the program's times */
	STATE_OTHER = 8,   /* the call in progress belongs to an "other shapes" row */
	STATE_PYTHON = 16, /* the process has CPython, whose frames may tell the call site */
};

/* One thread's private state. The fields that every call reads come first. */
struct shim_thread {
	uint64_t owner; /* the token of the process in which it attached */
	uint32_t state; /* enum thread_state */
	uint32_t last_lock;
	const volatile uint32_t *lock; /* switch counter in the mapped perf page, or a zero */
	struct shape_record *row;      /* of the current or the last call */
	uint64_t region_bits;	       /* the number of the thread's region, as in shape_key.head */
	uint64_t refresh_at;	       /* when the CPU clock must be read again */
	struct thread_record *record;
	struct call_sums *sums; /* of the region that the thread is in */
	uint64_t enter_ticks;
	uint64_t gap_ticks;	       /* time since the last call, without waiting for a CPU */
	struct call_times *call_times; /* NULL if not recorded */
	const void *enter_frame; /* the wrapper's frame of the outermost call in progress; NULL:
				    the thread is in no call */
	struct shape_record *expected; /* the row that the next call probably has */
	struct arena *arena;
	uint32_t long_after; /* longer segments take the slow path; at most INT32_MAX */
	int inside_mpi; /* 1 + enum mpi_id of the call in progress; 0 if it is not an MPI call */
	unsigned nasides;
	struct call_aside aside[ASIDES_MAX];
	uint64_t page_at;	/* when to open the perf page; UINT64_MAX once that was tried */
	uint64_t refresh_after; /* how long the last reading of the CPU clock is valid */
	double other_flops, other_bytes; /* STATE_OTHER: work of the call in progress */
	void *page;			 /* the mapped perf page, or NULL */
	long voluntary, involuntary;	 /* switch counts at the last reading */
	int run_delay_old;		 /* 1 if it waited since its run-queue delay was read */
	uint64_t run_delay_at; /* when to read it again; 0: the wait before the thread first ran is
				  not known */
	int busy;	     /* in a slow path: calls of a signal handler pass through uncounted */
	int is_silent;	     /* the program lets it make no system calls */
	int rounds;	     /* of destructors of thread-specific data in which it was closed */
	uint64_t unit_since; /* what-if: when the call got its unit */
	int64_t unit_cpu_ns; /* what-if: the thread's CPU time then */
	uint32_t ncounts;    /* exact events that are open */
	uintptr_t stack_shown; /* the stack above this address can be copied */
	void *count_pages[EXACT_EVENTS];
	uint64_t counts_last[EXACT_EVENTS];
	unsigned region_depth;
	unsigned roi_depth; /* of the outermost ROI that is open; 0: none */
	int roi_entered;    /* 1 if first_ticks is when it first entered the ROI's region */
	struct open_region open[REGION_DEPTH + 1]; /* the last one has room for the ROI only */
	struct region_record *own_regions;	   /* list of all its records */
	uint64_t region_tree;			   /* address of the first node; 0: none */
	struct gap_record *gaps[GAPS_MAX];	   /* its longest gaps, unsorted */
	unsigned ngaps;
	uint64_t gap_after;    /* longer gaps are kept */
	union span_row *spans; /* its timeline or recorded calls, or NULL */
	uint64_t watch_at;     /* when it starts or stops recording its calls; UINT64_MAX: never */
	uint64_t watched_before;   /* number of spans written before that start */
	struct shape_key span_key; /* of the call in progress, if any */
	uint64_t calls_measured;   /* its calls when it last measured their cost */
	uint32_t mark_lock;	   /* the switch counter at the last mark */
	const void *mark_page;	   /* the page with that counter */
};
_Static_assert(offsetof(struct shim_thread, inside_mpi) <= 128,
	       "the fields that every call reads are in two cache lines");

/* Chunks of one kind. Rows are only added, by one thread at a time. */
struct row_list {
	struct chunk_header *first, *last;
};

/* The process's state, in a page that the kernel wipes in a forked child. */
struct shim_process {
	uint64_t token; /* 0: this process has not attached */
	enum session_state {
		SESSION_OPEN,
		SESSION_FAILED,
		SESSION_NONE
	} state;	    /* changed under the lock */
	uint64_t missed;    /* calls that passed through while the process had no record */
	uint32_t attaching; /* 1: a thread is making the record; the others sleep on this word */
	pthread_mutex_t lock;
	pthread_mutex_t lookups_lock; /* protects the functions that were found */
	struct process_header *header;
	uint64_t file_bytes;
	uint64_t more_at; /* where the part in SESSION_MORE begins, if there is one */
	int has_more;
	char *room; /* mapped end of the file, for the next chunks */
	size_t room_bytes;
	uint32_t kinds;	       /* 1 << enum chunk_kind for each kind that has a chunk */
	uint64_t calibrate_at; /* when to measure a call's cost again; 0: a thread does it now */
	double calls_measured; /* sum of the weights in the mean of the measurements */
	unsigned undescribed;  /* 1 << number of each provider that was not asked for its facts */
	int is_first;	       /* 1: the first process of the session that attached */
	int is_original;       /* 1: it executed the program; 0: a forked child */
	struct row_list lists[CHUNK_KINDS]; /* by kind; not of those that belong to a thread */
	uint64_t name_tree;		    /* address of the first node; 0: none */
	uint64_t nnames;
	int regions_full; /* 1: there was no room for a region, and a new try would be slow */
	struct arena *free_arenas;
	struct arena *fresh_arenas; /* mapped ahead, never used */
	unsigned nfresh_arenas;
	uint32_t ncodes;		      /* reports of jit.c that have a row */
	struct chunk_header *mpi;	      /* the table of MPI calls; NULL: none was made */
	struct chunk_header *blocked_regions; /* the newest chunk of them */
	uint64_t nblocked_regions;
	uint64_t threads_made;
	char file[32]; /* its name in the session directory */
	/* What-if. Queueing threads poll unit_changes, so it has a cache line of its own. */
	struct unit_ticket *tickets;
	uint64_t tickets_drawn;
	_Alignas(64) uint32_t unit_changes;  /* grows whenever a unit is given back */
	_Alignas(64) uint32_t unit_sleepers; /* 1: threads sleep until a unit is given back */
	uint32_t unit_impatience_ns;	     /* subtracted from SPIN_LONG_NS */
};

extern __thread struct shim_thread shim_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
extern struct shim_process *shim_process __attribute__((visibility("hidden")));
extern struct session shim_session __attribute__((visibility("hidden"))); /* zero until attached */

static inline uint64_t process_token(void)
{
	return __atomic_load_n(&shim_process->token, __ATOMIC_RELAXED);
}

/* Returns 1 if this process has its record. The caller then sees everything that was written while
 * the record was made. Not for the fast path. */
static inline int process_attached(void)
{
	return __atomic_load_n(&shim_process->token, __ATOMIC_ACQUIRE) != 0;
}

static inline enum session_state session_state(void)
{
	return __atomic_load_n(&shim_process->state, __ATOMIC_RELAXED);
}

/* Convert times of the shim's clock. */
static inline uint64_t ticks_of(double ns)
{
	return (uint64_t)(ns / shim_session.ns_per_tick);
}

static inline int64_t ns_of(uint64_t ticks)
{
	return (int64_t)((double)ticks * shim_session.ns_per_tick);
}

/* Called between two looks at a word that another thread will write. */
static inline void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* Takes the lock of the process's record. It is held only briefly, but its holder may lose the CPU:
 * then the others yield theirs. If they slept instead, each would be woken by the one before it,
 * after that one's time slice, and a thousand threads would run one after the other. */
static inline void process_lock(void)
{
	for (int i = 0; i < LOCK_SPINS + LOCK_YIELDS; i++) {
		if (!pthread_mutex_trylock)
			break;
		if (!pthread_mutex_trylock(&shim_process->lock))
			return;
		if (i >= LOCK_SPINS)
			sched_yield();
		relax();
	}
	pthread_mutex_lock(&shim_process->lock); /* the holder may have a lower priority */
}

static inline void process_unlock(void)
{
	pthread_mutex_unlock(&shim_process->lock);
}

#pragma GCC visibility push(hidden)

/* session.c: finds the session if there is one. Runs once, from a constructor or the first call. */
void session_start(void);
/* Makes the process's record. Returns 0, or -1 if nothing can be recorded. Lock held. */
int session_attach(void);
/* Notes a trouble in the process's record, or keeps it until there is one. */
void session_note_trouble(enum trouble trouble);
/* Called for a call that passes through because the process has no record. Returns 1 when it is
 * time to try to make one again: each time after twice as many calls. Otherwise counts the call as
 * missed if is_call is set. */
int session_try_again(int is_call);
/* Returns a new chunk for rows of rows_bytes in total, or fewer (see chunk_rows()); NULL if there
 * is no room. Lock held. Keeps errno. */
struct chunk_header *session_add_chunk(enum chunk_kind kind, size_t rows_bytes);
/* Returns the place of the next row of the list for that kind, or NULL if there is no room. The row
 * counts only after row_list_commit(). Lock held. */
void *row_list_add(enum chunk_kind kind, size_t row_bytes);
/* Returns 1 if at least half of the size that the process's file may have is left after rows of
 * that size. What is not essential is recorded only then. Lock held. */
int session_has_plenty(size_t rows_bytes);
/* Returns the number of rows that fit into a chunk. */
unsigned chunk_rows(const struct chunk_header *chunk, size_t row_bytes);
/* Returns for how much of this time, on CLOCK_MONOTONIC, the process was stopped. Keeps errno. */
int64_t session_stopped(int64_t from_ns, int64_t to_ns);

#pragma GCC visibility pop

static inline void row_list_commit(enum chunk_kind kind)
{
	struct chunk_header *last = shim_process->lists[kind].last;

	__atomic_store_n(&last->used, last->used + 1, __ATOMIC_RELEASE);
}

/* Where a walk through a list is; zero at first. */
struct row_cursor {
	const struct chunk_header *chunk;
	uint32_t row;
};

/* Returns the next row of a list, which other threads may extend meanwhile; NULL at the end, after
 * which the cursor must not be used again. Needs no lock. */
static inline void *row_list_next(enum chunk_kind kind, struct row_cursor *at, size_t row_bytes)
{
	if (!at->chunk)
		at->chunk = __atomic_load_n(&shim_process->lists[kind].first, __ATOMIC_ACQUIRE);
	while (at->chunk) {
		if (at->row < __atomic_load_n(&at->chunk->used, __ATOMIC_ACQUIRE))
			return (char *)(at->chunk + 1) + at->row++ * row_bytes;
		at->chunk = (const struct chunk_header *)(uintptr_t)__atomic_load_n(
			&at->chunk->next, __ATOMIC_ACQUIRE);
		at->row = 0;
	}
	return NULL;
}

#pragma GCC visibility push(hidden)

/* tasks.c: notes the CPU times of the tasks that exist already: the ROI starts now, so what they
 * used before does not belong to it. The lock is taken for each row only, since thousands of tasks
 * take long and other threads may attach meanwhile. */
void tasks_note(void);
/* Adds the CPUs that the task, or all tasks of the process, may run on to the process's header. */
void task_note_cpus(int64_t tid);
void tasks_note_cpus(void);
/* Returns what was noted of the task, or NULL. */
const struct task_start *tasks_find(int64_t tid);

/* thread.c: called on every call of a thread that is not attached in this process. Returns 0 if it
 * is attached now, -1 if its calls must pass through uncounted. Keeps errno. is_call 0 attaches it
 * ahead of its call: a failure is then not counted as an unrecorded call, which will try again. */
int thread_attach(int is_call);
/* Makes the key that ends a thread's record. Only the first 32 keys of a process take no memory in
 * each thread, and a first call may be made in a signal handler that has interrupted malloc(). */
void thread_make_key(void);
/* Writes a thread's last CPU times, and the clock as its end. */
void thread_note_end(struct thread_record *record, int64_t tid);

/* walls.c: returns 1 if a system call made here could kill the process or is the program's to
 * handle (seccomp, dispatch). */
int wall_is_silent(void);
/* Returns 1 then, and if reading the clock in this thread would end the process. No call is
 * recorded then. */
int wall_stands(void);

/* roots.c: called after another directory has become the root, or the user is another one: takes
 * this library out of the environment if a loader could not load it. Keeps errno. */
void root_left(char *const *environment);

/* jit.c: writes the code that was reported so far to the process's record. Lock held. */
void jit_write(void);
/* Returns the function of Intel's JIT profiling interface of this name if `handle` is this library,
 * otherwise NULL. */
void *jit_function(const void *handle, const char *name);

/* offcpu.c: the time a thread spent off the CPU. */
/* Opens an event of the user's part of this thread. Returns its page, or NULL. */
struct perf_event_attr;
void *offcpu_map_event(struct perf_event_attr *attr);
void offcpu_open_page(struct shim_thread *thread);
/* Plans to open the page when the thread has lived for a while. Until then, segments that are long
 * are looked at. */
void offcpu_plan_page(struct shim_thread *thread);
void offcpu_close_page(struct shim_thread *thread);
/* Reads the clocks into the record without booking anything. */
void offcpu_start(struct shim_thread *thread);
/* Books time off the CPU. If the thread was switched since the last reading, adds the time it was
 * off the CPU since then, at most *segment_ticks, to *waiting_ns and *preempted_ns, and subtracts
 * the preempted part from *segment_ticks. If the reading is old, takes a new one: interrupts and
 * stolen time also slow the CPU clock, and must not be booked where the next switch happens. Stolen
 * time is booked as preempted if it must have been lost in the segment that ends now. Returns the
 * clock afterwards. Keeps errno. */
uint64_t offcpu_book(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
		     int64_t *waiting_ns, int64_t *preempted_ns);
/* Writes the calling thread's last CPU times, and the clock as its end. */
void offcpu_end(struct shim_thread *thread);
/* Reads the CPU time of a task of this process. Returns -1 if there is no such task. */
int offcpu_read_cpu(int64_t tid, int64_t *cpu_ns);
/* Reads another task's CPU and run-queue times from its schedstat file, whose path is relative to
 * the directory. Returns -1 if it cannot be read. */
int offcpu_read_schedstat(int directory, const char *path, int64_t *cpu_ns, int64_t *run_delay_ns);

/* calls.c: prepares a table of zeros. Its first rows come from the chunk; if that is NULL, one is
 * added when it is needed. */
void arena_start(struct arena *arena, struct chunk_header *chunk);
/* Returns a chunk for a table's first rows, or NULL if there is no room. Lock held. */
struct chunk_header *arena_chunk(void);
/* Puts an empty row for the shape into the table, which must have room. */
void shape_insert(struct arena *arena, struct shape_record *row, const struct shape_key *key);
/* Ends the gap since the last call or mark: books it and returns the clock afterwards. */
uint64_t call_end_gap(struct shim_thread *thread);

/* counters.c: exact counts of events in calls and between them. */
/* Opens the events of the session, all or none. A failure is counted as missed. */
void counters_open(struct shim_thread *thread);
void counters_close(struct shim_thread *thread);
/* Adds the counts since the last time to sums[], one for each event; NULL discards them. Called at
 * the start of a call and after its end, on the slow path. */
void counters_add(struct shim_thread *thread, uint64_t *sums);

/* spans.c: the timeline: when each call, region and MPI call of a thread began and ended. */
/* Gets room for the timeline of a thread that has its record, if there is any. Lock held. */
void spans_open(struct shim_thread *thread);
/* If the session wants calls watched, and the thread is one of the first of its process, watches it
 * from its next call on. spans_turn() ends that if BLAS has no threads of its own. */
void spans_start_watch(struct shim_thread *thread);
/* Starts or stops watching a thread whose call has ended at `now`, after watch_at. */
void spans_turn(struct shim_thread *thread, uint64_t now);
/* Discards what was recorded. */
void spans_empty(struct shim_thread *thread);
/* These add a span, and do nothing for a thread without a timeline. */
void spans_add(struct shim_thread *thread, const struct span_record *span);
/* Adds the call of span_key that began at enter_ticks. Also for watched calls. */
void spans_add_call(struct shim_thread *thread, uint64_t now);
/* Adds the open region at that depth, which ends now. */
void spans_add_region(struct shim_thread *thread, unsigned depth, uint64_t now);

/* nested.c: returns 1 if the call of this frame is nested in the thread's call in progress; 0 if
 * there is none, or if it was left. */
int call_is_nested(struct shim_thread *thread, const void *frame);
/* A call begins. A call with the same frame that was set aside cannot return any more, since its
 * stack is used again. */
void call_forget_aside(struct shim_thread *thread, const void *frame);
/* A call ends that is not the one in progress. Returns 1 if it had been set aside: it is the call
 * in progress now, and began when the last call ended. Returns 0 if it is unknown, since it began
 * in another thread. */
int call_resume_aside(struct shim_thread *thread, const void *frame);

/* mpi.c: the MPI call of this frame has returned, or is left by unwinding. */
void mpi_leave(const void *frame);
/* These forget the functions for which is_gone() returns 1, since their object was unloaded. */
void onednn_forget(int (*is_gone)(const void *function));
void itt_forget(int (*is_gone)(const void *function));
void call_sites_forget(int (*is_gone)(const void *function));

/* onednn.c: returns the routine for a kind of primitive, by oneDNN's name for it, and a type as in
 * routines.def; 0 if there is none. */
uint32_t onednn_routine(const char *kind, char type);
/* Notes the object of the function as a provider of calls, and sets *is_noted. Called before the
 * first call that counts. */
void onednn_note(const void *function, int *is_noted);

/* what_if.c: changes the program's times as the session asks. Returns 1 if it asks for that; the
 * other functions do nothing if it does not. */
int what_if_asked(void);
/* Makes the gap of so many ticks that ends now longer, without the part that was blocked. Returns
 * the clock afterwards. */
uint64_t what_if_gap(struct shim_thread *thread, uint64_t now, uint64_t gap, int64_t waited_ns);
/* At the start of the timed call: takes a unit. */
void what_if_enter(struct shim_thread *thread);
/* After the routine returned, before the clock is read. */
void what_if_leave(struct shim_thread *thread);
/* Gives back the unit of a call that will not return. */
void what_if_abandon(struct shim_thread *thread);

/* regions.c: starts a new thread outside all regions (blasprof.h). */
void region_start(struct shim_thread *thread);

/* gaps.c: starts a new thread without gaps, and notes the process's CPU time. */
void gaps_start(struct shim_thread *thread);
/* A gap longer than thread->gap_after has ended. */
void gaps_note(struct shim_thread *thread, const struct gap_record *gap);

/* call_sites.c: looks for CPython, once. Returns 1 if its frames can be read. */
int call_sites_start(void);
/* Stops reading frames in this process. */
void call_sites_end(void);
/* Stops reading frames while a dlclose() runs. */
void call_sites_pause(int is_paused);
/* Returns where the call in progress comes from: a place in the Python program that the thread
 * runs, or else the return address. For threads with STATE_PYTHON. */
uint64_t call_site(uint64_t address);
/* Notes the place's function and line, once. Returns 1, or 0 if it is not a place in Python code.
 * Takes the process's lock. */
int call_site_note(uint64_t place);

/* maps.c: notes the mapping that contains the address, once. Takes the process's lock. */
void maps_note(uint64_t address);
/* Finds the mapping that contains the address. Returns 1, or 0 if there is none or the maps cannot
 * be read. Lock held. */
struct map_record;
int maps_find(uint64_t address, struct map_record *map);

/* calibrate.c: measures what an intercepted call costs, and writes the mean of this and earlier
 * measurements to the header. The thread must be attached; its record and table stay as they are.
 */
void calibrate(struct shim_thread *thread);
/* Does it at most ten times a second, since what else runs on the core changes the cost; not for
 * threads whose calls take the slow path. `now` is in ticks. Returns the clock afterwards, or `now`
 * if the thread may have been switched meanwhile. Blocks signals and takes the process's lock. */
uint64_t calibrate_again(struct shim_thread *thread, uint64_t now);

/* blas_facts.c: asks the loaded BLAS libraries that were not asked yet about themselves, if the
 * thread has enough stack left for that: with AddressSanitizer, a thread with a stack of 64 KiB has
 * 6 KiB left at its first call. */
void blas_describe(void);
/* Asks the libraries that are still loaded for their thread settings again, and describes those
 * for which no thread had enough stack. */
void blas_describe_end(struct process_header *header);

/* resolve.c: returns the function to which the loader would have bound `caller`. Never NULL: if
 * there is none, the program ends as the loader would have ended it. */
struct entry;
void *resolve_entry(struct entry *entry, const void *caller);
/* Returns the function of any name to which the loader would have bound `caller`, or NULL. */
void *resolve_name(const char *name, const void *caller);
/* Returns the function of this name in the scope of the object that contains `caller`: what the
 * object, or those that loaded it, were linked with. NULL if there is none, or for the main
 * program. */
void *resolve_in_scope(const char *name, const void *caller);
/* Numbers of other names after those of routines, and of routines that dlsym() found; from KEYS_END
 * on, of what has no name. */
#define KEY_MPI	    ROUTINE_COUNT
#define KEY_ONEDNN  (KEY_MPI + 2 * MPI_IDS)
#define KEY_DESTROY (KEY_ONEDNN + 1)
#define KEY_FOUND   (KEY_DESTROY + 1)
#define KEYS_END    (KEY_FOUND + ROUTINE_COUNT)
/* Returns the number of a name, KEY_FOUND if it has none. */
size_t resolve_find(const char *name);
/* A hash table of call sites whose function depends on their object. Where resolve_bound() found
 * the function, another address in the object stands for the call site. All call sites in a page
 * are in one object, and reach the same function. plain.c adds its own keys, from KEYS_END on.
 *
 * While a dlclose() runs, another thread may open an object where one was unloaded, before what was
 * remembered of that is forgotten. So until then the tags are 0, and resolve_known() looks whether
 * the objects at both addresses are still the same. */
#define CALLER_SLOTS 4096
#define CALLER_GONE  ((void *)1)
extern struct known_caller {
	uint64_t tag;	/* caller_tag(); 0: none, or a dlclose() runs */
	void *function; /* NULL: free, ends a search; CALLER_GONE: free, it was unloaded */
	const void *caller;
	void *held;	 /* handle of the function's object, or NULL */
	uint64_t key;	 /* caller_tag(), also while a dlclose() runs; 0: none */
	uint64_t number; /* another one whenever something is remembered here */
	uint64_t caller_object, function_object; /* object_hash() */
} callers[CALLER_SLOTS];

/* A number for each page with call sites and each routine. */
#define TAG_ROUTINE_BITS 20
static inline uint64_t caller_tag(uint64_t routine, const void *caller)
{
	return (uint64_t)(uintptr_t)caller / 4096 << TAG_ROUTINE_BITS | routine;
}

static inline size_t caller_slot(uint64_t tag)
{
	return (uint32_t)(tag ^ tag >> TAG_ROUTINE_BITS) * 0x9e3779b9u >> 20;
}

/* Returns 1 if the slot's function, which *function is set to, is that of the tag. Another thread
 * may be replacing the entry: it takes the tag away first, and writes a new one last. */
static inline int caller_is(const struct known_caller *slot, uint64_t tag, void **function)
{
	*function = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&slot->tag, __ATOMIC_ACQUIRE) == tag &&
	       __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE) == *function;
}

/* Returns the function that was remembered for the call site, or NULL. `routine` is the number of a
 * name, or larger for something else that depends on the caller. */
void *resolve_known(size_t routine, const void *caller);
/* Remembers it until it or the caller is unloaded; what belongs to no name, until anything is. */
void resolve_remember(size_t routine, const void *caller, void *function);
/* An object will be opened globally: finds the functions to which objects are bound already, since
 * a search after that could find those of the new object. */
void resolve_bound(void);
/* The program will close an object. The loader keeps an object loaded as long as others that are
 * bound to it. Those here are bound to this library, so it holds the object for them. */
void resolve_hold(void);
/* An object was unloaded: forgets the functions and callers in it, and closes what was held only
 * for it. */
void resolve_forget(void);
/* A dlclose() begins (1), or has ended (-1): what it unloaded is forgotten. */
void resolve_closing(int more);
/* Notes the object of a function as a provider of BLAS, once for each object. Returns 0 if that was
 * not possible yet, since there is no record. */
int resolve_note(const void *function);
/* Finds what a call of the name with this number, which is not in the table of routines, by
 * `caller` would reach without this library, but ends the program if there is none. Stores it in
 * *global, which is NULL, if it is the same for all callers. */
void *resolve_other(size_t key, const void *caller, void **global);

#pragma GCC visibility pop

#endif
