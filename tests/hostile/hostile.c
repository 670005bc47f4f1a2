/* hostile.c: programs that do unusual things to themselves; each counts its own calls in a file. */
/* SPDX-License-Identifier: MIT
 *
 * hostile FILE WAY [WORD...]: FILE receives the number of calls that have returned. The functions
 * WAY(...) are the ways: each makes some calls, does something unusual, and goes on with new shapes
 * and new threads.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/shim/truth_blas.h"

#define SIDE	 40
#define SHAPES	 1500 /* more than the first page of a thread's shapes holds */
#define THREADS	 40
#define WAYS_MAX 96

/* In a file that all processes share: the number of calls that have returned, and of calls that may
 * have returned or not. */
static uint64_t *count;
static const char *count_path, *self;
static char **words; /* the arguments after WAY */

static struct way {
	const char *name;
	void (*run)(void);
} ways[WAYS_MAX];
static int ways_count;

/* Defines a way and adds it to the table. */
#define WAY(title)                                                                                 \
	static void way_##title(void);                                                             \
	static __attribute__((constructor)) void add_##title(void)                                 \
	{                                                                                          \
		ways[ways_count++] = (struct way){#title, way_##title};                            \
	}                                                                                          \
	static void way_##title(void)

static void call_shape(int m, int n, int k)
{
	float a[SIDE * SIDE] = {0}, b[SIDE * SIDE] = {0}, c[SIDE * SIDE];

	cblas_sgemm(101, 111, 111, m, n, k, 1, a, SIDE, b, SIDE, 0, c, SIDE);
	__atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

static void call(void)
{
	call_shape(1, 1, 1);
}

static void call_many(int calls)
{
	for (int i = 0; i < calls; i++)
		call();
}

static void call_shapes(void)
{
	for (int i = 0; i < SHAPES; i++)
		call_shape(1 + i % SIDE, 1 + i / SIDE, 2);
}

static void *call_thread(void *nothing)
{
	call_many(25);
	call_shape(3, 3, 3);
	return nothing;
}

static void call_from_threads(int threads)
{
	pthread_t made[THREADS];
	int n = 0;

	for (; n < threads && n < THREADS; n++)
		if (pthread_create(&made[n], NULL, call_thread, NULL))
			break;
	while (n--)
		pthread_join(made[n], NULL);
}

static void run_in_thread(void *(*run)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
}

/* Returns the child's status. */
static int call_from_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		call_many(20);
		call_shape(4, 4, 4);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static void call_all(void)
{
	call_shapes();
	call_from_threads(THREADS);
	call_from_child();
}

/* Defines a way that does these things, and then makes all calls. */
#define WAY_DOES(title, ...)                                                                       \
	WAY(title)                                                                                 \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
		call_all();                                                                        \
	}

static void need(int failed, const char *what)
{
	if (failed)
		perror(what);
}

WAY_DOES(all, (void)0)

/* Descriptors and limits. */

static void open_many(int most)
{
	while (most-- && open("/dev/null", O_RDONLY) >= 0)
		;
}

static void limit(int what, rlim_t value)
{
	struct rlimit old;

	if (getrlimit(what, &old))
		return;
	old.rlim_cur = value;
	setrlimit(what, &old);
}

WAY_DOES(closefds, call(), close_range(3, ~0u, 0))
WAY_DOES(closeall, close_range(0, ~0u, 0))
WAY_DOES(fds300, open_many(300))
WAY_DOES(fdsfull, limit(RLIMIT_NOFILE, 64), open_many(1000))
WAY_DOES(fdsfulllater, call(), limit(RLIMIT_NOFILE, 64), open_many(1000))
WAY_DOES(limits, call(), limit(RLIMIT_NOFILE, 0), limit(RLIMIT_FSIZE, 0), limit(RLIMIT_CORE, 0),
	 limit(RLIMIT_MEMLOCK, 0), limit(RLIMIT_SIGPENDING, 0))
WAY_DOES(limited, call(), limit(RLIMIT_AS, 300 << 20), limit(RLIMIT_STACK, 64 << 10),
	 limit(RLIMIT_DATA, 200 << 20), limit(RLIMIT_CORE, 0))

/* No memory can be mapped any more. */
WAY_DOES(memorylimit, call(), limit(RLIMIT_AS, 1 << 20))

/* Control flow, signals, threads and ends. */

WAY(jit)
{
	unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0xb8, 0,	  0,	0,    0,   0,
				0,    0,    0,	  0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};
	void (*target)(void) = call;
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code + 6, &target, 8);
	memcpy(page, code, sizeof code);
	for (int i = 0; i < 100; i++)
		((void (*)(void))page)();
}

