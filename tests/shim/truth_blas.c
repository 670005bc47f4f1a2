/* truth_blas.c: a stand-in BLAS whose cblas_sgemm burns CPU time and sleeps for as long as the
 * caller says, so that f is known. */
/* SPDX-License-Identifier: MIT */
#include "truth_blas.h"
#include "truth_burn.h"

__thread int64_t truth_blas_ns, truth_stolen_ns;
int truth_wants_stolen;

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
	int64_t begun = clock_now_ns(CLOCK_THREAD_CPUTIME_ID), slept_ns;
	struct moment entered = {0};
	volatile char frame[m] __attribute__((unused));

	frame[0] = 0;
	if (alpha <= 0 && beta <= 0)
		return;
	if (truth_wants_stolen)
		entered = moment_now();
	burn_cpu_ns((int64_t)alpha);
	slept_ns = sleep_us((int64_t)beta);
	if (truth_wants_stolen)
		truth_stolen_ns += moment_off_ns(&entered) - slept_ns;
	truth_blas_ns += slept_ns + clock_now_ns(CLOCK_THREAD_CPUTIME_ID) - begun;
}
