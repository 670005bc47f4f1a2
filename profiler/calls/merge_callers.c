/* merge_callers.c: makes one row of a caller's calls of one shape in all threads and processes. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "calls/collect_parts.h"

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_texts(const struct run_caller *x, const struct run_caller *y)
{
	const char *const texts[][2] = {{x->object, y->object},
					{x->function, y->function},
					{x->inlined_into, y->inlined_into},
					{x->file, y->file},
					{x->routine, y->routine},
					{x->region, y->region}};
	int order = 0;

	for (size_t i = 0; i < sizeof texts / sizeof *texts && !order; i++)
		order = strcmp(texts[i][0], texts[i][1]);
	return order;
}

static int compare_callers(const void *left, const void *right)
{
	const struct run_caller *x = left, *y = right;
	const int64_t numbers[][2] = {{x->line, y->line},     {x->transa, y->transa},
				      {x->transb, y->transb}, {x->m, y->m},
				      {x->n, y->n},	      {x->k, y->k}};
	int order = compare_texts(x, y);

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !order; i++)
		order = ORDER(numbers[i][0], numbers[i][1]);
	return order;
}

void merge_callers(struct run *run)
{
	size_t kept = 0;

	if (!run->ncallers)
		return;
	qsort(run->callers, run->ncallers, sizeof *run->callers, compare_callers);
	for (size_t i = 1; i < run->ncallers; i++) {
		struct run_caller *into = &run->callers[kept], *from = &run->callers[i];

		if (compare_callers(into, from)) {
			run->callers[++kept] = *from;
			continue;
		}
		into->calls += from->calls;
		into->total_ns += from->total_ns;
		run_caller_free(from);
	}
	run->ncallers = kept + 1;
}