static ucontext_t main_context, contexts[4];

static void coroutine(int number)
{
	for (int i = 0; i < 200; i++) {
		call_shape(1 + number, 1, 1);
		swapcontext(&contexts[number], &main_context);
	}
}

WAY(coroutines)
{
	for (int i = 0; i < 4; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = malloc(64 << 10);
		contexts[i].uc_stack.ss_size = 64 << 10;
		contexts[i].uc_link = &main_context;
		makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
	}
	for (int i = 0; i < 800; i++)
		swapcontext(&main_context, &contexts[i % 4]);
}

static float *one;

static void *small_call(void *nothing)
{
	cblas_sgemm(101, 111, 111, 1, 1, 1, 1, one, SIDE, one, SIDE, 0, one + 1, SIDE);
	__atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
	return nothing;
}

WAY(smallstack)
{
	pthread_attr_t attributes;

	one = calloc(SIDE * SIDE, sizeof *one);
	pthread_attr_init(&attributes);
	for (int i = 0; i < 50; i++) {
		pthread_t thread;
		int failed = pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) ||
			     pthread_create(&thread, &attributes, small_call, NULL);

		need(failed, "pthread_create");
		if (!failed)
			pthread_join(thread, NULL);
	}
}

static void handle(int number)
{
	small_call(NULL);
}

WAY(sigstack)
{
	stack_t stack = {.ss_size = 16384};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	one = calloc(SIDE * SIDE, sizeof *one);
	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	call_all();
}

static __thread volatile sig_atomic_t was_handled;

static void handle_once(int number)
{
	small_call(NULL);
	was_handled = 1;
}

static void *allocate(void *begun)
{
	while (!was_handled) {
		void *volatile small = malloc(5000), *volatile large = malloc(9000);

		__atomic_store_n((int *)begun, 1, __ATOMIC_RELEASE);
		free(small);
		free(large);
	}
	return NULL;
}

/* The first call of each thread is made in a handler that interrupts malloc() or free(), in a
 * program with many keys of pthread_key_create(). */
WAY(sigmalloc)
{
	struct sigaction action = {.sa_handler = handle_once};
	pthread_key_t unused;

	one = calloc(SIDE * SIDE, sizeof *one);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 40; i++)
		need(pthread_key_create(&unused, NULL), "pthread_key_create");
	call();
	for (int i = 0; i < 200; i++) {
		int begun = 0;
		pthread_t thread;

		need(pthread_create(&thread, NULL, allocate, &begun), "pthread_create");
		while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
			sched_yield();
		pthread_kill(thread, SIGUSR1);
		pthread_join(thread, NULL);
	}
	call_all();
}

static void interrupt(int number)
{
}

/* A timer interrupts the calls, and the preload library, all the time. */
WAY(timer)
{
	struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = interrupt};

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &every, NULL);
	for (int i = 0; i < 20; i++)
		call_shapes();
	setitimer(ITIMER_PROF, &never, NULL);
	call_all();
}

WAY(blocked)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	call_all();
}

static pthread_key_t key;

static void call_at_end(void *rounds)
{
	call_many(10);
	if ((intptr_t)rounds > 1)
		pthread_setspecific(key, (void *)((intptr_t)rounds - 1));
}

static void *key_thread(void *nothing)
{
	call();
	pthread_setspecific(key, (void *)3);
	return nothing;
}

WAY(keys)
{
	pthread_key_create(&key, call_at_end);
	for (int i = 0; i < 20; i++)
		run_in_thread(key_thread);
}

static void call_ten(void)
{
	call_many(10);
}

static __attribute__((destructor)) void call_last(void)
{
	if (count)
		call_ten();
}

WAY(atexit)
{
	atexit(call_ten);
	call();
}

WAY(quick)
{
	at_quick_exit(call_ten);
	call();
	quick_exit(5);
}

