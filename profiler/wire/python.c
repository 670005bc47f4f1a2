/* python.c: reads frames of CPython by the layouts of its structs in each version. */
/* SPDX-License-Identifier: MIT
 *
 * Does not allocate or lock, and needs little stack. Reads by process_vm_readv(), so that a wrong
 * address is an error, not a crash; lengths are bounded.
 */
#include "wire/python.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Offsets that are the same in all versions, of PyASCIIObject and PyBytesObject. */
enum { STRING_LENGTH = 16, STRING_STATE = 32, BYTES_LENGTH = 16, BYTES_TEXT = 32 };

/* From the headers of each version, for 64-bit machines. */
/* clang-format off */
static const struct python_layout layouts[] = {
	{.version = 0x309, .interpreters = 32, .interpreter_next = 0, .interpreter_threads = 8,
	 .thread_next = 8, .thread_id = 176, .thread_frame = 24, .cframe_frame = PYTHON_NONE,
	 .frame_previous = 24, .frame_code = 32, .frame_at = 104, .frame_owner = PYTHON_NONE,
	 .code_file = 104, .code_name = 112, .code_first_line = 40, .code_lines = 120, .code_bytes = 48,
	 .type = 8, .string_ascii = 48, .string_other = 72},
	{.version = 0x30a, .interpreters = 32, .interpreter_next = 0, .interpreter_threads = 8,
	 .thread_next = 8, .thread_id = 176, .thread_frame = 24, .cframe_frame = PYTHON_NONE,
	 .frame_previous = 24, .frame_code = 32, .frame_at = 96, .frame_owner = PYTHON_NONE,
	 .code_file = 104, .code_name = 112, .code_first_line = 40, .code_lines = 120, .code_bytes = 48,
	 .type = 8, .string_ascii = 48, .string_other = 72},
	{.version = 0x30b, .interpreters = 40, .interpreter_next = 0, .interpreter_threads = 16,
	 .thread_next = 8, .thread_id = 160, .thread_frame = 56, .cframe_frame = 8,
	 .frame_previous = 48, .frame_code = 32, .frame_at = 56, .frame_owner = 69,
	 .code_file = 112, .code_name = 128, .code_first_line = 72, .code_lines = 136, .code_bytes = 184,
	 .type = 8, .string_ascii = 48, .string_other = 72},
	{.version = 0x30c, .interpreters = 40, .interpreter_next = 0, .interpreter_threads = 72,
	 .thread_next = 8, .thread_id = 144, .thread_frame = 56, .cframe_frame = 0,
	 .frame_previous = 8, .frame_code = 0, .frame_at = 56, .frame_owner = 70,
	 .code_file = 112, .code_name = 128, .code_first_line = 68, .code_lines = 136, .code_bytes = 192,
	 .type = 8, .string_ascii = 40, .string_other = 56},
	{.version = 0x30d, /* read_debug_offsets() fills in the others */
	 .cframe_frame = PYTHON_NONE, .string_ascii = 40, .string_other = 56},
};

/* Indices of 8-byte words in _Py_DebugOffsets of 3.13, at the start of _PyRuntime. Its offsets are
 * right for any build of the interpreter. */
static const struct {
	uint32_t word;
	size_t field;
} debug_offsets[] = {
#define AT(word, name) {word, offsetof(struct python_layout, name)}
	AT(5, interpreters), AT(8, interpreter_next), AT(9, interpreter_threads),
	AT(21, thread_next), AT(23, thread_frame), AT(25, thread_id),
	AT(29, frame_previous), AT(30, frame_code), AT(31, frame_at), AT(33, frame_owner),
	AT(35, code_file), AT(37, code_name), AT(38, code_lines), AT(39, code_first_line), AT(43, code_bytes),
	AT(45, type),
#undef AT
};
/* clang-format on */
#define DEBUG_COOKIE "xdebugpy"

int python_read(const struct python_process *process, uint64_t address, void *bytes, size_t count)
{
	struct iovec here = {bytes, count}, there = {(void *)(uintptr_t)address, count};
	pid_t pid = process->pid ? process->pid : getpid();
	ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);

	return got == (ssize_t)count ? 0 : -1;
}

/* Fills in the interpreter's own offsets. Returns -1 if it has none, or wrong ones. */
static int read_debug_offsets(struct python_process *process)
{
	uint64_t words[46];

	if (python_read(process, process->runtime, words, sizeof words) ||
	    memcmp(words, DEBUG_COOKIE, sizeof *words) || words[1] >> 16 != process->layout.version)
		return -1;
	for (size_t i = 0; i < sizeof debug_offsets / sizeof *debug_offsets; i++) {
		uint64_t offset = words[debug_offsets[i].word];

		if (offset > 1 << 20)
			return -1;
		*(uint32_t *)(void *)((char *)&process->layout + debug_offsets[i].field) =
			(uint32_t)offset;
	}
	return words[2] ? -1 : 0; /* a build without the GIL, which has longer object headers */
}

