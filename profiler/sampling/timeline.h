/* timeline.h: replays perf records in order of time: tasks, address spaces and the log of samples.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_TIMELINE_H
#define SAMPLING_TIMELINE_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "perf/ring.h"
#include "perf/sample_record.h"
#include "perf/uprobe.h"
#include "sampling/python_reader.h"
#include "sampling/unwind.h"
#include "store/run.h"
#include "symbols/address_table.h"
#include "symbols/jit_map.h"

/* The log of samples and of time off the CPU, in order of time and bounded. Two kinds of entry
 * are no samples; `count` is then the time off the CPU in ns, that ended
 * at time_ns. */
#define LOG_WAITING   (UINT32_MAX - 1)
#define LOG_PREEMPTED (UINT32_MAX - 2)

struct log_entry {
	int64_t time_ns;
	uint32_t task;
	uint32_t address; /* number of a code address, LOG_WAITING or LOG_PREEMPTED */
	uint32_t stack;	  /* node of the stack, or STACK_NONE */
	float own; /* of LOG_PREEMPTED: the share lost to threads of the program (struct runnable)
		    */
	uint32_t waits; /* times off the CPU that it stands for */
	uint64_t count; /* samples, or ns */
};

static inline int log_is_off_cpu(const struct log_entry *entry)
{
	return entry->address == LOG_WAITING || entry->address == LOG_PREEMPTED;
}

/* When the log is full, its entries of one task, address and stack that lie in one slice of time
 * become one entry; the slices get longer with each time. The region of interest can then be cut
 * out only to within a slice. */
struct sample_log {
	struct log_entry *entries;
	size_t count, max;
	int64_t slice_ns; /* 0 while the log is exact */
};

#define LOG_MAX_ENTRIES 131072

/* An empty log of at most `max` entries, or two for each pair of a task and an object where that is
 * more. */
void sample_log_init(struct sample_log *log, size_t max);
void sample_log_free(struct sample_log *log);
/* `addresses` is used when even merging is not enough:
 * then only the objects of the samples are kept. */
void sample_log_add(struct sample_log *log, struct address_table *addresses,
		    const struct log_entry *entry);

/* Call stacks as a tree: each node is an address, called from its parent's. Two nodes without an
 * address are always there: below the one lie the stacks that are known
 * down to the thread's start, below the other those that were truncated before it. */
enum { STACK_WHOLE, STACK_CUT, STACK_ROOTS };
#define STACK_NONE UINT32_MAX /* no stack was taken */
#define STACKS_MAX 262144     /* nodes */

struct stack_node {
	uint32_t parent;  /* its number is lower than the node's; a root has itself */
	uint32_t address; /* IDMAP_NONE in a root */
};

/* A zeroed tree is empty, without its roots. */
struct stack_tree {
	struct stack_node *nodes;
	size_t count;
	struct idmap index;
	int full; /* stacks were put below STACK_CUT with their innermost address only */
};

/* The node of the stack of these addresses, innermost first, at least one. Once the tree is full,
 * the node of the innermost address alone, or STACK_NONE. */
uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count,
			int whole);
void stack_tree_free(struct stack_tree *tree);

/* Calls of probed BLAS routines: pairs of an entry and a return, by thread. */

/* Shapes that are told apart, over all routines. */
#define PROBE_SHAPES_MAX 4096

/* What a thread did in outermost calls that returned; a thread of the time line by its number. */
struct probe_thread {
	uint64_t calls;
	int64_t first_ns, last_ns; /* enter of the first, return of the last */
	int64_t inside_ns, waiting_ns, preempted_ns;
	double flops;
	/* the call under way */
	uint64_t sp; /* the stack pointer when it was entered; 0: none is */
	uint32_t routine;
	int shape_known;
	struct probe_shape shape;
	int64_t since_ns, out_waiting_ns, out_preempted_ns;
};

