/* timeline.h: replays perf records in order of time, to tasks, address spaces and the log of
 * samples. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_TIMELINE_H
#define SAMPLING_TIMELINE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "perf/ring.h"
#include "perf/uprobe.h"
#include "store/run.h"
#include "symbols/address_table.h"
#include "symbols/jit_map.h"

/* An executable mapping. */
struct mapping {
	uint64_t start, end; /* addresses; the end is excluded */
	uint64_t offset;     /* of `start` in the object file, in bytes */
	uint32_t object;     /* number in the address table */
};

/* The executable mappings of a process, in order of address, without overlaps. */
struct address_space {
	struct mapping *maps; /* owned */
	size_t count;
};

/* Returns a fresh copy; an empty address space for NULL. */
struct address_space *address_space_copy(const struct address_space *space);
/* NULL is allowed. */
void address_space_free(struct address_space *space);

/* Adds a mapping, which replaces what was mapped at its addresses. */
void address_space_map(struct address_space *space, const struct mapping *mapping);
/* Returns the mapping that holds the address, or NULL. It belongs to the address space, and is
 * valid until that changes. */
const struct mapping *address_space_find(const struct address_space *space, uint64_t address);

enum { UNWIND_DEPTH_MAX = 127 };

/* The call frame information of all objects, read and compiled to rules when it is first needed. */
struct frame_rules;

struct frame_rules *frame_rules_new(void);
void frame_rules_free(struct frame_rules *rules);

/* What unwinding needs of one process. */
struct unwinder {
	struct address_table *addresses;
	const struct address_space *space;
	struct frame_rules *rules; /* NULL to unwind by frame pointers only */
};

struct unwound {
	uint32_t addresses[UNWIND_DEPTH_MAX]; /* numbers in the address table; of a caller, that of
					       * its call */
	size_t count;
	int whole; /* 1 if the last one is the function that starts the thread */
};

/* Finds the frames of a sample, innermost first: those of the kernel, then those in the copy of the
 * stack, then those that the kernel found beyond the copy by frame pointers. Stops at the first
 * address where no code is known. The count is 0 if the sample has neither a call chain nor a copy.
 */
void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound);

/* Symbols of CPython in its program or library. Addresses are those of the file; in a process they
 * are larger by (start of a mapping - its offset in the file - to_address). */
struct python_file {
	uint32_t version;	       /* PY_VERSION_HEX >> 16; 0 if the file is not CPython */
	uint64_t runtime, code_type;   /* _PyRuntime, PyCode_Type */
	uint64_t eval_start, eval_end; /* offsets of the function that runs Python code */
	uint64_t to_address;	       /* address of a symbol - offset in the file */
};

/* Reads the open file of this name. The version is 0 if it is not CPython, or has no symbols. */
struct python_file python_file_read(int fd, const char *name);

struct python_reader;

enum { PYTHON_DEPTH_MAX = 128 };

/* The frames of one thread, as a record like those of perf_event. */
#define PYTHON_RECORD (UINT32_MAX - 1)
struct python_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint32_t whole;	   /* 1 if the last place is where the Python code of the thread begins */
	uint32_t count;	   /* 0 if the thread runs no Python code */
	uint32_t places[]; /* numbers, innermost first */
};

/* Reads all Python threads every period_ns, or less often if that would take over 1 % of a CPU. The
 * reading thread starts with the first process. */
struct python_reader *python_reader_new(int64_t period_ns);
void python_reader_free(struct python_reader *reader);

/* Reads the threads of the process from now on, until it ends; reads it anew if it was known.
 * `bias` is the difference between addresses of the process and of the file. */
void python_reader_watch(struct python_reader *reader, uint32_t pid, const struct python_file *file,
			 uint64_t bias);
/* Returns why some process could not be read, or NULL. */
const char *python_reader_complaint(const struct python_reader *reader);

/* Moves what was read to the records. (*addresses)[] has the number in the address table of each of
 * the *count places known so far; new ones are added. */
void python_reader_take(struct python_reader *reader, struct ring_buffer *records,
			struct address_table *table, uint32_t **addresses, size_t *count);

/* Two addresses of log entries that are no samples: `count` is then a time off the CPU in ns, which
 * ended at time_ns. */
#define LOG_WAITING   (UINT32_MAX - 1)
#define LOG_PREEMPTED (UINT32_MAX - 2)

struct log_entry {
	int64_t time_ns;
	uint32_t task;
	uint32_t address; /* number in the address table, or LOG_WAITING or LOG_PREEMPTED */
	uint32_t stack;
	float own;	/* of LOG_PREEMPTED: the share lost to threads of the program */
	uint32_t waits; /* number of times off the CPU */
	uint64_t count; /* samples, or ns off the CPU */
};

static inline int log_is_off_cpu(const struct log_entry *entry)
{
	return entry->address == LOG_WAITING || entry->address == LOG_PREEMPTED;
}

