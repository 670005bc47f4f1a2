/* collect_callers.c: which functions asked for the BLAS calls, from the shim's record files. */
/* SPDX-License-Identifier: MIT */
#include "calls/collect_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "symbols/naming.h"
#include "base/array.h"

/* The calls of one shape from one call site. */
struct origin {
	const struct shape_record **records; /* one of each thread */
	size_t count;
	struct process_file *file;
	uint32_t address;
};

struct origins {
	struct origin *rows;
	size_t count;
	struct address_table addresses;
	uint64_t *counts; /* calls from each address */
};

/* The mapping that the address lies in; NULL where it was not noted. */
static const struct map_record *find_map(struct process_file *file, uint64_t address)
{
	const struct map_record *rows;
	size_t at = 0, count;

	while ((rows = process_file_rows(file, &at, CHUNK_MAPS, sizeof *rows, &count)))
		for (size_t i = 0; i < count; i++)
			if (address >= rows[i].start && address < rows[i].end)
				return &rows[i];
	return NULL;
}

/* Where the call itself is: before the address that it returns to. */
static uint32_t find_place(struct address_table *addresses, struct process_file *file,
			   uint64_t caller)
{
	uint64_t address = caller - 1;
	const struct map_record *map = caller ? find_map(file, address) : NULL;
	char path[sizeof map->path];
	uint32_t object;

	if (!map)
		return address_table_number(addresses, OBJECT_UNKNOWN, 0);
	snprintf(path, sizeof path, "%.*s", (int)sizeof path - 1, map->path);
	if (*path == '/') {
		object = address_table_object(addresses, path, map->inode);
		return address_table_number(addresses, object, address - map->start + map->offset);
	}
	object = address_table_memory(addresses, *path ? path : "[anon]",
				      (uint32_t)file->header->pid);
	return address_table_number(addresses, object, address & ADDRESS_OFFSET_ANY);
}

static int add_origin(struct origins *origins, struct process_file *file,
		      const struct shape_record **records, size_t count)
{
	struct origin *origin = array_add(&origins->rows, &origins->count, sizeof *origin);

	if (!origin)
		return -1;
	*origin = (struct origin){records, count, file,
				  find_place(&origins->addresses, file, records[0]->key.caller)};
	return origin->address == IDMAP_NONE ? -1 : 0;
}

static int add_origins(struct process_file *file, struct origins *origins)
{
	const struct shape_record **rows = file->shapes;

	for (size_t i = 0, next; i < file->nshapes; i = next) {
		for (next = i + 1; next < file->nshapes; next++)
			if (rows[i]->key.caller != rows[next]->key.caller ||
			    shape_key_order(&rows[i]->key, &rows[next]->key))
				break;
		if (add_origin(origins, file, &rows[i], next - i))
			return -1;
	}
	return 0;
}

static uint64_t calls_from(const struct origin *origin)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < origin->count; i++)
		calls += origin->records[i]->calls;
	return calls;
}

/* When the run began, in realtime; the second that it is known to is counted as before it. */
static int64_t started_ns(const struct run *run)
{
	struct tm utc = {0};

	if (!strptime(run->started, "%Y-%m-%dT%H:%M:%SZ", &utc))
		return INT64_MAX;
	return ((int64_t)timegm(&utc) + 1) * 1000000000;
}

static int set_texts(struct run_caller *caller, const struct symbol_frame *frames, size_t count,
		     const char *object)
{
	const char *into = count > 1 ? frames[count - 1].function : "";

	caller->location.function = strdup(frames[0].function);
	caller->location.inlined_into = strdup(into);
	caller->location.file = strdup(frames[0].file ? frames[0].file : "");
	caller->location.object = strdup(object);
	return caller->location.function && caller->location.inlined_into &&
			       caller->location.file && caller->location.object
		       ? 0
		       : -1;
}

static int add_caller(const struct origins *origins, const struct origin *origin,
		      const struct naming *naming, const struct thread_frame *frame,
		      struct run *run)
{
	const struct address_table *addresses = &origins->addresses;
	uint32_t object = address_object(addresses->keys[origin->address]);
	const struct symbol_frame *frames;
	size_t count = naming_frames(naming, origin->address, &frames);
	struct run_caller *caller = table_add(&run_tables[RUN_PART_CALLERS], run);
	struct run_shape shape;

	if (!caller)
		return -1;
	fill_shape(&shape, origin->records, origin->count, frame, origin->file);
	caller->shape = shape.shape;
	caller->calls = shape.calls;
	caller->total_ns = shape.total_ns;
	caller->location.line = frames[0].line;
	return set_texts(caller, frames, count,
			 object == OBJECT_UNKNOWN ? "[unknown]" : addresses->objects[object].path);
}

/* Notes on objects that cannot be read are the sampler's: these go nowhere. */
static int name_origins(struct origins *origins, const struct thread_frame *frame, struct run *run)
{
	const struct jit_processes jits = {0};
	struct naming *naming;
	struct run unwanted;
	int failed = 0;

	origins->counts = calloc(origins->addresses.nkeys + 1, sizeof *origins->counts);
	if (!origins->counts)
		return -1;
	for (size_t i = 0; i < origins->count; i++)
		origins->counts[origins->rows[i].address] += calls_from(&origins->rows[i]);
	run_init(&unwanted);
	naming = naming_make(&origins->addresses, origins->counts, origins->counts, &jits,
			     started_ns(run), &unwanted);
	run_free(&unwanted);
	for (size_t i = 0; i < origins->count && naming && !failed; i++)
		failed = add_caller(origins, &origins->rows[i], naming, frame, run);
	naming_free(naming);
	return naming ? failed : -1;
}

int collect_callers(struct process_file *files, size_t count, const struct thread_frame *frame,
		    struct run *run)
{
	struct origins origins = {0};
	int failed = address_table_init(&origins.addresses);

	if (failed)
		return -1;
	for (size_t i = 0; i < count && !failed; i++)
		failed = add_origins(&files[i], &origins);
	if (!failed)
		failed = name_origins(&origins, frame, run);
	free(origins.counts);
	free(origins.rows);
	address_table_free(&origins.addresses);
	if (!failed)
		table_merge_rows(&run_tables[RUN_PART_CALLERS], run);
	return failed;
}
