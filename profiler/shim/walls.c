/* walls.c: stops recording before a seccomp filter ("wall") kills the program for a system call of
 * this library. */
/* SPDX-License-Identifier: MIT
 *
 * A filter of seccomp(2) may kill the process for a system call that the program does not need, but
 * that a slow path here makes. Filters that only refuse the call do no harm. When the program
 * installs a filter, it is interpreted here for each of these system calls. seccomp() is not in the
 * C library, so programs call it through syscall(), and pivot_root() as well; all other calls of
 * syscall() go on by a jump.
 * Behind such a filter, the first call of a routine still looks for its function, without system
 * calls.
 */
#include "shim/shim.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/dlsym.h"
#include "wire/session_file.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH /* Linux 5.11 */
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON	     1
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* System calls of the slow paths. Reading Python's frames needs another, and stops without it. */
static const int needed[] = {
	SYS_openat,	     SYS_close,	      SYS_read,	      SYS_mmap,
	SYS_munmap,	     SYS_madvise,     SYS_ftruncate,  SYS_fallocate,
	SYS_fstatfs,	     SYS_fstat,	      SYS_newfstatat, SYS_fchmod,
	SYS_getdents64,	     SYS_symlinkat,   SYS_unlinkat,   SYS_pread64,
	SYS_readlinkat,	     SYS_fcntl,	      SYS_futex,      SYS_rt_sigprocmask,
	SYS_sigaltstack,     SYS_sched_yield, SYS_gettid,     SYS_getpid,
	SYS_getppid,	     SYS_getuid,      SYS_geteuid,    SYS_prlimit64,
	SYS_clock_gettime,   SYS_prctl,	      SYS_getrusage,  SYS_sched_getaffinity,
	SYS_perf_event_open, SYS_faccessat,
};

enum { BRANCHES_MAX = 12 }; /* that depend on a system call's arguments, in one path of a filter */

FIND_AT_START(prctl)
long (*wall_syscall)(long, ...) __attribute__((visibility("hidden")));
static int stands, hides_counter; /* stay 1 in children */

int wall_is_silent(void)
{
	return shim_self.is_silent || __atomic_load_n(&stands, __ATOMIC_RELAXED);
}

int wall_stands(void)
{
	int counter = PR_TSC_ENABLE;

	if (wall_is_silent())
		return 1;
	/* a thread inherits this from the one that has created it */
	if (__atomic_load_n(&hides_counter, __ATOMIC_RELAXED))
		NEXT(prctl)(PR_GET_TSC, &counter);
	return counter == PR_TSC_SIGSEGV;
}

/* Returns the filter's action for a system call whose arguments and address are not known: bit i of
 * `path` decides the filter's branch i that depends on them, and *branches counts these. An
 * instruction that is not known here counts as the worst action. */
