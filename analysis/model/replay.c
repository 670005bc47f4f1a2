/* replay.c: replays a recorded sequence of calls on n threads that share m units. */
/* SPDX-License-Identifier: MIT */
#include "model/replay.h"

#include <math.h>
#include <stdlib.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/memory.h"

enum {
	CALLS_MIN = 4096, /* a thread; a shorter sequence is repeated */
	WARM_UP_ONE_IN = 10,
	ROUNDS_MAX = 16,
	ROUND_CALLS_MIN = 512, /* a thread */
	PHASE_CALLS_MIN = 1024,
	PHASES_MAX = 16, /* a phase has at least 1/16 of the time */
};

#define PHASE_DIFFERENCE 0.1

#define GOLDEN_RATIO	 0.6180339887498949

/* A thread: its newest call, from start to finish on a unit, and when it arrives with the next. */
struct walker {
	double start_ns, finish_ns, arrival_ns;
	size_t next;  /* its next call's pair */
	size_t calls; /* of this step */
};

/* A heap entry: the earliest is on top, of equal ones the lower index. */
struct event {
	double when_ns;
	int index;
};

/* What is replayed, and how. */
struct play {
	const struct replay_pair *pairs;
	size_t count;
	double slowdown; /* of every service, by a unit that is slower */
	size_t step;	 /* calls of a thread between two barriers; 0: there are none */
	int split;	 /* all threads make the same calls of a step */
	size_t arrivals_max;
};

struct simulation {
	struct play play;
	int n, m;
	struct walker *walkers;
	struct event *arrivals; /* heap of n threads by their next arrival */
	struct event *units;	/* heap of m units by when they are free */
	double work_ns;		/* uncontended ns up to every thread's next arrival */
};

static inline int is_earlier(const struct event *a, const struct event *b)
{
	return a->when_ns < b->when_ns || (a->when_ns == b->when_ns && a->index < b->index);
}

/* Puts `event` in the place of heap[hole] or below, so that the heap is in order from there on. */
static inline void sift_down(struct event *heap, int size, int hole, struct event event)
{
	for (;;) {
		int child = 2 * hole + 1;

		if (child >= size)
			break;
		if (child + 1 < size)
			child += is_earlier(&heap[child + 1], &heap[child]);
		if (!is_earlier(&heap[child], &event))
			break;
		heap[hole] = heap[child];
		hole = child;
	}
	heap[hole] = event;
}

/* Serves the earliest arrival: its thread waits for the first free unit, and comes again when its
 * next gap is over. */
static inline void serve_one(struct simulation *sim)
{
	struct event arrival = sim->arrivals[0], unit = sim->units[0];
	struct walker *walker = &sim->walkers[arrival.index];
	double service_ns = (double)sim->play.pairs[walker->next].service_ns, gap_ns;

	if (++walker->next == sim->play.count)
		walker->next = 0;
	gap_ns = (double)sim->play.pairs[walker->next].gap_ns;
	walker->start_ns = MAX(arrival.when_ns, unit.when_ns);
	walker->finish_ns = walker->start_ns + service_ns * sim->play.slowdown;
	walker->arrival_ns = walker->finish_ns + gap_ns;
	sim->work_ns += service_ns + gap_ns;
	unit.when_ns = walker->finish_ns;
	sift_down(sim->units, sim->m, 0, unit);
	arrival.when_ns = walker->arrival_ns;
	sift_down(sim->arrivals, sim->n, 0, arrival);
}

/* Uncontended ns of work done up to `now`, which is not after any thread's next arrival. */
static double work_until(const struct simulation *sim, double now_ns)
{
	double work_ns = sim->work_ns;

	for (int i = 0; i < sim->n; i++) {
		const struct walker *walker = &sim->walkers[i];

		work_ns -= walker->arrival_ns - fmax(now_ns, walker->finish_ns);
		work_ns -= fmax(0, walker->finish_ns - fmax(now_ns, walker->start_ns)) /
			   sim->play.slowdown;
	}
	return work_ns;
}

/* The thread begins with the gap of this pair. */
static void start_walker(struct simulation *sim, int i, size_t offset)
{
	double gap_ns = (double)sim->play.pairs[offset].gap_ns;

	sim->walkers[i] = (struct walker){.arrival_ns = gap_ns, .next = offset};
	sim->arrivals[i] = (struct event){gap_ns, i};
	sim->work_ns += gap_ns;
}

