/* hostile_processes.c: new processes of all kinds. */
/* SPDX-License-Identifier: MIT */
#include "hostile.h"

#include <errno.h>
#include <pthread.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int clone_child(void *nothing)
{
	(void)nothing;
	call_many(50);
	call_shape(5, 5, 5);
	return 0;
}

static void clone_with(int flags)
{
	char *stack =
		mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t child;

	call();
	child = clone(clone_child, stack + (1 << 20), flags | SIGCHLD, NULL);
	if (child > 0)
		waitpid(child, NULL, __WALL);
	call_all();
}

void way_clone(void)
{
	clone_with(0);
}

void way_clonevm(void)
{
	clone_with(CLONE_VM | CLONE_FS | CLONE_FILES);
}

void way_clonevfork(void)
{
	clone_with(CLONE_VM | CLONE_VFORK);
}

void way_clonepid(void)
{
	clone_with(CLONE_NEWPID);
}

void way_vfork(void)
{
	pid_t child;

	call();
	child = vfork();
	if (child == 0) {
		call();
		call_shape(6, 6, 6);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	call_all();
}

void exec_self(const char *way, char *const environment[])
{
	char *const argv[] = {(char *)self, (char *)count_path, (char *)way, NULL};

	execve(self, argv, environment);
	_exit(127);
}

void way_vforkexec(void)
{
	for (int i = 0; i < 20; i++) {
		pid_t child = vfork();

		if (child == 0) {
			call();
			exec_self("plain", environ);
		}
		waitpid(child, NULL, 0);
	}
}

/* As fork(), by the system call that the C library knows nothing of. */
void way_clone3(void)
{
	struct clone_args how = {.exit_signal = SIGCHLD};

	call();
	for (int i = 0; i < 3; i++) {
		long child = syscall(SYS_clone3, &how, sizeof how);

		if (child == 0)
			_exit(clone_child(NULL));
		waitpid((pid_t)child, NULL, 0);
	}
	call_all();
}

/* Goes on when the command has ended. */
void way_daemon(void)
{
	int pipes[2];
	char byte;

	if (pipe(pipes))
		return;
	if (fork()) {
		close(pipes[1]);
		if (read(pipes[0], &byte, 1) == 1)
			call();
		return;
	}
	setsid();
	if (fork())
		_exit(0);
	call();
	if (write(pipes[1], "", 1) == 1)
		close_range(0, ~0u, 0);
	for (int i = 0; i < 10; i++) {
		usleep(20000);
		call_many(10);
	}
	_exit(0);
}

/* The program is in no file that has a name. */
void way_memory(void)
{
	char *const argv[] = {(char *)self, (char *)count_path, (char *)"plain", NULL};
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("hostile", 0);
	char block[65536];
	ssize_t got;

	call();
	while ((got = read(from, block, sizeof block)) > 0)
		if (write(to, block, (size_t)got) != got)
			return;
	fexecve(to, argv, environ);
	perror("fexecve");
}

/* Starts children that run at the same time, and does not wait for them. */
void way_children(void)
{
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < 100; i++)
		if (!fork()) {
			call_many(20);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

void way_spawn(void)
{
	char *const argv[] = {(char *)self, (char *)count_path, (char *)"plain", NULL};

	call();
	for (int i = 0; i < 20; i++) {
		pid_t child;

		if (!posix_spawn(&child, self, NULL, NULL, argv, environ))
			waitpid(child, NULL, 0);
	}
}

static void *exec_thread(void *nothing)
{
	call();
	exec_self("plain", environ);
	return nothing;
}

void way_execthread(void)
{
	pthread_t thread;

	call_from_threads(8);
	pthread_create(&thread, NULL, exec_thread, NULL);
	pthread_join(thread, NULL);
}

void way_chain(void)
{
	const char *left = getenv("CHAIN");
	char next[16];
	int n = left ? atoi(left) : 60;

	call();
	snprintf(next, sizeof next, "%d", n - 1);
	setenv("CHAIN", next, 1);
	if (n > 0)
		exec_self("chain", environ);
}

static int stop;

static void *call_until_stop(void *nothing)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		call();
	return nothing;
}

static void *fork_thread(void *nothing)
{
	for (int i = 0; i < 30; i++)
		call_from_child();
	return nothing;
}

void way_forkthread(void)
{
	pthread_t callers[3], forker;

	for (int i = 0; i < 3; i++)
		pthread_create(&callers[i], NULL, call_until_stop, NULL);
	pthread_create(&forker, NULL, fork_thread, NULL);
	pthread_join(forker, NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++)
		pthread_join(callers[i], NULL);
}