static void *late_thread(void *nothing)
{
	usleep(50000);
	call_all();
	return nothing;
}

WAY(mainexit)
{
	pthread_t thread;

	call();
	pthread_create(&thread, NULL, late_thread, NULL);
	pthread_exit(NULL);
}

/* Destructors of C++'s thread_local objects run after the thread's function and before those of
 * keys. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern void *__dso_handle;

static void destroy(void *nothing)
{
	call_many(10);
	call_shape(7, 7, 7);
}

static void *object_thread(void *nothing)
{
	__cxa_thread_atexit_impl(destroy, NULL, &__dso_handle);
	return nothing;
}

WAY(objects)
{
	for (int i = 0; i < 20; i++)
		run_in_thread(object_thread);
	object_thread(NULL);
}

struct cancelled {
	int tid, inside;
};

static void *cancelled_thread(void *data)
{
	struct cancelled *thread = data;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	__atomic_store_n(&thread->tid, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	for (int i = 0;; i++) {
		__atomic_store_n(&thread->inside, 1, __ATOMIC_SEQ_CST);
		call_shape(i % SIDE + 1, i / SIDE % SIDE + 1, 1);
		__atomic_store_n(&thread->inside, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* The last call of a thread that is cancelled anywhere may have returned or not. Once the first
 * pthread_cancel() has installed the handler, a signal comes first, as that of a pthread_cancel()
 * which looked at the thread some time before. */
WAY(cancel)
{
	const int signal_of_glibc = 32;

	for (int i = 0; i < 200; i++) {
		struct cancelled cancelled = {0};
		pthread_t thread;
		int tid;

		pthread_create(&thread, NULL, cancelled_thread, &cancelled);
		while (!(tid = __atomic_load_n(&cancelled.tid, __ATOMIC_SEQ_CST)))
			sched_yield();
		for (volatile int spins = 0; spins < i * 20; spins++)
			;
		if (i) {
			syscall(SYS_tgkill, getpid(), tid, signal_of_glibc);
			usleep(1);
		}
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		count[1] += (uint64_t)cancelled.inside;
	}
	call_all();
}

static void notify(union sigval nothing)
{
	call_many(10);
}

/* The C library creates a thread for each notification. */
WAY(notified)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify};
	struct itimerspec once = {.it_value = {0, 1000000}};
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &once, NULL);
	while (__atomic_load_n(count, __ATOMIC_RELAXED) < 10)
		usleep(1000);
	usleep(50000);
	call();
}

WAY(terminated)
{
	call_all();
	raise(SIGTERM);
}

static void overflow(int depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	if (depth >= 0)
		overflow(depth + 1);
	room[1] = room[0];
}

WAY(overflow)
{
	call_all();
	overflow(0);
}

WAY(nonblock)
{
	for (int i = 0; i < 3; i++)
		fcntl(i, F_SETFL, fcntl(i, F_GETFL) | O_NONBLOCK);
	call_all();
}

WAY(plain)
{
	call_many(10);
}

/* New processes of all kinds. */

static int clone_child(void *nothing)
{
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
}

WAY_DOES(clone, clone_with(0))
WAY_DOES(clonevm, clone_with(CLONE_VM | CLONE_FS | CLONE_FILES))
WAY_DOES(clonevfork, clone_with(CLONE_VM | CLONE_VFORK))
WAY_DOES(clonepid, clone_with(CLONE_NEWPID))

WAY(vfork)
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

static void exec_self(const char *way)
{
	execl(self, self, count_path, way, (char *)NULL);
	_exit(127);
}

WAY(vforkexec)
{
	for (int i = 0; i < 20; i++) {
		pid_t child = vfork();

		if (child == 0) {
			call();
			exec_self("plain");
		}
		waitpid(child, NULL, 0);
	}
}

/* Like fork(), but by a system call that bypasses the C library. */
WAY(clone3)
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

/* Its parents end before it has made a call, and while the profiler looks for it. */
WAY(daemonize)
{
	call();
	for (int i = 0; i < 20; i++) {
		if (fork())
			_exit(0);
		usleep(2000);
	}
	close_range(0, ~0u, 0);
	usleep(100000);
	call_many(10);
}

/* Continues after the command has ended. */
WAY(daemon)
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

