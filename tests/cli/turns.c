/* turns.c: two pools of two threads that compute in turn, or at once, while the main thread waits.
 */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { POOLS = 2, EACH = 2, TURNS = 20 };
#define TURN_S 0.01

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int in_turn, turn, done;

static void compute(void)
{
	struct timespec now;
	volatile double sum = 0;
	double start, passed;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	start = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
	do {
		for (int i = 0; i < 100000; i++) /* the clock itself is read in the kernel */
			sum += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		passed = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - start;
	} while (passed < TURN_S);
}

static void *work(void *pool)
{
	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&mutex);
		while (in_turn && turn != POOLS * i + *(int *)pool)
			pthread_cond_wait(&changed, &mutex);
		pthread_mutex_unlock(&mutex);
		compute();
		pthread_mutex_lock(&mutex);
		if (++done % EACH == 0)
			turn++;
		while (in_turn && turn == POOLS * i + *(int *)pool)
			pthread_cond_wait(&changed, &mutex);
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[POOLS * EACH];
	int pools[POOLS] = {0, 1};

	in_turn = argc > 1 && !strcmp(argv[1], "in-turn");
	for (int i = 0; i < POOLS * EACH; i++)
		if (pthread_create(&threads[i], NULL, work, &pools[i / EACH]))
			return 1;
	for (int i = 0; i < POOLS * EACH; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
