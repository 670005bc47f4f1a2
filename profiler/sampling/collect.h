/* collect.h: what collect_samples.c makes of the timeline: calls and waits, stacks, what a thread
 * waits on, code that only waits. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_H
#define SAMPLING_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "calls/wait_regions.h"
#include "sampling/timeline.h"
#include "store/run.h"
#include "symbols/symbols.h"
#include "symbols/naming.h"

/* Adds to the spans of threads in run->spans when these threads were off the CPU, between the first
 * and the last of their spans. Where the log is not exact any more, the run gets a note instead.
 * roi_start_ns: CLOCK_MONOTONIC. */
void collect_wait_spans(const struct timeline *timeline, int64_t roi_start_ns, struct run *run);

struct call_samples {
	const struct timeline *timeline;
	const enum run_code *code; /* of each address */
	const struct naming *naming;
	const char *calls_blas;		/* of each task */
	const struct run_span *watched; /* calls, where the run has no timeline */
	size_t nwatched;
	int64_t roi_start_ns; /* CLOCK_MONOTONIC */
};

/* Counts the samples in BLAS code into the shapes of the calls that were in progress: a caller's by
 * its own call, another thread's by the only call of its process at that moment; where there are
 * several, it is not known whose it was. The names of their kernels tell units and types. Does
 * nothing without spans of calls, or where the log is not exact. */
void collect_call_samples(const struct call_samples *samples, struct run *run);

/* One task's waits in one stack and region. */
struct wait_sum {
	uint32_t task, stack; /* STACK_NONE: not known */
	uint32_t region;      /* as wait_regions_find() has it */
	int preempted;
	uint64_t waits;
	int64_t total_ns, longest_ns;
};

/* Samples that spin, at an address and in a stack. */
struct spin_sum {
	uint32_t address, stack; /* STACK_NONE: not known */
	uint64_t samples, workers /* in threads that BLAS itself started */;
};

/* What happened in the stacks, inside the region of interest. */
struct stack_sums {
	uint64_t (
		*samples)[2]; /* of each node of the tree: of threads with BLAS calls, of others */
	struct wait_sum *waits;
	size_t nwaits;
	struct idmap index; /* of waits, by number of (task, region) and stack */
	struct spin_sum *spins;
	size_t nspins;
	struct idmap spin_index;   /* of spins, by address and stack */
	struct idmap task_regions; /* numbers of (task, region) */
};

/* For a tree of this many nodes. */
void stack_sums_init(struct stack_sums *sums, size_t nodes);
void stack_sums_free(struct stack_sums *sums);
void stack_sums_add_wait(struct stack_sums *sums, const struct log_entry *entry, uint32_t region,
			 int64_t wait_ns);
void stack_sums_add_spin(struct stack_sums *sums, const struct log_entry *entry, int is_worker);

/* Sets counts[] (of addresses) to 1 where some stack with samples or waits goes through and they
 * are still 0, so that these addresses are named. */
void stacks_mark_addresses(const struct timeline *timeline, const struct stack_sums *sums,
			   uint64_t *counts);

/* Adds run->frames, run->stacks, run->waits and, of code that spins, run->functions: what the
 * program called, as far as its stacks tell, and the line of the call. code[]: of each address. */
void stacks_add(const struct timeline *timeline, const struct stack_sums *sums,
		const struct naming *naming, const enum run_code *code,
		const struct wait_regions *regions, struct run *run);

/* Which samples lie in code that only waits, and burns a CPU meanwhile. */
struct spins {
	char *addresses; /* of each: 1: code that waits */
	char *stacks;	 /* of each node: bits of enum spin_stack */
	char *executors; /* of each object: 1: calls go through the preload library to a library
			    that executes other work, too: without such a call it does other work */
};

enum spin_stack {
	SPIN_YIELDS = 1,  /* in the kernel, for sched_yield() */
	SPIN_IN_BLAS = 2, /* goes through a BLAS library */
	SPIN_OWN = 4,	  /* in the preload library, or in what this called of the system */
	SPIN_IN_CALL = 8, /* goes through the preload library, as calls do, ... */
	SPIN_CUT = 16,	  /* ... or may do so: it was truncated */
	SPIN_ON_GPU = 32, /* in a function that waits for a GPU, or in what this calls */
	SPIN_IN_MPI = 64, /* in an MPI call that the preload library times */
};

/* Looks at the addresses whose counts[] is not 0, by name and by the code itself, and at all
 * stacks; code[]: of each address; files changed after since_ns (realtime) are not looked at. Code
 * that was made at run time is known by its name only. */
void spins_find(const struct timeline *timeline, const struct naming *naming,
		const uint64_t *counts, const enum run_code *code, int64_t since_ns,
		struct spins *spins);
void spins_free(struct spins *spins);

/* 1: the sample is of other work of such a library, -1: of its matrix work; 0: not known. */
int spins_is_uncalled(const struct spins *spins, uint32_t object, const struct log_entry *entry);
/* Bits of enum spin_stack, of a sample that is not off the CPU: SPIN_YIELDS: it spins; SPIN_OWN: it
 * is blasprof's own cost; SPIN_IN_BLAS: it is known to be in BLAS, though it may lie in code of
 * another library; SPIN_IN_MPI: it is in an MPI call, which has a time of its own. */
int spins_flags(const struct spins *spins, const struct log_entry *entry);

#define WAIT_RUN_QUEUE "run queue" /* ready to run, without a CPU */
#define WAIT_UNKNOWN   "unknown"   /* no stack was taken */
#define WAIT_OTHER     "other"	   /* its stack says nothing */

/* What the tables say of a function; it is the same on each stack. */
struct wait_code {
	int is_known;
	int owner; /* enum owner of wait_kinds.c */
	size_t row;
};

/* One function of a stack. */
struct wait_frame {
	const struct run_frame *frame;
	const struct symbol_frame *symbol; /* the same function, with its line */
	int is_script;			   /* 1: its file is one of Python code */
	struct wait_code *code; /* zeroed at first, and kept by the caller from stack to stack */
};

/* What the stack says; the strings are the frames' own, "" where there is no such frame. */
struct wait_reason {
	const char *kind;     /* a name of the table, or WAIT_OTHER */
	const char *function; /* that waits, as the program called it: of a library, or a system
				 call */
	const char *caller;   /* the program's own function that this is waited for in */
	const char *file;     /* and its line */
	int line;
	const char *object; /* whose function it called; its own, where it waits itself */
};

/* Looks at the stack's frames, innermost first. */
struct wait_reason wait_reason_find(const struct wait_frame *frames, size_t count);

/* 1 for a function that no other calls: "_start", "start_thread", "clone3", ... */
int wait_function_is_start(const char *function);

#endif
