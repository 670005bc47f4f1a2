/* cache.c: saves the measured ceilings in a file of lines "name value". */
/* SPDX-License-Identifier: MIT */
#include "machine/measure.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
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
	struct cache_key key = {.cpus = (int)ceil(run->cpus_available)};

	snprintf(key.cpu, sizeof key.cpu, "%s", cpu ? cpu : "unknown");
	snprintf(key.arch, sizeof key.arch, "%s", arch ? arch : "unknown");
	return key;
}

/* Follows the XDG base directory specification, which ignores relative paths. In the file name a
 * hyphen replaces each sequence of characters that are not letters or digits. */
int cache_path(const struct cache_key *key, char path[PATH_MAX], struct error *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int is_cache = cache && *cache == '/', length;
	char name[256], *end;

	if (!is_cache && !(home && *home == '/'))
		return error_set(err, "set HOME or XDG_CACHE_HOME",
				 "there is no directory to save the measured ceilings in");
	length = snprintf(path, PATH_MAX, "%s%s/blasprof/", is_cache ? cache : home,
			  is_cache ? "" : "/.cache");
	if (length > PATH_MAX / 2)
		return error_set(err, "set XDG_CACHE_HOME to a shorter path",
				 "the path of the cache directory is too long");
	snprintf(name, sizeof name, "ceilings-%s-%s-%d", key->arch, key->cpu, key->cpus);
	end = path + length;
	for (const char *at = name; *at; at++)
		if (isalnum((unsigned char)*at))
			*end++ = *at;
		else if (end[-1] != '-')
			*end++ = '-';
	*end = '\0';
	return 0;
}

/* Reads the line "name value". */
static int read_value(FILE *file, const char *name, char *value, size_t size)
{
	char line[CEILINGS_TEXT_MAX + 64];
	size_t length = strlen(name);

	if (!fgets(line, sizeof line, file) || strncmp(line, name, length) || line[length] != ' ')
		return -1;
	line[strcspn(line, "\n")] = '\0';
	return (size_t)snprintf(value, size, "%s", line + length + 1) < size ? 0 : -1;
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

int cache_save(const struct cache_key *key, const struct ceilings *ceilings, struct error *err)
{
	char path[PATH_MAX], draft[PATH_MAX + 8], values[CEILINGS_TEXT_MAX], date[32];
	time_t now = time(NULL);
	FILE *file = NULL;
	struct tm utc;
	int fd, failed;

	if (cache_path(key, path, err))
		return -1;
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700); /* fails if it exists */
		*slash = '/';
	}
	snprintf(draft, sizeof draft, "%s.XXXXXX", path);
	fd = mkstemp(draft);
	if (fd >= 0)
		file = fdopen(fd, "w");
	failed = !file;
	if (file) {
		strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
		fprintf(file, "%s\ncpu %s\narch %s\ncpus %d\nmeasured %s\nvalues %s\n", first_line,
			key->cpu, key->arch, key->cpus, date, ceilings_text(ceilings, values));
		failed = ferror(file);
		failed |= fclose(file);
	}
	if (!failed && !rename(draft, path))
		return 0;
	error_set(err, "free some space there, or set XDG_CACHE_HOME to another directory",
		  "cannot save the measured ceilings in '%.500s': %s", path, strerror(errno));
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
