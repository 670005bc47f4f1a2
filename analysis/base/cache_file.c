/* cache_file.c: finds the folder for caches, and writes files there whole or not at all. */
/* SPDX-License-Identifier: MIT */
#include "base/cache_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A relative path counts as none. */
static int find_folder(char path[PATH_MAX], struct error *err)
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

int cache_file_path(const char *name, char path[PATH_MAX], struct error *err)
{
	if (find_folder(path, err))
		return -1;
	snprintf(path + strlen(path), PATH_MAX / 2, "/%s", name);
	return 0;
}

/* Makes the directories above the file; those that are there stay as they are. */
static void make_folders(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

int cache_draft_open(struct cache_draft *draft, const char *path)
{
	int fd;

	snprintf(draft->path, sizeof draft->path, "%s", path);
	make_folders(draft->path);
	snprintf(draft->name, sizeof draft->name, "%s.XXXXXX", draft->path);
	fd = mkstemp(draft->name);
	draft->file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (draft->file)
		return 0;
	if (fd >= 0) {
		unlink(draft->name);
		close(fd);
	}
	return -1;
}

int cache_draft_keep(struct cache_draft *draft)
{
	int failed = ferror(draft->file), error;

	if (!fclose(draft->file) && !failed && !rename(draft->name, draft->path))
		return 0;
	error = errno;
	unlink(draft->name);
	errno = error;
	return -1;
}
