/* text.h: the text that the model learns, as characters numbered from 0. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TEXT_H
#define WORKLOADS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct text {
	uint8_t *tokens; /* [length], each below vocabulary; owned */
	size_t length;
	int vocabulary; /* number of different bytes in the text; tokens are in order of their codes
			 */
};

/* Reads a file of any bytes. Fails (EXIT_USAGE) if it cannot be read, is empty, or is shorter than
 * `needed` characters. */
int text_read(struct text *text, const char *path, size_t needed, struct failure *failure);

/* Generates `length` or a few more characters of short sentences, with at most 29 different
 * characters. The same seed gives the same text. */
int text_generate(struct text *text, size_t length, uint64_t seed, struct failure *failure);

/* The sequence of `needed` characters for this step. Its place depends on the seed and the step
 * alone, not on the number of threads. */
const uint8_t *text_sample(const struct text *text, size_t needed, uint64_t seed, long step);

void text_free(struct text *text);

#endif
