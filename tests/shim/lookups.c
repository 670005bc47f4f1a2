/* lookups.c: prints what dlerror() returns about its own look-ups, with calls of BLAS in between.
 */
/* SPDX-License-Identifier: MIT
 *
 * lookups PLUGIN BLAS [NAME]: prints dlerror() after a call by PLUGIN of the BLAS that was opened
 * globally, after a call of a routine that was looked up, and after look-ups of missing names. With
 * NAME, each after a look-up of that name.
 * lookups PLUGIN BLAS NAME WAY: prints dlerror() after a look-up of NAME, a call by PLUGIN, and a
 * function of <dlfcn.h> that WAY names.
 */
#include <link.h>
#include <string.h>

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

/* Called after a failed look-up and a call of BLAS. */
static void do_way(const char *way, void *library)
{
	struct link_map *map;
	Dl_info info;

	if (!strcmp(way, "dlopen"))
		dlopen(NULL, RTLD_NOW);
	else if (!strcmp(way, "dlopen-none"))
		dlopen("libnothing_there.so", RTLD_NOW);
	else if (!strcmp(way, "dlclose"))
		dlclose(library);
	else if (!strcmp(way, "dlsym"))
		dlsym(RTLD_DEFAULT, "printf");
	else if (!strcmp(way, "dlsym-none"))
		dlsym(RTLD_DEFAULT, "nothing_else_there");
	else if (!strcmp(way, "dlvsym-none"))
		dlvsym(RTLD_DEFAULT, "printf", "NO_VERSION");
	else if (!strcmp(way, "dlinfo"))
		dlinfo(library, RTLD_DI_LINKMAP, &map);
	else if (!strcmp(way, "dlinfo-none"))
		dlinfo(library, -1, &map);
	else if (!strcmp(way, "dladdr"))
		dladdr((void *)fail, &info);
	else if (!strcmp(way, "dladdr-none"))
		dladdr(NULL, &info);
	tell(way);
	tell("and then");
}

int main(int argc, char **argv)
{
	void *blas = argc > 2 ? dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) : NULL;
	void *plugin = blas ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void *spare = plugin && argc > 4 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void (*plugin_call)(int calls);
	sgemm routine;

	plugin_call = (void (*)(int))find(plugin, "plugin_call");
	routine = spare ? NULL : (sgemm)find(blas, "cblas_sgemm");
	fail(blas, argv[3]);
	if (spare) {
		plugin_call(4);
		do_way(argv[4], spare);
		return 0;
	}
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
	fail(dlopen(NULL, RTLD_NOW), "cblas_dgemm");
	tell("the same by a handle");
	tell("and once");
	fail(RTLD_DEFAULT, "MPI_Barrier");
	fail(RTLD_DEFAULT, "mpi_barrier_");
	fail(RTLD_DEFAULT, "dnnl_primitive_execute");
	tell("of a routine of MPI or oneDNN that there is none of");
	return 0;
}
