/* texts.h: a set of texts, each kept once. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_TEXTS_H
#define RECORD_TEXTS_H

#include <stddef.h>

#include "base/idmap.h"

/* A zeroed one is empty. */
struct texts {
	char **texts;
	size_t count;
	struct idmap index; /* of hashes */
};

/* The set's own copy of the text: equal texts give equal pointers, valid until texts_free(). NULL
 * for NULL, and when memory is out. */
const char *texts_keep(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

#endif
