/* code_location.c: whose code an object file has. */
/* SPDX-License-Identifier: MIT */
#include "store/code_location.h"

#include <fnmatch.h>

static const char runtimes[] =
	"@(lib@(c|m|mvec|dl|rt|pthread|util|stdc++|c++|c++abi|gcc_s|gfortran|quadmath|ifcore*|tbb|"
	"numa|gomp|omp|omp5|iomp5|"
	"uv|hwloc|blasprof)[.-]*|ld-*.so*|ld.so*|[[]@(vdso|anon|unknown)]|"
	"libpython[23]*|python|python[23]*|R|libR.so*|perl?([0-9]*)|libperl*|ruby?([0-9]*)|"
	"libruby*|node|julia|libjulia*|octave?([0-9-]*)|liboctinterp*|java|libjvm.so)";

static const char library_places[] =
	"@(/lib*|/usr/*|/opt/*|*conda*/lib/*|*/site-packages/*|*/dist-packages/*)";

enum code_owner object_owner(const char *path)
{
	const char *name = object_name(path);

	if (!fnmatch(runtimes, name, FNM_EXTMATCH) || strstr(path, "/lib-dynload/"))
		return OWNER_RUNTIME;
	return strstr(name, ".so") && !fnmatch(library_places, path, FNM_EXTMATCH) ? OWNER_LIBRARY
										   : OWNER_PROGRAM;
}
