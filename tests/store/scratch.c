/* scratch.c: an empty directory for one test. */
/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[32];

void scratch_enter(void)
{
	snprintf(directory, sizeof directory, "scratch.%s", "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	umask(0);
	ck_assert_int_eq(chmod(directory, 0777), 0);
	ck_assert_int_eq(chdir(directory), 0);
}

void scratch_leave(void)
{
	char command[64];

	ck_assert_int_eq(chdir(".."), 0);
	snprintf(command, sizeof command, "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}
