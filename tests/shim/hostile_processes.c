/* hostile_processes.c: new processes of all kinds, and walls that a process builds around itself.
 */
/* SPDX-License-Identifier: MIT */
#include "hostile.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

static void exec_self(const char *way, char *const environment[])
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
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(callers[i], NULL);
}

/* privileges and walls */

void way_chroot(void)
{
	char empty[] = "hostile-XXXXXX"; /* in the test's own directory */

	call();
	if (!mkdtemp(empty) || chroot(empty) || chdir("/"))
		perror("chroot");
	call_all();
}

void way_setuid(void)
{
	call();
	if (setgid(65534) || setuid(65534))
		perror("setuid");
	call_all();
}

void way_seteuid(void)
{
	call();
	if (seteuid(65534))
		perror("seteuid");
	call_from_threads(4);
	if (seteuid(0))
		perror("seteuid");
	call_all();
}

static void forbid(const int *numbers, unsigned n, unsigned action)
{
	struct sock_filter filter[64] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = {0, filter};
	unsigned at = 1;

	for (unsigned i = 0; i < n; i++) {
		filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							    (unsigned)numbers[i], 0, 1);
		filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	}
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = (unsigned short)at;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		perror("seccomp");
}

static const int files[] = {SYS_openat, SYS_perf_event_open};
#define NFILES (sizeof files / sizeof *files)

void way_seccomp(void)
{
	call();
	forbid(files, NFILES, SECCOMP_RET_ERRNO | EPERM);
	call_all();
}

void way_seccompperf(void)
{
	static const int perf[] = {SYS_perf_event_open};

	forbid(perf, 1, SECCOMP_RET_ERRNO | EPERM);
	call_all();
}

void way_dumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	call_all();
}

void way_deathsig(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	call_all();
	usleep(100000);
}

void way_locked(void)
{
	limit(RLIMIT_MEMLOCK, 1 << 20);
	if (mlockall(MCL_FUTURE))
		perror("mlockall");
	call_all();
}
