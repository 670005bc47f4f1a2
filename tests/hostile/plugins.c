/* plugins.c: several threads open, call and close plugins at the same time. With BLAS it is the
 * BLAS of the plugins with that number, which is what its routine returns; with PLUGIN it is a
 * plugin. Alone it is the program: its words are the number of plugins and that of rounds. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Many names, so that the search for the functions behind them takes long. */
#define NAMES(x)                                                                                   \
	x(cblas_dgemm) x(cblas_cgemm) x(cblas_zgemm) x(cblas_ssymm) x(cblas_dsymm) x(cblas_csymm)  \
		x(cblas_zsymm) x(cblas_ssyrk) x(cblas_dsyrk) x(cblas_csyrk) x(cblas_zsyrk)         \
			x(cblas_strmm) x(cblas_dtrmm) x(cblas_ctrmm) x(cblas_ztrmm) x(cblas_strsm) \
				x(cblas_dtrsm) x(cblas_ctrsm) x(cblas_ztrsm) x(cblas_sgemv)
#define DECLARE(name) void name(void);
#define DEFINE(name)                                                                               \
	void name(void)                                                                            \
	{                                                                                          \
	}
#define LIST(name) name,

typedef void sgemm(int order, int transa, int transb, int m, int n, int k, float alpha,
		   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
sgemm cblas_sgemm;
int run(void);

#if defined(BLAS)
NAMES(DECLARE)
NAMES(DEFINE)

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha,
		 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
	*c = BLAS;
}
#elif defined(PLUGIN)
NAMES(DECLARE)
extern void (*const names[])(void);
void (*const names[])(void) = {NAMES(LIST)};

int run(void)
{
	float c = 0;

	cblas_sgemm(101, 111, 111, 1, 1, 1, 1, &c, 1, &c, 1, 0, &c, 1);
	return (int)c;
}
#else
static int nplugins, rounds;

static void *open_and_close(void *seed)
{
	unsigned random = (unsigned)(size_t)seed;
	size_t wrong = 0;

	for (int i = 0; i < rounds; i++) {
		int number = 1 + rand_r(&random) % nplugins;
		char path[32];
		void *plugin;
		int (*call)(void);

		snprintf(path, sizeof path, "./plugin%d.so", number);
		plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!plugin) {
			puts(dlerror());
			exit(2);
		}
		call = (int (*)(void))dlsym(plugin, "run");
		wrong += call() != number;
		dlclose(plugin);
	}
	return (void *)wrong;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	size_t wrong = 0;

	nplugins = atoi(argv[1]);
	rounds = atoi(argv[2]);
	alarm(60);
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, open_and_close, (void *)(i + 1));
	for (size_t i = 0; i < 4; i++) {
		void *more;

		pthread_join(threads[i], &more);
		wrong += (size_t)more;
	}
	printf("%s calls came to another plugin's BLAS\n", wrong ? "some" : "no");
	return 3;
}
#endif
