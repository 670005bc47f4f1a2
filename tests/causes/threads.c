/* threads.c: a pthreads program with one planted cause, or none: threads N CASE. Prints the size of
 * the planted loss, by its own clocks. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/timerfd.h>

#include "work.h"

enum { STEPS = 800, UNITS = 120 /* in a step, of all threads together */, THREADS_MAX = 64 };

static int threads;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int stopped;
static __thread int locked_file = -1;

/* Sums of each thread, in seconds. */
static struct lane {
	double busy /* in units of work, by the CPU clock; blas and other are parts of it */;
	double blas, other, planted;
	char padding[96]; /* keeps the lanes in different cache lines */
} lanes[THREADS_MAX];

struct worker {
	int id;
	struct workshop *shop;
	struct lane *lane;
};

struct plant {
	const char *name;
	void (*step)(struct worker *worker, int step);
	enum planted planted;
	void (*meet)(void); /* at the end of a step; NULL if threads do not meet */
	void (*lock)(void), (*unlock)(void);
	void *(*besides)(void *unused); /* run by one additional thread for each of the N threads */
	void (*open)(void);
};

static const struct plant *plant;

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

static void meet_by_spinning(void)
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

/* Threads meet rarely, because a wake-up takes up to 0.1 ms, which would be a loss, too. */
static void even_step(struct worker *worker, int step)
{
	units(worker, UNITS / threads);
	if (step % 20 == 19)
		meet();
}

static void meet_in_step(void)
{
	if (plant->meet)
		plant->meet();
}

static void shared_step(struct worker *worker, int step)
{
	units(worker, UNITS / threads);
	meet_in_step();
}

/* The first thread has 40 units more than the others. All together do UNITS. */
static void uneven_step(struct worker *worker, int step)
{
	int more = threads > 1 ? 40 : 0;

	units(worker, (UNITS - more) / threads + (worker->id ? 0 : more));
	meet_in_step();
}

