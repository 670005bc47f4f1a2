/* jumps.c: leaves calls of BLAS by jumps and by changes of the stack, and makes more calls; signals
 * and forks while the preload library holds a lock. */
/* SPDX-License-Identifier: MIT
 *
 * jumps WAY BLAS PLUGIN: the table of ways is below. Prints how many calls the profile must show,
 * which are those that returned. PLUGIN's function calls a routine that only the preload library
 * finds, since BLAS is opened privately. "storm" prints the number of calls that returned, and of
 * all calls. "inside" prints 0 unless it runs with a what-if of one unit. ThreadSanitizer cannot
 * follow the ways with other stacks.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "blasprof.h"
#include "cpu_alarm.h"
#include "find.h"
#include "pauses.h"

#define STACK_BYTES (1u << 20)
#define NOINLINE    __attribute__((noinline))

static sgemm routine;
static void (*plugin_call)(int calls);
static char *memory; /* three stacks, the middle one is that of the thread */
static int calls;    /* how many the profile must show */
static sigjmp_buf before_jump;
static ucontext_t this_stack, other_stack;

/* Burns `ns` of CPU time. */
static NOINLINE void call(float ns)
{
	routine(101, 111, 111, 1, 1, 1, ns, NULL, 1, NULL, 1, 0, NULL, 1);
}

static void call_three(void)
{
	for (int i = 0; i < 3; i++)
		call(1);
}

static void set_handler(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

/* Signals of a timer go to any thread that does not block them. */
static void mask(int how, int number)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, number);
	pthread_sigmask(how, &signals, NULL);
}

static pthread_t start(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		exit(1);
	return thread;
}

static void jump(int number)
{
	siglongjmp(before_jump, 1);
}

/* Takes so long that the alarm comes before its end, if it comes at all. */
static void call_until_alarm(void)
{
	cpu_alarm();
	call(3e10f);
}

static NOINLINE void leave_call(void)
{
	set_handler(CPU_ALARM, jump, 0);
	if (!sigsetjmp(before_jump, 1))
		call_until_alarm();
}

/* Calls act() with a lower stack pointer, after writing to the stack in between if is_written. */
static NOINLINE void go_below(void (*act)(void), int bytes, int is_written)
{
	char below[bytes];

	if (is_written)
		memset(below, 1, (size_t)bytes);
	act();
	__asm__ volatile("" : : "r"(below) : "memory"); /* keeps the array until here */
}

static void call_deeper(void)
{
	for (int i = 0; i < 8; i++) {
		leave_call();
		go_below(call_three, i % 2 ? 1000 : 50000, i < 4);
	}
}

static void call_from_same_place(void)
{
	set_handler(CPU_ALARM, jump, 0);
	for (volatile int i = 0; i < 6; i++) {
		if (sigsetjmp(before_jump, 1))
			continue;
		if (i < 3)
			cpu_alarm();
		call(i < 3 ? 3e10f : 1);
	}
}

static void call_outside(void)
{
	set_handler(CPU_ALARM, jump, 0);
	blasprof_region_begin("roi");
	for (volatile int i = 0; i < 4; i++) {
		if (i == 2)
			blasprof_region_end("roi");
		if (sigsetjmp(before_jump, 1))
			continue;
		if (i == 1)
			cpu_alarm();
		call(i == 1 ? 3e10f : 1);
	}
}

static void make_progress(void)
{
	for (int i = 0; i < 3; i++)
		blasprof_progress(1);
}

#define MARK_JUMPS 300

/* Each jump may leave a region open, or one more that is too deep. */
static void jump_out_of_marks(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = CPU_ALARM};
	struct itimerspec often = {{0, 100000}, {0, 100000}};
	volatile int jumps = 0;
	timer_t timer;

	set_handler(CPU_ALARM, jump, 0);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		exit(1);
	if (!sigsetjmp(before_jump, 1))
		timer_settime(timer, 0, &often, NULL);
	if (jumps++ < MARK_JUMPS)
		for (;;) {
			blasprof_region_begin("left");
			blasprof_region_end("left");
		}
	timer_delete(timer);
	for (int i = 0; i <= MARK_JUMPS; i++)
		blasprof_region_end("left");
	blasprof_region_begin("after");
	call_three();
	blasprof_region_end("after");
}