/* What was called, over all threads: calls of one shape, or those of a routine that are of none. */
struct probe_routine {
	size_t id; /* blas/routines.h */
	int shape_known;
	struct probe_shape shape;
	int holds_others; /* without a shape: 1 where there was no room for one more */
	uint64_t calls;
	int64_t total_ns, min_ns, max_ns;
	double flops, bytes;
	uint64_t histogram[RUN_HISTOGRAM_BUCKETS];
};

struct probe_calls {
	struct probe_thread *threads;
	size_t nthreads;
	struct probe_routine *routines; /* by the number that they were opened under */
	size_t nroutines;
	struct probe_routine *shapes;
	size_t nshapes;
	struct idmap shape_numbers; /* in shapes[], by a hash of routine and shape */
	double inside_ns;	    /* of each call, that is the probes' own */
};

/* The routines' ids are the caller's to set. */
void probe_calls_init(struct probe_calls *calls, size_t count);
void probe_calls_free(struct probe_calls *calls);

/* A routine was entered or returned from, with this stack pointer. Calls that a routine makes
 * itself are part of its own; one that was left by a jump is forgotten at the next (unless that is
 * of another routine, from the same place: so looks a routine that jumps on to another one). shape
 * NULL: not known. */
void probe_calls_enter(struct probe_calls *calls, uint32_t thread, uint32_t routine, uint64_t sp,
		       int64_t now_ns, const struct probe_shape *shape);
void probe_calls_return(struct probe_calls *calls, uint32_t thread, uint64_t sp, int64_t now_ns);
/* The thread was off the CPU for off_ns. */
void probe_calls_off(struct probe_calls *calls, uint32_t thread, int preempted, int64_t off_ns);

/* Of waits by their length, each up to four times as long as the one before; the first up to 4 us.
 */
enum { WAIT_CLASSES = 12 };

/* A thread of the program, from its first record to its end. A thread number that is used again
 * makes another task. */
struct task {
	uint32_t pid, tid;
	char name[16];
	int64_t start_ns, end_ns; /* CLOCK_MONOTONIC; end_ns 0: alive */
	int64_t out_ns;		  /* since when it is off the CPU; 0: it is on one */
	int out_preempted;
	uint32_t out_stack; /* where it was when it left the CPU; STACK_NONE: not known */
	uint32_t last_stacks[WAIT_CLASSES]; /* where it waited last, by how long it did */
	uint32_t process;
	int pinned;	    /* the one CPU that it may run on; -1: several */
	double own_from[2]; /* own_ns of all, and of those on its CPU, when it left the CPU */
	int has_run;	    /* since this was set to 0 */
	struct python_read {
		int64_t time_ns;    /* 0: there was none */
		uint32_t stack;	    /* node of timeline.pythons; STACK_NONE: it ran no Python */
		uint32_t out_stack; /* where it was off the CPU */
	} reads[2]; /* of its Python frames, the last on a CPU or ready, and the last that waited */
};

/* Threads that may run on the same CPUs. */
struct runnable {
	int cpus;
	int running, ready; /* threads on a CPU; runnable threads without one */
	int64_t counted_ns; /* own_ns is up to date at this time */
	/* The time that a thread which is ready throughout loses to other threads of the program:
	 * the integral of (running + ready - cpus) / ready, at most 1. */
	double own_ns;
};

