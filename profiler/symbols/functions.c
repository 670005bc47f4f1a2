/* functions.c: sums the samples by function. */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* Samples of an address, then of a line, then of a function. */
struct hit {
	uint32_t address; /* one on the line with the most samples */
	const char *object;
	enum run_code code;
	const struct symbol_frame *frame; /* the innermost */
	const char *outer;		  /* the function that it is inlined into; NULL: none */
	uint64_t count, workers;
	uint64_t line_count; /* part of count on the frame's line */
	uint32_t thread;     /* as in struct address_counts */
};

static int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare_functions(const void *left, const void *right, void *unused)
{
	const struct hit *a = left, *b = right;

	return strcmp(a->object, b->object) ?: ORDER(a->code, b->code) ?:
	       compare_texts(a->outer, b->outer) ?:
	       compare_texts(a->frame->function, b->frame->function);
}

static int compare_lines(const void *left, const void *right, void *unused)
{
	const struct hit *a = left, *b = right;

	return compare_functions(a, b, unused) ?: compare_texts(a->frame->file, b->frame->file) ?:
	       ORDER(a->frame->line, b->frame->line);
}

static void add_hit(void *into, const void *row)
{
	struct hit *sum = into;
	const struct hit *hit = row;

	sum->count += hit->count;
	sum->workers += hit->workers;
	if (sum->thread != hit->thread)
		sum->thread = THREAD_SEVERAL;
	if (!compare_lines(sum, hit, NULL)) {
		sum->line_count += hit->line_count;
	} else if (hit->line_count > sum->line_count) {
		sum->address = hit->address;
		sum->frame = hit->frame;
		sum->line_count = hit->line_count;
	}
}

void functions_add(const struct address_table *addresses, const struct naming *naming,
		   const struct address_counts *counts, const enum run_code *code, struct run *run)
{
	struct hit *hits = memory_rows(addresses->nkeys, sizeof *hits);
	size_t count = 0;

	for (uint32_t i = 0; i < addresses->nkeys; i++) {
		uint32_t object = address_object(addresses->keys[i]);
		uint64_t others = counts->all[i] - counts->spins[i];
		const struct symbol_frame *frames;
		size_t nframes;

		if (!others || object == OBJECT_UNKNOWN)
			continue;
		nframes = naming_frames(naming, i, &frames);
		hits[count++] = (struct hit){
			.address = i,
			.object = addresses->objects[object].path,
			.code = code[i],
			.frame = frames,
			.outer = nframes > 1 ? frames[nframes - 1].function : NULL,
			.count = others,
			.workers = counts->workers[i],
			.line_count = others,
			.thread = counts->thread[i],
		};
	}
	count = array_merge(hits, count, sizeof *hits, compare_lines, add_hit, NULL);
	count = array_merge(hits, count, sizeof *hits, compare_functions, add_hit, NULL);
	for (size_t i = 0; i < count; i++) {
		struct run_function *row = table_add(&run_tables[RUN_PART_FUNCTIONS], run);

		naming_locate(naming, addresses, hits[i].address, &row->location);
		row->code = hits[i].code;
		row->samples = hits[i].count;
		row->samples_workers = hits[i].workers;
		if (hits[i].thread != THREAD_SEVERAL)
			snprintf(row->thread, sizeof row->thread, "%u", hits[i].thread);
	}
	free(hits);
}
