/* wait_regions.c: which region of the program a thread was in while it waited. */
/* SPDX-License-Identifier: MIT */
#include "calls/wait_regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint32_t wait_regions_name(struct wait_regions *regions, const char *name)
{
	char *added;

	for (size_t i = REGION_UNKNOWN + 1; i < regions->nnames; i++)
		if (!strcmp(regions->names[i], name))
			return (uint32_t)i;
	do {
		added = array_add(&regions->names, &regions->nnames, sizeof *regions->names);
		if (!added)
			return UINT32_MAX;
	} while (regions->nnames <= REGION_UNKNOWN + 1);
	snprintf(added, REGION_NAME_BYTES, "%s", name);
	return (uint32_t)regions->nnames - 1;
}

int wait_regions_add(struct wait_regions *regions, const struct wait_stretch *stretch)
{
	struct wait_stretch *row =
		array_add(&regions->stretches, &regions->nstretches, sizeof *row);

	if (row)
		*row = *stretch;
	return row ? 0 : -1;
}

int wait_regions_add_gap(struct wait_regions *regions, int64_t pid, int64_t start_ns)
{
	struct wait_stretch *row = array_add(&regions->gaps, &regions->ngaps, sizeof *row);

	if (row)
		*row = (struct wait_stretch){.pid = pid, .start_ns = start_ns};
	return row ? 0 : -1;
}

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* By thread, then by start. */
static int compare(const void *left, const void *right)
{
	const struct wait_stretch *a = left, *b = right;
	int result = order(a->pid, b->pid);

	result = result ? result : order(a->tid, b->tid);
	return result ? result : order(a->start_ns, b->start_ns);
}

void wait_regions_sort(struct wait_regions *regions)
{
	if (regions->nstretches)
		qsort(regions->stretches, regions->nstretches, sizeof *regions->stretches, compare);
}

/* The last stretch that does not begin after the key; NULL: none. */
static const struct wait_stretch *last_before(const struct wait_regions *regions,
					      const struct wait_stretch *key)
{
	size_t low = 0, high = regions->nstretches;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&regions->stretches[middle], key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &regions->stretches[low - 1] : NULL;
}

static int is_of(const struct wait_stretch *stretch, const struct wait_stretch *wait)
{
	return stretch && stretch->pid == wait->pid && stretch->tid == wait->tid;
}

static int is_missing(const struct wait_regions *regions, const struct wait_stretch *wait)
{
	for (size_t i = 0; i < regions->ngaps; i++)
		if (regions->gaps[i].pid == wait->pid && wait->end_ns >= regions->gaps[i].start_ns)
			return 1;
	return 0;
}

/* Its middle counts: the clocks of switches and of marks differ by a little. */
static uint32_t find_exact(const struct wait_regions *regions, const struct wait_stretch *wait)
{
	struct wait_stretch key = *wait;
	const struct wait_stretch *stretch;

	key.start_ns += (wait->end_ns - wait->start_ns) / 2;
	stretch = last_before(regions, &key);
	if (is_of(stretch, wait) && stretch->end_ns >= key.start_ns)
		return stretch->name;
	return is_missing(regions, wait) ? REGION_UNKNOWN : REGION_NONE;
}

uint32_t wait_regions_find(const struct wait_regions *regions, const struct wait_stretch *wait,
			   int exact)
{
	struct wait_stretch all = {.pid = wait->pid, .tid = wait->tid, .start_ns = INT64_MAX};
	const struct wait_stretch *first, *last;

	if (exact)
		return find_exact(regions, wait);
	all.start_ns = wait->end_ns;
	last = last_before(regions, &all);
	if (!is_of(last, wait) || last->end_ns < wait->start_ns)
		return is_missing(regions, wait) ? REGION_UNKNOWN : REGION_NONE;
	all.start_ns = wait->start_ns;
	first = last_before(regions, &all);
	return first == last && last->end_ns >= wait->end_ns ? last->name : REGION_UNKNOWN;
}

const char *wait_regions_text(const struct wait_regions *regions, uint32_t name)
{
	if (name == REGION_NONE)
		return "";
	return name > REGION_UNKNOWN && name < regions->nnames ? regions->names[name] : "?";
}

void wait_regions_free(struct wait_regions *regions)
{
	free(regions->names);
	free(regions->stretches);
	free(regions->gaps);
	memset(regions, 0, sizeof *regions);
}
