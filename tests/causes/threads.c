/* threads.c: a program of pthreads with one planted cause, or none: threads N CASE; prints the size
 * of what it planted, by clocks of its own. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "work.h"

enum { STEPS = 800, UNITS = 120 /* a step, of all threads */, THREADS_MAX = 64 };

static int threads;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int stopped;

/* Of each thread, seconds. */
static struct lane {
	double busy /* in units of work */, planted;
	char apart[112]; /* from the next one's cache line */
} lanes[THREADS_MAX];

struct worker {
	int id;
	struct workshop *shop;
	struct lane *lane;
};

static void meet(void)
{
	pthread_barrier_wait(&barrier);
}

static inline void relax(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

static void spin_until_all_are_here(void)
{
	static volatile int count, round;
	int now = round;

	if (__atomic_add_fetch(&count, 1, __ATOMIC_ACQ_REL) == threads) {
		count = 0;
		__atomic_store_n(&round, now + 1, __ATOMIC_RELEASE);
		return;
	}
	while (__atomic_load_n(&round, __ATOMIC_ACQUIRE) == now)
		relax();
}

static void meet_by_condition(void)
{
	static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	static int count, round;
	int now;

	pthread_mutex_lock(&mutex);
	now = round;
	if (++count == threads) {
		count = 0;
		round++;
		pthread_cond_broadcast(&condition);
	}
	while (round == now)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void units(struct worker *worker, int count)
{
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < count; i++)
		work_unit(worker->shop);
	worker->lane->busy += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Threads meet seldom: to be woken takes up to 0.1 ms, which is a loss of its own. */
static void even_step(struct worker *worker, int step)
{
	units(worker, UNITS / threads);
	if (step % 20 == 19)
		meet();
}

/* The first thread has 40 units more than its share; all do UNITS. */
static int uneven_share(const struct worker *worker)
{
	int more = threads > 1 ? 40 : 0;

	return (UNITS - more) / threads + (worker->id ? 0 : more);
}

static void uneven_step(struct worker *worker, int step)
{
	(void)step;
	units(worker, uneven_share(worker));
	meet();
}

static void uneven_by_condition(struct worker *worker, int step)
{
	(void)step;
	units(worker, uneven_share(worker));
	meet_by_condition();
}

static void uneven_spinning(struct worker *worker, int step)
{
	(void)step;
	units(worker, uneven_share(worker));
	spin_until_all_are_here();
}

static void even_spinning(struct worker *worker, int step)
{
	(void)step;
	units(worker, UNITS / threads);
	spin_until_all_are_here();
}

/* Most of it is BLAS: more than one unit can do for two threads. */
static void blas_to_the_end(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads; i++) {
		for (int j = 0; j < 3; j++)
			call(worker->shop);
		worker->shop->sink += compute(5);
	}
}

static void blas_step(struct worker *worker, int step)
{
	blas_to_the_end(worker, step);
	if (step % 20 == 19)
		meet();
}

static void uneven_to_the_end(struct worker *worker, int step)
{
	(void)step;
	units(worker, uneven_share(worker));
}

static void even_to_the_end(struct worker *worker, int step)
{
	(void)step;
	units(worker, UNITS / threads);
}

static void serial_step(struct worker *worker, int step)
{
	double begin;

	(void)step;
	units(worker, UNITS / threads);
	meet();
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	if (!worker->id) {
		worker->shop->sink += reduce(500);
		worker->lane->planted += (threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin);
	}
	meet();
}

static void wait_for(struct worker *worker, double begin)
{
	worker->lane->planted += seconds(CLOCK_MONOTONIC) - begin;
}

static void locked_step(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads / 4; i++) {
		double begin;

		units(worker, 2);
		begin = seconds(CLOCK_MONOTONIC);
		pthread_mutex_lock(&mutex);
		wait_for(worker, begin);
		units(worker, 2);
		worker->shop->sink += compute(100);
		begin = seconds(CLOCK_MONOTONIC);
		pthread_mutex_unlock(&mutex);
		wait_for(worker, begin);
	}
}

