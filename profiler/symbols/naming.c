/* naming.c: names addresses object by object, demangles names, and sums samples by function. */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"

#define UNKNOWN_FUNCTION "[unknown]"
#define WORTH_SHARE	 0.01 /* of the samples; less is not worth a note or asking a server */
#define FAR_LINES_S	 0.2  /* CPU time in an object that is worth unpacking separate lines */

#define DIGITS		 "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Returns 0 if the symbol has too many references to earlier parts of it. Each can double the
 * length of the name, so some hundred bytes could need more than all memory. */
static int is_harmless(const char *symbol, const char *starts, const char *digits)
{
	enum { REFERENCES_MAX = 32 };
	int references = 0;

	for (const char *at = strpbrk(symbol, starts); at; at = strpbrk(at + 1, starts))
		references += at[1 + strspn(at + 1, digits)] == '_';
	return references <= REFERENCES_MAX;
}

char *demangle(const char *symbol)
{
	/* Without options, libiberty omits parameters and results, but also " [clone .cold]", which
	 * distinguishes parts of a function. Rust's older symbols look like those of C++. */
	const char *clone = strchr(symbol, '.'), *procedure = strstr(symbol, "_MOD_");
	char *name, *whole;

	if (!strncmp(symbol, "__", 2) && procedure > symbol + 2) { /* of a module of GNU Fortran */
		memory_check(asprintf(&name, "%.*s::%s", (int)(procedure - symbol) - 2, symbol + 2,
				      procedure + 5) < 0);
		return name;
	}

	if (!strncmp(symbol, "_R", 2) &&
	    is_harmless(symbol, "B", DIGITS "abcdefghijklmnopqrstuvwxyz"))
		return rust_demangle(symbol, 0);
	if (strncmp(symbol, "_Z", 2) || !is_harmless(symbol, "ST", DIGITS))
		return NULL;
	name = rust_demangle(symbol, 0);
	if (name)
		return name;
	name = cplus_demangle_v3(symbol, 0);
	if (!name || !clone)
		return name;
	memory_check(asprintf(&whole, "%s [clone %s]", name, clone) < 0);
	free(name);
	return whole;
}

/* The last symbol at or before an address, but after the previous address. */
struct nearest {
	uint64_t start; /* 0: none */
	int is_code;	/* 0: data, which ends the code before it */
	char name[64];
};

COMPARE(compare_addresses, struct named_address, ORDER(a->address, b->address))

void kernel_symbols_name(const char *root, struct named_address *addresses, size_t count)
{
	struct nearest *nearest = memory_rows(count, sizeof *nearest), *best = NULL;
	OWN_FILE *file = machine_open(root, "/proc/kallsyms");
	size_t room = 0;
	char *line = NULL, *at;

	qsort(addresses, count, sizeof *addresses, compare_addresses);
	/* "ffffffff81000000 T _text", followed by a tab and the module if it is in one */
	while (file && getline(&line, &room, file) > 0) {
		uint64_t start = strtoull(line, &at, 16);
		size_t i = ARRAY_BOUND(count, j, addresses[j].address < start);
		int is_code;

		if (!start || at[0] != ' ' || !at[1] || at[2] != ' ' || i == count)
			continue;
		is_code = strchr("tTwW", at[1]) != NULL;
		if (start < nearest[i].start || (start == nearest[i].start && !is_code))
			continue;
		nearest[i].start = start;
		nearest[i].is_code = is_code;
		snprintf(nearest[i].name, sizeof nearest[i].name, "%.*s",
			 (int)strcspn(at + 3, " \t\n"), at + 3);
	}
	for (size_t i = 0; i < count; i++) {
		if (nearest[i].start)
			best = &nearest[i];
		addresses[i].function =
			string_pooled(best && best->is_code ? best->name : "[kernel]");
	}
	free(line);
	free(nearest);
}

struct naming {
	struct {
		uint32_t first, count; /* in frames[]; count 0: [unknown] */
	} * addresses;
	size_t naddresses;
	struct symbol_frame *frames;
	size_t nframes;
};

struct naming_job {
	struct naming *naming;
	const uint64_t *counts, *samples;
	const struct jit_processes *jits;
	int64_t since_ns;
	struct run *run;
	uint64_t all;	  /* sum of counts[] */
	uint64_t unnamed; /* part of samples[] in memory that no map file names */
};

/* Adds a frame to the address. All frames of an address must be added in sequence. */
static void add_frame(struct naming *naming, uint32_t address, const struct symbol_frame *frame)
{
	struct symbol_frame *row = memory_add(&naming->frames, &naming->nframes, sizeof *row);
	FREED char *readable = demangle(frame->function);

	*row = *frame;
	row->function = string_pooled(readable ? readable : frame->function);
	row->file = frame->file ? string_pooled(frame->file) : NULL;
	row->called = frame->called ? string_pooled(frame->called) : NULL;
	if (!naming->addresses[address].count++)
		naming->addresses[address].first = (uint32_t)(naming->nframes - 1);
}

