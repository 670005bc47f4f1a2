/* provenance.c: what every row says of where it was measured. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <cblas.h>

#include "cells/commit.h"
#include "cells/provenance.h"

/* The rest of a line of /proc/cpuinfo after "name : ", or NULL. */
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

/* Calls the BLAS library's own function without arguments, where it has it. */
static const char *own_text(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, name);
	char *(*call)(void);

	memcpy(&call, &symbol, sizeof(symbol));
	return symbol ? call() : NULL;
}

static int own_number(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, name);
	int (*call)(void);

	memcpy(&call, &symbol, sizeof(symbol));
	return symbol ? call() : 0;
}

static void find_blas(struct provenance *p)
{
	const char *config = own_text("openblas_get_config");
	const char *version = own_text("bli_info_get_version_str");
	Dl_info where;
	void *symbol = dlsym(RTLD_DEFAULT, "cblas_sgemm");

	if (config)
		snprintf(p->blas, sizeof(p->blas), "%s, core type %s", config,
			 own_text("openblas_get_corename"));
	else if (version)
		snprintf(p->blas, sizeof(p->blas), "BLIS %s", version);
	else if (symbol && dladdr(symbol, &where))
		snprintf(p->blas, sizeof(p->blas), "%s", where.dli_fname);
	p->blas_threads = own_number("openblas_get_num_threads");
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
