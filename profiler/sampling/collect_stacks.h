/* collect_stacks.h: brings the stacks of samples and waits into the run. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_COLLECT_STACKS_H
#define SAMPLING_COLLECT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "calls/wait_regions.h"
#include "sampling/timeline.h"
#include "store/run.h"
#include "symbols/naming.h"

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

#endif
