/* collect.h: what the files that turn the timeline into rows of the run share. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_H
#define SAMPLING_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "calls/collect.h"
#include "sampling/timeline.h"
#include "store/run.h"
#include "symbols/symbols.h"
#include "symbols/naming.h"

enum spin_stack {
	SPIN_YIELDS = 1,      /* in the kernel, for sched_yield() */
	SPIN_IN_BLAS = 2,     /* goes through a BLAS library */
	SPIN_OWN = 4,	      /* in the preload library, or in system code that it called */
	SPIN_IN_CALL = 8,     /* goes through the preload library, as calls do, ... */
	SPIN_CUT = 16,	      /* ... or may do so, because it was truncated */
	SPIN_ON_GPU = 32,     /* in a function that waits for a GPU, or in one that it called */
	SPIN_IN_MPI = 64,     /* in an MPI call that the preload library times */
	SPIN_IN_OPENMP = 128, /* in a parallel region of OpenMP, or in its library */
	SPIN_FOR_TASKS = 256, /* in OpenMP's library, which waits and looks for tasks meanwhile */
};

/* Which samples lie in code that only waits, and uses a CPU meanwhile. */
struct spins {
	char *addresses;  /* of each address: bits of enum code_kind of spins.c */
	uint16_t *stacks; /* of each node: bits of enum spin_stack */
	char *executors;  /* of each object: 1 if calls go through the preload library to a library
			   * that executes other work too; without such a call it does other work */
};

/* A task, and what it did inside the region of interest. */
struct task_sum {
	uint32_t row; /* of run->threads, or IDMAP_NONE */
	int calls_blas;
	int only_helps; /* 1 if BLAS itself started it, or it is no participant */
	uint64_t samples[RUN_CODE_COUNT];
	uint64_t in_blas;     /* those of them known to be in BLAS, by their stacks too */
	uint64_t in_mpi;      /* not in samples[] */
	uint64_t spins_again; /* those that spin and follow another one */
	int spun;	      /* 1 if the last one spins */
	uint64_t in_openmp, outside_openmp; /* those that compute, as far as stacks tell */
	int is_alone; /* 1 if nobody computes while it does so outside OpenMP */
	int64_t waiting_ns, preempted_ns;
	double own_ns; /* the part of preempted_ns lost to other threads of the program */
	int64_t start_ns, end_ns; /* its time off the CPU is counted between these */
};

/* The collection of the samples of one run; collect_samples.c fills it. */
struct collection {
	const struct timeline *timeline;
	const struct sample_log *log; /* of the timeline, as are the next two */
	const struct address_table *addresses;
	const struct stack_tree *stacks;
	const struct collected *calls;
	struct run *run;
	int64_t start_ns, end_ns;     /* the region of interest, CLOCK_MONOTONIC */
	enum run_code *code;	      /* of each address */
	struct address_count *counts; /* of each address */
	struct task_sum *sums;	      /* of each task */
	uint64_t busiest;	      /* the most samples of a task that computed */
	struct idmap processes;	      /* pid to run->processes */
	struct naming *naming;
	struct spins spins;
	/* of each node of the tree of stacks: samples in threads with BLAS calls, and in others */
	uint64_t (*stack_samples)[2];
	char *stack_used; /* of each node: 1 if it has samples or waits, or calls one that has */
};

/* Returns 1 if the task has at least a PARTICIPANT_ONE_IN part of the busiest one's samples that
 * compute. */
int takes_part(const struct collection *c, uint32_t task);

/* Adds to run->spans the time that threads with spans were off the CPU between the first and the
 * last of these. If the log is not exact any more, the run gets a note instead. */
void collect_wait_spans(const struct collection *c);

/* Returns 1 if the sample spins outside BLAS calls. A caller that waits inside a call is in BLAS,
 * but the threads that BLAS itself started make no calls. Everything that MPI does is waiting; the
 * code of blasprof never waits. */