int python_open(struct python_process *process, pid_t pid, uint32_t version, uint64_t runtime,
		uint64_t code_type)
{
	*process = (struct python_process){pid, runtime, code_type, {0}};
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts && sizeof(long) == 8; i++)
		if (layouts[i].version == version) {
			process->layout = layouts[i];
			if (version < 0x30d || !read_debug_offsets(process))
				return 0;
			process->layout.version = 0;
		}
	return -1;
}

int python_top_frame(const struct python_process *process, uint64_t thread, uint64_t *frame)
{
	const struct python_layout *layout = &process->layout;

	if (python_read(process, thread + layout->thread_frame, frame, sizeof *frame))
		return -1;
	return *frame && layout->cframe_frame != PYTHON_NONE
		       ? python_read(process, *frame + layout->cframe_frame, frame, sizeof *frame)
		       : 0;
}

/* Returns a field of the bytes, or 0 if it lies beyond them. */
static uint64_t field(const char *bytes, size_t count, uint32_t offset, size_t size)
{
	uint64_t value = 0;

	if (offset <= count && size <= count - offset)
		memcpy(&value, bytes + offset, size); /* little-endian */
	return value;
}

void python_parse_frame(const struct python_process *process, const char *bytes,
			struct python_frame *frame)
{
	const struct python_layout *layout = &process->layout;
	int is_new = layout->version >= 0x30b;
	size_t count = PYTHON_FRAME_BYTES(layout);

	frame->previous = field(bytes, count, layout->frame_previous, 8);
	frame->code = field(bytes, count, layout->frame_code, 8);
	frame->place = python_place_word(layout, frame->code,
					 field(bytes, count, layout->frame_at, is_new ? 8 : 4));
	if (layout->version >= 0x30c &&
	    field(bytes, count, layout->frame_owner, 1) == PYTHON_OWNED_BY_C)
		frame->code = 0;
}

int python_read_frame(const struct python_process *process, uint64_t address,
		      struct python_frame *frame)
{
	char bytes[PYTHON_FRAME_BYTES_MAX];

	if (!address || python_read(process, address, bytes, PYTHON_FRAME_BYTES(&process->layout)))
		return -1;
	python_parse_frame(process, bytes, frame);
	return 0;
}

/* Reads a table in the process byte by byte. */
struct table_reader {
	const struct python_process *process;
	uint64_t address, left;
	size_t at, count;
	unsigned char bytes[128];
};

/* Returns the next byte, or -1. */
static int next_byte(struct table_reader *reader)
{
	if (reader->at == reader->count) {
		size_t count =
			reader->left < sizeof reader->bytes ? reader->left : sizeof reader->bytes;

		if (!count || python_read(reader->process, reader->address, reader->bytes, count))
			return -1;
		reader->address += count;
		reader->left -= count;
		reader->at = 0;
		reader->count = count;
	}
	return reader->bytes[reader->at++];
}

/* co_lnotab of 3.9: pairs of the distances in bytes and lines to the start of the next line. */
static int line_before_310(struct table_reader *reader, int line, int64_t at)
{
	int64_t address = 0;
	int bytes, lines;

	while ((bytes = next_byte(reader)) >= 0 && (lines = next_byte(reader)) >= 0) {
		address += bytes;
		if (address > at)
			break;
		line += (int8_t)lines;
	}
	return line;
}

/* co_linetable of 3.10: pairs of a range's length in bytes and its distance in lines; -128: no
 * line.
 */
static int line_of_310(struct table_reader *reader, int line, int64_t at)
{
	int64_t address = 0;
	int bytes, lines;

	while ((bytes = next_byte(reader)) >= 0 && (lines = next_byte(reader)) >= 0) {
		address += bytes;
		if ((int8_t)lines != -128)
			line += (int8_t)lines;
		if (address > at)
			return (int8_t)lines == -128 ? 0 : line;
	}
	return 0;
}

/* Reads a number with six bits in each byte, the lowest first; the lowest bit is the sign. */
static int signed_number(struct table_reader *reader)
{
	uint32_t number = 0;
	int byte = 64;

	for (unsigned shift = 0; shift < 30 && byte >= 0 && byte & 64; shift += 6) {
		byte = next_byte(reader);
		number |= ((uint32_t)byte & 63) << shift;
	}
	return number & 1 ? -(int)(number >> 1) : (int)(number >> 1);
}

/* co_linetable from 3.11 on: only the first byte of an entry has bit 7 set; it also has the entry's
 * kind and the number of code units less 1. */
