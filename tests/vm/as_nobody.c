/* as_nobody.c: runs a command as a user without privileges. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <grp.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const unsigned nobody = 65534;

	if (argc < 2 || setgroups(0, NULL) || setresgid(nobody, nobody, nobody) ||
	    setresuid(nobody, nobody, nobody)) {
		perror("as_nobody");
		return 126;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
