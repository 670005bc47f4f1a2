/* measure.c: times a kernel until its median is known well enough. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cells/measure.h"

enum {
	SAMPLES_MAX = 1001,
	SAMPLES_MIN = 3,
	SAMPLES_FOR_INTERVAL = 11,
	CLOCK_READS = 1001,
	SPINS_MAX = 10000,
	PACKAGES_MAX = 64
};
#define SAMPLE_NS      20000.0 /* least duration of a sample: many times the clock's resolution */
#define LONG_NS	       3e8
#define TEAM_SAMPLE_NS 200000.0
/* A core that has not used its widest vectors for a while needs this long, or longer, to power them
 * up. Until then it runs at a fraction of its speed, so evenly that it looks like its normal speed.
 */
#define WARM_NS	       1e6
#define COLD_BYTES_MIN (64l << 20)

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* Median difference of two successive readings of the clock. */
static double clock_cost_ns(void)
{
	static double costs[CLOCK_READS];

	for (int i = 0; i < CLOCK_READS; i++) {
		double start = now_ns();

		costs[i] = now_ns() - start;
	}
	qsort(costs, CLOCK_READS, sizeof(*costs), compare_doubles);
	return costs[CLOCK_READS / 2];
}

/* The 95 % interval of the median is given by order statistics: the ranks n/2 -+ 0.98 sqrt(n), from
 * the normal approximation of the binomial distribution (Conover, "Practical nonparametric
 * statistics", 1999, section 3.2). */
void times_summarise(double *samples, struct times *times)
{
	const int n = times->samples;
	int reach = (int)ceil(0.98 * sqrt((double)n));
	int low = (n - 1) / 2 - reach, high = n / 2 + reach;

	qsort(samples, (size_t)n, sizeof(*samples), compare_doubles);
	times->min = samples[0];
	times->max = samples[n - 1];
	times->median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
	times->low = samples[low < 0 ? 0 : low];
	times->high = samples[high > n - 1 ? n - 1 : high];
}

struct team;
struct member {
	struct team *team;
	struct operands operands;
	pthread_t thread;
	double took_ns; /* duration of the last sample */
};

/* Threads that take each sample together. Their barriers spin, because a wake-up takes longer than
 * the wait. */
struct team {
	const struct kernel *kernel;
	const struct limits *limits;
	struct member *members;
	atomic_int arrived, round;
	atomic_bool over;
	int runs;
};

static void team_meet(struct team *team)
{
	int round = atomic_load(&team->round);

	if (atomic_fetch_add(&team->arrived, 1) + 1 == team->limits->threads) {
		atomic_store(&team->arrived, 0);
		atomic_fetch_add(&team->round, 1);
		return;
	}
	for (int spins = 0; atomic_load(&team->round) == round && !atomic_load(&team->over);
	     spins++)
		if (spins > SPINS_MAX)
			sched_yield();
}

/* Fills the caches with other data. */
static void evict(void)
{
	static char *other;
	static size_t bytes;
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);

	if (!other) {
		bytes = (size_t)(cache * 2 > COLD_BYTES_MIN ? cache * 2 : COLD_BYTES_MIN);
		other = malloc(bytes);
	}
	for (size_t i = 0; other && i < bytes; i += CACHE_LINE_BYTES)
		other[i]++;
}

static void member_sample(struct member *member)
{
	struct team *team = member->team;
	double start;

	if (team->limits->cold)
		evict();
	if (team->limits->threads > 1)
		team_meet(team);
	start = now_ns();
	for (int i = 0; i < team->runs; i++)
		team->kernel->run(&member->operands);
	member->took_ns = now_ns() - start;
	if (team->limits->threads > 1)
		team_meet(team);
}

static void *member_main(void *argument)
{
	struct member *member = argument;

	operands_fill(&member->operands, member->team->kernel);
	for (;;) {
		team_meet(member->team);
		if (atomic_load(&member->team->over))
			return NULL;
		member_sample(member);
	}
}

/* Takes one sample of all threads and returns the time of the slowest, in ns. */
static double team_sample(struct team *team)
{
	double slowest = 0;

	if (team->limits->threads > 1)
		team_meet(team);
	member_sample(&team->members[0]);
	for (int i = 0; i < team->limits->threads; i++)
		slowest = fmax(slowest, team->members[i].took_ns);
	return slowest;
}