struct timeline {
	uint64_t sample_type;	   /* of samples; set it before the first record */
	uint64_t wait_sample_type; /* of records that tell where a thread leaves the CPU */
	struct idmap wait_ids;	   /* the ids of the events that these come from */
	int some_waits; /* they come for a part of the waits only, which speaks for the others */
	struct idmap probe_ids; /* of probes: twice the routine's number, one more at its return */
	struct probe_calls probe_calls; /* by number of task */
	struct address_table addresses;
	struct stack_tree stacks;
	struct frame_rules *rules;
	struct python_reader *python; /* NULL: Python's frames are not looked at */
	int64_t start_realtime_ns;    /* files that are newer did not run; set it with python */
	struct stack_tree pythons;    /* stacks of Python's frames */
	uint32_t *python_addresses;   /* of the reader's places */
	size_t npython_addresses;
	struct python_object {
		uint32_t object;
		struct python_file file;
	} * python_objects; /* interpreters */
	size_t npython_objects;
	struct idmap mixed;	   /* stacks with Python's frames in place of the interpreter's */
	struct jit_processes jits; /* processes that have code in memory of their own */
	struct sample_log log;
	struct idmap counted_ids;	 /* the kernel's id of an event to its number */
	struct sample_log *counted_logs; /* of each counted event, by number: periods by object */
	size_t ncounted;
	struct task *tasks;
	size_t ntasks;
	struct runnable runnable; /* all of them; runnable.cpus is 0 until it is known */
	struct runnable *pinned;  /* those that may run on one CPU only, by CPU */
	size_t npinned;
	uint64_t samples;	  /* that got into the log */
	uint64_t lost, throttled; /* samples for which memory was out; times */
	uint64_t records;	  /* that were fed */
	uint64_t lost_records;	  /* that the kernel had no room for, of all kinds */
	int64_t lost_ns;	  /* when records were lost last */
	struct process *processes;
	size_t nprocesses;
	struct idmap live_tasks;     /* tid to task */
	struct idmap live_processes; /* pid to process */
	int failed;		     /* memory ran out: something is missing */
};

/* How much of [start, end] lies in [from, to], ns. */
static inline int64_t overlap_ns(int64_t start_ns, int64_t end_ns, int64_t from_ns, int64_t to_ns)
{
	int64_t first = start_ns > from_ns ? start_ns : from_ns;
	int64_t last = end_ns < to_ns ? end_ns : to_ns;

	return last > first ? last - first : 0;
}

/* Starts with one process that consists of the task `pid`. */
void timeline_init(struct timeline *timeline, pid_t pid, int64_t now_ns);
void timeline_free(struct timeline *timeline);

/* Samples of the kernel's `id` are of counted event `number` from now on, and go to its log; those
 * of ids that were never given are the sampling event's. -1 when memory is out. */
int timeline_count(struct timeline *timeline, uint64_t id, uint32_t number);

/* From now on the task may run on this CPU only; -1: on several. */
void timeline_pin(struct timeline *timeline, struct task *task, int cpu);

/* 1 when the newest tasks were started at 5,000 a second or faster, and were more than a pool of
 * threads for this many CPUs has: then each event that threads inherit costs much. */
int timeline_starts_too_fast(const struct timeline *timeline, size_t cpus);

/* 1 when the task's process has used a BLAS library without the preload library, whatever it has
 * become since. */
int timeline_has_missed(const struct timeline *timeline, const struct task *task);
/* Adds the task's process to the run, which is of this MPI rank. */
struct run_process *timeline_add_process(const struct timeline *timeline, const struct task *task,
					 int rank, struct run *run);
/* The size of the record at the start of `left` bytes, of which it may be the first; 0 when what is
 * there is no whole record of the layout above. The others take sound records only. */
size_t timeline_record_size(const void *bytes, size_t left);
/* The time of any record, ns. */
int64_t timeline_record_time(const struct perf_event_header *record);
/* Takes the next record, in order of time. Kinds it does not know are ignored. */
void timeline_feed(struct timeline *timeline, const struct perf_event_header *record);
/* Ends the tasks that are alive. */
void timeline_end(struct timeline *timeline, int64_t now_ns);

/* Records wait here until no ring can still bring an earlier one. A zeroed merge is empty. */
struct merge {
	struct ring_buffer waiting; /* whole records, in order of arrival: those of this round */
	struct ring_buffer before;  /* those of the round before that were not fed */
	struct ring_buffer left;    /* the few of earlier rounds that have to wait on */
	struct merge_entry *order;
	size_t order_room;
};

/* Feeds all waiting records earlier than the horizon to the timeline, in order of time (those of
 * the same time in order of arrival). -1 when memory is out: the waiting records are lost. */
int merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns);
void merge_free(struct merge *merge);

#endif
