/* scratch.c: an empty directory for one test, which every user may enter. */
/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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
