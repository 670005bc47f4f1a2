/* naming.c: names the places of one object after another: files, the kernel, code made at run time.
 */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/jit_dump.h"
#include "symbols/jit_map.h"
#include "symbols/kallsyms.h"
#include "symbols/texts.h"
#include "base/array.h"

#define UNKNOWN_FUNCTION "[unknown]"
#define WORTH_SHARE	 0.01 /* of the samples: less is not worth a note, nor a look far away */
#define FAR_LINES_S	 0.2  /* of a thread's time */

struct naming {
	struct {
		uint32_t first, count; /* in frames[]; count 0: [unknown] */
	} * places;
	size_t nplaces;
	struct symbol_frame *frames;
	size_t nframes;
	struct texts texts;
};

/* A place that is to be named. */
struct spot {
	uint64_t key;
	uint32_t place;
};

/* The spots of one object, in order of offset. */
struct batch {
	struct naming *naming;
	const struct object *object;
	const struct spot *spots;
	size_t count;
};

struct naming_job {
	const struct places *places;
	const uint64_t *counts, *samples;
	const struct jit_files *jits;
	int64_t since_ns;
	struct run *run;
	uint64_t all;	  /* samples to be named */
	uint64_t unnamed; /* those in memory that no map file names */
};

static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	return (a->key > b->key) - (a->key < b->key);
}

static struct spot *list_spots(const struct places *places, const uint64_t *counts, size_t *count)
{
	struct spot *spots = calloc(places->nkeys + 1, sizeof *spots);

	*count = 0;
	for (size_t i = 0; spots && i < places->nkeys; i++)
		if (counts[i])
			spots[(*count)++] = (struct spot){places->keys[i], (uint32_t)i};
	if (spots)
		qsort(spots, *count, sizeof *spots, compare_spots);
	return spots;
}

/* Gives the place one more frame; all of a place's come one after another. */
static int add_frame(struct naming *naming, uint32_t place, const struct symbol_frame *frame)
{
	struct symbol_frame *row = array_add(&naming->frames, &naming->nframes, sizeof *row);
	char *readable;

	if (!row)
		return -1;
	*row = *frame;
	readable = frame->function ? demangle(frame->function) : NULL;
	row->function = texts_keep(&naming->texts, readable ? readable : frame->function);
	free(readable);
	row->file = texts_keep(&naming->texts, frame->file);
	if (!row->function)
		return -1;
	if (!naming->places[place].count++)
		naming->places[place].first = (uint32_t)(naming->nframes - 1);
	return 0;
}

static int add_name(struct naming *naming, uint32_t place, const char *function)
{
	struct symbol_frame frame = {.function = function};

	return function ? add_frame(naming, place, &frame) : 0;
}

static int name_kernel(const struct batch *batch)
{
	const uint64_t high_bits = ~PLACE_OFFSET_ANY; /* which all kernel addresses have */
	struct kernel_address *addresses = calloc(batch->count, sizeof *addresses);
	int failed = addresses ? 0 : -1;

	for (size_t i = 0; !failed && i < batch->count; i++)
		addresses[i].address = batch->spots[i].key | high_bits;
	if (!failed)
		kallsyms_name("", addresses, batch->count);
	for (size_t i = 0; !failed && i < batch->count; i++)
		failed = add_name(batch->naming, batch->spots[i].place, addresses[i].function);
	free(addresses);
	return failed;
}

/* Servers are asked only for objects that take part of the time, and lines that lie elsewhere are
 * unpacked only for those in which more was spent than that takes. */
static unsigned choose_how(const struct naming_job *job, const struct batch *batch)
{
	uint64_t count = 0, samples = 0;
	unsigned how = 0;

	for (size_t i = 0; i < batch->count; i++) {
		count += job->counts[batch->spots[i].place];
		samples += job->samples[batch->spots[i].place];
	}
	if ((double)count >= WORTH_SHARE * (double)job->all)
		how |= SYMBOLS_ASK_SERVERS;
	if ((double)samples < FAR_LINES_S * job->run->sample_rate_hz)
		how |= SYMBOLS_NEAR_LINES;
	return how;
}

static int name_file(const struct naming_job *job, const struct batch *batch)
{
	const struct object *object = batch->object;
	struct symbols *symbols =
		symbols_open(object->path, object->inode, job->since_ns, choose_how(job, batch));
	struct symbol_frame frames[SYMBOL_FRAMES_MAX];
	int failed = symbols ? 0 : -1;

	if (symbols && symbols_complaint(symbols))
		run_add_note(job->run, "objects_unreadable", "%s: %s", object->path,
			     symbols_complaint(symbols));
	for (size_t i = 0; !failed && i < batch->count; i++) {
		uint64_t offset = place_offset(batch->spots[i].key);
		size_t count = 0;

		if (offset != PLACE_OFFSET_ANY)
			count = symbols_frames(symbols, offset, frames, SYMBOL_FRAMES_MAX);
		for (size_t j = 0; !failed && j < count; j++)
			failed = add_frame(batch->naming, batch->spots[i].place, &frames[j]);
	}
	symbols_close(symbols);
	return failed;
}

