/* routines.c: `blasprof routines`: lists the BLAS and LAPACK routines and the oneDNN primitives
 * that are intercepted, and how their flops are counted. */
/* SPDX-License-Identifier: MIT */
#include "blas/routines.h"

#include "cli/command.h"

#define NAME_WIDTH   20
#define COUNTS_WIDTH 24

static int run_routines(char **arguments, struct error *err)
{
	char text[ROUTINE_COUNTS_MAX];

	printf("%-*s lv ty %-*s  what it does\n", NAME_WIDTH, "name", COUNTS_WIDTH,
	       "multiplied, added");
	for (size_t i = 0; i < ROUTINE_BASES; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s %2d %2c %-*s  %s\n", NAME_WIDTH, routine->name, routine->family->level,
		       routine->type, COUNTS_WIDTH, routine_counts_text(i * VARIANT_COUNT, text),
		       routine->family->purpose);
	}
	printf("\nNames onednn_X are primitives of oneDNN, seen as calls of "
	       "dnnl_primitive_execute()\nor, for type u, as ITT tasks.\n"
	       "Routines X of level 0 belong to LAPACK, and are intercepted under the names X_,\n"
	       "X_64_, X_64, scipy_X_ and scipy_X_64_.\n"
	       "Every other routine X is intercepted under all of the following names (routines\n"
	       "that end in _sub under the CBLAS names only):\n\n"
	       "%-18s convention  integers\n",
	       "names");
	for (size_t i = 0; i < VARIANT_COUNT; i++)
		printf("%-18s %-10s  %d bits\n", routine_variants[i].pattern,
		       routine_variants[i].cblas ? "CBLAS" : "Fortran", routine_variants[i].bits);
	return 0;
}

const struct command command_routines = {
	.name = "routines",
	.usage = "[OPTION]...",
	.purpose = "list the routines that are intercepted",
	.about = "List the routines that blasprof intercepts. Each row has the routine's name,\n"
		 "its level (lv; 0 is LAPACK), the type of its numbers (ty: s, d, c, z as in\n"
		 "BLAS; b bfloat16, h half, i 8-bit and w 16-bit integers, u unknown), and the\n"
		 "multiplications and additions that are counted for each call, with m, n and k\n"
		 "as in the routine's own manual. For complex numbers a multiplication is 6\n"
		 "flops and an addition 2. The names under which the routines are called follow\n"
		 "the table.",
	.run = run_routines,
};
