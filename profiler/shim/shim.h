/* shim.h: what the parts of the preload library share: the thread's and the process's state. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SHIM_H
#define SHIM_SHIM_H

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/layout.h"

#define likely(x)     __builtin_expect(!!(x), 1)
#define unlikely(x)   __builtin_expect(!!(x), 0)

#define SHAPES_MAX    2048 /* shapes a thread's table keeps apart */
#define CALLERS_MAX   1536 /* rows that a thread's table may have for callers to be kept apart */
#define TABLE_SLOTS   8192 /* hash slots: SHAPES_MAX and one "other shapes" row for each name fit */
#define OWNER_NOBODY  1	   /* a thread that has not attached; no token has this value */
#define OWNER_REFUSED 2	   /* a thread that could not attach: its calls go through uncounted */
#define OWNER_WALLED  3	   /* the token of a process that has shut itself in: no thread's */
#define FIRST_TOKEN   16
#define LOCK_SPINS    100 /* some microseconds */
#define LOCK_YIELDS   100 /* to the holder of the lock, and to all others that want it */

/* What-if: a thread's ticket for a unit. */
struct unit_ticket {
	struct unit_ticket *next; /* of all that ever had one, in any order */
	int is_listed;
	uint64_t number; /* 0: it has none. One word both notes the ticket and holds the unit */
};

/* A hash table of shapes and the shared rows that it points to. One thread owns it at a time; when
 * that thread ends the next one goes on with it, so that thread churn does not cost memory. A
 * thread of one shape touches two pages of it: the first, and that of the slot. */
struct arena {
	_Alignas(LAYOUT_PAGE) struct arena *next_free;
	struct chunk_header *chunk; /* where the next row comes from */
	unsigned shapes;
	struct unit_ticket ticket;   /* here, for this memory stays when the thread ends */
	struct shape_record nowhere; /* takes calls where there is no room */
	_Alignas(LAYOUT_PAGE) struct shape_record *slots[TABLE_SLOTS];
};

/* A call on another stack of the program's, which may return some day. */
struct call_aside {
	const void *frame; /* its wrapper's; NULL: none */
	struct shape_record *row;
};
#define ASIDES_MAX   8
#define REGION_DEPTH 16 /* nested regions that are kept apart */

/* What a thread is in; 0: a call may take the fast path. Bits of shim_thread.state. */
enum thread_state {
	STATE_INSIDE = 1,  /* inside an outermost call */
	STATE_OUTSIDE = 2, /* where calls do not count: outside the ROI's region */
	STATE_SPECIAL = 4, /* the clock is clock_gettime, or the session changes the program's
			      times, counts events or wants a timeline; or calls are watched */
	STATE_WHAT_IF = 8, /* the session changes the program's times */
	STATE_OTHER = 16,  /* the call in progress belongs to "other shapes" */
	STATE_PYTHON = 32, /* the process has CPython, which may know where calls come from */
};

