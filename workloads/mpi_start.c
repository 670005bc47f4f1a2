/* mpi_start.c: finds train_mpi and becomes it. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "mpi_start.h"

static const char built_with_mpi[] = "/train_mpi";

int mpi_start(char **argv, struct failure *failure)
{
	char path[PATH_MAX];
	ssize_t got = readlink("/proc/self/exe", path, sizeof(path) - sizeof(built_with_mpi));
	char *slash;

	if (got <= 0)
		return failure_set(failure, EXIT_FAILED,
				   "--mpi: cannot tell where this program lies: %s",
				   strerror(errno));
	path[got] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash ? slash : path, built_with_mpi);
	execv(path, argv);
	if (errno == ENOENT)
		return failure_set(failure, EXIT_USAGE,
				   "--mpi: this build has no MPI (there is no %s); install "
				   "libopenmpi-dev, then configure and make again",
				   path);
	return failure_set(failure, EXIT_FAILED, "--mpi: cannot run %s: %s", path, strerror(errno));
}
