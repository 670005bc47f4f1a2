/* counter.c: a second preload library, which counts calls of some routines and prints them at exit.
 */
/* SPDX-License-Identifier: MIT
 *
 * Appends a line for each routine that was called to the file COUNTER_FILE of the environment.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The routines take at most 13 arguments and hidden lengths, all of the size of a pointer. */
#define LIST(E) E(dgemm_) E(dtrsm_) E(dsyrk_) E(dgemv_) E(dtrmm_) E(dswap_) E(dscal_) E(dger_)
#define ARGUMENTS                                                                                  \
	void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,  \
		void *k, void *l, void *m, size_t n, size_t o, size_t p, size_t q
#define PASSED a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q

#define COUNTED(name)                                                                              \
	static unsigned long calls_##name;                                                         \
	void name(ARGUMENTS);                                                                      \
	void name(ARGUMENTS)                                                                       \
	{                                                                                          \
		static void (*real)(ARGUMENTS);                                                    \
                                                                                                   \
		if (!real)                                                                         \
			real = (void (*)(ARGUMENTS))dlsym(RTLD_NEXT, #name);                       \
		__atomic_add_fetch(&calls_##name, 1, __ATOMIC_RELAXED);                            \
		real(PASSED);                                                                      \
	}
LIST(COUNTED)

static __attribute__((destructor)) void print_counts(void)
{
	const char *path = getenv("COUNTER_FILE");
	FILE *out = path ? fopen(path, "a") : NULL;

	if (!out)
		return;
#define PRINT(name)                                                                                \
	if (calls_##name)                                                                          \
		fprintf(out, "%s %lu\n", #name, calls_##name);
	LIST(PRINT)
	fclose(out);
}