static void handle(int number)
{
	call(1);
}

/* The handler runs on the stack above that of the thread. */
static void handle_above(int number, void (*handler)(int))
{
	stack_t stack = {.ss_sp = memory + 2 * STACK_BYTES, .ss_size = STACK_BYTES};

	set_handler(number, handler, SA_ONSTACK);
	if (sigaltstack(&stack, NULL))
		exit(1);
}

static void call_from_handler(void)
{
	leave_call();
	handle_above(SIGUSR1, handle);
	for (int i = 0; i < 3; i++)
		raise(SIGUSR1);
}

static void call_while_handled(void)
{
	handle_above(CPU_ALARM, handle);
	cpu_alarm();
	call(1e8f);
	call(1);
	call(1);
}

static void handle_until_alarm(int number)
{
#ifdef __SANITIZE_THREAD__ /* which delays the signal until the call has returned */
	cpu_alarm();
	call(1e8f);
	calls++;
#else
	call_until_alarm();
	exit(1);
#endif
}

static void leave_call_of_handler(void)
{
	handle_above(SIGUSR1, handle_until_alarm);
	set_handler(CPU_ALARM, jump, 0);
	if (!sigsetjmp(before_jump, 1))
		raise(SIGUSR1);
	call_three();
}

static void *call_in_thread(void *unused)
{
	call(1);
	return unused;
}

static void join_one_that_calls(void)
{
	pthread_join(start(call_in_thread), NULL);
}

static void call_in_turns(void)
{
	call(1);
	call(1);
	join_one_that_calls();
}

static atomic_int has_jumped;

static void *call_after_jump(void *unused)
{
	while (!has_jumped)
		usleep(1000);
	return call_in_thread(unused);
}

static void wait_above(void)
{
	pthread_t thread;

	mask(SIG_BLOCK, CPU_ALARM); /* only this thread may jump */
	thread = start(call_after_jump);
	mask(SIG_UNBLOCK, CPU_ALARM);
	set_handler(CPU_ALARM, jump, 0);
	if (!sigsetjmp(before_jump, 1))
		go_below(call_until_alarm, 1 << 14, 0);
	has_jumped = 1;
	pthread_join(thread, NULL);
}

#define SLEEP_US 200000
static void *call_asleep(void *unused)
{
	routine(101, 111, 111, 1, 1, 1, 0, NULL, 1, NULL, 1, SLEEP_US, NULL, 1);
	return unused;
}

/* Expects no calls if the two did not sleep one after the other. */
static void call_two_asleep(void)
{
	struct timespec begun, ended;
	pthread_t thread;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	thread = start(call_asleep);
	call_asleep(NULL);
	pthread_join(thread, NULL);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	if ((ended.tv_sec - begun.tv_sec) * 1000000 + (ended.tv_nsec - begun.tv_nsec) / 1000 <
	    2 * SLEEP_US)
		calls = 0;
}

static _Unwind_Reason_Code stop_unwinding(int version, _Unwind_Action actions, uint64_t class,
					  struct _Unwind_Exception *exception,
					  struct _Unwind_Context *context, void *frame)
{
	if (_Unwind_GetCFA(context) > (uintptr_t)frame)
		siglongjmp(before_jump, 1);
	return _URC_NO_REASON;
}

static void *volatile unwind_to;

static void unwind(int number)
{
	static struct _Unwind_Exception exception;

	_Unwind_ForcedUnwind(&exception, stop_unwinding, unwind_to);
}

static NOINLINE void unwind_call(void)
{
	set_handler(CPU_ALARM, unwind, 0);
	unwind_to = __builtin_frame_address(0);
	if (!sigsetjmp(before_jump, 1))
		call_until_alarm();
	call(1);
	call(1);
}

static atomic_int cancelled_tid;

static void *call_cancelled(void *unused)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	cancelled_tid = gettid();
	routine(101, 111, 111, 1, 1, 1, 0, NULL, 1, NULL, 1, 3e7f, NULL, 1);
	return unused;
}

static int is_asleep(int tid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state == 'S';
}

static void cancel_call(void)
{
	pthread_t thread = start(call_cancelled);

	while (!cancelled_tid || !is_asleep(cancelled_tid))
		usleep(1000);
	pthread_cancel(thread);
	call(1);
	pthread_join(thread, NULL);
	call(1);
}

