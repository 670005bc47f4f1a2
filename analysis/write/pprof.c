/* pprof.c: writes the call stacks as a profile for pprof: messages of profile.proto, compressed. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "write/format.h"
#include "write/frame_tree.h"

/* Field numbers of profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
};
enum { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

/* The start of the string table; the names of functions follow. The first string must be empty. */
static const char *const words[] = {"",	    "samples", "count", "cpu", "nanoseconds",
				    "role", "caller",  "other"};
enum {
	WORD_SAMPLES = 1,
	WORD_COUNT,
	WORD_CPU,
	WORD_NANOSECONDS,
	WORD_ROLE,
	WORD_CALLER,
	WORD_OTHER,
	WORDS
};

/* Writes 7 bits per byte, the lowest first; bit 7 says that another byte follows. */
static void put_varint(uint64_t value, FILE *to)
{
	for (; value >= 0x80; value >>= 7)
		fputc((int)(value & 0x7f) | 0x80, to);
	fputc((int)value, to);
}

static void put_number(int field, uint64_t value, FILE *to)
{
	put_varint((uint64_t)field << 3 | WIRE_NUMBER, to);
	put_varint(value, to);
}

static void put_bytes(int field, const char *bytes, size_t size, FILE *to)
{
	put_varint((uint64_t)field << 3 | WIRE_BYTES, to);
	put_varint(size, to);
	fwrite(bytes, 1, size, to);
}

/* Ends a message inside another, which is made in memory first, since its length precedes it. */
static void message_end(struct memory_file *message, int field, FILE *to)
{
	memory_file_end(message);
	put_bytes(field, message->text, message->size, to);
	free(message->text);
}

/* Writes a message that consists of two numbers. */
static void put_pair(int field, int first_field, uint64_t first, int second_field, uint64_t second,
		     FILE *to)
{
	struct memory_file message;

	memory_file_begin(&message);
	put_number(first_field, first, message.file);
	put_number(second_field, second, message.file);
	message_end(&message, field, to);
}

static uint64_t period_ns(const struct frame_tree *tree)
{
	return tree->rate_hz > 0 ? (uint64_t)(1e9 / tree->rate_hz) : 0;
}

/* Writes a sample: its locations, the innermost first, and its values. Each location is a function.
 */
static void put_sample(const struct frame_tree *tree, const struct frame_leaf *leaf, FILE *to)
{
	uint64_t role = leaf->stack->role && !strcmp(leaf->stack->role, "caller") ? WORD_CALLER
										  : WORD_OTHER;
	uint64_t samples = (uint64_t)leaf->stack->samples;
	struct memory_file message;
	FILE *sample = memory_file_begin(&message);

	for (long at = leaf->node; at != FRAME_NONE; at = tree->nodes[at].parent)
		put_number(SAMPLE_LOCATION, (uint64_t)tree->nodes[at].name + 1, sample);
	put_number(SAMPLE_VALUE, samples, sample);
	put_number(SAMPLE_VALUE, samples * period_ns(tree), sample);
	put_pair(SAMPLE_LABEL, LABEL_KEY, WORD_ROLE, LABEL_TEXT, role, sample);
	message_end(&message, PROFILE_SAMPLE, to);
}

static void put_profile(const struct frame_tree *tree, FILE *to)
{
	put_pair(PROFILE_SAMPLE_TYPE, TYPE_TYPE, WORD_SAMPLES, TYPE_UNIT, WORD_COUNT, to);
	put_pair(PROFILE_SAMPLE_TYPE, TYPE_TYPE, WORD_CPU, TYPE_UNIT, WORD_NANOSECONDS, to);
	put_pair(PROFILE_PERIOD_TYPE, TYPE_TYPE, WORD_CPU, TYPE_UNIT, WORD_NANOSECONDS, to);
	put_number(PROFILE_PERIOD, period_ns(tree), to);
	for (size_t i = 0; i < WORDS; i++)
		put_bytes(PROFILE_STRING, words[i], strlen(words[i]), to);
	for (size_t i = 0; i < tree->nnames; i++) {
		struct memory_file location, line;

		put_bytes(PROFILE_STRING, tree->names[i], strlen(tree->names[i]), to);
		/* a location has one line, that of the function with the same id */
		memory_file_begin(&location);
		put_number(LOCATION_ID, i + 1, location.file);
		memory_file_begin(&line);
		put_number(LINE_FUNCTION, i + 1, line.file);
		message_end(&line, LOCATION_LINE, location.file);
		message_end(&location, PROFILE_LOCATION, to);
		put_pair(PROFILE_FUNCTION, FUNCTION_ID, i + 1, FUNCTION_NAME, WORDS + i, to);
	}
	EACH_ROW(leaf, tree->leaves, tree->nleaves)
		put_sample(tree, leaf, to);
}

int pprof_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	struct memory_file profile;
	struct frame_tree tree;
	z_stream stream = {0};
	size_t room;
	char *packed;

	if (frame_tree_build(report, &tree, err))
		return -1;
	put_profile(&tree, memory_file_begin(&profile));
	memory_file_end(&profile);
	/* gzip: 15 for the window, plus 16 for gzip's header */
	memory_check(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
				  Z_DEFAULT_STRATEGY) != Z_OK);
	room = deflateBound(&stream, profile.size);
	packed = memory_bytes(room);
	stream.next_in = (Bytef *)profile.text;
	stream.avail_in = (uInt)profile.size;
	stream.next_out = (Bytef *)packed;
	stream.avail_out = (uInt)room;
	memory_check(deflate(&stream, Z_FINISH) != Z_STREAM_END);
	fwrite(packed, 1, stream.total_out, out);
	deflateEnd(&stream);
	free(packed);
	free(profile.text);
	frame_tree_free(&tree);
	return 0;
}
