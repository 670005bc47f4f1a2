/* installed.c: tries places, most of them beside the program. */
/* SPDX-License-Identifier: MIT */
#include "util/installed.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int installed_find(const char *const places[], char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	self[length > 0 ? length : 0] = '\0';
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
