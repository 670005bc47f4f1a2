/* hostile_walls.c: walls that a process builds around itself, or finds around it. */
/* SPDX-License-Identifier: MIT */
#include "hostile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

static int (*prctl_to_use)(int option, ...) = prctl;

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
	if (prctl_to_use(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl_to_use(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
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

/* A program of the kind that is killed for what it does not need. */
void way_seccompkill(void)
{
	call();
	forbid(files, NFILES, SECCOMP_RET_KILL_PROCESS);
	call_all();
}

/* The same by the system call that is not prctl(), as libseccomp has it. */
void way_seccompcall(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

	call();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
		perror("seccomp");
	call_all();
}

void way_seccompperf(void)
{
	static const int perf[] = {SYS_perf_event_open};

	forbid(perf, 1, SECCOMP_RET_ERRNO | EPERM);
	call_all();
}

/* What a program needs neither to start nor to call. */
static const int unneeded[] = {SYS_perf_event_open, SYS_getrusage, SYS_madvise, SYS_fallocate,
			       SYS_prctl};
#define NUNNEEDED (sizeof unneeded / sizeof *unneeded)

/* The next program is the one that is killed. */
void way_seccompexec(void)
{
	call();
	forbid(unneeded, NUNNEEDED, SECCOMP_RET_KILL_PROCESS);
	exec_self("plain", environ);
}

/* The same by a helper that is not profiled. */
void way_seccompunseen(void)
{
	call();
	prctl_to_use = (int (*)(int, ...))dlsym(dlopen("libc.so.6", RTLD_LAZY), "prctl");
	forbid(unneeded, NUNNEEDED, SECCOMP_RET_KILL_PROCESS);
	exec_self("plain", environ);
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

/* A part of what Docker's default filter forbids; clone3 is not there, so that fork takes clone. */
void way_docker(void)
{
	static const int gone[] = {SYS_clone3};
	static const int forbidden[] = {
		SYS_perf_event_open,
		SYS_mount,
		SYS_umount2,
		SYS_setns,
		SYS_unshare,
		SYS_bpf,
		SYS_userfaultfd,
		SYS_keyctl,
		SYS_add_key,
		SYS_personality,
		SYS_process_vm_readv,
		SYS_process_vm_writev,
		SYS_kcmp,
		SYS_ptrace,
		SYS_io_uring_setup,
		SYS_open_by_handle_at,
	};

	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* it needs ptrace() */
	forbid(gone, 1, SECCOMP_RET_ERRNO | ENOSYS);
	forbid(forbidden, sizeof forbidden / sizeof *forbidden, SECCOMP_RET_ERRNO | EPERM);
	execvp(words[0], words);
	perror(words[0]);
}

void way_namespaces(void)
{
	call();
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC))
		perror("unshare");
	call_all();
}

/* What a program that was started finds, as far as it is the same each time. */
void way_inherited(void)
{
	static const char *const fields[] = {"SigBlk",	   "SigIgn",  "SigCgt", "Umask",
					     "NoNewPrivs", "Seccomp", "Cap",	"Cpus_allowed:"};
	char line[256];
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof line, status))
		for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
			if (!strncmp(line, fields[i], strlen(fields[i])))
				fputs(line, stdout);
	if (status)
		fclose(status);
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limits = {0};

		getrlimit(i, &limits);
		printf("limit %d: %ju %ju\n", i, (uintmax_t)limits.rlim_cur,
		       (uintmax_t)limits.rlim_max);
	}
	for (int i = 0; i < 1024; i++)
		if (fcntl(i, F_GETFD) >= 0)
			printf("descriptor %d: %#x\n", i, (unsigned)fcntl(i, F_GETFL));
	printf("dumpable %d, nice %d, policy %d, name %s\n", prctl(PR_GET_DUMPABLE),
	       getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), program_invocation_name);
	fflush(stdout);
	call_all();
}

/* Most of /dev/shm is the program's. */
void way_shm(void)
{
	size_t size = 56 << 20;
	int fd = open("/dev/shm/hostile", O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *memory;

	call_all();
	memory = ftruncate(fd, (off_t)size)
			 ? MAP_FAILED
			 : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		perror("/dev/shm/hostile");
	else
		memset(memory, 1, size);
	call_all();
	unlink("/dev/shm/hostile");
}

/* As programs do that want no debugger. */
void way_traced(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		perror("ptrace");
	call_from_threads(4);
	call_many(10);
}

void way_deleted(void)
{
	if (unlink(self))
		perror(self);
	call_all();
}

static void call_in(void *library)
{
	void (*hundred)(void) = NULL;
	void *symbol = library ? dlsym(library, "hundred") : NULL;

	memcpy(&hundred, &symbol, sizeof hundred);
	if (hundred)
		hundred();
	else
		puts(dlerror());
	fflush(stdout);
}

void way_deepbind(void)
{
	call_many(10);
	call_in(dlopen(words[0], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND));
}

void way_dlmopen(void)
{
	call_many(10);
	call_in(dlmopen(LM_ID_NEWLM, words[0], RTLD_NOW | RTLD_LOCAL));
	call_many(10);
}

void way_renamed(void)
{
	prctl(PR_SET_NAME, "\xff\x1b[31m\"',\n");
	memset((char *)self, 'x', strlen(self));
	call_all();
}

void way_limited(void)
{
	call();
	limit(RLIMIT_AS, 300 << 20);
	limit(RLIMIT_STACK, 64 << 10);
	limit(RLIMIT_DATA, 200 << 20);
	limit(RLIMIT_CORE, 0);
	call_all();
}
