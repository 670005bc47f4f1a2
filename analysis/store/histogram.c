/* histogram.c: adds up calls by duration. */
/* SPDX-License-Identifier: MIT */
#include "store/histogram.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for the buckets from `first` to before `end`, and for those that are there. */
static int widen(struct histogram **histogram, int first, int end)
{
	struct histogram *old = *histogram, *wider;

	if (old && old->first <= first && end <= old->first + old->count)
		return 0;
	if (old) {
		first = old->first < first ? old->first : first;
		end = old->first + old->count > end ? old->first + old->count : end;
	}
	wider = calloc(1, sizeof *wider + (size_t)(end - first) * sizeof *wider->calls);
	if (!wider)
		return -1;
	wider->first = first;
	wider->count = end - first;
	if (old)
		memcpy(&wider->calls[old->first - first], old->calls,
		       (size_t)old->count * sizeof *old->calls);
	free(old);
	*histogram = wider;
	return 0;
}

int histogram_add(struct histogram **histogram, int bucket, uint64_t calls)
{
	if (widen(histogram, bucket, bucket + 1))
		return -1;
	(*histogram)->calls[bucket - (*histogram)->first] += calls;
	return 0;
}

int histogram_merge(struct histogram **histogram, const struct histogram *other)
{
	uint64_t *into;

	if (!other)
		return 0;
	if (widen(histogram, other->first, other->first + other->count))
		return -1;
	into = &(*histogram)->calls[other->first - (*histogram)->first];
	for (int i = 0; i < other->count; i++)
		into[i] += other->calls[i];
	return 0;
}

int histogram_set(struct histogram **histogram, const uint64_t calls[RUN_HISTOGRAM_BUCKETS])
{
	int first = 0, end = RUN_HISTOGRAM_BUCKETS;

	while (end && !calls[end - 1])
		end--;
	while (first < end && !calls[first])
		first++;
	free(*histogram);
	*histogram = NULL;
	if (first == end)
		return 0;
	if (widen(histogram, first, end))
		return -1;
	memcpy((*histogram)->calls, &calls[first], (size_t)(end - first) * sizeof *calls);
	return 0;
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