#define STORM_THREADS 3
#define STORM_CALLS   20000
static _Thread_local sigjmp_buf out_of_storm;
static _Thread_local volatile int in_storm;
static long returned, begun;

static void jump_out(int number)
{
	if (in_storm)
		siglongjmp(out_of_storm, 1);
}

static void *call_in_storm(void *unused)
{
	volatile long mine = 0, all = 0;

	mask(SIG_UNBLOCK, SIGUSR1);
	call(1);
	while (all < STORM_CALLS) {
		all++;
		if (sigsetjmp(out_of_storm, 1))
			continue;
		in_storm = 1;
		call(100);
		mine++;
		in_storm = 0;
	}
	in_storm = 0;
	__atomic_add_fetch(&returned, mine + 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&begun, all + 1, __ATOMIC_RELAXED);
	return unused;
}

/* Sends signals until the threads are done. */
static void storm(void)
{
	pthread_t threads[STORM_THREADS];
	int left = STORM_THREADS;

	set_handler(SIGUSR1, jump_out, 0);
	for (int i = 0; i < STORM_THREADS; i++)
		threads[i] = start(call_in_storm);
	for (int i = 0; left; i = (i + 1) % STORM_THREADS) {
		struct timespec pause = {0, 20000};

		if (!threads[i])
			continue;
		pthread_kill(threads[i], SIGUSR1);
		nanosleep(&pause, NULL);
		if (!pthread_tryjoin_np(threads[i], NULL)) {
			threads[i] = 0;
			left--;
		}
	}
	printf("%ld ", returned + 1);
	calls = (int)begun + 1;
}

static void prepare_stack(char *stack, void (*function)(void))
{
	getcontext(&other_stack);
	other_stack.uc_stack.ss_sp = stack;
	other_stack.uc_stack.ss_size = STACK_BYTES;
	makecontext(&other_stack, function, 0);
}

static void leave_stack(int number)
{
	setcontext(&this_stack);
}

static void call_and_unmap(void)
{
	char *stack = memory + 2 * STACK_BYTES;
	volatile int was_there = 0;

	set_handler(CPU_ALARM, leave_stack, 0);
	prepare_stack(stack, call_until_alarm);
	getcontext(&this_stack);
	if (!was_there++)
		setcontext(&other_stack);
	munmap(stack, STACK_BYTES);
	call_three();
}

static void call_between(void)
{
	call(1);
	call(1);
	swapcontext(&other_stack, &this_stack);
}

static volatile sig_atomic_t has_changed;

static void change_stacks(int number)
{
	swapcontext(&this_stack, &other_stack);
	has_changed = 1;
}

/* The call continues after calls were made on the other stack. If a guest lacks its CPU meanwhile,
 * which counts as CPU time, a call may end before the alarm. */
static void call_on_two_stacks(char *other)
{
	set_handler(CPU_ALARM, change_stacks, 0);
	prepare_stack(other, call_between);
	for (calls--; !has_changed; calls++) {
		cpu_alarm();
		call(1e8f);
	}
}

static void call_above(void)
{
	call_on_two_stacks(memory + 2 * STACK_BYTES);
}

static void call_below(void)
{
	call_on_two_stacks(memory);
}

static void call_other(int number)
{
	routine(101, 111, 111, 2, 1, 1, 1, NULL, 1, NULL, 1, 0, NULL, 1);
}

static void *call_at_first(void *nothing)
{
	signal_at_cancel = 1;
	call(1);
	return nothing;
}

static void *look_up(void *nothing)
{
	call(1); /* makes the thread's record, which takes locks, too */
	pause_at_lock = 1;
	plugin_call(1);
	return nothing;
}

/* The child has no thread that could release the lock. */
static void fork_while_looking_up(void)
{
	char byte = 0;
	pthread_t thread;
	pid_t child;
	int status;

	if (pipe(reached) || pipe(go_on))
		exit(1);
	thread = start(look_up);
	if (read(reached[0], &byte, 1) != 1)
		exit(1);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* it may wait with all signals blocked */
		plugin_call(2);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status || write(go_on[1], &byte, 1) != 1)
		exit(1);
	pthread_join(thread, NULL);
}

