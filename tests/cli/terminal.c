/* terminal.c: runs a command on its own terminal, and presses keys or changes the terminal's size
 * when the command writes certain texts. */
/* SPDX-License-Identifier: MIT
 *
 * terminal [-o FILE] [-r] [-c TEXT | -k TEXT=KEYS | -s TEXT=COLUMNS]... COMMAND [ARGUMENT]...
 * Copies what the command writes to the terminal to standard output. With -o, the command's
 * standard output goes to FILE instead of the terminal. Each -c, -k and -s waits until TEXT has
 * been written, after the text of the option before it, and then presses Ctrl-C, presses KEYS, or
 * sets the width of the terminal. Exits with the command's status, or 128 plus the number of the
 * signal that ended it; with -r, exits with 98 if the command has not restored the mode of the
 * terminal.
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#define CTRL_C	  "\003"
#define STEPS_MAX 16

struct step {
	char kind; /* the option */
	char *awaited;
	const char *value;
};

static struct step steps[STEPS_MAX];
static int step_count;
static char written[1 << 20];
static size_t length;

static void run_command(int terminal, const char *output, char **command)
{
	int fd = login_tty(terminal);

	if (!fd)
		fd = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600) : STDOUT_FILENO;

	signal(SIGINT, SIG_DFL); /* a shell's background job ignores it */
	signal(SIGQUIT, SIG_DFL);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(99);
	execvp(command[0], command);
	_exit(99);
}

static void add_step(char kind, char *text)
{
	struct step *step = &steps[step_count++];
	char *value = kind == 'c' ? NULL : strchr(text, '=');

	if (step_count > STEPS_MAX || (kind != 'c' && !value))
		exit(99);
	*step = (struct step){kind, text, value ? value + 1 : CTRL_C};
	if (value)
		*value = '\0';
}

static void do_step(const struct step *step, int terminal)
{
	struct winsize size = {.ws_row = 25, .ws_col = (unsigned short)atoi(step->value)};
	size_t bytes = strlen(step->value);

	if (step->kind == 's' ? ioctl(terminal, TIOCSWINSZ, &size) != 0
			      : write(terminal, step->value, bytes) != (ssize_t)bytes)
		exit(99);
}

/* Reads until the command has closed the terminal. */
static void read_terminal(int terminal)
{
	const struct step *step = steps, *end = steps + step_count;
	char *from = written, *found;
	ssize_t got;

	while (length + 1 < sizeof written &&
	       (got = read(terminal, written + length, sizeof written - length - 1)) > 0) {
		length += (size_t)got;
		while (step < end && (found = strstr(from, step->awaited))) {
			from = found + strlen(step->awaited);
			do_step(step++, terminal);
		}
	}
}

static int is_restored(int terminal, const struct termios *before)
{
	struct termios now;

	return !tcgetattr(terminal, &now) && now.c_lflag == before->c_lflag &&
	       now.c_iflag == before->c_iflag && now.c_oflag == before->c_oflag;
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 25, .ws_col = 60};
	const char *output = NULL;
	int option, terminal, slave, status, keeps = 0;
	struct termios before;
	pid_t child;

	while ((option = getopt(argc, argv, "+o:c:k:s:r")) != -1) {
		if (option == 'o')
			output = optarg;
		else if (option == 'r')
			keeps = 1;
		else
			add_step((char)option, optarg);
	}
	if (optind == argc)
		return 99;
	if (openpty(&terminal, &slave, NULL, NULL, &size))
		return 77;
	if (tcgetattr(slave, &before))
		return 99;
	child = fork();
	if (child < 0)
		return 77;
	if (!child)
		run_command(slave, output, argv + optind);
	close(slave);
	read_terminal(terminal);
	fwrite(written, 1, length, stdout);
	if (waitpid(child, &status, 0) < 0)
		return 99;
	if (keeps && !is_restored(terminal, &before))
		return 98;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
