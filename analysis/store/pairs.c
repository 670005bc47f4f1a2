/* pairs.c: packs a run's pairs of gap and service into bytes, and takes any bytes for such. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/memory.h"
#include "store/db.h"

/* A number takes 7 bits a byte, the lowest first; bit 7 says that another byte follows. */
#define BYTES_MAX 5 /* of a number of 32 bits */

static unsigned char *pack(uint32_t value, unsigned char *to)
{
	while (value >= 0x80) {
		*to++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*to++ = (unsigned char)value;
	return to;
}

/* What does not fit 32 bits is cut off. NULL where the number does not end. */
static const unsigned char *unpack(const unsigned char *from, const unsigned char *end,
				   uint32_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; from < end; shift += 7) {
		if (shift < 32)
			*value |= (uint32_t)(*from & 0x7f) << shift;
		if (!(*from++ & 0x80))
			return from;
	}
	return NULL;
}

int pairs_bind(sqlite3_stmt *stmt, int parameter, const struct run *run)
{
	size_t count = run->npairs < RUN_PAIRS_MAX ? run->npairs : RUN_PAIRS_MAX;
	const struct run_pair *pairs = run->pairs + (run->npairs - count);
	unsigned char *bytes = malloc(count * 2 * BYTES_MAX + 1), *to = bytes;

	if (!bytes)
		return SQLITE_NOMEM;
	for (size_t i = 0; i < count; i++)
		to = pack(pairs[i].service_ns, pack(pairs[i].gap_ns, to));
	return sqlite3_bind_blob64(stmt, parameter, bytes, (sqlite3_uint64)(to - bytes), free);
}

void pairs_read(sqlite3_stmt *stmt, int result, struct run *run)
{
	const unsigned char *from = sqlite3_column_blob(stmt, result);
	const unsigned char *end = from + (from ? sqlite3_column_bytes(stmt, result) : 0);
	size_t most = (size_t)(end - from) / 2;

	free(run->pairs);
	run->npairs = 0;
	most = most < RUN_PAIRS_MAX ? most : RUN_PAIRS_MAX;
	run->pairs = memory_rows(most, sizeof *run->pairs);
	while (from && run->npairs < most) {
		struct run_pair *pair = &run->pairs[run->npairs];

		from = unpack(from, end, &pair->gap_ns);
		from = from ? unpack(from, end, &pair->service_ns) : NULL;
		run->npairs += from != NULL;
	}
}
