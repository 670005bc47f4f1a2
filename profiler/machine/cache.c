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

#include "base/string_pool.h"

static const char *fact(const struct run *run, const char *name)
{
	const char *value = run_fact(run, name);

	return value ? value : "unknown";
}

/* Follows the XDG base directory specification, which ignores relative paths. In the file name a
 * hyphen replaces each sequence of characters that are not letters or digits. */
int cache_path(const struct run *run, char path[PATH_MAX], struct error *err)
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
	snprintf(name, sizeof name, "ceilings-%s-%s-%.0f", fact(run, "arch"), fact(run, "cpu"),
		 ceil(run->cpus_available));
	end = path + length;
	for (const char *at = name; *at; at++)
		if (isalnum((unsigned char)*at))
			*end++ = *at;
		else if (end[-1] != '-')
			*end++ = '-';
	*end = '\0';
	return 0;
}

/* Returns the lines with which the file of the machine begins. */
static const char *make_head(const struct run *run)
{
	return string_printf("blasprof ceilings 1\ncpu %s\narch %s\ncpus %.0f\n", fact(run, "cpu"),
			     fact(run, "arch"), ceil(run->cpus_available));
}

enum cache_state cache_load(const struct run *run, struct cached *cached)
{
	char path[PATH_MAX];
	FILE *file = cache_path(run, path, NULL) ? NULL : fopen(path, "re");
	char text[CEILINGS_TEXT_MAX + 512], *rest;
	const char *head = make_head(run);
	int at = 0;

	memset(cached, 0, sizeof *cached);
	if (!file)
		return CACHE_NONE;
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	rest = text + strlen(head);
	if (!strncmp(text, head, strlen(head)) &&
	    sscanf(rest, "measured %31[^\n]\nvalues %n", cached->measured, &at) == 1 && at) {
		rest[at + (int)strcspn(rest + at, "\n")] = '\0';
		if (!ceilings_parse(rest + at, &cached->ceilings))
			return CACHE_FOUND;
	}
	memset(cached, 0, sizeof *cached);
	return CACHE_DAMAGED;
}

int cache_save(const struct run *run, const struct ceilings *ceilings, struct error *err)
{
	char path[PATH_MAX], draft[PATH_MAX + 8], values[CEILINGS_TEXT_MAX], date[32];
	time_t now = time(NULL);
	FILE *file = NULL;
	struct tm utc;
	int fd, failed;

	if (cache_path(run, path, err))
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
		fprintf(file, "%smeasured %s\nvalues %s\n", make_head(run), date,
			ceilings_text(ceilings, values));
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
	char text[CEILINGS_TEXT_MAX];
	struct cached cached;

	if (run_fact(run, "ceilings") || cache_load(run, &cached) != CACHE_FOUND)
		return;
	run_add_fact(run, "ceilings", ceilings_text(&cached.ceilings, text));
	run_add_fact(run, "ceilings_measured", cached.measured);
}
