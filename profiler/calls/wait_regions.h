/* wait_regions.h: finds the region in which a thread was while it waited. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_WAIT_REGIONS_H
#define CALLS_WAIT_REGIONS_H

#include <stddef.h>
#include <stdint.h>

/* The name of the region if the record is incomplete: "?". No other name is at this address. */
extern const char region_unknown[];

/* A thread's visit to a region, during which it left the CPU. CLOCK_MONOTONIC. */
struct region_visit {
	int64_t pid, tid, start_ns, end_ns;
	const char *name; /* of the string pool */
};
/* All zero if no thread was in a region. */
struct wait_regions {
	struct region_visit *visits;
	size_t nvisits;
	struct region_visit *gaps; /* of processes (tid 0): visits from start_ns on are missing */
	size_t ngaps;
};

/* Call it after visits were added. */
void wait_regions_sort(struct wait_regions *regions);
/* Returns the name of the region in which the thread was during the wait, "" if it was in none.
 * With `exact` 0 the interval may cover several waits, and the result is region_unknown if the
 * thread was in more than one region, or also outside of all. */
const char *wait_regions_find(const struct wait_regions *regions, const struct region_visit *wait,
			      int exact);
/* Adds the visits in the record files, and sorts them. */
struct records;
void wait_regions_collect(struct wait_regions *regions, struct records *records);
void wait_regions_free(struct wait_regions *regions);

#endif