static void rwlocked_step(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads / 4; i++) {
		double begin;

		units(worker, 2);
		begin = seconds(CLOCK_MONOTONIC);
		pthread_rwlock_wrlock(&rwlock);
		wait_for(worker, begin);
		units(worker, 2);
		worker->shop->sink += compute(100);
		begin = seconds(CLOCK_MONOTONIC);
		pthread_rwlock_unlock(&rwlock);
		wait_for(worker, begin);
	}
}

/* As much work, without a lock. */
static void unlocked_step(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads / 4; i++) {
		units(worker, 4);
		worker->shop->sink += compute(100);
	}
}

static void fine_step(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads; i++) {
		double begin;

		units(worker, 1);
		begin = seconds(CLOCK_MONOTONIC);
		meet();
		wait_for(worker, begin);
	}
}

static void fine_by_condition(struct worker *worker, int step)
{
	(void)step;
	for (int i = 0; i < UNITS / threads; i++) {
		double begin;

		units(worker, 1);
		begin = seconds(CLOCK_MONOTONIC);
		meet_by_condition();
		wait_for(worker, begin);
	}
}

/* Waits that each thread has in each step take as long on one thread: of N threads' waits all but
 * one are lost. */
static void wait_alone(struct worker *worker, double begin)
{
	worker->lane->planted += (threads - 1) * (seconds(CLOCK_MONOTONIC) - begin) / threads;
}

static void sleeping_step(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);

	(void)step;
	usleep(600);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

static void sleeping_until(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);
	struct timespec until;

	(void)step;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += 700000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

static int (*pipes)[4];

/* A child writes a byte for each that is asked for, after a while. */
static void pipes_open(void)
{
	static int ends[THREADS_MAX][4];
	char byte;

	for (int i = 0; i < threads; i++) {
		if (pipe(ends[i]) || pipe(ends[i] + 2))
			exit(99);
		if (fork()) {
			close(ends[i][0]);
			close(ends[i][3]);
			continue;
		}
		for (int j = 0; j <= i; j++)
			close(ends[j][1]);
		while (read(ends[i][0], &byte, 1) == 1) {
			usleep(600);
			if (write(ends[i][3], "", 1) != 1)
				break;
		}
		_exit(0);
	}
	pipes = ends;
}

static void reading_step(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);
	char byte;

	(void)step;
	if (write(pipes[worker->id][1], "", 1) != 1 || read(pipes[worker->id][2], &byte, 1) != 1)
		exit(99);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

/* Each thread writes as much as one would. How long that takes is not in our hands. */
static void syncing_step(struct worker *worker, int step)
{
	static __thread int file = -1;
	double begin;

	if (file < 0) {
		char name[] = "./syncing-XXXXXX";

		file = mkstemp(name);
		unlink(name);
	}
	units(worker, UNITS / threads);
	if (step % 4)
		return;
	begin = seconds(CLOCK_MONOTONIC);
	if (write(file, worker->shop->c, 4096) != 4096 || fsync(file))
		exit(99);
	wait_for(worker, begin);
}

