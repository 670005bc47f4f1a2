/* maxrss.c: runs a command and writes its largest resident size in KiB to a file: maxrss FILE COMMAND... */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage usage;
	pid_t child;
	int status;
	FILE *out;

	if (argc < 3 || (child = fork()) < 0)
		return 2;
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child || !(out = fopen(argv[1], "w")))
		return 3;
	fprintf(out, "%ld\n", usage.ru_maxrss);
	return fclose(out) ? 3 : WEXITSTATUS(status);
}