static void attach_in_handler(void)
{
	set_handler(SIGUSR1, call_other, 0);
	pthread_join(start(call_at_first), NULL);
}

static void look_up_in_handler(void)
{
	set_handler(SIGUSR1, call_other, 0);
	plugin_call(1);
	signal_at_lock = 1;
	call(1);
}

/* What a thread does after its first call; with NEW, as its first call; with LEFT and BELOW, after
 * another call that is left, with BELOW further down the stack. */
static const struct way {
	const char *name;
	enum { NEW, FIRST, LEFT, BELOW } from;
	void (*act)(void);
	int calls;
} ways[] = {
	/* calls are left, and the next ones have the same stack address */
	{"same", FIRST, call_from_same_place, 4},
	/* the same outside the region "roi" */
	{"outside", FIRST, call_outside, 1},
	/* the next calls come from below the call that was left, which may be the thread's first */
	{"deeper", NEW, call_deeper, 24},
	/* three marks of progress come from below the call that was left */
	{"progress", BELOW, make_progress, 1},
	/* marks of regions are left */
	{"marks", FIRST, jump_out_of_marks, 4},
	/* the next calls come from a signal handler with its own stack */
	{"handler", FIRST, call_from_handler, 4},
	/* a handler's call while BLAS computes is part of that call */
	{"nested", FIRST, call_while_handled, 4},
	/* a handler's call is left by a jump of another handler */
	{"two", FIRST, leave_call_of_handler, 4},
	/* the thread makes calls, then waits for another one that makes a call */
	{"units", BELOW, call_in_turns, 4},
	/* the thread waits for another one that makes a call, and makes none itself */
	{"joins", LEFT, join_one_that_calls, 2},
	/* the same, and the stack of the call that was left is not overwritten */
	{"waits", FIRST, wait_above, 2},
	/* two threads make one call each, which sleeps; no call is left */
	{"inside", FIRST, call_two_asleep, 3},
	/* a call is left as by an exception: it has taken its time, and counts */
	{"unwind", FIRST, unwind_call, 4},
	/* another thread is cancelled in a call, which counts, too */
	{"cancel", FIRST, cancel_call, 4},
	/* three threads make calls, and jump out of them at random moments */
	{"storm", FIRST, storm, 0},
	/* a call is left on another stack, which is unmapped */
	{"unmapped", FIRST, call_and_unmap, 4},
	/* a call is interrupted by calls on another stack above it, and continues */
	{"above", FIRST, call_above, 4},
	/* the same with a stack below it */
	{"below", FIRST, call_below, 4},
	/* a signal handler calls BLAS when a thread's first call is about to make its record */
	{"attach", FIRST, attach_in_handler, 3},
	/* the same while a library is noted, at the first call of a routine that dlsym() returned
	 */
	{"lookup", NEW, look_up_in_handler, 3},
	/* another thread forks during a look-up, and the child looks up, too */
	{"fork", NEW, fork_while_looking_up, 4},
};

static void run(const struct way *way)
{
	calls = way->calls;
	if (way->from != NEW)
		call(1);
	if (way->from == LEFT || way->from == BELOW)
		leave_call();
	if (way->from == BELOW)
		go_below(way->act, 1 << 14, 1);
	else
		way->act();
}

static void *run_thread(void *name)
{
	const struct way *way = ways;

	while (strcmp(way->name, name))
		if (++way == ways + sizeof ways / sizeof *ways)
			exit(2);
	mask(SIG_UNBLOCK, CPU_ALARM);
	run(way);
	printf("%d\n", calls);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (argc != 4)
		return 2;
	routine = (sgemm)find(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL), "cblas_sgemm");
	plugin_call = (void (*)(int))find(dlopen(argv[3], RTLD_NOW | RTLD_LOCAL), "plugin_call");
	memory = mmap(NULL, 3 * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	mask(SIG_BLOCK, CPU_ALARM); /* only the thread may get them */
	if (memory == MAP_FAILED || pthread_attr_init(&attributes) ||
	    pthread_attr_setstack(&attributes, memory + STACK_BYTES, STACK_BYTES) ||
	    pthread_create(&thread, &attributes, run_thread, argv[1]) || pthread_join(thread, NULL))
		return 1;
	return 0;
}