/* Runs the program from a file without a name. */
WAY(memory)
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

/* Starts children that run at the same time, and ignores their ends. */
WAY(children)
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

WAY(spawn)
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
	exec_self("plain");
	return nothing;
}

WAY(execthread)
{
	call_from_threads(8);
	run_in_thread(exec_thread);
}

WAY(chain)
{
	const char *left = getenv("CHAIN");
	char next[16];
	int n = left ? atoi(left) : 60;

	call();
	snprintf(next, sizeof next, "%d", n - 1);
	setenv("CHAIN", next, 1);
	if (n > 0)
		exec_self("chain");
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

WAY(forkthread)
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

static int socket_of_thread;

static int wait_in_list(struct dl_phdr_info *info, size_t bytes, void *nothing)
{
	char byte;

	return (int)(write(socket_of_thread, "", 1) + read(socket_of_thread, &byte, 1));
}

static void *list_thread(void *nothing)
{
	dl_iterate_phdr(wait_in_list, NULL);
	return nothing;
}

/* The first call is in a child, while a thread of the parent holds a lock of the loader's. With a
 * word, that library is opened before, and opened again and closed in another child. */
WAY(listfork)
{
	int pairs[2];
	pthread_t thread;
	pid_t child;
	char byte;

	need(words[0] && !dlopen(words[0], RTLD_NOW), "dlopen");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs))
		return;
	socket_of_thread = pairs[0];
	pthread_create(&thread, NULL, list_thread, NULL);
	if (read(pairs[1], &byte, 1) == 1)
		call_from_child();
	child = words[0] ? fork() : -1;
	if (child == 0)
		_exit(dlclose(dlopen(words[0], RTLD_NOW | RTLD_GLOBAL)));
	waitpid(child, NULL, 0);
	if (write(pairs[1], "", 1) == 1)
		pthread_join(thread, NULL);
	call_all();
}

static int call_in_list(struct dl_phdr_info *info, size_t bytes, void *nothing)
{
	call_from_threads(1);
	return 1;
}

/* The first call is in a thread, while another one waits for it and holds that lock. */
WAY_DOES(list, dl_iterate_phdr(call_in_list, NULL))

/* Restrictions that a process sets for itself, or runs under. */

WAY(chroot)
{
	char empty[] = "hostile-XXXXXX"; /* in the test's directory */

	call();
	need(!mkdtemp(empty) || chroot(empty) || chdir("/"), "chroot");
	call_all();
}

/* Makes ./root the root directory, in a mount namespace of its own. */
static void move_root(void)
{
	need(unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		     mount("root", "root", NULL, MS_BIND, NULL) || chdir("root") ||
		     syscall(SYS_pivot_root, ".", "old") || chdir("/"),
	     "pivot_root");
}

WAY(moveroot)
{
	call();
	move_root();
	execl("/calls", "calls", NULL);
	need(1, "exec");
}

/* The same, with the namespace of another process. */
WAY(joinroot)
{
	int moved[2], namespace;
	char path[64], byte;
	pid_t child;

	call();
	need(pipe(moved), "pipe");
	child = fork();
	if (!child) {
		move_root();
		need(write(moved[1], "", 1) != 1, "write");
		pause();
	}
	need(read(moved[0], &byte, 1) != 1, "read");
	snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)child);
	namespace = open(path, O_RDONLY | O_CLOEXEC);
	need(namespace < 0 || setns(namespace, CLONE_NEWNS) || kill(child, SIGKILL), "setns");
	execl("/calls", "calls", NULL);
	need(1, "exec");
}

/* Its new root directory has nothing in it, and it returns to the old one. */
WAY(returns)
{
	char empty[] = "hostile-XXXXXX", *const arguments[] = {(char *)self, (char *)count_path,
							       "all", NULL};
	int old = open("/", O_RDONLY | O_CLOEXEC), here = open(".", O_RDONLY | O_CLOEXEC);

	call();
	need(!mkdtemp(empty) || chroot(empty) || fchdir(old) || chroot(".") || fchdir(here),
	     "chroot");
	execv(self, arguments);
	need(1, self);
}

WAY_DOES(setuid, call(), need(setgid(65534) || setuid(65534), "setuid"))

