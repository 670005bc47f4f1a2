/* own_cost.c: calls a BLAS that does nothing, so that the profile shows what is left of blasprof's
 * own cost. */
/* SPDX-License-Identifier: MIT
 *
 * own_cost TURNS [LIBRARY [places | doubled]]: calls the BLAS of LIBRARY, or of a preloaded
 * library. Each turn calls it in a marked region, and calls a routine that does not count. Prints
 * the least ns of the latter, for a call and the work before it. With "places" as the last word,
 * prints instead the least ns of a call by 10, and by 5000 places in the code. With "doubled",
 * doubles the cost that blasprof measured at the first call, and goes on without regions for 2 s of
 * CPU time.
 */
#include <string.h>

#include "blasprof.h"
#include "find.h"
#include "wire/clock.h"

static double time_places(void *library, int places, int turns)
{
	double (*time)(int places) = (double (*)(int))find(library, "own_cost_places");
	double least = time(places);

	for (int i = 0; i < turns; i++) {
		double ns = time(places);

		least = ns < least ? ns : least;
	}
	return least;
}

/* Doubles the cost of a call in this process's file. Returns -1 if that is not mapped. */
static int double_cost(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	struct process_header *header = NULL;
	unsigned long start, offset;
	char line[4096];

	while (maps && !header && fgets(line, sizeof line, maps))
		if (strstr(line, "blasprof-") &&
		    sscanf(line, "%lx-%*x rw-s %lx", &start, &offset) == 2 && !offset)
			header = (struct process_header *)start;
	if (maps)
		fclose(maps);
	if (!header || !(header->call_inside_ticks + header->call_outside_ticks > 0))
		return -1;
	header->call_inside_ticks *= 2;
	header->call_outside_ticks *= 2;
	return 0;
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 0;
	void *library = dlopen(argc > 2 ? argv[2] : NULL, RTLD_NOW | RTLD_LOCAL);
	double (*turn)(int counted);
	double least;
	char name[16];

	if (argc > 3 && !strcmp(argv[3], "places")) {
		printf("%.2f ", time_places(library, 10, turns));
		printf("%.2f\n", time_places(library, 5000, turns));
		return 0;
	}
	turn = (double (*)(int))find(library, "own_cost_turn");
	least = turn(0);
	if (argc > 3) {
		turn(1);
		if (double_cost())
			return 3;
		while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < 2000000000)
			turn(1);
		turns = 0;
	}
	for (int i = 0; i < turns; i++) {
		double uncounted = turn(0);

		least = uncounted < least ? uncounted : least;
		snprintf(name, sizeof name, "t%d", i);
		blasprof_region_begin(name);
		turn(1);
		blasprof_region_end(name);
	}
	printf("%.2f\n", least);
	return 0;
}
