/* routines.c: the routine table and its operation counts, from routines.def. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"
#include <string.h>

#include "base/early.h"
#include "base/text.h"

enum family_id {
#define FAMILY(name, level, muls, adds, elements, purpose) FAMILY_##name,
#include "blas/routines.def"
	FAMILY_COUNT
};

static const struct routine_family families[FAMILY_COUNT] = {
#define FAMILY(name, level, muls, adds, elements, purpose) {#name, purpose, level, #muls, #adds},
#include "blas/routines.def"
};

const struct routine routines[] = {
#define ROUTINE(name, type, family, shape)                                                         \
	{#name, &families[FAMILY_##family], #type[0], 0, WAY_blas},
#define CBLAS_ONLY(name, type, family, shape)                                                      \
	{#name, &families[FAMILY_##family], #type[0], 1, WAY_blas},
#define LAPACK(name, type, family, words)                                                          \
	{#name, &families[FAMILY_##family], #type[0], 0, WAY_lapack},
#define ONEDNN(name, type, family)                                                                 \
	{"onednn_" #name, &families[FAMILY_##family], #type[0], 0, WAY_onednn},
#include "blas/routines.def"
};

const struct way ways[WAYS] = {
#define WAY(name, found, tells) {#name, found, tells},
#include "blas/routines.def"
};

const struct routine_variant routine_variants[] = {
#define ROW(variant, prefix, suffix, cblas, bits) {#prefix "X" #suffix, cblas, bits},
	VARIANTS_ALL(ROW)
#undef ROW
};

EARLY const struct routine *routine_of(size_t id)
{
	return &routines[id / VARIANT_COUNT % ROUTINE_BASES];
}

EARLY const struct routine_variant *routine_variant_of(size_t id)
{
	return &routine_variants[id % VARIANT_COUNT];
}

EARLY int routine_exists(size_t id)
{
	if (id >= ROUTINE_COUNT)
		return 0;
	switch (routine_of(id)->way) {
	case WAY_lapack:
		return !routine_variant_of(id)->cblas && id % VARIANT_COUNT != VARIANT_PLAIN;
	case WAY_onednn:
		return id % VARIANT_COUNT == 0;
	default:
		return routine_variant_of(id)->cblas || !routine_of(id)->cblas_only;
	}
}

const char *routine_name(size_t id, char name[ROUTINE_NAME_MAX])
{
	int is_onednn = routine_of(id)->way == WAY_onednn;
	const char *pattern = is_onednn ? "X" : routine_variant_of(id)->pattern;
	const char *x = strchr(pattern, 'X');
	char *end = name + ROUTINE_NAME_MAX;
	char *at = text_add_part(name, end, pattern, (unsigned long)(x - pattern));

	text_add(text_add(at, end, routine_of(id)->name), end, x + 1);
	return name;
}

size_t routine_common(size_t id)
{
	return id - id % VARIANT_COUNT +
	       (routine_variant_of(id)->cblas ? VARIANT_CBLAS : VARIANT_FORTRAN);
}

/* A hash table of the names: 1 + the row of routines[], or 0 if the slot is free. Written by hand,
 * as dlsym() needs it before other libraries, such as a sanitizer's, may be called. */
#define SLOTS 1024
static uint16_t slots[SLOTS];
static int slots_filled;

static EARLY unsigned hash_name(const char *name, size_t length)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < length; i++)
		hash = hash * 31 + (unsigned char)name[i];
	return (hash * 0x9e3779b1u) >> 22;
}

static EARLY int is_name(const char *name, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (name[i] != text[i])
			return 0;
	return !name[length];
}

/* Several threads may do this at the same time, as they write the same values. */
static EARLY void fill_slots(void)
{
	if (__atomic_load_n(&slots_filled, __ATOMIC_ACQUIRE))
		return;
	for (size_t row = 0; row < ROUTINE_BASES; row++) {
		size_t length = 0;
		unsigned slot;

		if (routines[row].way == WAY_onednn)
			continue; /* not a function's name */
		while (length < ROUTINE_NAME_MAX && routines[row].name[length])
			length++;
		slot = hash_name(routines[row].name, length);
		while (__atomic_load_n(&slots[slot], __ATOMIC_RELAXED) != row + 1 &&
		       __atomic_load_n(&slots[slot], __ATOMIC_RELAXED))
			slot = (slot + 1) % SLOTS;
		__atomic_store_n(&slots[slot], (uint16_t)(row + 1), __ATOMIC_RELAXED);
	}
	__atomic_store_n(&slots_filled, 1, __ATOMIC_RELEASE);
}

