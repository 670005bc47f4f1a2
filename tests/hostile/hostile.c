/* hostile.c: programs that do to themselves what few do; each counts its own calls in a file. */
/* SPDX-License-Identifier: MIT
 *
 * hostile FILE WAY [WORD...]: FILE holds how many calls have returned. The ways are in the table at
 * the end; each makes some calls, does its deed, and goes on with new shapes and new threads.
 */
#include "hostile.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

void cblas_sgemm(int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,
		 int lda, const void *b, int ldb, float beta, void *c, int ldc);

#define SIDE	40
#define SHAPES	1500
#define THREADS 40

uint64_t *count;
const char *count_path, *self;
char **words;

void call_shape(int m, int n, int k)
{
	float a[SIDE * SIDE] = {0}, b[SIDE * SIDE] = {0}, c[SIDE * SIDE];

	cblas_sgemm(101, 111, 111, m, n, k, 1, a, SIDE, b, SIDE, 0, c, SIDE);
	__atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}

void call(void)
{
	call_shape(1, 1, 1);
}

void call_many(int calls)
{
	for (int i = 0; i < calls; i++)
		call();
}

void call_shapes(void)
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

void call_from_threads(int threads)
{
	pthread_t made[THREADS];
	int n = 0;

	for (; n < threads && n < THREADS; n++)
		if (pthread_create(&made[n], NULL, call_thread, NULL))
			break;
	while (n--)
		pthread_join(made[n], NULL);
}

void call_from_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		call_many(20);
		call_shape(4, 4, 4);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

void call_all(void)
{
	call_shapes();
	call_from_threads(THREADS);
	call_from_child();
}

/* descriptors */

static void way_closefds(void)
{
	call();
	close_range(3, ~0u, 0);
	call_all();
}

static void way_closeall(void)
{
	close_range(0, ~0u, 0);
	call_all();
}

static void open_many(int most)
{
	while (most-- && open("/dev/null", O_RDONLY) >= 0)
		;
}

static void way_fds300(void)
{
	open_many(300);
	call_all();
}

void limit(int what, rlim_t value)
{
	struct rlimit old;

	if (getrlimit(what, &old))
		return;
	old.rlim_cur = value;
	setrlimit(what, &old);
}

static void way_fdsfull(void)
{
	limit(RLIMIT_NOFILE, 64);
	open_many(1000);
	call_all();
}

static void way_fdsfulllater(void)
{
	call();
	way_fdsfull();
}

static void way_limits(void)
{
	call();
	limit(RLIMIT_NOFILE, 0);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_MEMLOCK, 0);
	limit(RLIMIT_SIGPENDING, 0);
	call_all();
}

/* control flow */

static void way_jit(void)
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

static void way_coroutines(void)
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

static void way_smallstack(void)
{
	pthread_attr_t attributes;

	one = calloc(SIDE * SIDE, sizeof *one);
	pthread_attr_init(&attributes);
	for (int i = 0; i < 50; i++) {
		pthread_t thread;
		int failed = pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) ||
			     pthread_create(&thread, &attributes, small_call, NULL);

		if (failed)
			perror("pthread_create");
		else
			pthread_join(thread, NULL);
	}
}

static void handle(int number)
{
	(void)number;
	small_call(NULL);
}

static void way_sigstack(void)
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

static void interrupt(int number)
{
	(void)number;
}

/* Calls, and what is done for them, are interrupted all the time. */
static void way_timer(void)
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

static void way_blocked(void)
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

static void way_keys(void)
{
	pthread_key_create(&key, call_at_end);
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, key_thread, NULL);
		pthread_join(thread, NULL);
	}
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

static void way_atexit(void)
{
	atexit(call_ten);
	call();
}

static void way_quick(void)
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

static void way_mainexit(void)
{
	pthread_t thread;

	call();
	pthread_create(&thread, NULL, late_thread, NULL);
	pthread_exit(NULL);
}

/* Destructors of C++'s thread_local objects run after the thread's function, before those of keys.
 */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);
extern void *__dso_handle;

static void destroy(void *nothing)
{
	(void)nothing;
	call_many(10);
	call_shape(7, 7, 7);
}

static void *object_thread(void *nothing)
{
	__cxa_thread_atexit_impl(destroy, NULL, &__dso_handle);
	return nothing;
}

static void way_objects(void)
{
	pthread_t thread;

	for (int i = 0; i < 20; i++) {
		pthread_create(&thread, NULL, object_thread, NULL);
		pthread_join(thread, NULL);
	}
	object_thread(NULL);
}

static void *cancelled_thread(void *inside)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;) {
		__atomic_store_n((int *)inside, 1, __ATOMIC_SEQ_CST);
		call();
		__atomic_store_n((int *)inside, 0, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Of a thread that is cancelled anywhere, the last call may have returned or not. */
static void way_cancel(void)
{
	for (int i = 0; i < 50; i++) {
		pthread_t thread;
		int inside = 0;

		pthread_create(&thread, NULL, cancelled_thread, &inside);
		usleep(1000);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		count[1] += (uint64_t)inside;
	}
	call_all();
}

static void notify(union sigval nothing)
{
	(void)nothing;
	call_many(10);
}

/* The C library makes a thread for each notification. */
static void way_notified(void)
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

static void way_terminated(void)
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

static void way_overflow(void)
{
	call_all();
	overflow(0);
}

static void way_nonblock(void)
{
	for (int i = 0; i < 3; i++)
		fcntl(i, F_SETFL, fcntl(i, F_GETFL) | O_NONBLOCK);
	call_all();
}

static void way_plain(void)
{
	call_many(10);
}

static void way_all(void)
{
	call_all();
}

static const struct way {
	const char *name;
	void (*run)(void);
} ways[] = {
#define WAY(name)                                                                                  \
	{                                                                                          \
#name, way_##name                                                                  \
	}
	WAY(all),	 WAY(plain),	    WAY(closefds),    WAY(closeall),	WAY(fds300),
	WAY(fdsfull),	 WAY(fdsfulllater), WAY(limits),      WAY(clone),	WAY(clonevm),
	WAY(clonevfork), WAY(clonepid),	    WAY(vfork),	      WAY(vforkexec),	WAY(spawn),
	WAY(execthread), WAY(chain),	    WAY(forkthread),  WAY(chroot),	WAY(setuid),
	WAY(seteuid),	 WAY(seccomp),	    WAY(seccompperf), WAY(seccompkill), WAY(seccompcall),
	WAY(dumpable),	 WAY(deathsig),	    WAY(locked),      WAY(jit),		WAY(coroutines),
	WAY(smallstack), WAY(sigstack),	    WAY(timer),	      WAY(blocked),	WAY(keys),
	WAY(atexit),	 WAY(quick),	    WAY(mainexit),    WAY(nonblock),	WAY(objects),
	WAY(cancel),	 WAY(notified),	    WAY(terminated),  WAY(overflow),	WAY(clone3),
	WAY(daemon),	 WAY(memory),	    WAY(children),    WAY(docker),	WAY(namespaces),
	WAY(inherited),	 WAY(shm),	    WAY(traced),      WAY(deleted),	WAY(deepbind),
	WAY(dlmopen),	 WAY(renamed),	    WAY(limited),     WAY(seccompexec), WAY(seccompunseen),
};

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
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(ways[i].name, argv[2])) {
			ways[i].run();
			return 3;
		}
	return 2;
}