/* Makes the heaps, once start_walker() was called for all threads. */
static void start_queue(struct simulation *sim)
{
	for (int i = sim->n / 2 - 1; i >= 0; i--)
		sift_down(sim->arrivals, sim->n, i, sim->arrivals[i]);
	for (int i = 0; i < sim->m; i++)
		sim->units[i] = (struct event){0, i};
}

/* One step: all threads begin together, and the step ends with the last call of the last thread. */
static double step_ns(struct simulation *sim, size_t *position)
{
	double end_ns = 0;

	sim->work_ns = 0;
	for (int i = 0; i < sim->n; i++) {
		start_walker(sim, i, *position);
		if (!sim->play.split || i == sim->n - 1)
			*position = (*position + sim->play.step) % sim->play.count;
	}
	start_queue(sim);
	for (size_t left = sim->play.step * (size_t)sim->n; left; left--) {
		int thread = sim->arrivals[0].index;
		struct walker *walker = &sim->walkers[thread];

		serve_one(sim);
		end_ns = fmax(end_ns, walker->finish_ns);
		if (++walker->calls < sim->play.step)
			continue;
		/* it waits for the others; the gap after its last call is in the next step */
		sim->work_ns -= walker->arrival_ns - walker->finish_ns;
		for (int i = 0; i < sim->n; i++)
			if (sim->arrivals[i].index == thread)
				sift_down(sim->arrivals, sim->n, i,
					  (struct event){INFINITY, thread});
	}
	return end_ns;
}

static double measure_steps(struct simulation *sim, size_t arrivals)
{
	size_t steps = arrivals / (sim->play.step * (size_t)sim->n) + 1, position = 0;
	double work_ns = 0, ns = 0;

	for (size_t i = 0; i < steps; i++) {
		ns += step_ns(sim, &position);
		work_ns += sim->work_ns;
	}
	return work_ns / ns;
}

static double measure(struct simulation *sim, size_t arrivals)
{
	size_t most = arrivals / ((size_t)sim->n * ROUND_CALLS_MIN);
	int rounds = (int)fmax(1, fmin((double)most, ROUNDS_MAX));
	double work_ns = 0, ns = 0;

	arrivals /= (size_t)rounds;
	for (int round = 0; round < rounds; round++) {
		double from_ns, from_work_ns, to_ns;

		sim->work_ns = 0;
		for (int i = 0; i < sim->n; i++) {
			/* the starts of the first thread divide the sequence evenly; the distances
			 * of the other threads from it differ from round to round */
			double start = (double)round / rounds + (double)i / sim->n +
				       (double)round * i * GOLDEN_RATIO;

			start -= floor(start);
			start_walker(sim, i, (size_t)(start * (double)sim->play.count));
		}
		start_queue(sim);
		for (size_t i = 0; i < arrivals / WARM_UP_ONE_IN; i++)
			serve_one(sim);
		from_ns = sim->arrivals[0].when_ns;
		from_work_ns = work_until(sim, from_ns);
		for (size_t i = 0; i < arrivals; i++)
			serve_one(sim);
		to_ns = sim->arrivals[0].when_ns;
		work_ns += work_until(sim, to_ns) - from_work_ns;
		ns += to_ns - from_ns;
	}
	return work_ns / ns;
}

/* The speed-up on whole m <= n units. */
static double simulate(const struct play *play, int n, int m)
{
	struct simulation sim = {
		.play = *play,
		.n = n,
		.m = m,
		.walkers = memory_rows((size_t)n, sizeof *sim.walkers),
		.arrivals = memory_rows((size_t)n, sizeof *sim.arrivals),
		.units = memory_rows((size_t)m, sizeof *sim.units),
	};
	/* whole rounds of all threads, within the limit */
	size_t rounds = (CALLS_MIN + play->count - 1) / play->count;
	size_t arrivals = rounds * play->count * (size_t)n;
	double speedup;

	arrivals = MIN(arrivals, play->arrivals_max);
	speedup = play->step ? measure_steps(&sim, arrivals) : measure(&sim, arrivals);
	free(sim.walkers);
	free(sim.arrivals);
	free(sim.units);
	return speedup;
}

