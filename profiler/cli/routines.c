/* routines.c: `blasprof routines`: the BLAS routines that are intercepted, and how flops are
 * counted. */
/* SPDX-License-Identifier: MIT */
#include "shim/routines.h"

#include <string.h>

#include "cli/command.h"
#include "cli/output.h"

static int is_complex(const struct routine *routine)
{
	return routine->type == 'c' || routine->type == 'z';
}

static const char *flops_formula(const struct routine *routine)
{
	return is_complex(routine) ? routine->family->complex_flops : routine->family->real_flops;
}

static int max_length(int width, const char *text)
{
	int length = (int)strlen(text);

	return length > width ? length : width;
}

static int run_routines(char **arguments)
{
	int name = 0, flops = 0;

	(void)arguments;
	for (size_t i = 0; i < routines_count; i++) {
		name = max_length(name, routines[i].name);
		flops = max_length(flops, flops_formula(&routines[i]));
	}
	printf("%-*s  level  type  %-*s  what it does\n", name, "name", flops, "flops");
	for (size_t i = 0; i < routines_count; i++) {
		const struct routine *routine = &routines[i];

		printf("%-*s  %5d  %4c  %-*s  %s\n", name, routine->name, routine->family->level,
		       routine->type, flops, flops_formula(routine), routine->family->purpose);
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
