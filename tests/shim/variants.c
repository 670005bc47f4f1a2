/* variants.c: calls every name of the table, and prints how often, which the profile must show. */
/* SPDX-License-Identifier: MIT
 *
 * variants [LIBRARY...]: calls each name once or more as the loader binds it, and once as dlsym()
 * finds it in each LIBRARY. Checks that the arguments and the result of each call are passed on
 * unchanged, and exits with 1 if not.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include "digest.h"

static void *library;

int variants_times(const char *name)
{
	unsigned sum = 0;

	for (const char *letter = name; *letter; letter++)
		sum = sum * 31 + (unsigned char)*letter;
	sum = library ? dlsym(library, name) != NULL : 1 + sum % 3;
	if (sum)
		printf("%s %u\n", name, sum);
	return library ? 0 : (int)sum;
}

void *variants_look_up(const char *name)
{
	return library ? dlsym(library, name) : NULL;
}

int variants_complain(const char *name, const char *of)
{
	fprintf(stderr, "variants: wrong %s of %s\n", of, name);
	return 1;
}

/* Look-ups of missing names and of the program's own symbols return what the loader returns. */
static int check_lookups(void)
{
	void *program = dlopen(NULL, RTLD_LAZY);

	if (dlsym(RTLD_DEFAULT, "sgemm_") != dlsym(program, "sgemm_") || !dlsym(program, "sgemm_"))
		return variants_complain("sgemm_", "address in the program");
	if (dlsym(RTLD_DEFAULT, "cblas_nothing") || dlsym(RTLD_NEXT, "main"))
		return variants_complain("cblas_nothing", "address");
	dlerror();
	if (dlsym(program, "sgemm_") && dlerror())
		return variants_complain("sgemm_", "error though it was found");
	return 0;
}

int main(int argc, char **argv)
{
	int wrong = variants_call_32() + variants_call_64() + check_lookups();

	for (int i = 1; i < argc; i++) {
		library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			fprintf(stderr, "variants: %s\n", dlerror());
			return 2;
		}
		wrong += variants_call_32() + variants_call_64();
	}
	return wrong != 0;
}
