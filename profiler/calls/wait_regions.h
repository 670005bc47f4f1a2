/* wait_regions.h: finds the region in which a thread was while it waited. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_WAIT_REGIONS_H
#define CALLS_WAIT_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include "wire/layout.h"

/* Numbers of names. */
#define REGION_NONE    0 /* outside all regions */
#define REGION_UNKNOWN 1 /* the record is incomplete */

/* A thread's visit to a region, during which it left the CPU. CLOCK_MONOTONIC. */
struct region_visit {
	int64_t pid, tid, start_ns, end_ns;
	uint32_t name;
};
/* All zero if no thread was in a region. */
struct wait_regions {
	char (*names)[REGION_NAME_BYTES];
	size_t nnames;
	struct region_visit *visits;
	size_t nvisits;
	struct region_visit *gaps; /* of processes (tid 0): visits from start_ns on are missing */
	size_t ngaps;
};

/* Returns the number of a name, and adds a new name. */
uint32_t wait_regions_name(struct wait_regions *regions, const char *name);
/* Add a visit or a gap. Call wait_regions_sort() after all were added. */
void wait_regions_add(struct wait_regions *regions, const struct region_visit *visit);
void wait_regions_add_gap(struct wait_regions *regions, int64_t pid, int64_t start_ns);
void wait_regions_sort(struct wait_regions *regions);
/* Returns the number of the name of the region in which the thread was during the wait. With
 * `exact` 0 the interval may cover several waits, and the result is REGION_UNKNOWN if the thread
 * was in more than one region, or also outside of all. */
uint32_t wait_regions_find(const struct wait_regions *regions, const struct region_visit *wait,
			   int exact);
/* Returns the name with this number, "" for REGION_NONE, or "?". */
const char *wait_regions_text(const struct wait_regions *regions, uint32_t name);
/* Adds the visits in the record files, and sorts them. */
struct records;
void wait_regions_collect(struct wait_regions *regions, struct records *records);
void wait_regions_free(struct wait_regions *regions);

#endif
