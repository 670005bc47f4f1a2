/* density.c: in which interval most of something happens. */
/* SPDX-License-Identifier: MIT */
#include "model/density.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

/* The same share as PARTICIPANT_ONE_IN in accounting.h: 5 %. */
#define DENSITY_MIN 0.05

/* At this time the rate (amount per ns) rises by this much. */
struct edge {
	int64_t when_ns;
	double rate;
};

COMPARE(compare_edges, struct edge, ORDER(a->when_ns, b->when_ns))

/* `all` is the amount of all bursts. Leaving out everything before an edge gains DENSITY_MIN times
 * that part of the time, and costs that part of the amount. The interval begins where gain minus
 * cost is largest; its end is found in the same way from the other side. The difference is
 * monotonic between two edges, so it is largest at an edge; of several, the longest interval is
 * taken. */
static void find_interval(const struct edge *edges, size_t count, double all, int64_t *start_ns,
			  int64_t *end_ns)
{
	int64_t first_ns = edges[0].when_ns, last_ns = edges[count - 1].when_ns, at_ns = first_ns;
	double length = (double)(last_ns - first_ns);
	double before = 0, rate = 0, most_before = 0, most_after = 0;

	*start_ns = first_ns;
	*end_ns = last_ns;
	EACH_ROW(edge, edges, count) {
		double time_before = (double)(edge->when_ns - first_ns) / length;
		double worth;

		before += rate * (double)(edge->when_ns - at_ns);
		at_ns = edge->when_ns;
		rate += edge->rate;
		worth = DENSITY_MIN * time_before - before / all;
		if (worth > most_before) {
			most_before = worth;
			*start_ns = edge->when_ns;
		}
		worth = DENSITY_MIN * (1 - time_before) - (all - before) / all;
		if (worth >= most_after) {
			most_after = worth;
			*end_ns = edge->when_ns;
		}
	}
}

int dense_interval(const struct burst *bursts, size_t count, int64_t *start_ns, int64_t *end_ns)
{
	struct edge *edges = memory_rows(2 * count, sizeof *edges);
	size_t nedges = 0;
	double all = 0;

	EACH_ROW(burst, bursts, count) {
		/* a burst of no length takes a nanosecond */
		int64_t start = burst->start_ns,
			end = burst->end_ns > start ? burst->end_ns : start + 1;
		double rate = burst->amount / (double)(end - start);

		if (!(burst->amount > 0))
			continue;
		all += burst->amount;
		edges[nedges++] = (struct edge){start, rate};
		edges[nedges++] = (struct edge){end, -rate};
	}
	qsort(edges, nedges, sizeof *edges, compare_edges);
	if (nedges)
		find_interval(edges, nedges, all, start_ns, end_ns);
	free(edges);
	return nedges > 0;
}
