/* routines.c: `blasprof routines`: the routines of BLAS and LAPACK and oneDNN's primitives that are
 * intercepted, and how flops are counted. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"

#include "cli/command.h"
#include "cli/output.h"

#define NAME_WIDTH   20
#define COUNTS_WIDTH 24

static int run_routines(char **arguments)
{
	char text[ROUTINE_COUNTS_MAX];

	printf("%-*s lv ty %-*s  what it does\n", NAME_WIDTH, "name", COUNTS_WIDTH,
	       "multiplied, added");
	for (size_t i = 0; i < routines_count; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s %2d %2c %-*s  %s\n", NAME_WIDTH, routine->name, routine->family->level,
		       routine->type, COUNTS_WIDTH,
		       routine_counts_text(i * routine_variants_count, text),
		       routine->family->purpose);
	}
	printf("\nThose named onednn_X are primitives of oneDNN: calls of "
	       "dnnl_primitive_execute(),\nor ITT tasks (u).\n"
	       "Those of level 0 are LAPACK's, with the Fortran names that end in _ or _64.\n"
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
	.about = "List the routines that blasprof intercepts, with the multiplications and\n"
		 "additions that are counted of each call (m, n and k as in the routine's own\n"
		 "manual; of complex numbers they are 6 and 2 flops), its level (lv, 0: LAPACK) "
		 "and the type of its numbers (ty: s, d, c,\n"
		 "z; b bfloat16, h half, i 8-bit and w 16-bit integers, u not known); then all\n"
		 "the names under which they are called.",
	.run = run_routines,
};
