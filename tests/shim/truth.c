/* truth.c: threads that spend a known share of their time in BLAS, and print what a profile must
 * show.
 */
/* SPDX-License-Identifier: MIT
 *
 * truth THREADS F STEPS [BLAS_SLEEP_US OTHER_SLEEP_US [STEP_MS|variable]]
 * Each step is 1 ms of work, or STEP_MS: F of it inside cblas_sgemm (truth_blas.c), the rest
 * outside, and the sleeps in addition. "variable" makes both parts exponentially distributed with
 * these means (for a multiple of 256 steps). TRUTH_FRAME: bytes of the BLAS function's frame. With
 * TRUTH_DISABLES set, each thread disables all perf events that it has created, before its steps.
 * Prints one line: the number of calls, and the range of f by the threads' own clocks: time in BLAS
 * (CPU and sleep) over that plus the CPU time outside. The range is for time that a hypervisor
 * stole, which may count as other code or as BLAS.
 */
#include "truth_blas.h"
#include "truth_burn.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define THREADS_MAX 64

static double share, step_ns = 1e6;
static int steps, blas_sleep_us, other_sleep_us, variable;
static pthread_barrier_t start;

#define DECK 256
struct deck {
	double cards[DECK];
	int next;
};

struct sums {
	int64_t blas_ns, other_ns, stolen_in_blas_ns, stolen_in_other_ns;
	unsigned short random[3];
	struct deck blas, other;
};

static void call_blas(double burn_ns, int sleep)
{
	const char *frame = getenv("TRUTH_FRAME");

	cblas_sgemm(101, 111, 111, frame ? atoi(frame) : 1, 1, 1, (float)burn_ns, NULL, 1, NULL, 1,
		    (float)sleep, NULL, 1);
}

/* An exponential distribution of mean 1, cut into as many equal parts as a deck has cards, in
 * random order (Fisher-Yates shuffle). Each thread uses whole decks, so that all have the same
 * work. */
static void shuffle(struct deck *deck, unsigned short random[3])
{
	for (int i = 0; i < DECK; i++) {
		int j = (int)(erand48(random) * (i + 1));

		deck->cards[i] = deck->cards[j];
		deck->cards[j] = -log(1 - (i + 0.5) / DECK);
	}
	deck->next = 0;
}

/* Returns 1, or the next card. */
static double length(struct deck *deck, unsigned short random[3])
{
	if (!variable)
		return 1;
	if (deck->next == DECK || !deck->cards[0])
		shuffle(deck, random);
	return deck->cards[deck->next++];
}

static void one_step(struct sums *sums)
{
	int64_t begun = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), slept_ns;
	struct moment entered = moment_now();

	burn_cpu_ns((int64_t)(step_ns * (1 - share) * length(&sums->other, sums->random)));
	slept_ns = sleep_us(other_sleep_us); /* going to sleep and waking up takes CPU time, too */
	sums->stolen_in_other_ns += moment_off_ns(&entered) - slept_ns;
	sums->other_ns += clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - begun;
	call_blas(step_ns * share * length(&sums->blas, sums->random), blas_sleep_us);
}

static void *work(void *data)
{
	struct sums *sums = data;

	/* the first call takes longer under a profiler, which the program cannot separate */
	call_blas(0, 0);
	if (getenv("TRUTH_DISABLES"))
		prctl(PR_TASK_PERF_EVENTS_DISABLE);
	pthread_barrier_wait(&start);
	for (int i = 0; i < steps; i++)
		one_step(sums);
	sums->blas_ns = truth_blas_ns;
	sums->stolen_in_blas_ns = truth_stolen_ns;
	return NULL;
}

int main(int argc, char **argv)
{
	static struct sums sums[THREADS_MAX];
	pthread_t threads[THREADS_MAX];
	struct sums all = {0};
	double cpu_ns;
	int count = argc > 3 ? atoi(argv[1]) : 0;

	if (count < 1 || count > THREADS_MAX)
		return 2;
	truth_wants_stolen = 1;
	share = atof(argv[2]);
	steps = atoi(argv[3]);
	blas_sleep_us = argc > 4 ? atoi(argv[4]) : 0;
	other_sleep_us = argc > 5 ? atoi(argv[5]) : 0;
	if (argc > 6 && atof(argv[6]) > 0)
		step_ns *= atof(argv[6]);
	else
		variable = argc > 6;
	for (int i = 0; i < count; i++)
		sums[i].random[0] = (unsigned short)(i + 1);
	pthread_barrier_init(&start, NULL, (unsigned)count);
	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, &sums[i]))
			return 3;
	work(&sums[0]);
	for (int i = 0; i < count; i++) {
		if (i)
			pthread_join(threads[i], NULL);
		all.blas_ns += sums[i].blas_ns;
		all.other_ns += sums[i].other_ns;
		all.stolen_in_blas_ns += sums[i].stolen_in_blas_ns;
		all.stolen_in_other_ns += sums[i].stolen_in_other_ns;
	}
	cpu_ns = (double)(all.blas_ns + all.other_ns);
	printf("%d %.4f %.4f\n", count * (steps + 1),
	       (double)all.blas_ns / (cpu_ns + (double)all.stolen_in_other_ns),
	       (double)(all.blas_ns + all.stolen_in_blas_ns) /
		       (cpu_ns + (double)all.stolen_in_blas_ns));
	return 0;
}
