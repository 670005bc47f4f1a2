/* functions.c: adds up the samples of each object by function, and by source line. */
/* SPDX-License-Identifier: MIT */
#include "symbols/functions.h"

#include <stdlib.h>
#include <string.h>

/* A place that has samples: its innermost frame, and the function that the linker knows. */
struct hit {
	const struct object *object;
	enum run_code code;
	uint64_t count, workers;
	struct symbol_frame frame;
	const char *outer; /* NULL: the frame's own */
};

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* By object and function. */
static int compare_functions(const struct hit *a, const struct hit *b)
{
	int order = strcmp(a->object->path, b->object->path);

	if (!order)
		order = ORDER(a->code, b->code);
	if (!order)
		order = compare_texts(a->outer, b->outer);
	return order ? order : compare_texts(a->frame.function, b->frame.function);
}

static int compare_lines(const struct hit *a, const struct hit *b)
{
	int order = compare_texts(a->frame.file, b->frame.file);

	return order ? order : ORDER(a->frame.line, b->frame.line);
}

static int compare_hits(const void *left, const void *right)
{
	int order = compare_functions(left, right);

	return order ? order : compare_lines(left, right);
}

static struct hit make_hit(const struct object *object, const struct naming *naming, uint32_t place)
{
	const struct symbol_frame *frames;
	size_t count = naming_frames(naming, place, &frames);
	struct hit hit = {.object = object, .frame = frames[0]};

	if (count > 1)
		hit.outer = frames[count - 1].function;
	return hit;
}

/* The places with samples, those of one function and line together. NULL when memory is out. */
static struct hit *list_hits(const struct places *places, const struct naming *naming,
			     const struct place_counts *counts, const enum run_code *code,
			     size_t *count)
{
	struct hit *hits = calloc(places->nkeys + 1, sizeof *hits);

	*count = 0;
	for (size_t i = 0; hits && i < places->nkeys; i++) {
		uint32_t object = place_object(places->keys[i]);

		if (!counts->all[i] || object == OBJECT_UNKNOWN)
			continue;
		hits[*count] = make_hit(&places->objects[object], naming, (uint32_t)i);
		hits[*count].code = code[object];
		hits[*count].workers = counts->workers[i];
		hits[(*count)++].count = counts->all[i];
	}
	if (hits)
		qsort(hits, *count, sizeof *hits, compare_hits);
	return hits;
}

/* A line of a function and its samples. */
struct hot_line {
	const struct symbol_frame *frame;
	uint64_t count;
};

/* Adds up the hits from `first` on that are of one line; returns where they end. */
static size_t add_line(const struct hit *hits, size_t first, size_t count, struct hot_line *hottest)
{
	struct hot_line line = {&hits[first].frame, 0};
	size_t i = first;

	while (i < count && !compare_functions(&hits[first], &hits[i]) &&
	       !compare_lines(&hits[first], &hits[i]))
		line.count += hits[i++].count;
	if (line.count > hottest->count)
		*hottest = line;
	return i;
}

/* Makes one row of the hits from `first` on that are of one function; returns where they end, 0
 * when memory is out. */
static size_t add_function(struct run *run, const struct hit *hits, size_t first, size_t count)
{
	const struct hit *hit = &hits[first];
	struct run_function *row = run_add_function(run, hit->frame.function, hit->object->path);
	struct hot_line hottest = {0};
	size_t next = first;

	if (!row)
		return 0;
	row->code = hit->code;
	while (next < count && !compare_functions(hit, &hits[next]))
		next = add_line(hits, next, count, &hottest);
	for (size_t i = first; i < next; i++) {
		row->samples += hits[i].count;
		row->samples_workers += hits[i].workers;
	}
	row->location.line = hottest.frame->line;
	row->location.inlined_into = strdup(hit->outer ? hit->outer : "");
	row->location.file = strdup(hottest.frame->file ? hottest.frame->file : "");
	return row->location.inlined_into && row->location.file ? next : 0;
}

int functions_add(const struct places *places, const struct naming *naming,
		  const struct place_counts *counts, const enum run_code *code, struct run *run)
{
	size_t count;
	struct hit *hits = list_hits(places, naming, counts, code, &count);
	int failed = hits ? 0 : -1;

	for (size_t at = 0, next; !failed && at < count; at = next) {
		next = add_function(run, hits, at, count);
		failed = next ? 0 : -1;
	}
	free(hits);
	return failed;
}