int spins_outside_blas(const struct collection *c, const struct log_entry *entry);
/* Counts the samples in BLAS code into the shapes of the calls that were in progress. The sample of
 * a caller belongs to its own call, that of another thread to the only call of its process at that
 * moment; if there are several, the call is not known. The names of the kernels tell compute units
 * and types. Does nothing without spans of calls, or if the log is not exact. */
void collect_call_samples(const struct collection *c);

/* Sets stack_used of the nodes below those with samples or waits, and counts[] (of addresses) to 1
 * where it is 0 and such a stack goes through the address, so that the address is named. */
void stacks_mark_used(struct collection *c, uint64_t *counts);

/* Returns 1 for a sample in a known object and in the region of interest. */
int is_counted(const struct collection *c, const struct log_entry *entry);

/* Returns the part of a time off the CPU inside the region of interest and, for a thread that makes
 * calls, inside the times that are counted for it. */
int64_t off_cpu_inside_ns(const struct collection *c, const struct log_entry *entry);

/* Adds run->frames, run->stacks and run->waits, and run->functions for code that spins: the
 * function that the program called, as far as its stacks tell, and the line of the call. Adds the
 * note wait_regions_lost. */
void stacks_add(struct collection *c);

/* Finds the code that waits among the addresses whose counts[] is not 0, by name and by its
 * instructions, and fills c->spins. Files changed since the sampler started are not read. Code
 * that was made at run time is known by its name only. */
void spins_find(struct collection *c, const uint64_t *counts);
void spins_free(struct spins *spins);
/* Returns 1 for the kernel and the C library, which wait only because they are called. */
int spins_is_system(const struct object *object);
/* Returns 1 for code that spins for a lock: the kernel, and loops that try to take one. */
int spins_for_lock(const struct spins *spins, uint32_t address);

/* For a sample in a library that executes other work too: 1 if the sample belongs to other work, -1
 * if to matrix work, 0 if that is not known. */
int spins_is_uncalled(const struct collection *c, const struct log_entry *entry);
/* Returns bits of enum spin_stack for a sample. SPIN_YIELDS: it spins. SPIN_OWN: it is blasprof's
 * own cost. SPIN_IN_BLAS: it is known to be in BLAS, though it may lie in code of another library.
 * SPIN_IN_MPI: it is in an MPI call, whose time is counted separately. */
int spins_flags(const struct spins *spins, const struct log_entry *entry);

#define WAIT_RUN_QUEUE "run queue" /* ready to run, without a CPU */
#define WAIT_UNKNOWN   "unknown"   /* no stack was taken */
#define WAIT_OTHER     "other"	   /* the stack does not tell */

/* What the tables of wait_kinds.c say of a function, which is the same in every stack. */
struct wait_code {
	int is_known;
	enum code_owner owner;
	size_t row;
};

/* One function of a stack. */
struct wait_frame {
	const struct run_frame *frame;
	const struct symbol_frame *symbol; /* the same function, with its line */
	int is_script;			   /* 1 if its file has Python code */
	struct wait_code *code;		   /* zeroed at first; the caller keeps it between stacks */
};

/* What a thread waits for. The strings belong to the frames; "" if there is no such frame. */
struct wait_reason {
	const char *kind;     /* a name of the table, or WAIT_OTHER */
	const char *function; /* the library function or system call that the program called */
	const char *caller;   /* the function of the program that called it, ... */
	const char *file;     /* ... and the line of the call */
	int line;
	const char *object; /* the object of `function`, or of `caller` if that waits itself */
	int in_blas;	    /* set by the caller: 1 if it waits in BLAS */
};

/* Finds the reason of a wait by the frames of its stack, innermost first. */
struct wait_reason wait_reason_find(const struct wait_frame *frames, size_t count);

/* Returns 1 for a function that no other function calls: "_start", "start_thread", "clone3", ... */
int wait_function_is_start(const char *function);

#endif
