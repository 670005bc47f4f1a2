/* dlerror.c: dlerror() for the program: what the preload library has looked up besides is no error
 * of its, and takes none away. */
/* SPDX-License-Identifier: MIT
 *
 * The C library keeps one error for each thread, and nobody can put one back: what the program has
 * not yet asked for is kept here. An error of its own that came later is in the C library, and goes
 * first. Where a later dlopen() or dlclose() succeeded, what was kept is out of date, and is told
 * all the same: they are left alone.
 */
#include "shim/dlerror.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "shim/dlsym.h"
#include "shim/early.h"

#define OWN_THREADS __thread __attribute__((tls_model("initial-exec")))

typedef char *(*dlerror_function)(void);

static dlerror_function real_dlerror;
static OWN_THREADS char *kept; /* for the program; NULL: nothing */
static OWN_THREADS char *told; /* what it was given last, which must live until it asks again */
static OWN_THREADS unsigned depth;

static EARLY dlerror_function find_real(void)
{
	dlerror_function found = __atomic_load_n(&real_dlerror, __ATOMIC_ACQUIRE);

	if (!found)
		found = (dlerror_function)dlsym_versioned("dlerror");
	__atomic_store_n(&real_dlerror, found, __ATOMIC_RELEASE);
	return found;
}

/* Before there may be an error: looking it up forgets that. */
static __attribute__((constructor)) void find_real_early(void)
{
	find_real();
}

static char *ask_real(void)
{
	dlerror_function real = find_real();

	return real ? real() : NULL;
}

void dlerror_clear(void)
{
	ask_real();
}

EARLY void dlerror_forget(void)
{
	char *forgotten = kept;

	kept = NULL;
	if (forgotten)
		free(forgotten);
}

void dlerror_keep(void)
{
	const char *error = depth++ ? NULL : ask_real();

	if (!error)
		return;
	dlerror_forget();
	kept = strdup(error);
}

void dlerror_keep_end(void)
{
	if (!--depth)
		dlerror_clear();
}

/* Before this library is relocated there is nothing to tell. */
EARLY char *dlerror(void) __attribute__((visibility("default")));
EARLY char *dlerror(void)
{
	dlerror_function real = find_real();
	char *newer;

	if (!real)
		return NULL;
	newer = real();
	free(told);
	if (newer)
		dlerror_forget();
	told = kept;
	kept = NULL;
	return newer ? newer : told;
}
