/* routines.c: `blasprof routines`: the BLAS routines that are intercepted, and how flops are
 * counted. */
/* SPDX-License-Identifier: MIT */
#include "shim/routines.h"

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

static int run_routines(char **arguments)
{
	char text[FORMULA_MAX];
	int name = 0, flops = 0;

	(void)arguments;
	for (size_t i = 0; i < routines_count; i++) {
		name = max_length(name, routines[i].name);
		flops = max_length(flops, flops_text(i, text));
	}
	printf("%-*s level type %-*s  what it does\n", name, "name", flops, "flops");
	for (size_t i = 0; i < routines_count; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s %5d %4c %-*s  %s\n", name, routine->name, routine->family->level,
		       routine->type, flops, flops_text(i, text), routine->family->purpose);
	}
	return output_finish();
}

const struct command command_routines = {
	.name = "routines",
	.usage = "[OPTION]...",
	.purpose = "list the BLAS routines that are intercepted",
	.about = "List the BLAS routines that blasprof intercepts, with the formula that counts "
		 "their\n"
		 "floating-point operations (m, n and k as in the routine's own manual).",
	.run = run_routines,
};
