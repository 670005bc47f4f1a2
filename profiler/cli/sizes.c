/* sizes.c: prints what a sweep over sizes found. */
/* SPDX-License-Identifier: MIT */
#include "cli/sizes.h"

#include <stdlib.h>

#include "cli/experiment.h"
#include "cli/output.h"
#include "record/experiment.h"
#include "report/sizes.h"
#include "write/table_format.h"

static int add_experiment(const struct plan *plan, size_t variant, const char *store,
			  const char *name, struct sizes *sizes, struct error *err)
{
	struct experiment experiment;
	int failed = experiment_load(store, name, &experiment, err) ||
		     sizes_add(sizes, plan->variants[variant].values, experiment.runs,
			       experiment.count, err);

	experiment_free(&experiment);
	return failed;
}

int sizes_print(const struct plan *plan, char *const experiments[], const char *store,
		enum table_format format, FILE *out, struct error *err)
{
	struct sizes sizes = {.nnames = plan->parameters.count};
	char *title = command_join(plan->command);
	int failed;

	sizes.title = title ? title : "";
	for (size_t i = 0; i < sizes.nnames; i++)
		sizes.names[i] = plan->parameters.rows[i].name;
	for (size_t i = 0; i < plan->nvariants; i++)
		if (experiments[i] && add_experiment(plan, i, store, experiments[i], &sizes, err))
			output_failure(err);
	failed = table_write(&sizes_writers, format, &sizes, out, err);
	sizes_free(&sizes);
	free(title);
	return failed;
}
