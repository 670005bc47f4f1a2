/* cache.c: keeps the measured ceilings in a file of some lines "name value". */
/* SPDX-License-Identifier: MIT */
#include "probe/cache.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char first_line[] = "blasprof ceilings 1";

struct cache_key cache_key_of_run(const struct run *run)
{
	const char *cpu = run_fact(run, "cpu"), *arch = run_fact(run, "arch");
	struct cache_key key = {.cpus = run->cpus_available};

	snprintf(key.cpu, sizeof key.cpu, "%s", cpu ? cpu : "unknown");
	snprintf(key.arch, sizeof key.arch, "%s", arch ? arch : "unknown");
	return key;
}

/* The directory for caches, by the XDG base directory specification: a relative path counts as
 * none. */
static int find_directory(char path[PATH_MAX], struct error *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length;

	if (cache && *cache == '/')
		length = snprintf(path, PATH_MAX, "%s/blasprof", cache);
	else if (home && *home == '/')
		length = snprintf(path, PATH_MAX, "%s/.cache/blasprof", home);
	else
		return error_set(err, "set HOME or XDG_CACHE_HOME",
				 "there is no place to keep the measured ceilings in");
	if (length > PATH_MAX / 2)
		return error_set(err, "set XDG_CACHE_HOME to a shorter path",
				 "the path of the cache directory is too long");
	return 0;
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

	if (find_directory(path, err))
		return -1;
	snprintf(name, sizeof name, "ceilings-%s-%s-%d", key->arch, key->cpu, key->cpus);
	squeeze_name(name);
	snprintf(path + strlen(path), PATH_MAX / 2, "/%s", name);
	return 0;
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

/* Makes the directories above the file; those that are there stay as they are. */
static void make_directories(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static int write_cache(FILE *file, const struct cache_key *key, const struct ceilings *ceilings)
{
	char values[CEILINGS_TEXT_MAX], date[32];
	time_t now = time(NULL);
	struct tm utc;
	int failed;

	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	fprintf(file, "%s\ncpu %s\narch %s\ncpus %d\nmeasured %s\nvalues %s\n", first_line,
		key->cpu, key->arch, key->cpus, date, ceilings_text(ceilings, values));
	failed = ferror(file);
	return fclose(file) || failed ? -1 : 0;
}

/* Whole or not at all: written next to it, and moved there. */
int cache_save(const struct cache_key *key, const struct ceilings *ceilings, struct error *err)
{
	char path[PATH_MAX], draft[PATH_MAX + 8];
	FILE *file = NULL;
	int fd;

	if (cache_path(key, path, err))
		return -1;
	make_directories(path);
	snprintf(draft, sizeof draft, "%s.XXXXXX", path);
	fd = mkstemp(draft);
	if (fd >= 0)
		file = fdopen(fd, "w");
	if (file && !write_cache(file, key, ceilings) && !rename(draft, path))
		return 0;
	error_set(err, "make room there, or set XDG_CACHE_HOME to another place",
		  "cannot keep the measured ceilings in '%.500s': %s", path, strerror(errno));
	if (fd >= 0)
		unlink(draft);
	return -1;
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