static void note_map(struct run *run, uint32_t pid, const char *why)
{
	run_add_note(run, "jit_map_damaged", "perf-%u.map: %s", pid, why);
}

/* Reads the jitdump files of the process that can be trusted. */
static int read_dumps(struct naming_job *job, uint32_t pid, struct jit_address *addresses,
		      size_t count)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < job->jits->ndumps; i++) {
		const char *why;
		FILE *file;

		if (job->jits->dumps[i].pid != pid)
			continue;
		file = jit_files_open_dump(job->jits, i, job->since_ns, &why);
		if (file) {
			failed = jit_dump_name(file, addresses, count, &why);
			fclose(file);
		}
		if (why && *why)
			run_add_note(job->run, "jit_map_damaged", "%s: %s",
				     job->jits->dumps[i].path, why);
	}
	return failed;
}

static void note_lines(struct run *run, uint32_t pid, const struct jit_map_lines *lines)
{
	char text[128];

	snprintf(text, sizeof text, "%llu of its %llu lines make no sense and are passed over",
		 (unsigned long long)lines->bad, (unsigned long long)(lines->good + lines->bad));
	if (lines->bad)
		note_map(run, pid, text);
	if (lines->cut)
		note_map(run, pid, "it is too long; what is beyond 256 MiB is not read");
}

/* Reads the map file of the process, as far as there is one that can be trusted. */
static int read_map(struct naming_job *job, uint32_t pid, struct jit_address *addresses,
		    size_t count)
{
	struct jit_map_lines lines;
	const char *why;
	FILE *file = jit_files_open(job->jits, pid, job->since_ns, &why);
	int failed;

	if (!file) {
		if (why && *why)
			note_map(job->run, pid, why);
		return 0;
	}
	failed = jit_map_name(file, addresses, count, &lines);
	note_lines(job->run, pid, &lines);
	fclose(file);
	return failed;
}

static int name_memory(struct naming_job *job, const struct batch *batch)
{
	struct jit_address *addresses = calloc(batch->count, sizeof *addresses);
	int failed = addresses ? 0 : -1;

	for (size_t i = 0; !failed && i < batch->count; i++)
		addresses[i].address = place_offset(batch->spots[i].key);
	if (!failed)
		failed = read_dumps(job, batch->object->pid, addresses, batch->count) ||
			 read_map(job, batch->object->pid, addresses, batch->count);
	for (size_t i = 0; addresses && i < batch->count; i++) {
		uint32_t place = batch->spots[i].place;

		if (!failed)
			failed = add_name(batch->naming, place, addresses[i].function);
		job->unnamed += addresses[i].function ? 0 : job->counts[place];
		free(addresses[i].function);
	}
	free(addresses);
	return failed;
}

static int name_batch(struct naming_job *job, const struct batch *batch)
{
	uint32_t object = place_object(batch->spots[0].key);

	if (object == OBJECT_UNKNOWN)
		return 0;
	if (object == OBJECT_KERNEL)
		return name_kernel(batch);
	return batch->object->pid ? name_memory(job, batch) : name_file(job, batch);
}

static int name_all(struct naming_job *job, struct naming *naming, const struct spot *spots,
		    size_t count)
{
	size_t next;
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		job->all += job->counts[spots[i].place];
	for (size_t at = 0; !failed && at < count; at = next) {
		uint32_t object = place_object(spots[at].key);
		struct batch batch = {naming, &job->places->objects[object], spots + at, 0};

		for (next = at; next < count && place_object(spots[next].key) == object; next++)
			batch.count++;
		failed = name_batch(job, &batch);
	}
	if (!failed && (double)job->unnamed > WORTH_SHARE * (double)job->all)
		run_add_note(job->run, "jit_unnamed", "%.0f %% of the samples",
			     100.0 * (double)job->unnamed / (double)job->all);
	return failed;
}

struct naming *naming_make(const struct places *places, const uint64_t *counts,
			   const uint64_t *samples, const struct jit_files *jits, int64_t since_ns,
			   struct run *run)
{
	struct naming_job job = {places, counts, samples, jits, since_ns, run, 0, 0};
	struct naming *naming = calloc(1, sizeof *naming);
	struct spot *spots;
	size_t count;

	if (!naming)
		return NULL;
	naming->nplaces = places->nkeys;
	naming->places = calloc(places->nkeys + 1, sizeof *naming->places);
	spots = list_spots(places, counts, &count);
	if (!naming->places || !spots || name_all(&job, naming, spots, count)) {
		naming_free(naming);
		naming = NULL;
	}
	free(spots);
	return naming;
}

void naming_free(struct naming *naming)
{
	if (!naming)
		return;
	free(naming->places);
	free(naming->frames);
	texts_free(&naming->texts);
	free(naming);
}

size_t naming_frames(const struct naming *naming, uint32_t place,
		     const struct symbol_frame **frames)
{
	static const struct symbol_frame unknown = {.function = UNKNOWN_FUNCTION};

	if (place >= naming->nplaces || !naming->places[place].count) {
		*frames = &unknown;
		return 1;
	}
	*frames = &naming->frames[naming->places[place].first];
	return naming->places[place].count;
}
