/* routines.c: the routine table and its operation counts, from routines.def. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"
#include <string.h>

#include "base/early.h"
#include "blas/routine_ids.h"
#include "base/text.h"

enum family_id {
#define FAMILY(name, level, muls, adds, elements, purpose) FAMILY_##name,
#include "blas/routines.def"
	FAMILY_COUNT
};

static const struct routine_family families[FAMILY_COUNT] = {
#define FAMILY(name, level, muls, adds, elements, purpose) {#name, purpose, level},
#include "blas/routines.def"
};

const struct routine routines[] = {
#define ROUTINE(name, type, family, shape)    {#name, &families[FAMILY_##family], #type[0], 0},
#define CBLAS_ONLY(name, type, family, shape) {#name, &families[FAMILY_##family], #type[0], 1},
#include "blas/routines.def"
};
const size_t routines_count = ROUTINE_BASES;

const struct routine_variant routine_variants[] = {
#define ROW(variant, prefix, suffix, cblas, bits) {#prefix "X" #suffix, cblas, bits},
	VARIANTS_ALL(ROW)
#undef ROW
};
const size_t routine_variants_count = VARIANT_COUNT;
const size_t routine_ids_count = ROUTINE_COUNT;

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
	return id < ROUTINE_COUNT && (routine_variant_of(id)->cblas || !routine_of(id)->cblas_only);
}

const char *routine_name(size_t id, char name[ROUTINE_NAME_MAX])
{
	const char *pattern = routine_variant_of(id)->pattern, *x = strchr(pattern, 'X');
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

/* 1 where `text` is pattern with the routine's name in the place of its X. By hand: dlsym() asks
 * before other libraries, a sanitizer's among them, are ready to be called. */
static EARLY int spells(const char *text, const char *pattern, const char *routine)
{
	for (; *pattern; pattern++) {
		if (*pattern != 'X') {
			if (*text++ != *pattern)
				return 0;
			continue;
		}
		while (*routine)
			if (*text++ != *routine++)
				return 0;
	}
	return !*text;
}

/* 1 where `text` can be a name of the variant: it begins as its pattern does. */
static EARLY int may_spell(const char *text, const char *pattern)
{
	while (*pattern != 'X')
		if (*text++ != *pattern++)
			return 0;
	return 1;
}

EARLY size_t routine_find(const char *name)
{
	for (size_t variant = 0; variant < VARIANT_COUNT; variant++)
		for (size_t i = 0;
		     may_spell(name, routine_variants[variant].pattern) && i < ROUTINE_BASES; i++)
			if (spells(name, routine_variants[variant].pattern, routines[i].name) &&
			    routine_exists(i * VARIANT_COUNT + variant))
				return i * VARIANT_COUNT + variant;
	return ROUTINE_COUNT;
}

struct counts {
	double muls, adds, elements;
};

/* The counts of the family's formulas, in numbers of the routine's own type. */
static struct counts family_counts(enum family_id family, double m, double n, double k)
{
	switch (family) {
#define FAMILY(name, level, muls, adds, elements, purpose)                                         \
	case FAMILY_##name:                                                                        \
		return (struct counts){muls, adds, elements};
#include "blas/routines.def"
	case FAMILY_COUNT:
		break;
	}
	return (struct counts){0, 0, 0};
}

static struct counts routine_counts(size_t id, double m, double n, double k)
{
	if (!routine_exists(id))
		return (struct counts){0, 0, 0};
	return family_counts(routine_of(id)->family - families, m > 0 ? m : 0, n > 0 ? n : 0,
			     k > 0 ? k : 0);
}

static int is_complex(size_t id)
{
	return routine_of(id)->type == 'c' || routine_of(id)->type == 'z';
}

double routine_flops(size_t id, double m, double n, double k)
{
	struct counts counts = routine_counts(id, m, n, k);
	double flops =
		is_complex(id) ? 6 * counts.muls + 2 * counts.adds : counts.muls + counts.adds;

	return flops > 0 ? flops : 0;
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
	static const char by_number[] = {'N', 'T', 'C', 'R'}; /* CblasNoTrans = 111 and on */

	if (!passed || !routine_exists(id))
		return '-';
	if (routine_variant_of(id)->cblas)
		return passed >= 111 && passed <= 114 ? by_number[passed - 111] : '?';
	passed &= 0xdf;
	return passed == 'N' || passed == 'T' || passed == 'C' || passed == 'R' ? (char)passed
										: '?';
}