/* Returns the part of the name that stands for the pattern's X, and sets *length from that of the
 * name to that of the part; NULL if the name does not match the pattern. */
static EARLY const char *match(const char *pattern, const char *name, size_t *length)
{
	size_t prefix = 0, suffix = 0;

	for (; pattern[prefix] != 'X'; prefix++)
		if (name[prefix] != pattern[prefix])
			return 0;
	while (pattern[prefix + 1 + suffix])
		suffix++;
	if (*length < prefix + suffix)
		return 0;
	*length -= prefix + suffix;
	return is_name(name + prefix + *length, pattern + prefix + 1, suffix) ? name + prefix
									      : NULL;
}

EARLY size_t routine_find(const char *name)
{
	size_t whole = 0;

	while (whole < ROUTINE_NAME_MAX && name[whole])
		whole++;
	if (whole == ROUTINE_NAME_MAX)
		return ROUTINE_COUNT;
	fill_slots();
	for (size_t variant = 0; variant < VARIANT_COUNT; variant++) {
		size_t length = whole;
		const char *part = match(routine_variants[variant].pattern, name, &length);
		unsigned slot = part ? hash_name(part, length) : 0;

		for (; part && slots[slot]; slot = (slot + 1) % SLOTS) {
			size_t row = slots[slot] - 1u, id = row * VARIANT_COUNT + variant;

			if (is_name(routines[row].name, part, length) && routine_exists(id))
				return id;
		}
	}
	return ROUTINE_COUNT;
}

struct counts {
	double muls, adds, elements;
};

/* Evaluates the family's formulas, in numbers of the routine's own type. */
static struct counts routine_counts(size_t id, double m, double n, double k)
{
	if (!routine_exists(id))
		return (struct counts){0, 0, 0};
	m = m > 0 ? m : 0;
	n = n > 0 ? n : 0;
	k = k > 0 ? k : 0;
	switch ((enum family_id)(routine_of(id)->family - families)) {
#define FAMILY(name, level, muls, adds, elements, purpose)                                         \
	case FAMILY_##name:                                                                        \
		return (struct counts){muls, adds, elements};
#include "blas/routines.def"
	default:
		return (struct counts){0, 0, 0};
	}
}

double routine_flops(size_t id, double m, double n, double k)
{
	struct counts counts = routine_counts(id, m, n, k);
	int is_complex = routine_of(id)->type == 'c' || routine_of(id)->type == 'z';
	double flops = is_complex ? 6 * counts.muls + 2 * counts.adds : counts.muls + counts.adds;

	return flops > 0 ? flops : 0;
}

/* Appends a formula with spaces instead of " * ". */
static char *add_count(char *at, const char *end, const char *count)
{
	for (; *count && at + 1 < end; count++)
		if (*count != ' ')
			*at++ = *count == '*' ? ' ' : *count;
	*at = '\0';
	return at;
}

const char *routine_counts_text(size_t id, char text[ROUTINE_COUNTS_MAX])
{
	const struct routine_family *family = routine_of(id)->family;
	const char *end = text + ROUTINE_COUNTS_MAX;

	if (routine_of(id)->way == WAY_lapack || routine_of(id)->type == 'u')
		return strcpy(text, "not known");
	add_count(strcmp(family->multiplications, family->additions)
			  ? text_add(add_count(text, end, family->multiplications), end, ", ")
			  : text_add(text, end, "each "),
		  end, family->additions);
	return text;
}

double routine_bytes(size_t id, double m, double n, double k)
{
	static const struct {
		char type;
		int bytes;
	} sizes[] = {{'s', 4}, {'d', 8}, {'c', 8}, {'z', 16},
		     {'b', 2}, {'h', 2}, {'i', 1}, {'w', 2}};
	double elements = routine_counts(id, m, n, k).elements;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (routine_of(id)->type == sizes[i].type)
			return elements > 0 ? elements * sizes[i].bytes : 0;
	return 0;
}

char routine_transpose(size_t id, unsigned char passed)
{
	static const char by_number[] = {'N', 'T', 'C', 'R'}; /* from CblasNoTrans = 111 on */

	if (!passed || !routine_exists(id))
		return '-';
	if (routine_variant_of(id)->cblas)
		return passed >= 111 && passed <= 114 ? by_number[passed - 111] : '?';
	passed &= 0xdf;
	return passed == 'N' || passed == 'T' || passed == 'C' || passed == 'R' ? (char)passed
										: '?';
}
