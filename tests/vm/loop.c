/* loop.c: executes a known number of instructions, two a round, on one thread or several. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* rounds times subs and b.ne. */
static void *loop(void *argument)
{
	uint64_t rounds = *(uint64_t *)argument;

	__asm__ volatile("1: subs %0, %0, #1\n"
			 "b.ne 1b\n"
			 : "+r"(rounds)
			 :
			 : "cc");
	return NULL;
}

/* usage: loop ROUNDS [THREADS] */
int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t ids[64];

	if (!threads)
		loop(&rounds);
	for (int i = 0; i < threads && i < 64; i++)
		pthread_create(&ids[i], NULL, loop, &rounds);
	for (int i = 0; i < threads && i < 64; i++)
		pthread_join(ids[i], NULL);
	printf("%llu\n", 2 * (unsigned long long)rounds * (unsigned long long)(threads ? threads : 1));
	return 0;
}
