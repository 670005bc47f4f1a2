/* spins.h: which samples lie in code that only waits, and burns a CPU meanwhile. */
/* SPDX-License-Identifier: MIT */
#ifndef SAMPLING_SPINS_H
#define SAMPLING_SPINS_H

#include "sampling/timeline.h"
#include "symbols/naming.h"
#include "store/run.h"

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

#endif
