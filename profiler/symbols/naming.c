/* naming.c: names addresses object by object: files, the kernel, scripts, code made at run time. */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"
#include "base/memory.h"

#define UNKNOWN_FUNCTION "[unknown]"
#define WORTH_SHARE	 0.01 /* of the samples; less is not worth a note or asking a server */
#define FAR_LINES_S	 0.2  /* CPU time in an object that is worth unpacking separate lines */

struct naming {
	struct {
		uint32_t first, count; /* in frames[]; count 0: [unknown] */
	} * addresses;
	size_t naddresses;
	struct symbol_frame *frames;
	size_t nframes;
	void *strings; /* tree of tsearch() */
};

struct naming_job {
	struct naming *naming;
	const uint64_t *counts, *samples;
	const struct jit_processes *jits;
	int64_t since_ns;
	struct run *run;
	uint64_t all;	  /* sum of counts[] */
	uint64_t unnamed; /* part of all in memory that no map file names */
};

static int compare_strings(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Returns a copy owned by the naming; equal strings give equal pointers. NULL for NULL. */
static const char *keep_string(struct naming *naming, const char *string)
{
	char *copy, **kept;

	if (!string)
		return NULL;
	copy = memory_text(string);
	kept = memory_need(tsearch(copy, &naming->strings, compare_strings));
	if (*kept != copy)
		free(copy);
	return *kept;
}

/* Adds a frame to the address. All frames of an address must be added in sequence. */
static void add_frame(struct naming *naming, uint32_t address, const struct symbol_frame *frame)
{
	struct symbol_frame *row = memory_add(&naming->frames, &naming->nframes, sizeof *row);
	char *readable = demangle(frame->function);

	*row = *frame;
	row->function = keep_string(naming, readable ? readable : frame->function);
	free(readable);
	row->file = keep_string(naming, frame->file);
	row->called = keep_string(naming, frame->called);
	if (!naming->addresses[address].count++)
		naming->addresses[address].first = (uint32_t)(naming->nframes - 1);
}

static void name_kernel(struct naming_job *job, const struct address_spot *spots, size_t count)
{
	const uint64_t high_bits = ~ADDRESS_OFFSET_ANY; /* set in all kernel addresses */
	struct kernel_address *addresses = memory_rows(count, sizeof *addresses);

	for (size_t i = 0; i < count; i++)
		addresses[i].address = spots[i].key | high_bits;
	kernel_symbols_name("", addresses, count);
	for (size_t i = 0; i < count; i++) {
		struct symbol_frame frame = {.function = addresses[i].function};

		add_frame(job->naming, spots[i].address, &frame);
	}
	free(addresses);
}

static void name_file(struct naming_job *job, const struct object *object,
		      const struct address_spot *spots, size_t count)
{
	struct symbol_frame frames[SYMBOL_FRAMES_MAX];
	uint64_t hits = 0, samples = 0;
	struct symbols *symbols;
	unsigned how = 0;

	for (size_t i = 0; i < count; i++) {
		hits += job->counts[spots[i].address];
		samples += job->samples[spots[i].address];
	}
	/* ask servers only for objects with a share of the time, and unpack separate debug
	 * information only if more time was spent in the object than that takes */
	if ((double)hits >= WORTH_SHARE * (double)job->all)
		how |= SYMBOLS_MATTER;
	if ((double)samples < FAR_LINES_S * job->run->sample_rate_hz)
		how |= SYMBOLS_NEAR_LINES;
	symbols = symbols_open(object, job->since_ns, how);
	if (symbols_complaint(symbols))
		run_add_note(job->run, "objects_unreadable", "%s: %s", object->path,
			     symbols_complaint(symbols));
	for (size_t i = 0; i < count; i++) {
		uint64_t offset = address_offset(spots[i].key);
		size_t nframes = 0;

		if (offset != ADDRESS_OFFSET_ANY)
			nframes = symbols_frames(symbols, offset, frames, SYMBOL_FRAMES_MAX);
		for (size_t j = 0; j < nframes; j++)
			add_frame(job->naming, spots[i].address, &frames[j]);
	}
	symbols_close(symbols);
}

/* Names addresses from the perf map file of the process, if there is one that can be trusted. */
static void read_map(struct naming_job *job, uint32_t pid, struct jit_address *addresses,
		     size_t count)
{
	struct jit_map_lines lines;
	const char *why;
	FILE *file = jit_map_open(job->jits, pid, job->since_ns, &why);

	if (!file && why && *why)
		run_add_note(job->run, "jit_map_damaged", "perf-%u.map: %s", pid, why);
	if (!file)
		return;
	jit_map_name(file, addresses, count, &lines);
	fclose(file);
	if (lines.bad)
		run_add_note(job->run, "jit_map_damaged",
			     "perf-%u.map: %llu of its %llu lines are invalid and ignored", pid,
			     (unsigned long long)lines.bad,
			     (unsigned long long)(lines.good + lines.bad));
	if (lines.cut)
		run_add_note(job->run, "jit_map_damaged",
			     "perf-%u.map: it is too long; only its first 256 MiB are read", pid);
}

static void name_memory(struct naming_job *job, uint32_t pid, const struct address_spot *spots,
			size_t count)
{
	struct jit_address *addresses = memory_rows(count, sizeof *addresses);

	for (size_t i = 0; i < count; i++)
		addresses[i].address = address_offset(spots[i].key);
	jit_codes_name(job->jits, pid, addresses, count);
	read_map(job, pid, addresses, count);
	for (size_t i = 0; i < count; i++) {
		struct symbol_frame frame = {.function = addresses[i].function};

		if (!frame.function)
			job->unnamed += job->counts[spots[i].address];
		else
			add_frame(job->naming, spots[i].address, &frame);
		free(addresses[i].function);
	}
	free(addresses);
}

static void name_script(struct naming_job *job, const struct address_table *addresses,
			const struct object *object, const struct address_spot *spots, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t number = address_offset(spots[i].key);
		struct symbol_frame frame = {.file = object->path};

		if (number >= addresses->nplaces)
			continue;
		frame.function = addresses->places[number].function;
		frame.line = addresses->places[number].line;
		add_frame(job->naming, spots[i].address, &frame);
	}
}

