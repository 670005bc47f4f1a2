/* jit_dump.c: takes the records of a jitdump file one by one, and skips the code in them. */
/* SPDX-License-Identifier: MIT */
#include "symbols/jit_dump.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "symbols/texts.h"
#include "base/array.h"

#define DUMP_MAGIC	   UINT32_C(0x4a695444)
#define DUMP_MAGIC_SWAPPED UINT32_C(0x4454694a)

enum { NAME_ROOM = 512, RECORDS_MAX = 1 << 22 };
enum dump_record_id { DUMP_LOAD, DUMP_MOVE };

struct dump_header {
	uint32_t magic, version, total_size, machine, padding, pid;
	uint64_t timestamp, flags;
};

struct dump_prefix {
	uint32_t id, total_size;
	uint64_t timestamp;
};

struct dump_load { /* the name and the code follow */
	uint32_t pid, tid;
	uint64_t vma, address, size, index;
};

struct dump_move {
	uint32_t pid, tid;
	uint64_t vma, old_address, address, size, index;
};

/* A piece of code by the number that the program gave it. */
struct dump_code {
	uint64_t index;
	const char *name;
};

struct dump {
	FILE *file;
	struct jit_address *addresses;
	size_t count;
	struct jit_names names;
	struct texts texts; /* keep the names */
	struct dump_code *codes;
	size_t ncodes;
	struct idmap by_index;
};

static const char *read_header(FILE *file)
{
	struct dump_header header;

	if (fread(&header, sizeof header, 1, file) != 1)
		return "it is cut off";
	if (header.magic == DUMP_MAGIC_SWAPPED)
		return "it is of a machine with another order of bytes";
	if (header.magic != DUMP_MAGIC)
		return "it is no jitdump file";
	if (header.version != 1)
		return "it is of a version that is not known";
	if (header.total_size < sizeof header || fseeko(file, (off_t)header.total_size, SEEK_SET))
		return "its header makes no sense";
	return NULL;
}

static int keep_code(struct dump *dump, uint64_t index, const char *name)
{
	struct dump_code *code = array_add(&dump->codes, &dump->ncodes, sizeof *code);

	if (!code)
		return -1;
	*code = (struct dump_code){index, name};
	return idmap_put(&dump->by_index, index, (uint32_t)(dump->ncodes - 1));
}

static int add_code(struct dump *dump, uint64_t address, uint64_t size, const char *name)
{
	if (!size || address + size < address)
		return 0;
	return jit_names_add(&dump->names, dump->addresses, dump->count, address, size, name,
			     strlen(name));
}

/* `left`: bytes of the record behind its prefix. 1: it is cut off; -1: memory is out. */
static int read_load(struct dump *dump, size_t left)
{
	char name[NAME_ROOM];
	struct dump_load load;
	const char *kept;
	size_t room;

	if (left <= sizeof load || fread(&load, sizeof load, 1, dump->file) != 1)
		return 1;
	room = left - sizeof load < sizeof name - 1 ? left - sizeof load : sizeof name - 1;
	room = fread(name, 1, room, dump->file);
	name[room] = '\0';
	if (!name[0])
		return room ? 0 : 1;
	kept = texts_keep(&dump->texts, name);
	if (!kept || keep_code(dump, load.index, kept))
		return -1;
	return add_code(dump, load.address, load.size, kept);
}

static int read_move(struct dump *dump, size_t left)
{
	struct dump_move move;
	uint32_t number;

	if (left < sizeof move || fread(&move, sizeof move, 1, dump->file) != 1)
		return 1;
	number = idmap_find(&dump->by_index, move.index);
	if (number == IDMAP_NONE)
		return 0;
	return add_code(dump, move.address, move.size, dump->codes[number].name);
}

/* The next record, of which the file is left behind the end. 0; 1: there is none; -1: memory is
 * out. */
static int read_record(struct dump *dump, const char **why)
{
	struct dump_prefix prefix;
	off_t start = ftello(dump->file);
	size_t got = fread(&prefix, 1, sizeof prefix, dump->file);
	int result = 0;

	if (!got)
		return 1;
	*why = "it is cut off";
	if (got < sizeof prefix || prefix.total_size < sizeof prefix)
		return 1;
	if (prefix.id == DUMP_LOAD)
		result = read_load(dump, prefix.total_size - sizeof prefix);
	else if (prefix.id == DUMP_MOVE)
		result = read_move(dump, prefix.total_size - sizeof prefix);
	if (result)
		return result;
	*why = NULL;
	return fseeko(dump->file, start + (off_t)prefix.total_size, SEEK_SET) ? 1 : 0;
}

static int too_long(const char **why)
{
	*why = "it is too long; what is beyond four million records is not read";
	return 1;
}

int jit_dump_name(FILE *file, struct jit_address *addresses, size_t count, const char **why)
{
	struct dump dump = {.file = file, .addresses = addresses, .count = count};
	int result = 0;

	*why = read_header(file);
	for (int i = 0; !*why && !result; i++)
		result = i < RECORDS_MAX ? read_record(&dump, why) : too_long(why);
	if (result >= 0)
		result = jit_names_give(&dump.names, addresses, count);
	free(dump.names.pieces);
	free(dump.codes);
	idmap_free(&dump.by_index);
	texts_free(&dump.texts);
	return result;
}