static int line_from_311(struct table_reader *reader, int line, int64_t at)
{
	enum { LINE_NONE = 15, LINE_LONG = 14, LINE_ALONE = 13, LINE_NEXT_2 = 12, LINE_SAME = 10 };
	int64_t address = 0;
	int byte;

	while ((byte = next_byte(reader)) >= 0) {
		int kind = byte >> 3 & 15;

		if (!(byte & 128))
			continue; /* the rest of an entry: columns */
		address += 2 * ((byte & 7) + 1);
		if (kind == LINE_LONG || kind == LINE_ALONE)
			line += signed_number(reader);
		else if (kind >= LINE_SAME && kind <= LINE_NEXT_2)
			line += kind - LINE_SAME;
		if (address > at)
			return kind == LINE_NONE ? 0 : line;
	}
	return 0;
}

static int find_line(const struct python_process *process, uint64_t table, int first, int64_t at)
{
	const struct python_layout *layout = &process->layout;
	struct table_reader reader = {
		.process = process,
		.address = table + BYTES_TEXT,
	};

	if (python_read(process, table + BYTES_LENGTH, &reader.left, sizeof reader.left))
		return 0;
	if (at < 0)
		return first; /* before the first instruction */
	if (layout->version >= 0x30b)
		return line_from_311(&reader, first, at);
	return layout->version == 0x30a ? line_of_310(&reader, first, at)
					: line_before_310(&reader, first, at);
}

/* Appends a character as UTF-8. Returns the new end, or NULL if it does not fit. */
static char *add_character(char *to, const char *end, uint32_t c)
{
	unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	if (c > 0x10ffff || end - to <= (ptrdiff_t)more + 1)
		return NULL;
	if (c >> 11 == 0xd800 >> 11)
		c = 0xfffd; /* a surrogate: a file name that is not UTF-8 */
	*to++ = (char)(more ? 0xf00u >> (more + 1) | c >> 6 * more : c);
	while (more--)
		*to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return to;
}

/* Reads the text of a str object, only its end if it is too long. Returns -1 if it is not a str. */
static int read_string(const struct python_process *process, uint64_t string, char *text,
		       size_t room)
{
	const struct python_layout *layout = &process->layout;
	char head[40], raw[64], *to = text;
	uint64_t length, at = 0, data;
	uint32_t state, kind;

	if (python_read(process, string, head, sizeof head))
		return -1;
	length = field(head, sizeof head, STRING_LENGTH, 8);
	state = (uint32_t)field(head, sizeof head, STRING_STATE, 4);
	kind = state >> 2 & 7; /* bytes per character */
	if ((kind != 1 && kind != 2 && kind != 4) || !(state >> 5 & 1) || length > 1 << 20)
		return -1;
	data = string + (state >> 6 & 1 ? layout->string_ascii : layout->string_other);
	if (length >= room)
		at = length - (room - 1);
	while (to && at < length) {
		uint64_t count =
			(length - at) * kind < sizeof raw ? length - at : sizeof raw / kind;

		if (python_read(process, data + at * kind, raw, count * kind))
			return -1;
		for (uint64_t i = 0; i < count && to; i++) {
			uint32_t offset = (uint32_t)(i * kind);
			char *next = add_character(to, text + room,
						   (uint32_t)field(raw, sizeof raw, offset, kind));

			if (!next)
				*to = '\0';
			to = next;
		}
		at += count;
	}
	if (to)
		*to = '\0';
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\x7f')
			*c = '?';
	return 0;
}

static int ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), most = strlen(end);

	return length > most && !strcmp(name + length - most, end);
}

int python_read_place(const struct python_process *process, const struct python_frame *frame,
		      struct call_site *place)
{
	const struct python_layout *layout = &process->layout;
	char code[152], *name = place->function;
	int64_t at;

	if (!frame->code || python_read(process, frame->code, code, sizeof code) ||
	    field(code, sizeof code, layout->type, 8) != process->code_type ||
	    read_string(process, field(code, sizeof code, layout->code_file, 8), place->file,
			sizeof place->file) ||
	    read_string(process, field(code, sizeof code, layout->code_name, 8), name,
			sizeof place->function))
		return -1;
	/* a comprehension, as "fit.<locals>.<listcomp>", has the name of its function, which runs
	 * most of them itself from Python 3.12 on */
	while (ends_with(name, ".<listcomp>") || ends_with(name, ".<genexpr>") ||
	       ends_with(name, ".<dictcomp>") || ends_with(name, ".<setcomp>") ||
	       ends_with(name, ".<locals>"))
		*strrchr(name, '.') = '\0';
	if (layout->version >= 0x30b)
		at = (int64_t)(frame->place - (frame->code + layout->code_bytes));
	else
		at = (uint16_t)(frame->place >> 48 & 0xffff);
	if (layout->version < 0x30b)
		at = at == 0xffff ? -1 : at * (layout->version == 0x30a ? 2 : 1);
	place->line = find_line(process, field(code, sizeof code, layout->code_lines, 8),
				(int)field(code, sizeof code, layout->code_first_line, 4), at);
	return 0;
}
