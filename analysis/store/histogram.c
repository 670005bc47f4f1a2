/* histogram.c: adds up calls by duration. */
/* SPDX-License-Identifier: MIT */
#include "store/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Makes room for the buckets from `first` to before `end`, and for those that are there. */
static void widen(struct histogram **histogram, int first, int end)
{
	struct histogram *old = *histogram, *wider;

	if (old && old->first <= first && end <= old->first + old->count)
		return;
	if (old) {
		first = old->first < first ? old->first : first;
		end = old->first + old->count > end ? old->first + old->count : end;
	}
	wider = memory_need(
		calloc(1, sizeof *wider + (size_t)(end - first) * sizeof *wider->calls));
	wider->first = first;
	wider->count = end - first;
	if (old)
		memcpy(&wider->calls[old->first - first], old->calls,
		       (size_t)old->count * sizeof *old->calls);
	free(old);
	*histogram = wider;
}

void histogram_add(struct histogram **histogram, int bucket, uint64_t calls)
{
	widen(histogram, bucket, bucket + 1);
	(*histogram)->calls[bucket - (*histogram)->first] += calls;
}

void histogram_merge(struct histogram **histogram, const struct histogram *other)
{
	uint64_t *into;

	if (!other)
		return;
	widen(histogram, other->first, other->first + other->count);
	into = &(*histogram)->calls[other->first - (*histogram)->first];
	for (int i = 0; i < other->count; i++)
		into[i] += other->calls[i];
}

const uint64_t *histogram_calls(const struct histogram *histogram,
				uint64_t calls[RUN_HISTOGRAM_BUCKETS])
{
	memset(calls, 0, RUN_HISTOGRAM_BUCKETS * sizeof *calls);
	if (histogram)
		memcpy(&calls[histogram->first], histogram->calls,
		       (size_t)histogram->count * sizeof *calls);
	return calls;
}
