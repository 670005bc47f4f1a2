/* dlerror.c: dlerror() for the program: it tells of the program's look-ups only, not of the preload
 * library's. */
/* SPDX-License-Identifier: MIT
 *
 * The C library keeps one error for each thread, and has no way to set it. So the error that the
 * program has not yet asked for is kept here, and a stand-in that no program causes is left in the
 * C library. When the program's next dlopen(), dlclose(), dlsym() or dlinfo() has replaced or
 * cleared the stand-in, the kept error is out of date.
 */
#include "shim/dlerror.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "shim/dlsym.h"
#include "base/early.h"

/* No object has a symbol of this name: it is in the error that stands for the one that is kept. */
#define STAND_IN    "blasprof has kept an error"

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

static EARLY void forget(void)
{
	free(kept);
	kept = NULL;
}

static EARLY int is_stand_in(const char *error)
{
	return error && strstr(error, STAND_IN);
}

/* What the C library has now: the program's newest error, none, or what stands for the one kept. */
static EARLY void note_newest(const char *error)
{
	if (is_stand_in(error))
		return;
	forget();
	kept = error ? strdup(error) : NULL;
}

void dlerror_save(void)
{
	if (!depth++)
		note_newest(ask_real());
}

void dlerror_restore(void)
{
	if (--depth)
		return;
	ask_real();
	if (kept)
		dlsym_real(RTLD_NEXT, STAND_IN);
}

/* Before this library is relocated there is nothing to tell. */
EARLY char *dlerror(void) __attribute__((visibility("default")));
EARLY char *dlerror(void)
{
	dlerror_function real = find_real();
	char *newest;

	if (!real)
		return NULL;
	newest = real();
	free(told);
	told = NULL;
	if (!is_stand_in(newest)) {
		forget();
		return newest;
	}
	told = kept;
	kept = NULL;
	return told;
}
