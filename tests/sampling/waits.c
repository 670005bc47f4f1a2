/* waits.c: a thread waits a known time on a lock of each kind, at a barrier, asleep, for a file, a
 * thread and a child, and prints how long; or pairs of threads hand a token to each other as fast
 * as they can, with two switches each time; or a child hands out the work. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <cblas.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blasprof.h"
#include "tests/shim/truth_burn.h"

/* For a function that must be seen on the stack. */
#define NOINLINE __attribute__((noinline))

/* The length of waits. A thread that was woken may have to wait for a CPU, which the switch records
 * do not distinguish from being blocked: a wait lasts at least as long as the thread was blocked,
 * and at most as long as it was off the CPU. */
struct waited {
	int64_t least_ns, most_ns;
};

static inline void waited_add(struct waited *waited, const struct moment *begun)
{
	struct moment ended = moment_now();
	int64_t off_ns = ended.wall_ns - begun->wall_ns - (ended.cpu_ns - begun->cpu_ns);

	waited->least_ns += off_ns - (ended.delay_ns - begun->delay_ns);
	waited->most_ns += off_ns;
}

static inline void compute(void)
{
	float a[16] = {1}, b[16] = {1}, c[16];

	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 4, 4, 4, 1, a, 4, b, 4, 0, c, 4);
}

enum { HELD_US = 50000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier, together; /* waits at `together` are not measured */
static int pipe_fds[2], file_fds[2];
static int is_ready, rounds, alone;
static useconds_t asleep_us = HELD_US;

/* Each kind of wait is in one line of a function of its own. */
static NOINLINE void wait_on_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static NOINLINE void wait_on_rwlock(void)
{
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
}

static NOINLINE void wait_on_condition(void)
{
	pthread_mutex_lock(&guard);
	while (!is_ready)
		pthread_cond_wait(&condition, &guard);
	is_ready = 0;
	pthread_mutex_unlock(&guard);
}

static NOINLINE void wait_on_semaphore(void)
{
	if (sem_wait(&semaphore))
		abort();
}

static NOINLINE void wait_at_barrier(void)
{
	if (pthread_barrier_wait(&barrier) > 0)
		abort();
}

static NOINLINE void wait_asleep(void)
{
	if (usleep(asleep_us))
		abort();
}

static NOINLINE void wait_on_pipe(void)
{
	char byte;

	if (read(pipe_fds[0], &byte, 1) != 1)
		abort();
}

static NOINLINE void wait_on_poll(void)
{
	struct pollfd fd = {.fd = -1};

	if (poll(&fd, 1, HELD_US / 1000))
		abort();
}

/* Like fsync(), flock() is a bare system call in libc, here in a thread and under a lock. */
static NOINLINE void wait_on_file(void)
{
	pthread_mutex_lock(&guard);
	if (flock(file_fds[0], LOCK_EX))
		abort();
	flock(file_fds[0], LOCK_UN);
	pthread_mutex_unlock(&guard);
}

static void *sleep_once(void *unused)
{
	usleep(HELD_US);
	return unused;
}

static NOINLINE void wait_on_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_once, NULL))
		abort();
	pthread_join(thread, NULL);
}

static NOINLINE void wait_on_child(void)
{
	pid_t child = fork();

	if (!child) {
		usleep(HELD_US);
		_exit(0);
	}
	if (waitpid(child, NULL, 0) != child)
		abort();
}

static struct row {
	void (*wait)(void);
	const char *name; /* in the report: kind, function and caller */
	int needs_other;  /* 1 if the other thread makes it wait, in this order */
	struct waited waited;
} rows[] = {
	{wait_on_mutex, "mutex,pthread_mutex_lock,wait_on_mutex", 1, {0}},
	{wait_on_rwlock, "rwlock,pthread_rwlock_rdlock,wait_on_rwlock", 1, {0}},
	{wait_on_file, "file lock,flock,wait_on_file", 1, {0}},
	{wait_on_condition, "condition,pthread_cond_wait,wait_on_condition", 1, {0}},
	{wait_on_semaphore, "condition,sem_wait,wait_on_semaphore", 1, {0}},
	{wait_at_barrier, "barrier,pthread_barrier_wait,wait_at_barrier", 1, {0}},
	{wait_on_pipe, "I/O,read,wait_on_pipe", 1, {0}},
	{wait_asleep, "sleep,usleep,wait_asleep", 0, {0}},
	{wait_on_poll, "I/O,poll,wait_on_poll", 0, {0}},
	{wait_on_thread, "join,pthread_join,wait_on_thread", 0, {0}},
	{wait_on_child, "child,wait4,wait_on_child", 0, {0}},
};

/* Makes the other thread wait: holds the locks, comes late to the barrier, writes late. */
static void hold_up(void)
{
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	if (flock(file_fds[1], LOCK_EX))
		abort();
	pthread_barrier_wait(&together);
	usleep(HELD_US);
	pthread_mutex_unlock(&mutex);
	usleep(HELD_US);
	pthread_rwlock_unlock(&rwlock);
	usleep(HELD_US);
	flock(file_fds[1], LOCK_UN);
	usleep(HELD_US);
	pthread_mutex_lock(&guard);
	is_ready = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&guard);
	usleep(HELD_US);
	sem_post(&semaphore);
	usleep(HELD_US);
	pthread_barrier_wait(&barrier);
	usleep(HELD_US);
	if (write(pipe_fds[1], "x", 1) != 1)
		abort();
	pthread_barrier_wait(&together);
}

