/* replay.h: replays a recorded sequence of calls on n threads that share m units. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_REPLAY_H
#define MODEL_REPLAY_H

#include <stddef.h>

/* One recorded call: the computing that came before it, then the time inside BLAS. Both are one
 * thread's times with the units for itself, in ns, finite and not negative. */
struct replay_pair {
	float gap_ns, service_ns;
};

/* More threads than this are not simulated, nor fitted: no machine has them, but a damaged store
 * may. */
#define REPLAY_THREADS_MAX 512

/* Stands for arrivals_max = 0: whole sequences of 100,000 on 64 threads. */
#define REPLAY_ARRIVALS	   6400000

/* Speed-up of n >= 1 threads on m > 0 units over one thread, by discrete-event simulation: every
 * thread walks the sequence round and round, each from its own start, and calls are served first
 * come first served (of equal arrivals, the thread of lower number first).
 *
 * Threads that repeat the same steps may keep the distance that they happen to have, which decides
 * how well they fit between each other. So there are up to 16 rounds with other distances, of at
 * least 512 calls a thread: of R rounds, thread i starts round r where the fractional part of r / R
 * + i / n + r i 0.618... of the sequence's calls are before it.
 *
 * Each round is measured after a tenth for warming up. All rounds together count n * count calls,
 * so that each thread replays the sequence about once; a short sequence is repeated until that
 * makes a few thousand calls a thread. At most arrivals_max calls are counted. Calls and gaps that
 * are under way at either end count by their finished part: speed-up = uncontended ns of work done
 * / ns.
 *
 * If the sequence has phases, parts that differ in their BLAS share, all threads are in the same
 * one: each is replayed by itself, for its part of the calls, and the times add up. A phase differs
 * from its neighbours by at least 0.1, and has at least a sixteenth of the time and 1024 calls.
 *
 * m between whole numbers is interpolated linearly between them, and m < 1 is one unit whose
 * service takes 1 / m times as long, as in model_queue(). Returns NAN for arguments outside the
 * ranges or a sequence without any time in it.
 *
 * The sequence's calls take `factor` times as long as recorded. With `step` > 0 the threads wait
 * for one another after every `step` calls of each: of n * step calls in a row the first thread
 * makes the first `step`, and so on. With `split`, too, every thread makes all calls of the
 * sequence, each on its part of the data. */
double replay_scaled(const struct replay_pair *pairs, size_t count, double factor, size_t step,
		     int split, int n, double m, size_t arrivals_max);

/* f of the sequence: service / (gap + service); NAN when there is no time in it. */
double replay_blas_share(const struct replay_pair *pairs, size_t count);

#endif
