/* code_location.h: a place in the program's code: function, object file and source line. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CODE_LOCATION_H
#define STORE_CODE_LOCATION_H

#include <string.h>

#include "base/string_pool.h"

/* The strings are in the string pool, or static; NULL means "". */
struct code_location {
	const char *function; /* "matmul"; in a stripped object "libx.so+0x1234"; or "[unknown]" */
	const char *
		object; /* path of the object file or of the Python source, or "[kernel]", "[vdso]",
		       "[anon]", "[unknown]" */
	const char
		*inlined_into; /* the function that it is inlined into; "" if it is not inlined */
	const char *file;      /* source file; "" if not known */
	int line;	       /* 0 if not known */
};

/* Sets the location; the strings are copied to the pool, and NULL is "" there. */
static inline void code_location_set(struct code_location *location, const char *function,
				     const char *object, const char *inlined_into, const char *file,
				     int line)
{
	*location = (struct code_location){
		.function = string_pooled(function),
		.object = string_pooled(object),
		.inlined_into = string_pooled(inlined_into),
		.file = string_pooled(file),
		.line = line,
	};
}

/* Returns 1 if the source belongs to Python or to an installed package, 0 if to the program. */
static inline int python_is_library(const char *file)
{
	return strstr(file, "/lib/python3") || strstr(file, "/site-packages/") ||
	       strstr(file, "/dist-packages/") || !strncmp(file, "<frozen ", 8) ||
	       !strncmp(file, "<__array_function__", 19);
}

/* The file name of a path. */
static inline const char *object_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* How close an object's code is to the program. */
enum code_owner {
	OWNER_PROGRAM,
	OWNER_LIBRARY, /* installed for many programs */
	OWNER_RUNTIME, /* what starts programs, what they wait with, and interpreters */
};

/* Returns the owner of the code of this object file; "[vdso]" and the like are runtimes. */
enum code_owner object_owner(const char *path);

/* Returns 1 for blasprof's own library and for the dynamic loader, of which users know nothing. */
static inline int object_is_unseen(const char *object)
{
	return strstr(object, "/libblasprof.so") || strstr(object, "/ld-linux");
}

/* Returns 1 for the libraries that run OpenMP's threads. */
static inline int object_runs_openmp(const char *object)
{
	const char *name = object_name(object);

	return !strncmp(name, "libgomp", 7) || !strncmp(name, "libomp", 6) ||
	       !strncmp(name, "libiomp5", 8);
}

#endif
