/* estimate.h: f(1) without a run on one thread: what a loaded run's fastest calls tell. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ESTIMATE_H
#define MODEL_ESTIMATE_H

#include <stdint.h>

/* Times of calls. Zero it, and add the calls of each shape, that is, of one routine with one set of
 * arguments. */
struct call_times {
	double total_ns;
	double unhindered_ns; /* what they would take if none of them had to wait */
	double waited_ns;     /* what calls_waited() gives */
};

/* This quantile of a shape's calls stands for a call that had to wait for nobody. */
#define ESTIMATE_QUANTILE 0.10
/* Adds calls of one shape. Each is taken to need fastest_ns alone, their ESTIMATE_QUANTILE, but all
 * of them together no longer than they took. NAN: that is not known. */
void call_times_add(struct call_times *sum, double calls, double total_ns, double fastest_ns,
		    double waited_ns);

/* Estimates f(1) from a run on several threads whose calls run on the caller's thread: one thread
 * alone is taken to need unhindered_ns for the calls, and other_ns, the time outside BLAS as
 * measured, for everything else.
 *
 * It is an estimate: calls that always wait look slow, and other code that the threads slow down
 * for each other does too. Returns NAN if there is no call with a duration or other_ns is not a
 * time. */
double estimate_f1(const struct call_times *calls, double other_ns);

/* Returns how much longer than fastest_ns those calls took together that may have waited for calls
 * of other threads, in ns. buckets[i] is the number of calls of low(i) to low(i + 1) ns. A call
 * that finds a unit taken waits for half a call on average, so it takes at least WAIT_MIN times as
 * long; and it waits for at most limit_ns: in a queue, one call of each other thread. Whatever
 * takes longer was not caused by a queue, but by an interrupt or by the host. */
#define WAIT_MIN 1.5
double calls_waited(const uint64_t *buckets, int count, double (*low)(int bucket),
		    double fastest_ns, double limit_ns);

/* What became slower where a shape's calls take longer with more threads. */
enum calls_tail {
	TAIL_UNCLEAR,
	TAIL_GROWS,	/* some calls wait: the fastest tenth takes as long as before */
	TAIL_ALL_ALIKE, /* every call is slower: memory, caches or the clock rate are shared */
};
/* Compares calls alone with calls beside others. growth: how many times as long the calls for a
 * unit of work take beside others. The part of the growth that the fastest tenth of the calls
 * (ESTIMATE_QUANTILE) shares decides: over two thirds is TAIL_ALL_ALIKE, and under a third is
 * TAIL_GROWS, if at least half of the growth is time that calls may have waited (waited_ns). In a
 * queue, three quarters are: waits are spread evenly from 0 to a whole call. Shapes need not be the
 * same in both. Growth under TAIL_GROWTH_MIN tells nothing. */
#define TAIL_GROWTH_MIN 1.05
enum calls_tail calls_tail(const struct call_times *alone, const struct call_times *beside,
			   double growth);

#endif
