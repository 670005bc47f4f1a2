/* functions.c: names the functions of each object's samples, and adds up their counts. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/functions.h"

#include <stdlib.h>
#include <string.h>

#include "record/kallsyms.h"
#include "record/symbols.h"

/* A place that has samples. */
struct hit {
	uint64_t key, count;
};

/* The hits of one object, and the rows of run->functions that are its own. */
struct batch {
	const struct object *object;
	const struct hit *hits;
	size_t count;
	enum run_code code;
	struct run *run;
	size_t first_row;
};

static int compare_hits(const void *left, const void *right)
{
	const struct hit *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

/* The places with samples, in order of object and offset. NULL when memory is out. */
static struct hit *list_hits(const struct places *places, const uint64_t *counts, size_t *count)
{
	struct hit *hits = calloc(places->nkeys + 1, sizeof *hits);

	*count = 0;
	for (size_t i = 0; hits && i < places->nkeys; i++)
		if (counts[i])
			hits[(*count)++] = (struct hit){places->keys[i], counts[i]};
	if (hits)
		qsort(hits, *count, sizeof *hits, compare_hits);
	return hits;
}

/* The object's row for the function; the newest is looked at first. */
static struct run_function *find_row(const struct batch *batch, const char *function)
{
	for (size_t i = batch->run->nfunctions; i-- > batch->first_row;)
		if (!strcmp(batch->run->functions[i].function, function))
			return &batch->run->functions[i];
	return NULL;
}

static int add_samples(const struct batch *batch, const char *function, uint64_t samples)
{
	struct run_function *row = function ? find_row(batch, function) : NULL;

	if (!row && function)
		row = run_add_function(batch->run, function, batch->object->path);
	if (!row)
		return -1;
	row->code = batch->code;
	row->samples += samples;
	return 0;
}

static int add_kernel(const struct batch *batch)
{
	const uint64_t high_bits = ~PLACE_OFFSET_ANY; /* which all kernel addresses have */
	struct kernel_address *addresses = calloc(batch->count, sizeof *addresses);
	int result = addresses ? 0 : -1;

	for (size_t i = 0; !result && i < batch->count; i++)
		addresses[i].address = batch->hits[i].key | high_bits;
	if (!result)
		kallsyms_name("", addresses, batch->count);
	for (size_t i = 0; !result && i < batch->count; i++)
		result = add_samples(batch, addresses[i].function, batch->hits[i].count);
	free(addresses);
	return result;
}

/* Memory that is no file's has code that was made at run time. */
static int has_symbols(const struct object *object)
{
	return *object->path == '/' || !strcmp(object->path, "[vdso]");
}

static int add_object(const struct batch *batch, int64_t since_ns)
{
	struct symbols *symbols = symbols_open(batch->object->path, batch->object->inode, since_ns);
	int named = has_symbols(batch->object), result = symbols ? 0 : -1;

	for (size_t i = 0; !result && i < batch->count; i++) {
		uint64_t offset = place_offset(batch->hits[i].key);
		struct symbol_frame frame = {"[unknown]"};

		if (named && offset != PLACE_OFFSET_ANY)
			symbols_frames(symbols, offset, &frame, 1);
		result = add_samples(batch, frame.function, batch->hits[i].count);
	}
	symbols_close(symbols);
	return result;
}

static int add_batch(struct batch *batch, uint32_t object, int64_t since_ns)
{
	batch->first_row = batch->run->nfunctions;
	if (object == OBJECT_UNKNOWN)
		return 0;
	return object == OBJECT_KERNEL ? add_kernel(batch) : add_object(batch, since_ns);
}

int functions_add(const struct places *places, const uint64_t *counts, const enum run_code *code,
		  int64_t since_ns, struct run *run)
{
	size_t count, next;
	struct hit *hits = list_hits(places, counts, &count);
	int result = hits ? 0 : -1;

	for (size_t at = 0; !result && at < count; at = next) {
		uint32_t object = place_object(hits[at].key);
		struct batch batch = {
			.object = &places->objects[object],
			.hits = hits + at,
			.code = code[object],
			.run = run,
		};

		for (next = at; next < count && place_object(hits[next].key) == object; next++)
			batch.count++;
		result = add_batch(&batch, object, since_ns);
	}
	free(hits);
	return result;
}
