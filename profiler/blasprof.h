/* blasprof.h: marks that a program sets for blasprof: regions, and progress. Header only. */
/* SPDX-License-Identifier: MIT
 *
 * Include it, mark, and link nothing: the marks find blasprof's preload library when it is there,
 * and do nothing when it is not (one look at a variable). They may be set from any thread. C from
 * C89 and C++ from C++98 on, as gcc and clang take them, also with -pedantic.
 *
 *     blasprof_region_begin("forward");
 *     ...
 *     blasprof_region_end("forward");
 *     blasprof_progress(1);
 *
 * blasprof_region_begin(name), blasprof_region_end(name)
 *     What this thread does in between counts for the region; time in an inner region counts only
 *     for the inner one. Regions nest, up to 16 deep: time in a deeper one counts for the region
 *     around it, but the region of interest (--roi) counts at any depth. An end closes the
 *     innermost open region of its name and those inside it; that of a deeper one closes nothing
 *     else, and one without a begin does nothing. Names are compared by their first 31 bytes.
 * blasprof_progress(amount)
 *     This amount of the program's work is done: `blasprof --work steps` measures throughput by the
 *     sum over all threads.
 */
#ifndef BLASPROF_H
#define BLASPROF_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The function of the preload library, or NULL; looked up once for each place that marks. */
static __inline__ void *blasprof_find(void **cache, const char *name)
{
	void *found = __atomic_load_n(cache, __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym((void *)0, name); /* RTLD_DEFAULT, which needs _GNU_SOURCE */
		if (!found)
			found = (void *)cache; /* not profiled */
		__atomic_store_n(cache, found, __ATOMIC_RELAXED);
	}
	return found == (void *)cache ? (void *)0 : found;
}

static __inline__ void blasprof_region_begin(const char *name)
{
	static void *cache;
	void *found = blasprof_find(&cache, "blasprof_shim_region_begin");

	if (found)
		__extension__((void (*)(const char *))found)(name);
}

static __inline__ void blasprof_region_end(const char *name)
{
	static void *cache;
	void *found = blasprof_find(&cache, "blasprof_shim_region_end");

	if (found)
		__extension__((void (*)(const char *))found)(name);
}

static __inline__ void blasprof_progress(double amount)
{
	static void *cache;
	void *found = blasprof_find(&cache, "blasprof_shim_progress");

	if (found)
		__extension__((void (*)(double))found)(amount);
}

#ifdef __cplusplus
}
#endif

#endif
