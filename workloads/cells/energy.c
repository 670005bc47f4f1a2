/* energy.c: what the processor packages have taken, where the machine counts it. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "cells/energy.h"

enum { PACKAGES_MAX = 64 };

double energy_joules(const char *folder)
{
	double sum = 0, microjoules;
	char path[512];

	for (int i = 0; i < PACKAGES_MAX; i++) {
		FILE *file;
		int found;

		snprintf(path, sizeof(path), "%s/intel-rapl:%d/energy_uj", folder, i);
		file = fopen(path, "r");
		if (!file)
			break;
		found = fscanf(file, "%lf", &microjoules);
		fclose(file);
		if (found != 1)
			return 0;
		sum += microjoules * 1e-6;
	}
	return sum;
}