/* A child changes its user before its first call. */
WAY(setuidchild)
{
	pid_t child;

	call();
	child = fork();
	if (child == 0) {
		need(setgid(65534) || setuid(65534), "setuid");
		call_many(20);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	call_all();
}

WAY_DOES(seteuid, call(), need(seteuid(65534), "seteuid"), call_from_threads(4),
	 need(seteuid(0), "seteuid"))

static int (*prctl_to_use)(int option, ...) = prctl;
static int uses_seccomp; /* 1 for the system call seccomp() instead of prctl(), as libseccomp does
			    it */

static void install(struct sock_filter *filter, unsigned steps)
{
	struct sock_fprog program = {(unsigned short)steps, filter};

	if (prctl_to_use(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    (uses_seccomp ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
				    &program)
			  : prctl_to_use(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
		perror("seccomp");
}

/* Forbids a system call if one of these bits is set in the argument. */
static void forbid_bits(int number, int argument, unsigned bits, unsigned action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	install(filter, sizeof filter / sizeof *filter);
}

#define FORBID(numbers, action) forbid(numbers, sizeof(numbers) / sizeof *(numbers), action)

static void forbid(const int *numbers, size_t n, unsigned action)
{
	struct sock_filter filter[64] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	unsigned at = 1;

	for (size_t i = 0; i < n; i++) {
		filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							    (unsigned)numbers[i], 0, 1);
		filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	}
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	install(filter, at);
}

static __attribute__((noinline)) void call_below(void)
{
	volatile char frame[256 << 10];

	frame[0] = 2;
	call_shape(frame[0], 1, 1);
	frame[0] = 0; /* or the frame would end before the call */
}

static const int files[] = {SYS_openat, SYS_perf_event_open};
static const int file[] = {SYS_openat}, perf[] = {SYS_perf_event_open}, advise[] = {SYS_madvise};
/* System calls that a program needs neither for its start nor for its calls. */
static const int unneeded[] = {SYS_perf_event_open, SYS_getrusage, SYS_madvise, SYS_fallocate,
			       SYS_prctl};

WAY_DOES(seccomp, call(), FORBID(files, SECCOMP_RET_ERRNO | EPERM))
WAY_DOES(seccompperf, FORBID(perf, SECCOMP_RET_ERRNO | EPERM))

static void *call_long(void *nothing)
{
	call_many(20000);
	return nothing;
}

/* perf_event_open() returns 0, although that is the program's standard input. A thread calls it
 * after a while. */
WAY(seccompzero)
{
	FORBID(perf, SECCOMP_RET_ERRNO);
	run_in_thread(call_long);
	call_all();
	need(fcntl(STDIN_FILENO, F_GETFD) < 0, "stdin");
}

/* Like a sandboxed program that is killed for system calls that it does not need. */
WAY_DOES(seccompkill, call(), FORBID(files, SECCOMP_RET_KILL_PROCESS))
WAY_DOES(seccompcall, call(), uses_seccomp = 1, FORBID(file, SECCOMP_RET_KILL_PROCESS))

/* Filters that allow some arguments only, the second one as systemd's MemoryDenyWriteExecute. */
WAY_DOES(seccompbits, call(), forbid_bits(SYS_mmap, 3, MAP_SHARED, SECCOMP_RET_KILL_PROCESS))
WAY_DOES(seccompcode, call(), forbid_bits(SYS_mmap, 2, PROT_EXEC, SECCOMP_RET_ERRNO | EPERM))

/* A new shape further down the stack, for which the preload library makes pages of it readable. */
WAY(seccompstack)
{
	call();
	FORBID(advise, SECCOMP_RET_KILL_PROCESS);
	call_below();
}

/* For each system call, prints how a child and its own child end that are killed for it. Whether
 * pthread_join() needs futex() depends on the time. */
WAY(seccompeach)
{
	call();
	limit(RLIMIT_CORE, 0);
	for (int number = 0; number < 450; number++) {
		const int only[] = {number};
		pid_t child = fork();
		int status = 0;

		if (child == 0) {
			FORBID(only, SECCOMP_RET_KILL_PROCESS);
			call_below();
			call_from_threads(1);
			_exit(call_from_child() != 0);
		}
		waitpid(child, &status, 0);
		if (number != SYS_futex)
			printf("%d: %#x\n", number, (unsigned)status);
		fflush(stdout);
	}
}

/* The filter kills the next program, not this one. */
WAY(seccompexec)
{
	call();
	FORBID(unneeded, SECCOMP_RET_KILL_PROCESS);
	exec_self("plain");
}

/* The same by a prctl() that the preload library cannot see. */
WAY(seccompunseen)
{
	call();
	prctl_to_use = (int (*)(int, ...))dlsym(dlopen("libc.so.6", RTLD_LAZY), "prctl");
	FORBID(unneeded, SECCOMP_RET_KILL_PROCESS);
	exec_self("plain");
}

#if defined(__x86_64__)
/* A thread that may not read the time-stamp counter starts another one and a child, which inherit
 * that. */
WAY_DOES(counter, call_many(10), need(prctl(PR_SET_TSC, PR_TSC_SIGSEGV), "prctl"))
#endif

WAY_DOES(dumpable, prctl(PR_SET_DUMPABLE, 0))

WAY(deathsig)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	call_all();
	usleep(100000);
}

WAY_DOES(locked, limit(RLIMIT_MEMLOCK, 1 << 20), need(mlockall(MCL_FUTURE), "mlockall"))

/* Forbids a part of what Docker's default filter forbids. clone3 fails with ENOSYS, so that fork()
 * uses clone. */
WAY(docker)
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

	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* LeakSanitizer needs ptrace() */
	FORBID(gone, SECCOMP_RET_ERRNO | ENOSYS);
	FORBID(forbidden, SECCOMP_RET_ERRNO | EPERM);
	execvp(words[0], words);
	perror(words[0]);
}

WAY_DOES(namespaces, call(),
	 need(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC),
	      "unshare"))

