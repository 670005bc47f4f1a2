/* cache.c: keeps the measured ceilings in a file of some lines "name value". */
/* SPDX-License-Identifier: MIT */
#include "machine/cache.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cache_file.h"

static const char first_line[] = "blasprof ceilings 1";

struct cache_key cache_key_of_run(const struct run *run)
{
	const char *cpu = run_fact(run, "cpu"), *arch = run_fact(run, "arch");
	struct cache_key key = {.cpus = (int)ceil(run->cpus_available)};

	snprintf(key.cpu, sizeof key.cpu, "%s", cpu ? cpu : "unknown");
	snprintf(key.arch, sizeof key.arch, "%s", arch ? arch : "unknown");
	return key;
}

/* Each run of characters that are neither letters nor digits becomes a hyphen. */
static void squeeze_name(char *name)
{
	char *end = name;

	for (const char *at = name; *at; at++)
		if (isalnum((unsigned char)*at))
			*end++ = *at;
		else if (end > name && end[-1] != '-')
			*end++ = '-';
	*end = '\0';
}

int cache_path(const struct cache_key *key, char path[PATH_MAX], struct error *err)
{
	char name[256];

	snprintf(name, sizeof name, "ceilings-%s-%s-%d", key->arch, key->cpu, key->cpus);
	squeeze_name(name);
	return cache_file_path(name, path, err);
}

/* What follows "name " in the line, without its line feed; NULL for another line. */
static char *line_value(char *line, const char *name)
{
	size_t length = strlen(name);

	line[strcspn(line, "\n")] = '\0';
	return strncmp(line, name, length) || line[length] != ' ' ? NULL : line + length + 1;
}

static int read_value(FILE *file, const char *name, char *value, size_t size)
{
	char line[CEILINGS_TEXT_MAX + 64], *found;

	if (!fgets(line, sizeof line, file) || !(found = line_value(line, name)) ||
	    strlen(found) >= size)
		return -1;
	memcpy(value, found, strlen(found) + 1);
	return 0;
}

static int read_cache(FILE *file, const struct cache_key *key, struct cached *cached)
{
	char line[64], cpu[128], arch[32], cpus[16], values[CEILINGS_TEXT_MAX];

	if (!fgets(line, sizeof line, file) || strncmp(line, first_line, strlen(first_line)) ||
	    read_value(file, "cpu", cpu, sizeof cpu) ||
	    read_value(file, "arch", arch, sizeof arch) ||
	    read_value(file, "cpus", cpus, sizeof cpus) ||
	    read_value(file, "measured", cached->measured, sizeof cached->measured) ||
	    read_value(file, "values", values, sizeof values))
		return -1;
	if (strcmp(cpu, key->cpu) || strcmp(arch, key->arch) || atoi(cpus) != key->cpus)
		return -1;
	return ceilings_parse(values, &cached->ceilings);
}

enum cache_state cache_load(const struct cache_key *key, struct cached *cached)
{
	char path[PATH_MAX];
	FILE *file = cache_path(key, path, NULL) ? NULL : fopen(path, "re");
	int failed;

	memset(cached, 0, sizeof *cached);
	if (!file)
		return CACHE_NONE;
	failed = read_cache(file, key, cached);
	fclose(file);
	if (failed)
		memset(cached, 0, sizeof *cached);
	return failed ? CACHE_DAMAGED : CACHE_FOUND;
}

static void write_cache(FILE *file, const struct cache_key *key, const struct ceilings *ceilings)
{
	char values[CEILINGS_TEXT_MAX], date[32];
	time_t now = time(NULL);
	struct tm utc;

	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	fprintf(file, "%s\ncpu %s\narch %s\ncpus %d\nmeasured %s\nvalues %s\n", first_line,
		key->cpu, key->arch, key->cpus, date, ceilings_text(ceilings, values));
}

int cache_save(const struct cache_key *key, const struct ceilings *ceilings, struct error *err)
{
	struct cache_draft draft;
	char path[PATH_MAX];

	if (cache_path(key, path, err))
		return -1;
	if (!cache_draft_open(&draft, path)) {
		write_cache(draft.file, key, ceilings);
		if (!cache_draft_keep(&draft))
			return 0;
	}
	return error_set(err, "make room there, or set XDG_CACHE_HOME to another place",
			 "cannot keep the measured ceilings in '%.500s': %s", path,
			 strerror(errno));
}

void cache_add_facts(struct run *run)
{
	struct cache_key key = cache_key_of_run(run);
	char text[CEILINGS_TEXT_MAX];
	struct cached cached;

	if (run_fact(run, "ceilings") || cache_load(&key, &cached) != CACHE_FOUND)
		return;
	run_add_fact(run, "ceilings", ceilings_text(&cached.ceilings, text));
	run_add_fact(run, "ceilings_measured", cached.measured);
}
