/* scratch.c: an empty directory for one test, which every user may enter, and files in it. */
/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64], before[PATH_MAX];

/* In /tmp, as some tests run as the user nobody, who may have no access to the build directory. */
void scratch_enter(void)
{
	ck_assert_ptr_nonnull(getcwd(before, sizeof before));
	snprintf(directory, sizeof directory, "/tmp/blasprof-scratch.%s", "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	umask(0);
	ck_assert_int_eq(chmod(directory, 0777), 0);
	ck_assert_int_eq(chdir(directory), 0);
}

void scratch_leave(void)
{
	char command[96];

	ck_assert_int_eq(chdir(before), 0);
	snprintf(command, sizeof command, "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

void scratch_file(const char *path, const void *bytes, size_t size)
{
	char copy[512];
	FILE *file;

	snprintf(copy, sizeof copy, "%s", path);
	for (char *slash = copy + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		ck_assert(!mkdir(copy, 0777) || errno == EEXIST);
	}
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

void scratch_text(const char *path, const char *text)
{
	scratch_file(path, text, strlen(text));
}