/* The log of samples and times off the CPU, in order of time. When it is full, the entries of one
 * task, address and stack in one slice of time are merged; the slices get longer each time. Then
 * the region of interest is exact to a slice only. */
struct sample_log {
	struct log_entry *entries;
	size_t count;
	size_t max; /* grows to two entries for each pair of task and object if these are more */
	int64_t slice_ns; /* 0 while the log is exact */
};

#define LOG_MAX_ENTRIES 131072

void sample_log_free(struct sample_log *log);
/* If merging is not enough, only the objects of the samples are kept, as addresses of the table. */
void sample_log_add(struct sample_log *log, struct address_table *addresses,
		    const struct log_entry *entry);

/* Call stacks as a tree: each node is an address, called from that of its parent. The two roots
 * have no address. The stacks known down to the start of the thread are below STACK_WHOLE,
 * truncated ones below STACK_CUT. */
enum { STACK_WHOLE, STACK_CUT, STACK_ROOTS };
#define STACK_NONE UINT32_MAX /* no stack was taken */
#define STACKS_MAX 262144     /* nodes */

struct stack_node {
	uint32_t parent; /* lower than the node's own number; a root has itself */
	uint32_t address;
};

/* A zeroed tree is empty; the first stack adds the roots. */
struct stack_tree {
	struct stack_node *nodes;
	size_t count;
	struct idmap index; /* parent and address to the node */
};

/* Returns the node of the stack, whose addresses (at least one) are given innermost first. If the
 * tree is full, the node below STACK_CUT of the innermost address alone, or STACK_NONE. */
uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count,
			int whole);
void stack_tree_free(struct stack_tree *tree);

/* Shapes that are told apart, over all probed routines. */
#define PROBE_SHAPES_MAX 4096

/* The outermost calls of a thread that have returned. Threads are numbered as in the timeline. */
struct probe_thread {
	uint64_t calls;
	int64_t first_ns, last_ns; /* entry of the first call, return of the last */
	int64_t inside_ns, waiting_ns, preempted_ns;
	double flops;
	/* the call in progress */
	uint64_t sp; /* stack pointer at its entry; 0 if there is none */
	uint32_t routine;
	int shape_known;
	struct probe_shape shape;
	int64_t since_ns, out_waiting_ns, out_preempted_ns;
};

/* The calls of one shape over all threads, or those of a routine without a shape. */
struct probe_row {
	size_t id;	      /* blas/routines.h */
	struct run_shape row; /* without names and histogram; with other_shapes, these are calls for
			       * whose shapes there was no room */
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS];
};

struct probe_calls {
	struct probe_thread *threads;
	size_t nthreads;
	int64_t first_ns, last_ns; /* of all threads; 0 if no call has returned */
	/* calls without a shape, by number of the routine, and then a row for each shape */
	struct probe_row *rows;
	size_t nrows, nroutines;
	struct idmap shape_numbers; /* hash of routine and shape to rows[] */
	double inside_ns;	    /* cost of the probes in each call */
};

/* Makes `count` routines, whose ids the caller sets. */
void probe_calls_init(struct probe_calls *calls, size_t count);
void probe_calls_free(struct probe_calls *calls);

/* A routine was entered, or has returned, with this stack pointer. Nested calls belong to the
 * outermost one. A call that was left by a jump is forgotten at the next entry, except from another
 * routine at the same stack pointer, which the first one has jumped to. `shape` is NULL if not
 * known. */
void probe_calls_enter(struct probe_calls *calls, uint32_t thread, uint32_t routine, uint64_t sp,
		       int64_t now_ns, const struct probe_shape *shape);
void probe_calls_return(struct probe_calls *calls, uint32_t thread, uint64_t sp, int64_t now_ns);
void probe_calls_off(struct probe_calls *calls, uint32_t thread, int preempted, int64_t off_ns);

/* Classes of waits by length: up to 4 us, then each up to four times as long as the one before. */
enum { WAIT_CLASSES = 12 };

/* A thread of the program, from its first record to its end. A number that is used again is another
 * task. */
struct task {
	uint32_t pid, tid;
	char name[16];
	int64_t start_ns, end_ns; /* CLOCK_MONOTONIC; end_ns is 0 while it is alive */
	int64_t out_ns;		  /* since when it is off the CPU; 0 if it is on one */
	int out_preempted;
	uint32_t out_stack;		    /* where it left the CPU, or STACK_NONE */
	uint32_t last_stacks[WAIT_CLASSES]; /* where it waited last, by length of the wait */
	uint32_t process;
	int pinned;	    /* the only CPU that it may run on; -1 if there are several */
	double own_from[2]; /* when it left the CPU: own_ns of all threads, and of those on its CPU
			     */
	int has_run;	    /* 1 if it was switched in since task_was_active(), or is new */
	int is_switched;    /* 1 after it was first switched in */
	uint64_t stack_end; /* of the last copy that ended too early; 0: there is none */
	struct python_read {
		int64_t time_ns;    /* 0 if there was no read */
		uint32_t stack;	    /* node of timeline.pythons, or STACK_NONE */
		uint32_t out_stack; /* out_stack of the task at that time */
	} reads[2]; /* of its Python frames: the last while it was running or ready, and while it
		     * waited */
};

