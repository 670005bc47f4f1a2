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

/* What replay_scaled() takes for arrivals_max = 0: whole sequences of 100,000 on 64 threads. */
#define REPLAY_ARRIVALS	   6400000

/* Speed-up of n >= 1 threads on m > 0 units over one thread, by discrete-event simulation: every
 * thread walks the sequence round and round, each from its own start, and calls are served first
 * come first served (of equal arrivals, the thread of lower number first).
 *
 * Threads that repeat the same steps may keep the distance that they happen to have, and how well
 * they fit between each other is a matter of it. So there are up to 16 rounds of other distances,
 * of no fewer than 512 calls a thread: of R rounds, thread i starts round r at the point of the
 * sequence that has the fractional part of r / R + i / n + r i 0.618... of its calls before it.
 * What all rounds get done counts over what they take.
 *
 * Measured in the steady state: of each round after a tenth for warming up, for as long as it takes
 * all threads together to make n * count calls in all rounds, so that each replays the sequence
 * about once. A short sequence is repeated whole until that makes a few thousand calls a thread; no
 * more than arrivals_max calls are counted in all (0: REPLAY_ARRIVALS; then the threads cover the
 * sequence between them). Calls and gaps that are under way at either end count by their finished
 * part: speed-up = uncontended ns of work done / ns.
 *
 * Where the sequence has phases, parts that differ in their BLAS share, all threads are in the
 * same one: each is replayed by itself, for its part of the calls, and the speed-up is the time
 * that all take one thread over what they take n. A phase differs from its neighbours by 0.1 or
 * more (less makes no difference to speak of), and has a sixteenth of the sequence's time and 1024
 * calls or more.
 *
 * m between whole numbers is interpolated linearly between them, and m < 1 is one unit whose
 * service takes 1 / m times as long, as in model_queue(). Returns NAN for arguments outside the
 * ranges or a sequence without any time in it.
 *
 * The sequence's calls take `factor` times as long as they were recorded. With `step` > 0 the
 * threads wait for one another after every `step` calls of each: of n * step calls in a row the
 * first thread makes the first `step`, and so on. With `split`, too, they split each call: every
 * thread makes all calls of the sequence, each on its part of the data, so that all are at the same
 * call. */
double replay_scaled(const struct replay_pair *pairs, size_t count, double factor, size_t step,
		     int split, int n, double m, size_t arrivals_max);

/* f of the sequence: service / (gap + service); NAN when there is no time in it. */
double replay_blas_share(const struct replay_pair *pairs, size_t count);

#endif
