/* lookups.c: asks dlerror() about its own look-ups, with calls of BLAS in between. */
/* SPDX-License-Identifier: MIT
 *
 * lookups PLUGIN BLAS [NAME]: what dlerror() tells after PLUGIN's call of the BLAS that was opened
 * for all, after one of a routine that was looked up, and about names that are not there. With
 * NAME, after a look-up of that before.
 */
#include "find.h"

static void tell(const char *when)
{
	const char *error = dlerror();

	printf("%s: %s\n", when, error ? error : "no error");
}

static void fail(void *library, const char *name)
{
	if (name && dlsym(library, name))
		printf("%s is there\n", name);
}

int main(int argc, char **argv)
{
	void *blas = argc > 2 ? dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) : NULL;
	void *plugin = blas ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void (*plugin_call)(int calls);
	sgemm routine;

	plugin_call = (void (*)(int))find(plugin, "plugin_call");
	routine = (sgemm)find(blas, "cblas_sgemm");
	fail(blas, argv[3]);
	plugin_call(1);
	tell("after the first call");
	tell("asked again");
	fail(plugin, argv[3]);
	routine(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
	tell("after a call of what was looked up");
	fail(blas, argv[3]);
	plugin_call(1);
	fail(plugin, "cblas_none");
	tell("a later error is told first");
	tell("and alone");
	fail(blas, argv[3]);
	plugin_call(1);
	find(blas, "cblas_sgemm");
	tell("after a look-up that succeeded");
	fail(RTLD_DEFAULT, "cblas_dgemm");
	tell("of a routine that there is none of");
	return 0;
}
