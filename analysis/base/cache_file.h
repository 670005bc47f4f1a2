/* cache_file.h: the files that blasprof keeps for its next start, in the user's folder for caches.
 */
/* SPDX-License-Identifier: MIT */
#ifndef UTIL_CACHE_FILE_H
#define UTIL_CACHE_FILE_H

#include <limits.h>
#include <stdio.h>

#include "base/error.h"

/* The path of the file of this name: in $XDG_CACHE_HOME/blasprof or ~/.cache/blasprof, by the XDG
 * base directory specification. -1 with *err where there is no such folder. */
int cache_file_path(const char *name, char path[PATH_MAX], struct error *err);

/* A file on its way: written beside its place and moved there, whole or not at all. */
struct cache_draft {
	FILE *file;
	char path[PATH_MAX], name[PATH_MAX + 8];
};
/* Makes the folder and the draft of the file of this path, for this user only. -1 with errno. */
int cache_draft_open(struct cache_draft *draft, const char *path);
/* Closes the draft, and puts it in its place unless the writing failed: -1 with errno, and what was
 * there before stays. */
int cache_draft_keep(struct cache_draft *draft);

#endif
