/* loads.c: loads libraries that call BLAS, unloads them and loads them again at other addresses;
 * prints the number of calls. */
/* SPDX-License-Identifier: MIT
 *
 * loads ROUNDS CALLS PATH [NAME [GLOBAL [LATER]]]: in each round opens GLOBAL globally and PATH
 * locally, makes CALLS calls and closes both; fails if that does not unload them. With NAME the
 * library's function of that name makes the calls; without, this program calls the cblas_sgemm that
 * it looks up in the library. In each other round GLOBAL is closed after half of the calls, and the
 * library, which is bound to it, keeps it loaded. With LATER the library's function of that name
 * makes half of the calls, or all of them if NAME is "none", and GLOBAL is opened before these.
 */
#include <string.h>
#include <sys/mman.h>

#include "find.h"

static void call(sgemm function, int calls)
{
	for (int i = 0; i < calls; i++)
		function(101, 111, 111, 1, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[1]) : 0, calls = argc > 3 ? atoi(argv[2]) : 0;
	int is_later = argc > 6, is_none = argc > 4 && !strcmp(argv[4], "none");
	int first_calls = is_none ? 0 : argc > 5 ? calls / 2 : calls;

	for (int round = 0; round < rounds; round++) {
		void *global =
			argc > 5 && !is_later ? dlopen(argv[5], RTLD_NOW | RTLD_GLOBAL) : NULL;
		void *library = dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);

		if (argc > 4 && !is_none)
			((void (*)(int))find(library, argv[4]))(first_calls);
		else if (!is_none)
			call((sgemm)find(library, "cblas_sgemm"), calls);
		if (is_later) {
			global = dlopen(argv[5], RTLD_NOW | RTLD_GLOBAL);
			((void (*)(int))find(library, argv[6]))(calls - first_calls);
		} else if (global) {
			if (round % 2 && dlclose(global))
				return 1;
			((void (*)(int))find(library, argv[4]))(calls - first_calls);
		}
		if (dlclose(library) ||
		    (global && (is_later || round % 2 == 0) && dlclose(global)) ||
		    dlopen(argv[3], RTLD_LAZY | RTLD_NOLOAD) ||
		    (global && dlopen(argv[5], RTLD_LAZY | RTLD_NOLOAD)) ||
		    mmap(NULL, (size_t)(round + 1) << 14, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0) == MAP_FAILED)
			return 1;
	}
	printf("%d\n", rounds * calls);
	return 0;
}
