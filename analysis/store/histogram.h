/* histogram.h: calls by duration, with room for those buckets only that have some. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_HISTOGRAM_H
#define STORE_HISTOGRAM_H

#include <stdint.h>

#define RUN_HISTOGRAM_BUCKETS 160

/* The calls in bucket `first` and those after it; none in others. NULL: none at all. */
struct histogram {
	int first, count;
	uint64_t calls[];
};

/* Adds calls to a bucket of *histogram, which is moved where it must grow. */
void histogram_add(struct histogram **histogram, int bucket, uint64_t calls);
/* Adds all those of the other. */
void histogram_merge(struct histogram **histogram, const struct histogram *other);
/* Writes the calls of each bucket; returns calls[]. */
const uint64_t *histogram_calls(const struct histogram *histogram,
				uint64_t calls[RUN_HISTOGRAM_BUCKETS]);

#endif