static void name_file(struct naming_job *job, const struct object *object,
		      const struct address_spot *spots, size_t count)
{
	struct symbol_frame frames[SYMBOL_FRAMES_MAX];
	uint64_t hits = 0, samples = 0;
	struct symbols *symbols;
	unsigned how = 0;

	EACH_ROW(spot, spots, count) {
		hits += job->counts[spot->address];
		samples += job->samples[spot->address];
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
	EACH_ROW(spot, spots, count) {
		uint64_t offset = address_offset(spot->key);
		size_t nframes = 0;

		if (offset != ADDRESS_OFFSET_ANY)
			nframes = symbols_frames(symbols, offset, frames, SYMBOL_FRAMES_MAX);
		for (size_t i = 0; i < nframes; i++)
			add_frame(job->naming, spot->address, &frames[i]);
	}
	symbols_close(symbols);
}

/* Names addresses from the perf map file of the process, if there is one that can be trusted. */
static void read_map(struct naming_job *job, uint32_t pid, struct named_address *addresses,
		     size_t count)
{
	struct jit_map_lines lines;
	const char *why;
	OWN_FILE *file = jit_map_open(job->jits, pid, job->since_ns, &why);

	if (!file && why && *why)
		run_add_note(job->run, "jit_map_damaged", "perf-%u.map: %s", pid, why);
	if (!file)
		return;
	jit_map_name(file, addresses, count, &lines);
	if (lines.bad)
		run_add_note(job->run, "jit_map_damaged",
			     "perf-%u.map: %llu of its %llu lines are invalid and ignored", pid,
			     (unsigned long long)lines.bad,
			     (unsigned long long)(lines.good + lines.bad));
	if (lines.cut)
		run_add_note(job->run, "jit_map_damaged",
			     "perf-%u.map: it is too long; only its first 256 MiB are read", pid);
}

/* Names code that the process made in its memory or, for pid 0, code of the kernel. */
static void name_memory(struct naming_job *job, uint32_t pid, const struct address_spot *spots,
			size_t count)
{
	const uint64_t high_bits = pid ? 0 : ~ADDRESS_OFFSET_ANY; /* of all kernel addresses */
	FREED struct named_address *addresses = memory_rows(count, sizeof *addresses);

	for (size_t i = 0; i < count; i++)
		addresses[i].address = address_offset(spots[i].key) | high_bits;
	if (pid) {
		jit_codes_name(job->jits, pid, addresses, count);
		read_map(job, pid, addresses, count);
	} else {
		kernel_symbols_name("", addresses, count);
	}
	for (size_t i = 0; i < count; i++) {
		struct symbol_frame frame = {.function = addresses[i].function};

		if (!frame.function)
			job->unnamed += job->samples[spots[i].address];
		else
			add_frame(job->naming, spots[i].address, &frame);
	}
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
	uint64_t all_samples = 0;
	size_t count, same;
	FREED struct address_spot *spots = address_table_list(addresses, counts, &count);

	naming->naddresses = addresses->nkeys;
	naming->addresses = memory_rows(addresses->nkeys, sizeof *naming->addresses);
	for (size_t i = 0; i < addresses->nkeys; i++) {
		job.all += counts[i];
		all_samples += samples[i];
	}
	for (size_t i = 0; i < count; i += same) {
		uint32_t number = address_object(spots[i].key);
		const struct object *object = &addresses->objects[number];

		same = address_spots_alike(&spots[i], count - i);
		if (object->is_script)
			name_script(&job, addresses, object, &spots[i], same);
		else if (number == OBJECT_KERNEL || object->pid)
			name_memory(&job, object->pid, &spots[i], same);
		else if (number != OBJECT_UNKNOWN)
			name_file(&job, object, &spots[i], same);
	}
	if ((double)job.unnamed > WORTH_SHARE * (double)all_samples)
		run_add_note(run, "jit_unnamed", "%.0f %% of the samples",
			     100.0 * (double)job.unnamed / (double)all_samples);
	return naming;
}

void naming_free(struct naming *naming)
{
	free(naming->addresses);
	free(naming->frames);
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

	code_location_set(location, frames[0].function, object_of(addresses, address)->path,
			  count > 1 ? frames[count - 1].function : "", frames[0].file,
			  frames[0].line);
}

void functions_add(const struct address_table *addresses, const struct naming *naming,
		   const struct address_count *counts, const enum run_code *code, struct run *run)
{
	const struct table *table = &run_tables[RUN_PART_FUNCTIONS];
	OWN_IDMAP lines = {0}; /* hash of a line of a function to run->functions */

	for (size_t i = 0; i < 2 * (size_t)addresses->nkeys; i++) {
		uint32_t address = (uint32_t)(i / 2), is_called = i % 2;
		uint32_t object = address_object(addresses->keys[address]);
		const struct address_count *count = &counts[address];
		uint64_t samples =
			is_called ? count->called : count->all - count->spins - count->called;
		const struct symbol_frame *frames;
		size_t nframes = naming_frames(naming, address, &frames);
		enum run_code its_code = is_called ? RUN_CODE_BLAS : code[address];
		/* equal texts are equal pointers */
		uint64_t key[] = {
			(uintptr_t)addresses->objects[object].path,
			its_code,
			(uintptr_t)frames->function,
			nframes > 1 ? (uintptr_t)frames[nframes - 1].function : 0,
			(uintptr_t)frames->file,
			(uint64_t)frames->line,
		};
		struct run_function *row;
		char thread[16] = "";
		uint32_t number;

		if (!samples || object == OBJECT_UNKNOWN)
			continue;
		if (count->thread != THREAD_SEVERAL)
			snprintf(thread, sizeof thread, "%u", count->thread);
		number = idmap_number(&lines, string_hash((const char *)key, sizeof key),
				      run->nfunctions);
		if (number == run->nfunctions) {
			row = table_add(table, run);
			naming_locate(naming, addresses, address, &row->location);
			row->code = its_code;
			memcpy(row->thread, thread, sizeof thread);
		}
		row = &run->functions[number];
		row->samples += samples;
		row->samples_workers += is_called ? 0 : count->workers;
		if (strcmp(row->thread, thread))
			row->thread[0] = '\0';
	}
	/* a function gets the line with most samples, of equal ones the first */
	table_sort(table, run, "file line");
	table_merge_rows(table, run);
	table_sort(table, run, "object code inlined_into function");
}