/* Executes another program in a state that it keeps, but that new processes do not get. */
WAY(keeps)
{
	need(prctl(PR_SET_PDEATHSIG, SIGCONT), "PR_SET_PDEATHSIG");
	need(prctl(PR_SET_CHILD_SUBREAPER, 1), "PR_SET_CHILD_SUBREAPER");
	alarm(100000);
	need(sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &(struct sched_param){0}),
	     "sched_setscheduler");
	execvp(words[0], words);
	perror(words[0]);
}

/* Prints the state that the program has inherited, as far as it is the same in each run. */
WAY(inherited)
{
	static const char *const fields[] = {"SigBlk",	   "SigIgn",  "SigCgt", "Umask",
					     "NoNewPrivs", "Seccomp", "Cap",	"Cpus_allowed:"};
	char line[256];
	FILE *status = fopen("/proc/self/status", "r");
	int death_signal = 0, adopts = 0;

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
	prctl(PR_GET_PDEATHSIG, &death_signal);
	prctl(PR_GET_CHILD_SUBREAPER, &adopts);
	printf("death signal %d, subreaper %d, alarm %d\n", death_signal, adopts, alarm(0) > 0);
	printf("dumpable %d, nice %d, policy %d, name %s\n", prctl(PR_GET_DUMPABLE),
	       getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), program_invocation_name);
	fflush(stdout);
	call_all();
}

/* Uses most of /dev/shm. */
WAY(shm)
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

/* Like a program that wants to keep debuggers away. */
WAY(traced)
{
	need(ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0, "ptrace");
	call_from_threads(4);
	call_many(10);
}

WAY_DOES(deleted, need(unlink(self), self))

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

WAY(deepbind)
{
	call_many(10);
	call_in(dlopen(words[0], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND));
}

WAY(dlmopen)
{
	call_many(10);
	call_in(dlmopen(LM_ID_NEWLM, words[0], RTLD_NOW | RTLD_LOCAL));
	call_many(10);
}

WAY_DOES(renamed, prctl(PR_SET_NAME, "\xff\x1b[31m\"',\n"), memset((char *)self, 'x', strlen(self)))

int main(int argc, char **argv)
{
	int fd = argc >= 3 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;

	if (fd < 0 || ftruncate(fd, 16))
		return 2;
	count = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (count == MAP_FAILED)
		return 2;
	count_path = argv[1];
	self = argv[0];
	words = argv + 3;
	for (int i = 0; i < ways_count; i++)
		if (!strcmp(ways[i].name, argv[2])) {
			ways[i].run();
			return 3;
		}
	return 2;
}
