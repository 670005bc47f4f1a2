/* spread.h: how evenly the threads of a run worked. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SPREAD_H
#define REPORT_SPREAD_H

#include "model/accounting.h"
#include "store/run.h"

/* Computing is time on the CPU in BLAS and other code. Participants are numbered from 0 in the
 * order in which they were started. */
#define SPREAD_EXTRA 4

struct spread {
	int known;  /* 0 if a single caller uses BLAS's threads, or threads start as others end */
	int follow; /* 1 if threads are started together, again and again, or each when another has
		     * ended; then uneven_ns is the time that those that have ended wait for the
		     * last, and the serial part is that of the thread which starts them; serial_tid
		     * is 0 if each is started when the one before has ended */
	int participants;
	int are_processes; /* 1 if each is in a process of its own */
	/* Participants beyond the N, such as a main thread that computes a little and waits for the
	 * others: up to SPREAD_EXTRA, those with most time in functions of their own, or else those
	 * that compute least. */
	struct {
		int64_t pid, tid;
	} extra[SPREAD_EXTRA];
	int extras;
	double extra_ns;  /* the computing of all of them, without the serial part */
	int extra_thread; /* the one that computes most */
	int64_t extra_tid;
	int extra_is_main;  /* as serial_is_main */
	int extra_is_apart; /* 1 if none of the N is in its process */
	/* The serial part: computing of one thread beyond the mean of the others, or all of it if
	 * the thread is beyond the N, provided that at least half of it was in functions that no
	 * other thread ran, while most of the others' is not in such functions, or outside the
	 * parallel regions of OpenMP while all others compute in these only, or before any other
	 * thread had started; at least all that was outside these regions, or before that. */
	double serial_ns;
	int serial_thread;
	double serial_first_ns; /* the part of it before any other thread had started */
	int serial_is_main;	/* 1 for the main thread, but not for that of a forked process */
	int64_t serial_tid;
	/* How much less each of the N computed than the busiest, summed; without the serial part,
	 * and without what others did while a thread had no CPU or waited for a lock, since nobody
	 * waits for that. */
	double uneven_ns;
	int busiest_thread;
	double busiest_ns;
	int64_t busiest_own_tid; /* 0 if most that it ran is in functions that others ran too */
	double mean_ns;		 /* of the N */
	/* How much larger the same sum is for computing plus time without a CPU: threads that met
	 * waited for those that had no CPU. */
	double unserved_ns;
	double locked_ns; /* likewise for computing plus time in which they waited for locks */
};

/* 1 for a lock that another thread or process holds. */
int wait_is_lock(const struct run_wait *wait);
/* 1 if threads meet in waits of this kind. A condition may also be an empty queue. */
int wait_is_meeting(const struct run_wait *wait);

/* 1 if only this thread ran the function, and not spinning. */
int function_is_alone(const struct run_function *function, int64_t tid);

/* Computes the spread of a run's threads with these times and roles. */
struct spread spread_find(const struct run *run, const struct thread_time *times,
			  const enum thread_role *roles, const struct account *account);

#endif
