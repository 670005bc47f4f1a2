/* rings_fuzz.c: feeds any bytes as perf records to what merges and replays them. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "sampling/timeline.h"

FUZZ(rings)
{
	struct timeline timeline;
	struct merge merge = {0};

	size &= ~(size_t)7; /* the kernel writes whole words */
	if (!size)
		return;
	timeline_init(&timeline, 10, 1);
	if (timeline_count(&timeline, 2, 0))
		abort();
	merge.waiting.bytes = malloc(size);
	if (!merge.waiting.bytes)
		abort();
	memcpy(merge.waiting.bytes, data, size);
	merge.waiting.used = merge.waiting.room = size;
	merge_feed(&merge, &timeline, 1000);
	merge_feed(&merge, &timeline, INT64_MAX);
	timeline_end(&timeline, INT64_MAX / 2);
	merge_free(&merge);
	timeline_free(&timeline);
}