static uint32_t filter_action(const struct sock_fprog *program, int number, unsigned path,
			      unsigned *branches)
{
	const struct seccomp_data data = {.nr = number, .arch = ARCHITECTURE};
	int is_known = 1;
	uint32_t a = 0;

	*branches = 0;
	for (size_t at = 0; at < program->len; at++) {
		const struct sock_filter *step = &program->filter[at];
		int holds;

		switch (step->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (step->k > sizeof data - sizeof a)
				return SECCOMP_RET_KILL_PROCESS;
			is_known = step->k < offsetof(struct seccomp_data, instruction_pointer);
			memcpy(&a, (const char *)&data + step->k, sizeof a);
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= step->k;
			continue;
		case BPF_JMP | BPF_JA:
			at += step->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			holds = a == step->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			holds = a > step->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			holds = a >= step->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			holds = (a & step->k) != 0;
			break;
		case BPF_RET | BPF_K:
			return step->k & SECCOMP_RET_ACTION_FULL;
		default:
			return SECCOMP_RET_KILL_PROCESS;
		}
		if (!is_known) {
			if (*branches == BRANCHES_MAX)
				return SECCOMP_RET_KILL_PROCESS;
			holds = path >> (*branches)++ & 1;
		}
		at += holds ? step->jt : step->jf;
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/* Returns 1 if the filter kills the process for some arguments of the system call. */
static int is_deadly(const struct sock_fprog *program, int number)
{
	unsigned branches, paths = 1;

	for (unsigned path = 0; path < paths; path++) {
		uint32_t action = filter_action(program, number, path, &branches);

		if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_ERRNO &&
		    action != SECCOMP_RET_LOG)
			return 1;
		if (paths < 1u << branches)
			paths = 1u << branches;
	}
	return 0;
}

/* Passes on to programs that this one starts what is known of its filters, after one was seen.
 * Writes into the environment's own memory, since setenv() is not safe while other threads run. */
static void tell_children(int is_harmless)
{
	char *told = getenv(WALL_VARIABLE);
	KEEP_ERRNO;

	if (!told || *told < WALL_TRUSTS || *told > WALL_TRUSTS_MOST)
		return;
	if (!is_harmless)
		*told = WALL_DEADLY;
	/* if this thread has still more filters, one was not seen */
	else if (*told < WALL_TRUSTS_MOST && seccomp_filters() == *told - WALL_TRUSTS + 1)
		++*told;
}

/* The filter is installed. If it is deadly, no call of this process is recorded any more, which is
 * noted in its record. */
static void note_filter(const struct sock_fprog *program)
{
	size_t i = 0;

	if (is_deadly(program, SYS_process_vm_readv))
		call_sites_end();
	while (i < sizeof needed / sizeof *needed && !is_deadly(program, needed[i]))
		i++;
	if (i == sizeof needed / sizeof *needed) {
		tell_children(1);
		return;
	}
	tell_children(0);
	session_note_trouble(TROUBLE_SHUT_OUT);
	__atomic_store_n(&stands, 1, __ATOMIC_RELAXED);
	if (process_attached())
		__atomic_store_n(&shim_process->token, OWNER_WALLED, __ATOMIC_RELEASE);
}

void wall_find(void) __attribute__((constructor, visibility("hidden")));
void wall_find(void)
{
	dlsym_next((void **)&wall_syscall, "syscall");
}

/* A thread that may make no system call, or not read the time-stamp counter, is not recorded any
 * more. */
EXPORT int prctl(int option, ...)
{
	unsigned long words[4];
	int hides, is_silent, is_filter, status;
	va_list arguments;

	va_start(arguments, option);
	for (int i = 0; i < 4; i++)
		words[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	is_filter = option == PR_SET_SECCOMP && words[0] == SECCOMP_MODE_FILTER;
	hides = option == PR_SET_TSC && words[0] == PR_TSC_SIGSEGV;
	is_silent = (option == PR_SET_SECCOMP && words[0] == SECCOMP_MODE_STRICT) ||
		    (option == PR_SET_SYSCALL_USER_DISPATCH && words[0] == PR_SYS_DISPATCH_ON);
	if (hides || is_silent || is_filter)
		thread_attach(0); /* so that its unrecorded calls are counted */
	status = NEXT(prctl)(option, words[0], words[1], words[2], words[3]);
	if ((hides || is_silent) && !status) {
		shim_self.owner = OWNER_REFUSED;
		shim_self.is_silent |= is_silent;
		__atomic_or_fetch(&hides_counter, hides, __ATOMIC_RELAXED);
	}
	if (is_filter && !status)
		note_filter((const struct sock_fprog *)words[1]);
	/* the events that this thread has created include the one of its page; a new page is opened
	 * later, and the old one stays mapped, as a signal may have interrupted its reading */
	if (option == PR_TASK_PERF_EVENTS_DISABLE && shim_self.owner == process_token())
		offcpu_plan_page(&shim_self);
	return status;
}

long wall_seccomp(long number, unsigned long operation, unsigned long flags, const void *program)
	__attribute__((visibility("hidden")));
long wall_seccomp(long number, unsigned long operation, unsigned long flags, const void *program)
{
	int is_filter = operation == SECCOMP_SET_MODE_FILTER;
	long status;

	if (is_filter || operation == SECCOMP_SET_MODE_STRICT)
		thread_attach(0);
	wall_find();
	status = wall_syscall(number, operation, flags, program);
	if (status < 0)
		return status;
	if (operation == SECCOMP_SET_MODE_STRICT) {
		shim_self.owner = OWNER_REFUSED;
		shim_self.is_silent = 1;
	}
	if (is_filter) /* the status is 0 or a descriptor */
		note_filter(program);
	return status;
}

/* pivot_root() is not in the C library either. */
long wall_pivot_root(long number, const char *root, const char *old)
	__attribute__((visibility("hidden")));
long wall_pivot_root(long number, const char *root, const char *old)
{
	long status;

	wall_find();
	status = wall_syscall(number, root, old);
	if (!status)
		root_left(environ);
	return status;
}

/* clang-format off */
#if defined(__x86_64__)
__asm__(".text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	".hidden shim_syscall\n"
	".globl shim_syscall\n"
	"shim_syscall:\n"
	"syscall:\n"
	"	endbr64\n"
	"	cmpq $317, %rdi\n"
	"	je wall_seccomp\n"
	"	cmpq $155, %rdi\n"
	"	je wall_pivot_root\n"
	"	cmpq $0, wall_syscall(%rip)\n"
	"	jne 1f\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	pushq %rdx\n"
	"	pushq %rcx\n"
	"	pushq %r8\n"
	"	pushq %r9\n"
	"	pushq 56(%rsp)\n"
	"	call wall_find\n"
	"	popq %r9\n"
	"	popq %r9\n"
	"	popq %r8\n"
	"	popq %rcx\n"
	"	popq %rdx\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"1:	jmp *wall_syscall(%rip)\n"
	".size syscall, . - syscall\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl syscall\n"
	".type syscall, %function\n"
	".hidden shim_syscall\n"
	".globl shim_syscall\n"
	"shim_syscall:\n"
	"syscall:\n"
	"	hint 34\n"
	"	cmp x0, 277\n"
	"	b.eq wall_seccomp\n"
	"	cmp x0, 41\n"
	"	b.eq wall_pivot_root\n"
	"	adrp x16, wall_syscall\n"
	"	ldr x16, [x16, :lo12:wall_syscall]\n"
	"	cbnz x16, 1f\n"
	"	stp x29, x30, [sp, -80]!\n"
	"	mov x29, sp\n"
	"	stp x0, x1, [sp, 16]\n"
	"	stp x2, x3, [sp, 32]\n"
	"	stp x4, x5, [sp, 48]\n"
	"	str x6, [sp, 64]\n"
	"	bl wall_find\n"
	"	ldp x0, x1, [sp, 16]\n"
	"	ldp x2, x3, [sp, 32]\n"
	"	ldp x4, x5, [sp, 48]\n"
	"	ldr x6, [sp, 64]\n"
	"	ldp x29, x30, [sp], 80\n"
	"	adrp x16, wall_syscall\n"
	"	ldr x16, [x16, :lo12:wall_syscall]\n"
	"1:	br x16\n"
	".size syscall, . - syscall\n");
#endif
/* clang-format on */
