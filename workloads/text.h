/* text.h: what the model learns: a text as characters numbered from 0. */
/* SPDX-License-Identifier: MIT */
#ifndef WORKLOADS_TEXT_H
#define WORKLOADS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct text {
	uint8_t *tokens; /* [length], each below vocabulary; owned */
	size_t length;
	int vocabulary; /* different bytes in the text, in order of their codes */
};

/* Reads a file of any bytes. Fails (status EXIT_USAGE) when it cannot be read, is empty, or is
 * shorter than the `needed` characters. */
int text_read(struct text *text, const char *path, size_t needed, struct failure *failure);

/* Writes `length` or a few more characters of small sentences, at most 29 different ones; the
 * same seed gives the same text. */
int text_generate(struct text *text, size_t length, uint64_t seed, struct failure *failure);

/* The sequence of `needed` characters that step `step` works on: a place drawn by seed and step
 * alone, so that it does not depend on the number of threads. */
const uint8_t *text_sample(const struct text *text, size_t needed, uint64_t seed, long step);

void text_free(struct text *text);

#endif
