/* wait_regions.h: which region of the program a thread was in while it waited. */
/* SPDX-License-Identifier: MIT */
#ifndef CALLS_WAIT_REGIONS_H
#define CALLS_WAIT_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include "wire/layout.h"

#define REGION_NONE    0 /* numbers of names: outside all regions ... */
#define REGION_UNKNOWN 1 /* ... and where nobody knows any more */

/* A thread's stay in one region, during which it left the CPU. CLOCK_MONOTONIC. */
struct region_visit {
	int64_t pid, tid, start_ns, end_ns;
	uint32_t name;
};
/* All zero: no thread was in any. */
struct wait_regions {
	char (*names)[REGION_NAME_BYTES];
	size_t nnames;
	struct region_visit *visits;
	size_t nvisits;
	struct region_visit *gaps; /* of a process (tid 0) whose visits are missing from then on */
	size_t ngaps;
};

/* The number of a name, made when it is new. */
uint32_t wait_regions_name(struct wait_regions *regions, const char *name);
/* Adds a visit or gap. Call wait_regions_sort() when all are there. */
void wait_regions_add(struct wait_regions *regions, const struct region_visit *visit);
void wait_regions_add_gap(struct wait_regions *regions, int64_t pid, int64_t start_ns);
void wait_regions_sort(struct wait_regions *regions);
/* The number of the name of the region that the thread was in between these moments; with `exact` 0
 * it was off the CPU several times between them, and the region is unknown where it was in more
 * than one, or out of all. */
uint32_t wait_regions_find(const struct wait_regions *regions, const struct region_visit *wait,
			   int exact);
/* The name of that number; "" for none. */
const char *wait_regions_text(const struct wait_regions *regions, uint32_t name);
/* Adds the visits in the record files, and sorts. */
struct records;
void wait_regions_collect(struct wait_regions *regions, struct records *records);
void wait_regions_free(struct wait_regions *regions);

#endif
