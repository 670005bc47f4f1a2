/* texts.h: a pool of texts, in which equal texts are one. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXTS_H
#define BASE_TEXTS_H

#include "base/idmap.h"

struct texts {
	struct idmap numbers; /* from hashes */
	char **texts;	      /* by their numbers */
	size_t count;
};

/* Returns the number of the text, which is added if it is new. A zeroed pool is empty. */
uint32_t texts_number(struct texts *pool, const char *text);
void texts_free(struct texts *pool);

#endif