/* One thread's private state. What every call looks at comes first. */
struct shim_thread {
	uint64_t owner; /* the token of the process that it attached in */
	uint32_t state; /* enum thread_state */
	uint32_t last_lock;
	const volatile uint32_t *lock; /* switch counter in the mapped perf page, or a zero */
	struct shape_record *row;      /* of the call in progress or the last one */
	uint64_t region_bits;	       /* the number of the thread's region, as in shape_key.head */
	uint64_t refresh_at;	       /* when the reading of the CPU clock is too old */
	struct thread_record *record;
	struct call_sums *sums; /* of the region that the thread is in */
	uint64_t enter_ticks;
	uint64_t gap_ticks; /* since the last call, over marks, without waiting for a CPU */
	struct call_times *call_times; /* NULL: not recorded */
	const void *enter_frame; /* of the wrapper of the call in progress; NULL: there is none */
	struct shape_record *expected; /* the row of the next call, probably */
	struct arena *arena;
	uint32_t long_after; /* segments longer than this are looked at */
	int inside_mpi;	     /* 1 + enum mpi_id of the call in progress; 0: it is none of MPI */
	unsigned nasides;
	struct call_aside aside[ASIDES_MAX];
	uint64_t page_at; /* when the page is to be opened; UINT64_MAX: it was, or could not be */
	uint64_t refresh_after;		 /* how old a reading may be, as of the last one */
	double other_flops, other_bytes; /* STATE_OTHER: how large the call in progress is */
	void *page;			 /* the mapped perf page, or NULL */
	long voluntary, involuntary;	 /* switch counts at the last reading */
	int run_delay_known;   /* 0: that reading is without the wait before the thread first ran */
	int run_delay_old;     /* 1: it waited since its run-queue delay was read */
	uint64_t run_delay_at; /* when that is worth reading again */
	int busy;	       /* inside a slow path: calls from a signal handler go through */
	uint64_t unit_since;   /* what-if: when the call got it */
	int64_t unit_cpu_ns;   /* what-if: the thread's CPU time then */
	uint32_t ncounts;      /* exact events that are open */
	void *count_pages[EXACT_EVENTS];
	uint64_t counts_last[EXACT_EVENTS];
	unsigned region_depth, roi_depth;
	int roi_entered; /* 1: first_ticks is where it first entered the ROI's region */
	struct region_record
		*regions[REGION_DEPTH];	   /* the open ones; NULL: no room for its record */
	struct region_record *own_regions; /* all of its records, by their next */
	struct gap_record *gaps[GAPS_MAX]; /* its longest ones, in any order */
	unsigned ngaps;
	uint64_t gap_after;	 /* longer ones are kept */
	union span_row *spans;	 /* its timeline, or calls that were watched; NULL: none */
	uint64_t watch_at;	 /* when it begins or ends to watch its calls; UINT64_MAX: never */
	uint64_t watched_before; /* the spans written before it began */
	int always_special;	 /* 1: also while it does not watch them */
	struct shape_key span_key;	     /* of the call in progress, where there is one */
	uint64_t region_since[REGION_DEPTH]; /* when the open regions were entered */
	uint32_t mark_lock;		     /* the switch counter at the last mark ... */
	const void *mark_page;		     /* ... and the page that it lies in */
};
_Static_assert(offsetof(struct shim_thread, inside_mpi) <= 128,
	       "what every call looks at is in two cache lines");

/* The process's state, in a page that the kernel wipes in a forked child. */
struct shim_process {
	uint64_t token; /* 0: this process has not attached */
	enum session_state {
		SESSION_OPEN,
		SESSION_FAILED,
		SESSION_NONE
	} state;	    /* changed under the lock */
	uint64_t missed;    /* calls that went through while it had no record */
	uint32_t attaching; /* 1: a thread is making the record; others sleep on it */
	pthread_mutex_t lock;
	pthread_mutex_t lookups_lock; /* of what resolve.c and dlsym.c found */
	struct process_header *header;
	uint64_t file_bytes;
	uint64_t more_at; /* where the part in SESSION_MORE begins, if there is one */
	int has_more;
	char *room; /* mapped, at the file's end, for the next chunks */
	size_t room_bytes;
	uint32_t kinds;	      /* of chunks that it has; 1 << enum chunk_kind */
	unsigned undescribed; /* 1 << number of each provider that is to be asked about itself */
	int is_first;	      /* 1: no process of the session attached before */
	struct chunk_header *threads; /* where the next thread record comes from */
	struct chunk_header *first_threads;
	struct arena *free_arenas;
	struct arena *fresh_arenas;		      /* mapped ahead, never used ... */
	unsigned nfresh_arenas;			      /* ... and their number */
	struct chunk_header *tasks;		      /* what existed at its first call */
	struct chunk_header *names, *first_names;     /* region names */
	struct chunk_header *first_maps, *maps;	      /* where calls came from */
	struct chunk_header *regions, *first_regions; /* region records */
	struct chunk_header *gaps, *first_gaps;	      /* gap records */
	struct chunk_header *call_sites, *first_call_sites;
	struct chunk_header *codes, *first_codes; /* of the first `ncodes` of jit.c's */
	uint32_t ncodes;
	struct chunk_header *mpi;	      /* the table of MPI calls; NULL: none was made */
	struct chunk_header *blocked_regions; /* the newest chunk of them */
	uint64_t nblocked_regions;	      /* that took, or found no, room */
	uint64_t threads_made;
	char file[32]; /* its name in the session directory */
	/* What-if. Threads that queue look at unit_changes all the time: it has a cache line of its
	 * own. */
	struct unit_ticket *tickets;
	uint64_t tickets_drawn;
	_Alignas(64) uint32_t unit_changes;  /* units given back, or more */
	_Alignas(64) uint32_t unit_sleepers; /* 1: threads sleep until one is */
	uint32_t unit_impatience_ns;	     /* by how much sooner than at first they sleep */
};