/* Each of several threads computes what one would have at hand. */
static void redundant_step(struct worker *worker, int step)
{
	double begin;

	(void)step;
	units(worker, UNITS / threads);
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	if (threads > 1)
		worker->shop->sink += compute(10 * UNITS / threads);
	worker->lane->planted += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Work that grows with the number of threads: each looks at what all others did. */
static void searching_step(struct worker *worker, int step)
{
	double begin;

	units(worker, UNITS / threads);
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	worker->shop->sink += reduce(600);
	worker->lane->planted +=
		(threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / threads;
	(void)step;
}

/* The first thread calls BLAS, and then helps the others, which only compute. */
static void one_calls(struct worker *worker, int step)
{
	static int taken[STEPS];
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

	if (!worker->id)
		for (int i = 0; i < UNITS / 4; i++)
			work_unit(worker->shop);
	while (__atomic_fetch_add(&taken[step], 1, __ATOMIC_RELAXED) < UNITS)
		worker->shop->sink += compute(20);
	worker->lane->busy += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* The first thread calls BLAS and is done early; the others compute on. One thread does both. */
static void one_calls_and_ends(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

	(void)step;
	if (!worker->id)
		for (int i = 0; i < UNITS / 4; i++)
			work_unit(worker->shop);
	if (worker->id || threads == 1)
		worker->shop->sink += compute(UNITS * 15 / (threads > 1 ? threads - 1 : 1));
	worker->lane->busy += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void *spinner(void *unused)
{
	while (!stopped)
		relax();
	return unused;
}

static void *computer(void *unused)
{
	while (!stopped)
		compute(1000);
	return unused;
}

/* PLANTED_ALL: whatever the program as a whole loses, by the wall time. Where threads lack a CPU
 * that is more than the time without one: who had more of the CPUs ends early, and then waits. */
enum planted { PLANTED_SUM, PLANTED_UNEVEN, PLANTED_ALL };

static const struct plant {
	const char *name;
	void (*step)(struct worker *worker, int step);
	enum planted planted;
	void *(*besides)(void *unused); /* run by one more thread for each of the N */
	void (*open)(void);
} plants[] = {
	{"none", even_step},
	{"none-alone", even_to_the_end},
	{"none-spinning", even_spinning},
	{"none-unlocked", unlocked_step},
	{"none-one-calls", one_calls},
	{"imbalance-barrier", uneven_step, PLANTED_UNEVEN},
	{"imbalance-condition", uneven_by_condition, PLANTED_UNEVEN},
	{"imbalance-spinning", uneven_spinning, PLANTED_UNEVEN},
	{"imbalance-end", uneven_to_the_end, PLANTED_UNEVEN},
	{"imbalance-one-calls", one_calls_and_ends, PLANTED_UNEVEN},
	{"serial-part", serial_step},
	{"lock-mutex", locked_step},
	{"lock-rwlock", rwlocked_step},
	{"barrier-fine", fine_step},
	{"barrier-condition", fine_by_condition},
	{"sleep", sleeping_step},
	{"sleep-until", sleeping_until},
	{"io-pipe", reading_step, .open = pipes_open},
	{"io-fsync", syncing_step},
	{"other-slower", redundant_step},
	{"other-slower-all", searching_step},
	{"none-blas", blas_to_the_end},
	{"blas-queue", blas_to_the_end, PLANTED_ALL},
	{"blas-queue-barrier", blas_step, PLANTED_ALL},
	{"oversubscribed", even_spinning, PLANTED_ALL},
	{"oversubscribed-besides", unlocked_step, PLANTED_ALL, computer},
	{"spin-besides", unlocked_step, PLANTED_ALL, spinner},
};

static const struct plant *plant;

static void *work(void *argument)
{
	struct worker *worker = argument;

	worker->shop = workshop_open();
	meet();
	for (int step = 0; step < STEPS; step++)
		plant->step(worker, step);
	free(worker->shop);
	return NULL;
}

static double planted(void)
{
	double busy[THREADS_MAX], sum = 0;

	for (int i = 0; i < threads; i++) {
		busy[i] = lanes[i].busy;
		sum += lanes[i].planted;
	}
	return plant->planted == PLANTED_UNEVEN ? shortfall(busy, threads) : sum;
}

int main(int argc, char **argv)
{
	struct worker workers[THREADS_MAX];
	pthread_t others[THREADS_MAX], besides[THREADS_MAX];
	double begin, wall;

	threads = argc == 3 ? atoi(argv[1]) : 0;
	for (size_t i = 0; argc == 3 && i < sizeof plants / sizeof *plants; i++)
		plant = strcmp(plants[i].name, argv[2]) ? plant : &plants[i];
	if (!plant || threads < 1 || threads > THREADS_MAX)
		return 99;
	if (plant->open)
		plant->open();
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++)
		workers[i] = (struct worker){.id = i, .lane = &lanes[i]};
	for (int i = 0; i < threads && plant->besides; i++)
		pthread_create(&besides[i], NULL, plant->besides, NULL);
	begin = seconds(CLOCK_MONOTONIC);
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], NULL, work, &workers[i]);
	work(&workers[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	wall = seconds(CLOCK_MONOTONIC) - begin;
	stopped = 1;
	for (int i = 0; i < threads && plant->besides; i++)
		pthread_join(besides[i], NULL);
	if (plant->planted == PLANTED_ALL)
		print_planted_all(wall);
	else
		print_planted(planted(), wall);
	return 0;
}
