/* terminal.c: runs a command on a terminal of its own, and may press Ctrl-C when it says something.
 */
/* SPDX-License-Identifier: MIT
 *
 * terminal [-o FILE] [-c TEXT] COMMAND [ARGUMENT]...
 * What the command writes to the terminal goes to standard output. With -o its standard output goes
 * to FILE instead. With -c, Ctrl-C is pressed once TEXT has been written. Ends with the command's
 * status, 128 plus the signal's number for a signal.
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CTRL_C "\003"

static char written[1 << 20];
static size_t length;

static void run_command(const char *output, char **command)
{
	int fd = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600) : STDOUT_FILENO;

	signal(SIGINT, SIG_DFL); /* a shell's job in the background ignores it */
	signal(SIGQUIT, SIG_DFL);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(99);
	execvp(command[0], command);
	_exit(99);
}

/* Reads until the command has closed the terminal. */
static void read_terminal(int terminal, const char *awaited)
{
	ssize_t got;

	while (length + 1 < sizeof written &&
	       (got = read(terminal, written + length, sizeof written - length - 1)) > 0) {
		length += (size_t)got;
		if (!awaited || !strstr(written, awaited))
			continue;
		if (write(terminal, CTRL_C, 1) != 1)
			exit(99);
		awaited = NULL;
	}
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 25, .ws_col = 60};
	const char *output = NULL, *awaited = NULL;
	int option, terminal, status;
	pid_t child;

	while ((option = getopt(argc, argv, "+o:c:")) != -1) {
		if (option == 'o')
			output = optarg;
		else if (option == 'c')
			awaited = optarg;
	}
	if (optind == argc)
		return 99;
	child = forkpty(&terminal, NULL, NULL, &size);
	if (child < 0)
		return 77;
	if (!child)
		run_command(output, argv + optind);
	read_terminal(terminal, awaited);
	fwrite(written, 1, length, stdout);
	if (waitpid(child, &status, 0) < 0)
		return 99;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