/* Most of the work is BLAS: more than one unit can do for two threads. */
static void blas_to_the_end(struct worker *worker, int step)
{
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

static void serial_step(struct worker *worker, int step)
{
	double begin;

	units(worker, UNITS / threads);
	meet();
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	if (!worker->id) {
		worker->shop->sink += reduce(500);
		worker->lane->planted += (threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin);
	}
	meet();
}

static void add_wait(struct worker *worker, double begin)
{
	worker->lane->planted += seconds(CLOCK_MONOTONIC) - begin;
}

static void lock_mutex(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock_mutex(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Each thread opens the file by itself. */
static void lock_file(void)
{
	if (locked_file < 0)
		locked_file = open("/proc/self/exe", O_RDONLY);
	if (flock(locked_file, LOCK_EX))
		exit(99);
}

static void unlock_file(void)
{
	flock(locked_file, LOCK_UN);
}

static void lock_rwlock(void)
{
	pthread_rwlock_wrlock(&rwlock);
}

static void unlock_rwlock(void)
{
	pthread_rwlock_unlock(&rwlock);
}

static void locked_step(struct worker *worker, int step)
{
	for (int i = 0; i < UNITS / threads / 4; i++) {
		double begin;

		units(worker, 2);
		begin = seconds(CLOCK_MONOTONIC);
		plant->lock();
		add_wait(worker, begin);
		units(worker, 2);
		worker->shop->sink += compute(100);
		begin = seconds(CLOCK_MONOTONIC);
		plant->unlock();
		add_wait(worker, begin);
	}
}

/* The same amount of work, without a lock. */
static void unlocked_step(struct worker *worker, int step)
{
	for (int i = 0; i < UNITS / threads / 4; i++) {
		units(worker, 4);
		worker->shop->sink += compute(100);
	}
}

/* A thread does all its steps under one lock. */
static void coarse_step(struct worker *worker, int step)
{
	if (!step)
		lock_mutex();
	unlocked_step(worker, step);
	if (step == STEPS - 1)
		unlock_mutex();
}

static void fine_step(struct worker *worker, int step)
{
	for (int i = 0; i < UNITS / threads; i++) {
		double begin;

		units(worker, 1);
		begin = seconds(CLOCK_MONOTONIC);
		plant->meet();
		add_wait(worker, begin);
	}
}

/* Each thread waits in each step, and one thread alone would wait as long. So the waits of all but
 * one of N threads are lost. */
static void wait_alone(struct worker *worker, double begin)
{
	worker->lane->planted += (threads - 1) * (seconds(CLOCK_MONOTONIC) - begin) / threads;
}

static void sleeping_step(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);

	usleep(600);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

static void sleeping_until(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += 700000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

/* Unlike a helper, the kernel's timer takes no longer if other programs have the CPUs. */
static void timed_step(struct worker *worker, int step)
{
	static __thread int timer = -1;
	struct itimerspec once = {.it_value.tv_nsec = 600000};
	double begin = seconds(CLOCK_MONOTONIC);
	uint64_t times;

	if (timer < 0)
		timer = timerfd_create(CLOCK_MONOTONIC, 0);
	if (timerfd_settime(timer, 0, &once, NULL) || read(timer, &times, sizeof times) < 0)
		exit(99);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

static int helpers[THREADS_MAX][2];

static void open_helpers(void)
{
	for (int i = 0; i < threads; i++)
		helper_open(&helpers[i][0], &helpers[i][1]);
}

static void reading_step(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_MONOTONIC);

	helper_ask(helpers[worker->id][0], helpers[worker->id][1]);
	wait_alone(worker, begin);
	units(worker, UNITS / threads);
}

/* Each thread writes as much as one thread alone would. The program does not determine how long
 * that takes; a thread for which it takes less time ends before the others, and waits for them. */
static void syncing_step(struct worker *worker, int step)
{
	static __thread int file = -1;

	if (file < 0) {
		char name[] = "./syncing-XXXXXX";

		file = mkstemp(name);
		unlink(name);
	}
	units(worker, UNITS / threads);
	if (step % 4)
		return;
	if (write(file, worker->shop->c, 4096) != 4096 || fsync(file))
		exit(99);
}

/* Each of several threads computes something that one thread alone need not compute. */
static void redundant_step(struct worker *worker, int step)
{
	double begin;

	units(worker, UNITS / threads);
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	if (threads > 1)
		worker->shop->sink += compute(10 * UNITS / threads);
	worker->lane->planted += seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Work that grows with the number of threads: each thread looks at the results of all others. */
static void searching_step(struct worker *worker, int step)
{
	double begin;

	units(worker, UNITS / threads);
	begin = seconds(CLOCK_THREAD_CPUTIME_ID);
	worker->shop->sink += reduce(600);
	worker->lane->planted +=
		(threads - 1) * (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) / threads;
}

/* The first thread calls BLAS and then helps the others, which only compute. */
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

/* The first thread calls BLAS and ends early; the others go on computing. One thread alone does
 * both. */
static void one_calls_and_ends(struct worker *worker, int step)
{
	double begin = seconds(CLOCK_THREAD_CPUTIME_ID);

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

static const struct plant plants[] = {
	{"none", even_step},
	{"none-alone", shared_step},
	{"none-spinning", shared_step, .meet = meet_by_spinning},
	{"none-unlocked", unlocked_step},
	{"none-one-calls", one_calls},
	{"imbalance-barrier", uneven_step, PLANTED_UNEVEN, meet},
	{"imbalance-condition", uneven_step, PLANTED_UNEVEN, meet_by_condition},
	{"imbalance-spinning", uneven_step, PLANTED_UNEVEN, meet_by_spinning},
	{"imbalance-end", uneven_step, PLANTED_UNEVEN},
	{"imbalance-one-calls", one_calls_and_ends, PLANTED_UNEVEN},
	{"serial-part", serial_step},
	{"lock-mutex", locked_step, .lock = lock_mutex, .unlock = unlock_mutex},
	{"lock-rwlock", locked_step, .lock = lock_rwlock, .unlock = unlock_rwlock},
	{"lock-file", locked_step, .lock = lock_file, .unlock = unlock_file},
	{"lock-coarse", coarse_step, PLANTED_ALL},
	{"barrier-fine", fine_step, .meet = meet},
	{"barrier-condition", fine_step, .meet = meet_by_condition},
	{"sleep", sleeping_step},
	{"sleep-until", sleeping_until},
	{"io-timer", timed_step},
	{"io-pipe", reading_step, .open = open_helpers},
	{"io-fsync", syncing_step, PLANTED_IDLE},
	{"other-slower", redundant_step},
	{"other-slower-all", searching_step},
	{"none-blas", blas_to_the_end},
	{"blas-queue", blas_to_the_end, PLANTED_ALL},
	{"blas-queue-barrier", blas_step, PLANTED_ALL},
	{"oversubscribed", shared_step, PLANTED_ALL, meet_by_spinning},
	{"oversubscribed-besides", unlocked_step, PLANTED_ALL, .besides = computer},
	{"spin-besides", unlocked_step, PLANTED_ALL, .besides = spinner},
};

static void *work(void *argument)
{
	struct worker *worker = argument;
	double cpu_share;

	worker->shop = workshop_open();
	meet();
	for (int step = 0; step < STEPS; step++)
		plant->step(worker, step);
	cpu_share = worker->lane->busy / (worker->shop->blas + worker->shop->other);
	worker->lane->blas = worker->shop->blas * cpu_share;
	worker->lane->other = worker->shop->other * cpu_share;
	free(worker->shop);
	return NULL;
}

int main(int argc, char **argv)
{
	struct worker workers[THREADS_MAX];
	pthread_t others[THREADS_MAX], besides[THREADS_MAX];
	double begin, wall, busy[THREADS_MAX], most = 0, sum = 0, blas = 0, other = 0;

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
	for (int i = 0; i < threads; i++) {
		busy[i] = lanes[i].busy;
		most = busy[i] > most ? busy[i] : most;
		sum += lanes[i].planted;
		blas += lanes[i].blas;
		other += lanes[i].other;
	}
	printf("units blas %.4f other %.4f longest %.4f\n", blas, other, most);
	print_planted(plant->planted, sum, busy, threads, wall);
	return 0;
}
