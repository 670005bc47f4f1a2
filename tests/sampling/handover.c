/* handover.c: pairs of threads hand a token to each other as fast as they can, with two switches
 * each time. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>

#include "waiting.h"

struct pair {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	int turn, handed;
};

struct player {
	struct pair *pair;
	int number;
	pthread_t thread;
};

static int rounds;

static NOINLINE void take_turn(struct pair *pair, int number)
{
	pthread_mutex_lock(&pair->mutex);
	while (pair->turn != number)
		pthread_cond_wait(&pair->condition, &pair->mutex);
	pair->turn = !number;
	pthread_cond_signal(&pair->condition);
	pthread_mutex_unlock(&pair->mutex);
}

static void *play(void *arg)
{
	const struct player *player = arg;

	compute();
	for (int i = 0; i < rounds; i++)
		take_turn(player->pair, player->number);
	compute();
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 16;
	struct pair *pairs = calloc((size_t)threads, sizeof *pairs);
	struct player *players = calloc((size_t)threads, sizeof *players);

	rounds = argc > 2 ? atoi(argv[2]) : 10000;
	if (!pairs || !players)
		return 1;
	for (int i = 0; i < threads; i++) {
		struct pair *pair = &pairs[i / 2];

		if (i % 2 == 0 && (pthread_mutex_init(&pair->mutex, NULL) ||
				   pthread_cond_init(&pair->condition, NULL)))
			return 1;
		players[i].pair = pair;
		players[i].number = i % 2;
		if (pthread_create(&players[i].thread, NULL, play, &players[i]))
			return 1;
	}
	for (int i = 0; i < threads; i++)
		pthread_join(players[i].thread, NULL);
	free(pairs);
	free(players);
	return 0;
}
