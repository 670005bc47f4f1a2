/* spread.h: how evenly the threads of a run worked. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SPREAD_H
#define REPORT_SPREAD_H

#include "model/accounting.h"
#include "store/run.h"

/* Computing is time in BLAS and other code, on the CPU. Participants are numbered in the order in
 * which they were started, from 0. */
#define SPREAD_EXTRA 4

struct spread {
	int known;  /* 0: one caller has BLAS's own threads, or threads start as others end */
	int follow; /* 1: threads are started together, again and again: of all below there is
		     * uneven_ns, the time for which those that ended wait for the last */
	int participants;
	int are_processes; /* 1: each is of another process */
	/* Those beyond N, like a main thread that computes a little and waits for the others: the
	 * numbers of the ones that compute least, as far as there is room. */
	struct {
		int64_t pid, tid;
	} extra[SPREAD_EXTRA];
	int extras;
	double besides_ns;  /* what all of those compute, less the serial part */
	int besides_thread; /* that computes most of it */
	int64_t besides_tid;
	int besides_alike; /* 1: most of its samples are in functions that others ran, too */
	/* What one thread computed beyond the others' mean, or all of it where it is there besides
	 * the N that were asked for, and at least half of it in functions that no other ran, or
	 * before any other was there. */
	double serial_ns;
	int serial_thread;
	int serial_is_first; /* 1: the latter */
	int serial_is_main;  /* 1: it is its process's first thread */
	int64_t serial_tid;
	/* What each of the N computed less than the busiest, summed; the serial part is taken off,
	 * and what others did for a thread while it had no CPU: nobody waits for that. */
	double uneven_ns;
	int busiest_thread;
	double busiest_ns;
	double mean_ns; /* of the N */
	/* How much larger that sum is of computing and being without a CPU: threads that met waited
	 * for what did not get one. */
	double unserved_ns;
};

/* 1 where only this thread ran the function, not spinning. */
int function_is_alone(const struct run_function *function, int64_t tid);

/* The spread of a run's threads with these times and roles. */
struct spread spread_find(const struct run *run, const struct thread_time *times,
			  const enum thread_role *roles, const struct account *account);

#endif