static void *wait_for_all(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		compute();
		if (!alone)
			pthread_barrier_wait(&together);
		for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
			struct moment began;

			if (alone && rows[j].needs_other)
				continue;
			if (!alone && j && rows[j - 1].needs_other && !rows[j].needs_other)
				pthread_barrier_wait(&together);
			began = moment_now();
			rows[j].wait();
			waited_add(&rows[j].waited, &began);
		}
	}
	compute();
	return unused;
}

/* The places of the waits in regions: two regions, and outside them. */
static struct place {
	const char *region;
	useconds_t us;
	struct waited asleep, at_barrier;
} places[] = {{.region = "early", .us = 40000},
	      {.region = "late", .us = 70000},
	      {.region = "", .us = 25000}};
enum { PLACES = sizeof places / sizeof *places };

static void begin_region(const char *name)
{
	if (*name)
		blasprof_region_begin(name);
	compute();
}

/* Comes late to the barrier. Its regions are not those of the main thread, but each the next one.
 */
static void *come_late(void *unused)
{
	for (int i = 0; i < rounds * PLACES; i++) {
		const char *region = places[(i + 1) % PLACES].region;

		begin_region(region);
		usleep(2 * places[i % PLACES].us);
		pthread_barrier_wait(&barrier);
		if (*region)
			blasprof_region_end(region);
	}
	return unused;
}

static void wait_in_regions(void)
{
	for (int i = 0; i < rounds * PLACES; i++) {
		struct place *place = &places[i % PLACES];
		struct moment began;

		begin_region(place->region);
		asleep_us = place->us;
		began = moment_now();
		wait_asleep();
		waited_add(&place->asleep, &began);
		began = moment_now();
		wait_at_barrier();
		waited_add(&place->at_barrier, &began);
		if (*place->region)
			blasprof_region_end(place->region);
	}
	compute();
}

static struct pair {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	long turn;
} pairs[8];
enum { PAIRS = sizeof pairs / sizeof *pairs };

static NOINLINE void take_turn(struct pair *pair, long number)
{
	pthread_mutex_lock(&pair->mutex);
	while (pair->turn != number)
		pthread_cond_wait(&pair->condition, &pair->mutex);
	pair->turn = !number;
	pthread_cond_signal(&pair->condition);
	pthread_mutex_unlock(&pair->mutex);
}

static void *hand_over(void *number)
{
	compute();
	for (int i = 0; i < rounds; i++)
		take_turn(&pairs[(long)number / 2], (long)number % 2);
	compute();
	return NULL;
}

static int run_pairs(void)
{
	pthread_t threads[2 * PAIRS];

	for (long i = 0; i < 2 * PAIRS; i++) {
		if (i % 2 == 0 && (pthread_mutex_init(&pairs[i / 2].mutex, NULL) ||
				   pthread_cond_init(&pairs[i / 2].condition, NULL)))
			return 1;
		if (pthread_create(&threads[i], NULL, hand_over, (void *)i))
			return 1;
	}
	for (int i = 0; i < 2 * PAIRS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* Another process answers, and computes 0.5 ms for that. */
static int ask_child(void)
{
	int answers[2];
	char byte = 0;

	if (pipe(pipe_fds) || pipe(answers))
		return 1;
	if (!fork()) {
		close(pipe_fds[1]);
		while (read(pipe_fds[0], &byte, 1) == 1) {
			compute_ms(0.5);
			if (write(answers[1], &byte, 1) != 1)
				return 1;
		}
		return 0;
	}
	for (int i = 0; i < rounds; i++) {
		compute();
		compute_ms(40);
		if (write(pipe_fds[1], &byte, 1) != 1 || read(answers[0], &byte, 1) != 1)
			return 1;
	}
	close(pipe_fds[1]);
	return wait(NULL) < 0;
}

static void print_line(const char *region, const char *name, const struct waited *waited)
{
	printf("%s%s %lld %lld\n", region, name, (long long)waited->least_ns,
	       (long long)waited->most_ns);
}

/* Usage: waits ROUNDS [1|2|regions|pairs|child]: with 1, only the waits that need no other thread.
 */
int main(int argc, char **argv)
{
	int has_regions = argc > 2 && !strcmp(argv[2], "regions");
	pthread_t thread;

	rounds = argc > 1 ? atoi(argv[1]) : 5;
	alone = argc > 2 && !strcmp(argv[2], "1");
	if (argc > 2 && !strcmp(argv[2], "pairs"))
		return run_pairs();
	if (argc > 2 && !strcmp(argv[2], "child"))
		return ask_child();
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_barrier_init(&together, NULL, 2);
	sem_init(&semaphore, 0, 0);
	for (int i = 0; i < 2; i++)
		file_fds[i] = open(argv[0], O_RDONLY);
	if (file_fds[0] < 0 || file_fds[1] < 0 || pipe(pipe_fds) ||
	    pthread_create(&thread, NULL, has_regions ? come_late : wait_for_all, NULL))
		return 1;
	if (has_regions)
		wait_in_regions();
	for (int i = 0; i < rounds && !alone && !has_regions; i++) {
		compute();
		hold_up();
	}
	pthread_join(thread, NULL);
	for (size_t i = 0; i < PLACES && has_regions; i++) {
		print_line(places[i].region, ",sleep,wait_asleep", &places[i].asleep);
		print_line(places[i].region, ",barrier,wait_at_barrier", &places[i].at_barrier);
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows && !has_regions; i++)
		print_line("", rows[i].name, &rows[i].waited);
	return 0;
}
