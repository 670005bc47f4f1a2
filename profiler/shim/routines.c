/* routines.c: the routine table and its operation counts, from routines.def. */
/* SPDX-License-Identifier: MIT */
#include "shim/routines.h"
#include "shim/routine_ids.h"

enum family_id {
#define FAMILY(name, level, muls, adds, elements, purpose) FAMILY_##name,
#include "shim/routines.def"
	FAMILY_COUNT
};

static const struct routine_family families[FAMILY_COUNT] = {
#define FAMILY(name, level, muls, adds, elements, purpose)                                         \
	{#name, purpose, level},
#include "shim/routines.def"
};

const struct routine routines[] = {
#define ROUTINE(name, type, family, shape)    {"cblas_" #name, &families[FAMILY_##family], #type[0], 1},
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#include "shim/routines.def"
#define ROUTINE(name, type, family, shape) {#name "_", &families[FAMILY_##family], #type[0], 0},
#include "shim/routines.def"
};
const size_t routines_count = ROUTINE_COUNT;

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
#include "shim/routines.def"
	case FAMILY_COUNT:
		break;
	}
	return (struct counts){0, 0, 0};
}

static struct counts routine_counts(size_t routine, double m, double n, double k)
{
	if (routine >= routines_count)
		return (struct counts){0, 0, 0};
	return family_counts(routines[routine].family - families, m > 0 ? m : 0, n > 0 ? n : 0,
			     k > 0 ? k : 0);
}

static int is_complex(size_t routine)
{
	return routines[routine].type == 'c' || routines[routine].type == 'z';
}

double routine_flops(size_t routine, double m, double n, double k)
{
	struct counts counts = routine_counts(routine, m, n, k);
	double flops = routine < routines_count && is_complex(routine)
			       ? 6 * counts.muls + 2 * counts.adds
			       : counts.muls + counts.adds;

	return flops > 0 ? flops : 0;
}

double routine_bytes(size_t routine, double m, double n, double k)
{
	static const struct {
		char type;
		int bytes;
	} sizes[] = {{'s', 4}, {'d', 8}, {'c', 8}, {'z', 16}};
	double elements = routine_counts(routine, m, n, k).elements;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (routine < routines_count && routines[routine].type == sizes[i].type)
			return elements > 0 ? elements * sizes[i].bytes : 0;
	return 0;
}

char routine_transpose(size_t routine, unsigned char passed)
{
	static const char by_number[] = {'N', 'T', 'C', 'R'}; /* CblasNoTrans = 111 and on */

	if (!passed || routine >= routines_count)
		return '-';
	if (routines[routine].cblas)
		return passed >= 111 && passed <= 114 ? by_number[passed - 111] : '?';
	passed &= 0xdf;
	return passed == 'N' || passed == 'T' || passed == 'C' || passed == 'R' ? (char)passed : '?';
}
