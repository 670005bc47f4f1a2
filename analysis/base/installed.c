/* installed.c: finds files near the running program. */
/* SPDX-License-Identifier: MIT */
#include "base/installed.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int installed_find(const char *const places[], char *path, size_t size)
{
	char self[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	const char *started = (const char *)getauxval(AT_EXECFN);

	if (length > 0)
		self[length] = '\0';
	else /* /proc is not mounted */
		snprintf(self, sizeof self, "%s", started ? started : "");
	slash = strrchr(self, '/');
	if (slash)
		slash[1] = '\0';
	for (size_t i = 0; places[i]; i++) {
		if (*places[i] != '/' && !slash)
			continue;
		snprintf(path, size, "%s%s", *places[i] == '/' ? "" : self, places[i]);
		if (!access(path, R_OK))
			return 0;
	}
	return -1;
}
