/* provenance.c: finds out where the cells are measured: host, CPU, BLAS library, compiler. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cblas.h>

#include "cells/cell.h"
#include "cells/commit.h"

/* Returns the rest of a line of /proc/cpuinfo after "name : ", or NULL. */
static const char *value_of(char *line, const char *name)
{
	char *colon = strchr(line, ':');

	if (strncmp(line, name, strlen(name)) || !colon)
		return NULL;
	line[strcspn(line, "\n")] = 0;
	return colon + strspn(colon, ": ");
}

static void find_cpu(char *cpu, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	const char *name = NULL;
	char line[512];

	while (file && !name && fgets(line, sizeof(line), file))
		if ((name = value_of(line, "model name")))
			snprintf(cpu, size, "%s", name);
	if (file)
		fclose(file);
}

double frequency_mhz(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	const char *text;
	double highest = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if ((text = value_of(line, "cpu MHz")) && atof(text) > highest)
			highest = atof(text);
	if (file)
		fclose(file);
	return highest;
}

/* Calls a function of the BLAS library that takes no arguments. Returns NULL if it has no such
 * function. */
static const char *own_text(void *library, const char *name)
{
	void *symbol = dlsym(library, name);
	char *(*call)(void);

	memcpy(&call, &symbol, sizeof(symbol));
	return symbol ? call() : NULL;
}

static int own_number(void *library, const char *name)
{
	void *symbol = dlsym(library, name);
	int (*call)(void);

	memcpy(&call, &symbol, sizeof(symbol));
	return symbol ? call() : 0;
}

/* Asks the library that provides cblas_sgemm. It need not be the one that was linked, and another
 * BLAS library may be loaded, too, whose functions must not be called. */
static void find_blas(struct provenance *p)
{
	void *symbol = dlsym(RTLD_DEFAULT, "cblas_sgemm"), *library = NULL;
	const char *config, *version;
	char *file = NULL;
	Dl_info where;

	if (symbol && dladdr(symbol, &where)) {
		library = dlopen(where.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
		file = realpath(where.dli_fname,
				NULL); /* the real file's name ends in the version */
	}
	if (!library)
		return;
	config = own_text(library, "openblas_get_config");
	version = own_text(library, "bli_info_get_version_str");
	if (config)
		snprintf(p->blas, sizeof(p->blas), "%s, core type %s", config,
			 own_text(library, "openblas_get_corename"));
	else if (version)
		snprintf(p->blas, sizeof(p->blas), "BLIS %s", version);
	else
		snprintf(p->blas, sizeof(p->blas), "%s", file ? file : where.dli_fname);
	p->blas_threads = own_number(library, "openblas_get_num_threads");
	free(file);
	dlclose(library);
}

void provenance_fill(struct provenance *p)
{
	struct utsname system;

	memset(p, 0, sizeof(*p));
	if (!uname(&system)) {
		snprintf(p->host, sizeof(p->host), "%s", system.nodename);
		snprintf(p->system, sizeof(p->system), "%s %s", system.sysname, system.release);
	}
	find_cpu(p->cpu, sizeof(p->cpu));
	find_blas(p);
	snprintf(p->compiler, sizeof(p->compiler), "%s", __VERSION__);
	snprintf(p->flags, sizeof(p->flags), "%s", CEILINGS_FLAGS);
	snprintf(p->revision, sizeof(p->revision), "%s", CEILINGS_COMMIT);
}
