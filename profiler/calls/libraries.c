/* libraries.c: the BLAS libraries that took the calls, and what they say about themselves. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "calls/records.h"

#define LIBRARIES_MAX 9 /* that a run names */

/* The name of a library's fact: "blas_core" of the first, "blas_core_2" of the second. */
static const char *fact_name(const char *fact, int library, char name[48])
{
	snprintf(name, 48, library > 1 ? "%s_%d" : "%s", fact, library);
	return name;
}

static void add_text(struct run *run, const char *fact, int library, const char *text)
{
	char name[48];

	if (*text)
		run_add_fact(run, fact_name(fact, library, name), text);
}

static void add_number(struct run *run, const char *fact, int library, int number)
{
	char text[16];

	snprintf(text, sizeof text, "%d", number);
	add_text(run, fact, library, text);
}

static int same_fact(const struct run *run, const char *fact, int library, const char *text)
{
	char name[48];
	const char *value = run_fact(run, fact_name(fact, library, name));

	return !strcmp(value ? value : "", text);
}

/* Libraries of one name and version are one: thin ones that stand for another, and those of other
 * processes. Their threads are as the program has set them: at the end, where that was seen. */
static void add_library(const struct process_header *header, int provider, struct run *run)
{
	const struct blas_facts *facts = &header->libraries[provider];
	char path[sizeof header->providers[0] + 1], name[64], version[sizeof facts->version + 1];
	char core[sizeof facts->core + 1], layer[sizeof facts->layer + 1], fact[48];
	int32_t threads = header->exit_ticks ? facts->threads_end : facts->threads;
	int library = 1;

	snprintf(path, sizeof path, "%.*s", (int)sizeof header->providers[0],
		 header->providers[provider]);
	snprintf(name, sizeof name, "%.*s", (int)sizeof facts->name, facts->name);
	if (!*name) /* it does not tell: then it goes by its file's */
		snprintf(name, sizeof name, "%.63s", basename(path));
	snprintf(version, sizeof version, "%.*s", (int)sizeof facts->version, facts->version);
	snprintf(core, sizeof core, "%.*s", (int)sizeof facts->core, facts->core);
	snprintf(layer, sizeof layer, "%.*s", (int)sizeof facts->layer, facts->layer);
	for (; run_fact(run, fact_name("blas", library, fact)); library++)
		if (library == LIBRARIES_MAX || (same_fact(run, "blas", library, name) &&
						 same_fact(run, "blas_version", library, version)))
			return;
	add_text(run, "blas", library, name);
	add_text(run, "blas_path", library, path);
	add_text(run, "blas_version", library, version);
	add_text(run, "blas_core", library, core);
	add_text(run, "blas_layer", library, layer);
	if (!facts->threads && !facts->threads_end)
		return;
	add_number(run, "blas_threads", library, threads);
	if (threads != facts->threads)
		add_number(run, "blas_threads_first", library, facts->threads);
}

void collect_libraries(const struct process_header *header, struct run *run)
{
	char list[400];
	int used = 0, count = 0;

	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++, count++) {
		add_library(header, i, run);
		if (used < (int)sizeof list - 1)
			used += snprintf(list + used, sizeof list - (size_t)used, "%s%.255s",
					 i ? ", " : "", header->providers[i]);
	}
	if (count > 1)
		run_add_note(run, "several_blas", "%s", list);
}
