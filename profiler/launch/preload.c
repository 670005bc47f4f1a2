/* preload.c: finds the preload library where it was built or installed. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "wire/layout.h"
#include "base/installed.h"

/* The folders: which one it is, each loader knows (shim/kinds.sh). */
#define KINDS "kinds/$LIB/"

/* Beside the program (as built or as copied together), in the library folder next to the program's
 * (an installed tree that was moved), or where it was to be installed. */
static int find_library(const char *chosen, char *path, size_t size, struct error *err)
{
	static const char *const places[] = {SHIM_NAME, ".libs/" SHIM_NAME,
					     "../lib/blasprof/" SHIM_NAME, PKGLIBDIR "/" SHIM_NAME,
					     NULL};
	int missing;

	snprintf(path, size, "%s", chosen ? chosen : "");
	missing = chosen ? access(path, R_OK) : installed_find(places, path, size);
	if (missing)
		return error_set(err, "install blasprof again, or keep " SHIM_NAME " beside it",
				 "the preload library '%s' cannot be read", path);
	if (strpbrk(path, " :"))
		return error_set(err, "install blasprof below a path without spaces and colons",
				 "the loader cannot preload '%s'", path);
	return 0;
}

int preload_find(const char *chosen, char *entry, size_t size, struct error *err)
{
	char path[PATH_MAX + 64], small[PATH_MAX + 128];
	void *library = NULL;
	int length;

	if (find_library(chosen, path, sizeof path, err))
		return -1;
	length = (int)(strrchr(path, '/') ? strrchr(path, '/') + 1 - path : 0);
	/* The loader of programs like this one finds its library in the folders where it finds the
	 * small one that lies beside it. */
	snprintf(small, sizeof small, "%.*s" KINDS "which.so", length, path);
	if (length)
		library = dlopen(small, RTLD_LAZY | RTLD_LOCAL);
	if (library)
		snprintf(entry, size, "%.*s" KINDS SHIM_NAME, length, path);
	else
		snprintf(entry, size, "%s", path);
	if (library)
		dlclose(library);
	return 0;
}
