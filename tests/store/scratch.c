/* scratch.c: an empty directory for one test, where every user may go. */
/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64], before[PATH_MAX];

/* Below /tmp: the build may lie in a home directory that is closed to the user nobody, as whom some
 * tests go on. */
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
