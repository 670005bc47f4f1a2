/* plugin.c: a library that calls the BLAS with which it is linked. With BEGINS its constructor
 * waits for a thread that makes as many calls as the environment variable BEGINS says; each also
 * calls functions of this library that only have the names of BLAS routines. */
/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "truth_blas.h"

void plugin_call(int calls);

#ifdef BEGINS
double drot(double angle, float scale, int turns, long double exact);
void sgemm(char transa, char transb, int m, int n, int k, float alpha);

static _Thread_local int seen;

void sgemm(char transa, char transb, int m, int n, int k, float alpha)
{
	seen = transa == 'N' && transb == 'T' && m == 1 && n == 2 && k == 3 && alpha == 0.5f;
}

double drot(double angle, float scale, int turns, long double exact)
{
	return angle * scale + turns + (double)exact;
}

static void call_own(void)
{
	seen = 0;
	sgemm('N', 'T', 1, 2, 3, 0.5f);
	if (!seen || drot(1.5, 2, 7, 0.25L) != 10.25)
		exit(1);
}
#else
static void call_own(void)
{
}
#endif

void plugin_call(int calls)
{
	for (int i = 0; i < calls; i++, call_own())
		cblas_sgemm(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

#ifdef BEGINS
static void *run(void *calls)
{
	plugin_call(atoi(calls));
	return NULL;
}

static __attribute__((constructor)) void begin(void)
{
	pthread_t thread;

	if (getenv("BEGINS") && !pthread_create(&thread, NULL, run, getenv("BEGINS")))
		pthread_join(thread, NULL);
}
#endif