extern __thread struct shim_thread shim_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));
extern struct shim_process *shim_process __attribute__((visibility("hidden")));
extern struct session shim_session __attribute__((visibility("hidden"))); /* zero until attached */

static inline uint64_t process_token(void)
{
	return __atomic_load_n(&shim_process->token, __ATOMIC_RELAXED);
}

/* 1: this process has its record, and who learns it here sees all of what made it. For ways that
 * are not taken at each call. */
static inline int process_attached(void)
{
	return __atomic_load_n(&shim_process->token, __ATOMIC_ACQUIRE) != 0;
}

static inline enum session_state session_state(void)
{
	return __atomic_load_n(&shim_process->state, __ATOMIC_RELAXED);
}

/* The lock of the process's record is held for a moment, but its holder may lose the CPU: then the
 * others let it have theirs. Were they to sleep, each would be woken by the one before when that
 * has had its time, for ever after: a thousand threads in a row. */
static inline void process_lock(void)
{
	for (int i = 0; i < LOCK_SPINS + LOCK_YIELDS; i++) {
		if (!pthread_mutex_trylock(&shim_process->lock))
			return;
		if (i >= LOCK_SPINS)
			sched_yield();
#if defined(__x86_64__)
		__builtin_ia32_pause();
#endif
	}
	pthread_mutex_lock(&shim_process->lock); /* the holder has no CPU by its priority */
}

static inline void process_unlock(void)
{
	pthread_mutex_unlock(&shim_process->lock);
}

#pragma GCC visibility push(hidden)

/* session.c: finds the session, if there is one; once. A constructor does, or the first call. */
void session_start(void);
/* Makes the process's record. Returns 0, or -1: nothing can be recorded. Call with
 * shim_process->lock held. */
int session_attach(void);
/* Notes a trouble of the process, now or when it gets its record. */
void session_note_trouble(enum trouble trouble);
/* A call goes through because the process has no record: 1 when it is time to try again, which is
 * after twice as many of them each time. Counts the call where it is one and not time. */
int session_try_again(int is_call);
/* A chunk for rows of that size all together, or fewer: chunk_rows() tells; NULL when there is no
 * room. Lock held. Keeps errno. */
struct chunk_header *session_add_chunk(enum chunk_kind kind, size_t rows_bytes);
/* A place for one more row at the end of a list of chunks, which `used` does not count yet; NULL
 * when there is no room. Lock held. */
void *session_last_row(struct chunk_header **first, struct chunk_header **last,
		       enum chunk_kind kind, size_t row_bytes);
/* 1 where these rows leave at least half of what the process's file may grow to: what is not
 * essential is recorded only then. Lock held. */
int session_has_plenty(size_t rows_bytes);
/* Rows that fit a chunk. */
unsigned chunk_rows(const struct chunk_header *chunk, size_t row_bytes);

/* tasks.c: notes the CPU times of the tasks that exist already: the ROI starts now, what they used
 * before is not in it. Opens the directory by the system call itself, as opendir() would allocate.
 * Others may attach meanwhile: the lock is not held, for thousands of tasks take long. */
void tasks_note(void);
/* Adds the CPUs that the task, or all tasks of the process, may run on to those of its header. */
void task_note_cpus(int64_t tid);
void tasks_note_cpus(void);
/* What was noted of the task; NULL: nothing. */
const struct task_start *tasks_find(int64_t tid);

