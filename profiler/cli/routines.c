/* routines.c: `blasprof routines`: the BLAS routines that are intercepted, and how flops are
 * counted. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"

#include <string.h>

#include "cli/command.h"
#include "cli/formula.h"
#include "cli/output.h"

static const char *flops_text(size_t routine, char text[FORMULA_MAX])
{
	struct formula formula = formula_of_flops(routine);

	return formula_text(&formula, text);
}

static int max_length(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

/* The columns' widths. */
struct widths {
	int name, flops;
};

static struct widths measure_widths(void)
{
	char text[FORMULA_MAX];
	struct widths widths = {0, 0};

	for (size_t i = 0; i < routines_count; i++) {
		widths.name = max_length(widths.name, routines[i].name);
		widths.flops = max_length(widths.flops, flops_text(i, text));
	}
	return widths;
}

static void print_doors(void)
{
	printf("\nEach is intercepted by all of these names, X standing for it (names that end in "
	       "_sub: the\n"
	       "CBLAS ones only):\n\n"
	       "%-18s convention  integers\n",
	       "names");
	for (size_t i = 0; i < routine_doors_count; i++)
		printf("%-18s %-10s  %d bits\n", routine_doors[i].pattern,
		       routine_doors[i].cblas ? "CBLAS" : "Fortran", routine_doors[i].bits);
}

static int run_routines(char **arguments)
{
	char text[FORMULA_MAX];
	struct widths widths = measure_widths();

	(void)arguments;
	printf("%-*s lv ty %-*s  what it does\n", widths.name, "name", widths.flops, "flops");
	for (size_t i = 0; i < routines_count; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s %2d %2c %-*s  %s\n", widths.name, routine->name,
		       routine->family->level, routine->type, widths.flops, flops_text(i, text),
		       routine->family->purpose);
	}
	print_doors();
	return output_finish();
}

const struct command command_routines = {
	.name = "routines",
	.usage = "[OPTION]...",
	.purpose = "list the BLAS routines that are intercepted",
	.about = "List the BLAS routines that blasprof intercepts, with the formula that counts "
		 "their\n"
		 "floating-point operations (m, n and k as in the routine's own manual), its level "
		 "(lv) and the\n"
		 "type of its numbers (ty: s, d, c, z; b bfloat16, h half, i 8 and w 16 bits "
		 "whole); "
		 "then all\n"
		 "the names that they go by.",
	.run = run_routines,
};
