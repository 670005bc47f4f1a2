/* ranks.c: finds this process's rank in the environment variables of MPI launchers. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <limits.h>
#include <stdlib.h>

#include "base/human.h"

#define JOBS_MAX 2

/* The first row whose variables are set counts: launchers under Slurm set their own as well. Only
 * srun sets SLURM_STEP_NUM_TASKS; SLURM_NTASKS is also set in a batch script, which is no rank. */
static const struct {
	const char *launcher;
	const char
		*variables[2 + JOBS_MAX]; /* number, size, and those that together name the job */
	int needs_size;
} launchers[] = {
	{"Open MPI",
	 {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE",
	  "OMPI_MCA_ess_base_jobid"}},
	{"MVAPICH", {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}},
	{"PMI", {"PMI_RANK", "PMI_SIZE", "PMI_JOBID"}},
	{"PALS", {"PALS_RANKID", "PALS_SIZE", "PALS_APID"}},
	{"Slurm", {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_JOB_ID", "SLURM_STEP_ID"}, 1},
	{"PMIx", {"PMIX_RANK", "PMIX_SIZE", "PMIX_NAMESPACE"}},
};
enum { LAUNCHERS = sizeof launchers / sizeof *launchers, VARIABLES = 2 + JOBS_MAX };

/* Returns the variable's value, or -1 if it is no number from 0 to INT_MAX. */
static int read_number(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long number;

	if (!text || !*text)
		return -1;
	number = strtol(text, &end, 10);
	return *end || number < 0 || number > INT_MAX ? -1 : (int)number;
}

const char *rank_variable(size_t index)
{
	return index < LAUNCHERS * VARIABLES
		       ? launchers[index / VARIABLES].variables[index % VARIABLES] ?: ""
		       : NULL;
}

int rank_find(struct rank *rank)
{
	for (size_t i = 0; i < LAUNCHERS; i++) {
		int number = read_number(launchers[i].variables[0]);
		int size = read_number(launchers[i].variables[1]);
		const char *const *jobs = launchers[i].variables + 2;

		if (number < 0 || (size < 0 && launchers[i].needs_size))
			continue;
		rank->number = number;
		rank->size = size > 0 ? size : 0;
		rank->launcher = launchers[i].launcher;
		rank->job[0] = '\0';
		for (int j = 0; j < JOBS_MAX && jobs[j]; j++) {
			const char *name = jobs[j], *part = getenv(name);

			if (part)
				SAY(rank->job, "%s%.60s", *rank->job ? "." : "", part);
		}
		return rank->size != 1;
	}
	return 0;
}
