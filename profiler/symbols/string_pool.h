/* string_pool.h: strings, each stored once. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_STRING_POOL_H
#define SYMBOLS_STRING_POOL_H

#include <stddef.h>

#include "base/idmap.h"

/* A zeroed pool is empty. */
struct string_pool {
	char **strings;
	size_t count;
	struct idmap index; /* by hash */
};

/* The pool's own copy: equal strings give equal pointers, valid until string_pool_free(). NULL for
 * NULL, and when memory is out. */
const char *string_pool_add(struct string_pool *pool, const char *string);
void string_pool_free(struct string_pool *pool);

#endif