struct naming *naming_make(const struct address_table *addresses, const uint64_t *counts,
			   const uint64_t *samples, const struct jit_processes *jits,
			   int64_t since_ns, struct run *run)
{
	struct naming *naming = memory_rows(1, sizeof *naming);
	struct naming_job job = {naming, counts, samples, jits, since_ns, run, 0, 0};
	size_t count, same;
	struct address_spot *spots = address_table_list(addresses, counts, &count);

	naming->naddresses = addresses->nkeys;
	naming->addresses = memory_rows(addresses->nkeys, sizeof *naming->addresses);
	for (size_t i = 0; i < addresses->nkeys; i++)
		job.all += counts[i];
	for (size_t i = 0; i < count; i += same) {
		uint32_t number = address_object(spots[i].key);
		const struct object *object = &addresses->objects[number];

		same = address_spots_alike(&spots[i], count - i);
		if (number == OBJECT_KERNEL)
			name_kernel(&job, &spots[i], same);
		else if (object->is_script)
			name_script(&job, addresses, object, &spots[i], same);
		else if (number != OBJECT_UNKNOWN && object->pid)
			name_memory(&job, object->pid, &spots[i], same);
		else if (number != OBJECT_UNKNOWN)
			name_file(&job, object, &spots[i], same);
	}
	if ((double)job.unnamed > WORTH_SHARE * (double)job.all)
		run_add_note(run, "jit_unnamed", "%.0f %% of the samples",
			     100.0 * (double)job.unnamed / (double)job.all);
	free(spots);
	return naming;
}

void naming_free(struct naming *naming)
{
	if (!naming)
		return;
	free(naming->addresses);
	free(naming->frames);
	tdestroy(naming->strings, free);
	free(naming);
}

size_t naming_frames(const struct naming *naming, uint32_t address,
		     const struct symbol_frame **frames)
{
	static const struct symbol_frame unknown = {.function = UNKNOWN_FUNCTION};

	if (address >= naming->naddresses || !naming->addresses[address].count) {
		*frames = &unknown;
		return 1;
	}
	*frames = &naming->frames[naming->addresses[address].first];
	return naming->addresses[address].count;
}

void naming_locate(const struct naming *naming, const struct address_table *addresses,
		   uint32_t address, struct code_location *location)
{
	const struct symbol_frame *frames;
	size_t count = naming_frames(naming, address, &frames);

	code_location_set(location, frames[0].function,
			  addresses->objects[address_object(addresses->keys[address])].path,
			  count > 1 ? frames[count - 1].function : "", frames[0].file,
			  frames[0].line);
}