/* Counts of threads that may run on the same CPUs. */
struct runnable {
	int cpus;
	int running, ready; /* threads on a CPU, and runnable threads without one */
	int64_t counted_ns; /* the time up to which own_ns is counted */
	/* The time that a thread which is always ready would lose to other threads of the program:
	 * the integral of (running + ready - cpus) / ready, at most 1. */
	double own_ns;
};

struct process {
	struct address_space *space;
	unsigned tasks; /* alive */
	uint32_t parent;
	int intercepted; /* 1 if the preload library is mapped */
	int has_missed; /* 1 if BLAS was ever mapped while the preload library was not, be it before
			   an exec */
	uint32_t python; /* number of its interpreter, from 1; 0 if it has none */
	uint64_t python_bias;
};

struct timeline {
	uint64_t sample_type;	   /* of samples; to be set before the first record */
	uint64_t wait_sample_type; /* of switch samples, which tell where a thread leaves the CPU */
	struct idmap wait_ids;	   /* ids of the events of switch samples */
	int waits_are_sampled;	   /* 1 if only some waits have switch samples; these stand for the
				    * others */
	struct idmap probe_ids;	   /* ids of probes: twice the number of the routine, plus 1 at its
				    * return */
	struct probe_calls probe_calls;
	struct address_table addresses;
	struct stack_tree stacks;
	struct frame_rules *rules;
	struct python_reader *python; /* NULL if Python frames are not read */
	int64_t start_realtime_ns;    /* newer files are not what ran */
	struct stack_tree pythons;    /* stacks of Python frames */
	uint32_t *python_addresses;   /* of each place of the reader */
	size_t npython_addresses;
	struct python_object {
		uint32_t object;
		struct python_file file;
	} * python_objects; /* files that may be interpreters */
	size_t npython_objects;
	struct idmap mixed;	   /* stack and Python stack to the stack that mixes them */
	struct jit_processes jits; /* processes with code in memory that is not from a file */
	struct sample_log log;
	struct idmap counted_ids;	 /* ids of counted events to their numbers */
	struct sample_log *counted_logs; /* by number, of those that had a sample; an entry counts
					    a period */
	size_t ncounted;
	struct task *tasks;
	size_t ntasks;
	struct runnable runnable; /* all threads; cpus is 0 until it is known */
	struct runnable *pinned;  /* threads bound to one CPU, by CPU */
	size_t npinned;
	uint64_t samples;      /* samples in the log */
	uint64_t throttled;    /* throttle records */
	uint64_t records;      /* records that were fed */
	uint64_t lost_records; /* records of all kinds that the kernel had no room for */
	int64_t lost_ns;       /* time of the last lost record */
	struct process *processes;
	size_t nprocesses;
	struct idmap live_tasks;     /* tid to task */
	struct idmap live_processes; /* pid to process */
};

/* Makes a timeline with one process, which has the task `pid`. */
void timeline_init(struct timeline *timeline, pid_t pid, int64_t now_ns);
void timeline_free(struct timeline *timeline);

/* Returns 1 if the task ran since the last call for it, or is ready to, or is new. */
int task_was_active(struct task *task);

/* The task may run on this CPU only from now on; -1 for several. */
void timeline_pin(struct timeline *timeline, struct task *task, int cpu);

/* Returns the tid of the task of whose start the record tells, and its process in *pid, or 0. */
uint32_t timeline_started(const struct perf_event_header *record, uint32_t *pid);
/* Returns 1 if the newest tasks were started at 5,000 a second or faster, and were more than a pool
 * of threads for this many CPUs has. Each event that threads inherit is then expensive. */
int timeline_starts_too_fast(const struct timeline *timeline, size_t cpus);

/* Adds the process of the task, in this MPI rank, to the run. */
struct run_process *timeline_add_process(const struct timeline *timeline, const struct task *task,
					 int rank, struct run *run);
/* Ends all tasks that are alive. */
void timeline_end(struct timeline *timeline, int64_t now_ns);

/* Holds records until no ring can still bring an earlier one. A zeroed merge is empty. */
struct merge {
	struct ring_buffer waiting; /* whole records of this round, in order of arrival */
	struct ring_buffer before;  /* records of the round before */
	struct ring_buffer left;    /* the few records of earlier rounds that still have to wait */
};

/* Replays all records before the horizon, in order of time and, at equal times, of arrival. Ignores
 * records of unknown kinds. */
void merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns);
void merge_free(struct merge *merge);

#endif
