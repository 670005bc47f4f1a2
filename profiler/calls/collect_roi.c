/* collect_roi.c: says which regions the program marks, where none has the name that --roi asked
 * for. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "calls/collect_parts.h"
#include "base/nearest.h"

/* Offers the names that a process has marked; 1 where one is the wanted one. */
static int offer_names(struct process_file *file, struct nearest *nearest)
{
	const struct region_name *rows;
	char name[REGION_NAME_BYTES];
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_NAMES, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++) {
			snprintf(name, sizeof name, "%.31s", rows[i].text);
			if (!strncmp(name, nearest->wanted, sizeof name - 1))
				return 1;
			nearest_offer(nearest, name);
		}
	return 0;
}

int collect_roi_names(struct process_file *files, size_t count, struct run *run)
{
	struct nearest nearest = {.wanted = run->roi};
	char names[NEAREST_NAMES * REGION_NAME_BYTES];

	for (size_t i = 0; i < count; i++)
		if (offer_names(&files[i], &nearest))
			return 0;
	nearest_list(&nearest, ", ", names, sizeof names);
	return run_add_note(run, "roi_unmarked", "'%s'; %s%s", run->roi,
			    nearest.count ? "the nearest that are marked: "
					  : "none is marked at all",
			    names)
		       ? 0
		       : -1;
}