static double total_ns(const struct replay_pair *pairs, size_t count)
{
	double ns = 0;

	EACH_ROW(pair, pairs, count)
		ns += (double)pair->gap_ns + (double)pair->service_ns;
	return ns;
}

/* Returns how many pairs the first of two phases has, or 0 if there is one phase. The split is
 * where the time in BLAS so far is furthest from BLAS's share of the time so far. */
static size_t split_phase(const struct replay_pair *pairs, size_t count, double least_ns)
{
	double f = replay_blas_share(pairs, count), service_ns = 0, ns = 0, furthest = 0;
	size_t split = 0;

	for (size_t i = 0; i < count; i++) {
		ns += (double)pairs[i].gap_ns + (double)pairs[i].service_ns;
		service_ns += (double)pairs[i].service_ns;
		if (fabs(service_ns - f * ns) > furthest) {
			furthest = fabs(service_ns - f * ns);
			split = i + 1;
		}
	}
	if (split < PHASE_CALLS_MIN || count - split < PHASE_CALLS_MIN ||
	    total_ns(pairs, split) < least_ns || total_ns(pairs + split, count - split) < least_ns)
		return 0;
	f = replay_blas_share(pairs, split) - replay_blas_share(pairs + split, count - split);
	return fabs(f) >= PHASE_DIFFERENCE ? split : 0;
}

/* Time that n threads take for the sequence, phase by phase; a phase lasts at least least_ns. */
static double phases_ns(const struct play *play, double least_ns, int n, int m)
{
	size_t split = play->step ? 0 : split_phase(play->pairs, play->count, least_ns);
	struct play part[2] = {*play, *play};

	if (!split)
		return total_ns(play->pairs, play->count) / simulate(play, n, m);
	for (int i = 0; i < 2; i++) {
		part[i].pairs += i ? split : 0;
		part[i].count = i ? play->count - split : split;
		part[i].arrivals_max = (size_t)((double)play->arrivals_max * (double)part[i].count /
						(double)play->count);
	}
	return phases_ns(&part[0], least_ns, n, m) + phases_ns(&part[1], least_ns, n, m);
}

static double play_whole(const struct play *play, int n, int m)
{
	double all_ns = total_ns(play->pairs, play->count);

	return all_ns / phases_ns(play, all_ns / PHASES_MAX, n, m);
}

static double play_units(struct play play, int n, double m)
{
	double low, part;

	if (n < 1 || !(m > 0) || isnan(replay_blas_share(play.pairs, play.count)))
		return NAN;
	if (m < 1) {
		play.slowdown = 1 / m;
		return play_whole(&play, n, 1);
	}
	if (m >= n)
		return play.step && n > 1 ? play_whole(&play, n, n) : n;
	low = play_whole(&play, n, (int)m);
	part = m - floor(m);
	if (part == 0)
		return low;
	return low + part * (play_units(play, n, floor(m) + 1) - low);
}

double replay_scaled(const struct replay_pair *pairs, size_t count, double factor, size_t step,
		     int split, int n, double m, size_t arrivals_max)
{
	struct play play = {.count = count,
			    .slowdown = 1,
			    .step = step,
			    .split = split,
			    .arrivals_max = arrivals_max ? arrivals_max : REPLAY_ARRIVALS};
	struct replay_pair *scaled;
	double speedup;

	if (!isfinite(factor))
		return NAN;
	scaled = memory_rows(count, sizeof *scaled);
	for (size_t i = 0; i < count; i++) {
		scaled[i] = pairs[i];
		scaled[i].service_ns *= (float)factor;
	}
	play.pairs = scaled;
	speedup = play_units(play, n, m);
	free(scaled);
	return speedup;
}

double replay_blas_share(const struct replay_pair *pairs, size_t count)
{
	double gap_ns = 0, service_ns = 0;

	EACH_ROW(pair, pairs, count) {
		gap_ns += (double)pair->gap_ns;
		service_ns += (double)pair->service_ns;
	}
	return gap_ns + service_ns > 0 ? service_ns / (gap_ns + service_ns) : NAN;
}
