/* routines.c: `blasprof routines`: the routines of BLAS and LAPACK and oneDNN's primitives that are
 * intercepted, and how flops are counted. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"

#include <string.h>

#include "cli/command.h"
#include "blas/formula.h"
#include "cli/output.h"

static int max_length(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static int run_routines(char **arguments)
{
	char text[FORMULA_MAX];
	int name_width = 0, flops_width = 0;

	for (size_t i = 0; i < routines_count; i++) {
		name_width = max_length(name_width, routines[i].name);
		flops_width = max_length(flops_width,
					 formula_of_routine(i * routine_variants_count, text));
	}
	printf("%-*s lv ty %-*s  what it does\n", name_width, "name", flops_width, "flops");
	for (size_t i = 0; i < routines_count; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s %2d %2c %-*s  %s\n", name_width, routine->name, routine->family->level,
		       routine->type, flops_width,
		       formula_of_routine(i * routine_variants_count, text),
		       routine->family->purpose);
	}
	printf("\nThose named onednn_X are primitives of oneDNN: calls of "
	       "dnnl_primitive_execute(),\nor ITT tasks (u).\n"
	       "Those of level 0 are LAPACK's, with the names scipy_X_ and scipy_X_64_ only.\n"
	       "Each other one is intercepted under all of these names, X standing for it (names\n"
	       "that end in _sub: the CBLAS ones only):\n\n"
	       "%-18s convention  integers\n",
	       "names");
	for (size_t i = 0; i < routine_variants_count; i++)
		printf("%-18s %-10s  %d bits\n", routine_variants[i].pattern,
		       routine_variants[i].cblas ? "CBLAS" : "Fortran", routine_variants[i].bits);
	return output_finish();
}

const struct command command_routines = {
	.name = "routines",
	.usage = "[OPTION]...",
	.purpose = "list the routines that are intercepted",
	.about = "List the routines that blasprof intercepts, with the formula that\n"
		 "counts their floating-point operations (m, n and k as in the routine's own\n"
		 "manual), its level (lv, 0: LAPACK) and the type of its numbers (ty: s, d, c,\n"
		 "z; b bfloat16, h half, i 8-bit and w 16-bit integers, u not known); then all\n"
		 "the names under which they are called.",
	.run = run_routines,
};