/* Chooses the number of runs in a sample and warms the core up. Returns the duration of a sample in
 * ns; 0 for cold runs, which are single runs without an earlier one. */
static double prepare_team(struct team *team)
{
	/* so long that threads run at the same time even if they start one after another */
	const double enough = team->limits->threads > 1 ? TEAM_SAMPLE_NS : SAMPLE_NS;
	double took, end;

	team->runs = 1;
	if (team->limits->cold)
		return 0;
	took = team_sample(team);
	while (took < enough && team->runs < 1 << 20) {
		double wanted = took > 0 ? 1.5 * enough / took * team->runs : 1 << 20;

		team->runs = (int)fmin(fmax(wanted, 2.0 * team->runs), 1 << 20);
		took = team_sample(team);
	}
	end = now_ns() + WARM_NS;
	while (took < WARM_NS && now_ns() < end)
		team_sample(team);
	return took;
}

double energy_joules(const char *folder)
{
	double sum = 0, microjoules;

	for (int i = 0; i < PACKAGES_MAX; i++) {
		char path[512];
		FILE *file;
		int found;

		snprintf(path, sizeof(path), "%s/intel-rapl:%d/energy_uj", folder, i);
		file = fopen(path, "r");
		if (!file)
			break;
		found = fscanf(file, "%lf", &microjoules);
		fclose(file);
		if (found != 1)
			return 0;
		sum += microjoules * 1e-6;
	}
	return sum;
}

static enum measured team_measure(struct team *team, struct times *times)
{
	static double samples[SAMPLES_MAX];
	const int enough = team->limits->cold ? 1 : SAMPLES_MIN;
	double start, end, joules, first = prepare_team(team);

	joules = energy_joules(ENERGY_FOLDER);
	start = now_ns();
	end = start + team->limits->seconds * 1e9;
	times->samples = 0;
	times->runs = team->runs;
	/* a run that takes so long needs no warm-up: the first sample counts */
	if (first > LONG_NS) {
		samples[times->samples++] = first;
		if (first > team->limits->seconds * 1e9) {
			times_summarise(samples, times);
			return MEASURED;
		}
	}
	while (times->samples < SAMPLES_MAX) {
		double took = team_sample(team) - times->clock_ns;

		samples[times->samples++] = fmax(took, 0) / team->runs;
		if (*team->limits->stop)
			return MEASURED_STOPPED;
		if (now_ns() > end && times->samples >= enough)
			break;
		/* not before half of the time: a disturbance may be steady for a while */
		if (times->samples % 10 == 1 && times->samples >= SAMPLES_FOR_INTERVAL &&
		    now_ns() - start > (end - start) / 2) {
			times_summarise(samples, times);
			if (times->high - times->low < MEASURE_WIDTH * times->median)
				break;
		}
	}
	joules = energy_joules(ENERGY_FOLDER) - joules;
	/* filling the caches before a cold run takes more energy than the run */
	if (joules > 0 && !team->limits->cold)
		times->joules = joules / times->samples / times->runs;
	times_summarise(samples, times);
	return MEASURED;
}

enum measured measure_kernel(const struct kernel *kernel, struct operands *operands,
			     const struct limits *limits, struct times *times)
{
	struct team team = {.kernel = kernel, .limits = limits};
	enum measured measured = MEASURED_NO_ROOM;
	int started = 1;

	times->clock_ns = clock_cost_ns();
	team.members = calloc((size_t)limits->threads, sizeof(*team.members));
	if (!team.members)
		return MEASURED_NO_ROOM;
	for (int i = 0; i < limits->threads; i++)
		team.members[i].team = &team;
	team.members[0].operands = *operands;
	for (; started < limits->threads; started++) {
		struct member *member = &team.members[started];

		if (operands_alloc(&member->operands, kernel, operands->size))
			break;
		if (pthread_create(&member->thread, NULL, member_main, member)) {
			operands_free(&member->operands, kernel);
			break;
		}
	}
	if (started == limits->threads)
		measured = team_measure(&team, times);
	atomic_store(&team.over, true);
	for (int i = 1; i < started; i++) {
		pthread_join(team.members[i].thread, NULL);
		operands_free(&team.members[i].operands, kernel);
	}
	free(team.members);
	return measured;
}