/* thread.c: called on every call of a thread that is not attached in this process; returns 0 when
 * it is now, -1 when its calls must go through uncounted. Keeps errno. */
int thread_attach(void);
/* The same ahead of a call that will attach the thread itself where this cannot: counts none that
 * goes through. */
void thread_attach_ahead(void);
/* 1: the process would be killed for a system call that is made here; none of its calls is recorded
 * any more. */
int wall_stands(void);
/* Writes a thread's last CPU times and the clock as its end. */
void thread_note_end(struct thread_record *record, int64_t tid);

/* jit.c: writes what is known of code made at run time to the process's record. Lock held. */
void jit_write(void);
/* What dlsym() gives to who asks this library for a function of Intel's JIT profiling interface;
 * NULL: it is none. own_base() tells where this library begins. */
void *jit_function(const void *handle, const char *name, const void *(*own_base)(void));

/* For how long of this time, CLOCK_MONOTONIC, the command was stopped. Keeps errno. */
int64_t session_stopped(int64_t from_ns, int64_t to_ns);

/* offcpu.c: the time a thread spent off the CPU. */
void offcpu_open_page(struct shim_thread *thread);
/* The page is to be opened when the thread has lived for a while; until then the slow rule holds.
 */
void offcpu_plan_page(struct shim_thread *thread);
void offcpu_close_page(struct shim_thread *thread);
/* Reads the clocks into the record without booking. */
void offcpu_start(struct shim_thread *thread);
/* Where the thread was switched since the last reading, books what passed off the CPU since, at
 * most *segment_ticks, to *waiting_ns and *preempted_ns, and takes the preempted part off
 * *segment_ticks. Where that reading has grown old, takes a new one: interrupts and a host's stolen
 * time take from the CPU clock too, and must not be booked to where the next switch happens; what
 * was stolen is booked as preempted where the segment that ends now must have lost it. Returns the
 * clock afterwards. Keeps errno. */
uint64_t offcpu_book(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
		     int64_t *waiting_ns, int64_t *preempted_ns);
/* Writes the calling thread's last CPU times and the clock as its end. */
void offcpu_end(struct shim_thread *thread);
/* The CPU time of a task of this process; -1 when there is none. */
int offcpu_read_cpu(int64_t tid, int64_t *cpu_ns);
/* Another task's CPU and run-queue times by its /proc file, a path in that directory; -1 when it
 * cannot be read. */
int offcpu_read_schedstat(int directory, const char *path, int64_t *cpu_ns, int64_t *run_delay_ns);

/* calls.c: the record of calls. The thread's table, of zeros, is made ready for use; chunk: where
 * its rows come from, NULL: it gets one when it is needed. */
void arena_start(struct arena *arena, struct chunk_header *chunk);
/* Where a table's first rows are to come from; NULL when there is no room. Lock held. */
struct chunk_header *arena_chunk(void);
/* Ends the gap since the last call or mark: books it and returns the clock afterwards. */
uint64_t call_end_gap(struct shim_thread *thread);

/* nested.c: 1 where the thread is inside a call, which the one of this frame belongs to. 0 where it
 * is in none, or that call was left. */
int call_is_nested(struct shim_thread *thread, const void *frame);
/* A call begins: one that was set aside with this frame does not come back, for its stack is used
 * again. */
void call_begins_anew(struct shim_thread *thread, const void *frame);
/* A call ends that is not the one in progress. 1: it was left on another stack, and is the one in
 * progress now, from the end of the last one on. 0: nobody knows it, as it came here from another
 * thread. */
int call_come_back(struct shim_thread *thread, const void *frame);

/* mpi.c: the call of MPI that has this frame has returned, or is left by unwinding. */
void mpi_leave(const void *frame);
/* An object was unloaded: forgets the functions for which is_gone() answers 1. */
void mpi_forget(int (*is_gone)(const void *function));

/* onednn.c: the same. */
void onednn_forget(int (*is_gone)(const void *function));
/* The routine for a kind of primitive, by oneDNN's name, and a type of routines.def. 0: none. */
uint32_t onednn_routine(const char *kind, char type);
/* Before the first call that counts: the object that this lies in is one that calls go on to. */
void onednn_note(const void *function, int *is_noted);

