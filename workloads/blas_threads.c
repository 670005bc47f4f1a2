/* blas_threads.c: sets the number of threads of any known BLAS library. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "blas_threads.h"

/* The libraries' functions, and the type of their argument. They are looked up by name, because the
 * library is known only when the program is loaded. */
static const struct setter {
	const char *name;
	int takes_int64;
} setters[] = {
	{"openblas_set_num_threads", 0},
	{"bli_thread_set_num_threads", 1},
	{"MKL_Set_Num_Threads", 0},
};

void blas_threads_set(int threads)
{
	for (size_t i = 0; i < sizeof(setters) / sizeof(*setters); i++) {
		void *symbol = dlsym(RTLD_DEFAULT, setters[i].name);
		void (*set_int)(int);
		void (*set_int64)(int64_t);

		if (!symbol)
			continue;
		memcpy(&set_int, &symbol, sizeof(symbol));
		memcpy(&set_int64, &symbol, sizeof(symbol));
		if (setters[i].takes_int64)
			set_int64(threads);
		else
			set_int(threads);
	}
}
