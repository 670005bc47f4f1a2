/* ranks.c: finds this process's rank in the variables of MPI launchers. */
/* SPDX-License-Identifier: MIT */
#include "launch/launch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS_MAX 2

/* The first row whose variables are there counts: a launcher under Slurm sets its own besides. srun
 * alone sets the number of tasks of the step; SLURM_NTASKS is there in a batch script too, which is
 * no rank. */
static const struct {
	const char *launcher;
	const char *variables[2 + JOBS_MAX]; /* number, size, and what together names the job */
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

/* A number from 0 on; -1 where the variable holds none. */
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

static void name_job(const char *const jobs[JOBS_MAX], char *job, size_t size)
{
	size_t length = 0;

	job[0] = '\0';
	for (int i = 0; i < JOBS_MAX && jobs[i]; i++) {
		const char *part = getenv(jobs[i]);

		if (part && length < size)
			length += (size_t)snprintf(job + length, size - length, "%s%.60s",
						   length ? "." : "", part);
	}
}

const char *rank_variable(size_t index)
{
	for (size_t place = 0; place < LAUNCHERS * VARIABLES; place++) {
		const char *name = launchers[place / VARIABLES].variables[place % VARIABLES];
		size_t same = 0; /* the first place of the name */

		while (name && same < place) {
			const char *other = launchers[same / VARIABLES].variables[same % VARIABLES];

			if (other && !strcmp(other, name))
				break;
			same++;
		}
		if (name && same == place && !index--)
			return name;
	}
	return NULL;
}

int rank_find(struct rank *rank)
{
	for (size_t i = 0; i < LAUNCHERS; i++) {
		int number = read_number(launchers[i].variables[0]);
		int size = read_number(launchers[i].variables[1]);

		if (number < 0 || (size < 0 && launchers[i].needs_size))
			continue;
		rank->number = number;
		rank->size = size > 0 ? size : 0;
		rank->launcher = launchers[i].launcher;
		name_job(launchers[i].variables + 2, rank->job, sizeof rank->job);
		return rank->size != 1;
	}
	return 0;
}