/* itt.c: the same. */
void itt_forget(int (*is_gone)(const void *function));

/* Puts an empty row for the shape into the table; there must be room. */
void shape_insert(struct arena *arena, struct shape_record *row, const struct shape_key *key);

/* what_if.c: changes the program's times as the session says. */
/* 1 when it says so. The others do nothing where it does not. */
int what_if_asked(void);
/* Lengthens the gap of so many ticks that ends now, but for the part that it was blocked. Returns
 * the clock afterwards. */
uint64_t what_if_gap(struct shim_thread *thread, uint64_t now, uint64_t gap, int64_t waited_ns);
/* At the start of the timed call: takes a unit. */
void what_if_enter(struct shim_thread *thread);
/* After the routine returned, before the clock is read. */
void what_if_leave(struct shim_thread *thread);
/* Gives back the unit of a call that will not return. */
void what_if_abandon(struct shim_thread *thread);

/* regions.c: marks (blasprof.h). */
/* What a new thread starts with: outside all regions. */
void region_start(struct shim_thread *thread);

/* gaps.c: what a new thread starts with: none; notes the process's CPU time. */
void gaps_start(struct shim_thread *thread);
/* A gap has ended that is longer than thread->gap_after. */
void gaps_note(struct shim_thread *thread, const struct gap_record *gap);

/* call_sites.c: looks for CPython, once. Returns 1 where it is there and its frames can be read. */
int call_sites_start(void);
/* From now on none is read in this process. */
void call_sites_end(void);
/* Where the call in progress comes from: a place in the Python program that the thread runs, or
 * else the return address. For threads with STATE_PYTHON. */
uint64_t call_site(uint64_t address);
/* Notes the place's function and line, once. Returns 1, or 0: it is no place of Python's. Takes the
 * process's lock. */
int call_site_note(uint64_t place);

/* maps.c: notes the mapping that the address lies in, once. Takes the process's lock. */
void maps_note(uint64_t address);
/* The mapping that the address lies in. Returns 1, or 0: there is none, or it cannot be found out.
 * Lock held. */
struct map_record;
int maps_find(uint64_t address, struct map_record *map);

/* calibrate.c: measures what an intercepted call costs and writes it to the header. The thread is
 * attached; its record and table are left alone. */
void calibrate(struct shim_thread *thread);

/* blas_facts.c: asks those loaded libraries about themselves that were not asked yet, where the
 * thread has room for that on its stack: with AddressSanitizer a thread of 64 KiB has 6 at its
 * first call. */
void blas_describe(void);
/* Asks the libraries that are still loaded for their thread settings again, and describes those
 * that no thread had room for. */
void blas_describe_end(struct process_header *header);

/* resolve.c: the function that the loader would have bound `caller` to. Never NULL: where there is
 * none, the program ends as the loader would have ended it. */
struct entry;
void *resolve_entry(struct entry *entry, const void *caller);
/* Says and does what the loader does when a program calls a function that nobody defines: ends it.
 */
_Noreturn void resolve_fail(const char *name);
/* The function of this name in the scope of the object that holds `caller`: itself and what it was
 * linked with. NULL: none, or the main program. */
void *resolve_in_scope(const char *name, const void *caller);
/* Keeps the object that a function lies in loaded, whatever the program closes: what was found
 * stays callable, at its address. */
void resolve_hold(const void *function);
/* An object was unloaded: forgets the functions and callers that it had. */
void resolve_forget(void);
/* Notes which object a function lies in as a provider of BLAS, once for each object. 0: not yet,
 * for want of a record. */
int resolve_note(const void *function);
/* What a call of this name by `caller` reaches without this library; NULL: nothing. Takes no lock
 * of the loader's, but where several libraries that were opened later have the name. *is_scoped:
 * other callers may reach something else. */
void *resolve_next(const char *name, const void *caller, int *is_scoped);

#pragma GCC visibility pop

#endif
