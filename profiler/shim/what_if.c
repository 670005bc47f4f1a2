/* what_if.c: makes the machine behave as if it had fewer matrix units, or slower BLAS or other
 * code. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/clock.h"

/* A thread that queues looks for so long before it sleeps. Waking up takes some 50 us here, which
 * no hardware unit does, and makes the next one in the queue wait; so where each thread has a CPU
 * of its own it looks for much longer: for as long as a unit was held of late, many times over.
 * Longer than that its holder is off the CPU, and may be waiting for this one. */
#define SPIN_NS	      50000
#define SPIN_LEAST_NS 500000
#define SPIN_MOST_NS  5000000
#define SPIN_HOLDS    16

int what_if_asked(void)
{
	return shim_session.units > 0 || shim_session.blas_factor > 1 ||
	       shim_session.other_factor > 1;
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void spin_until(uint64_t ticks)
{
	while ((int64_t)(clock_ticks(shim_session.clock) - ticks) < 0)
		relax();
}

static long futex(uint32_t *word, int operation, uint32_t value)
{
	return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

/* Sleeps until a unit is given back, unless one was since `given` was read. The giver looks for
 * sleepers after giving, and a sleeper looks at what was given after saying that it sleeps: one of
 * them sees the other. */
static void sleep_for_unit(struct shim_process *process, uint32_t given)
{
	__atomic_add_fetch(&process->units_sleepers, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&process->units_given, __ATOMIC_SEQ_CST) == given)
		futex(&process->units_given, FUTEX_WAIT_PRIVATE, given);
	__atomic_sub_fetch(&process->units_sleepers, 1, __ATOMIC_SEQ_CST);
}

static int threads_have_cpus(void)
{
	static int cpus;
	cpu_set_t set;

	if (!__atomic_load_n(&cpus, __ATOMIC_RELAXED))
		__atomic_store_n(&cpus,
				 sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set),
				 __ATOMIC_RELAXED);
	return __atomic_load_n(&shim_process->threads_made, __ATOMIC_RELAXED) <=
	       (uint64_t)__atomic_load_n(&cpus, __ATOMIC_RELAXED);
}

static double patience_ns(void)
{
	double ns = SPIN_HOLDS * shim_session.ns_per_tick *
		    (double)__atomic_load_n(&shim_process->units_hold_ticks, __ATOMIC_RELAXED);

	if (!threads_have_cpus())
		return SPIN_NS;
	return ns < SPIN_LEAST_NS ? SPIN_LEAST_NS : ns > SPIN_MOST_NS ? SPIN_MOST_NS : ns;
}

/* A moving average over some eight calls. Of givers at the same time one may be forgotten. */
static void note_hold(uint64_t ticks)
{
	uint64_t mean = __atomic_load_n(&shim_process->units_hold_ticks, __ATOMIC_RELAXED);

	__atomic_store_n(&shim_process->units_hold_ticks, mean - mean / 8 + ticks / 8,
			 __ATOMIC_RELAXED);
}

/* First come first served: a ticket's turn is when all but `units` of the tickets before it have
 * been given back. */
static void take_unit(struct shim_thread *thread)
{
	int saved = errno;
	struct shim_process *process = shim_process;
	uint32_t ticket = __atomic_fetch_add(&process->units_taken, 1, __ATOMIC_RELAXED);
	uint64_t begun = clock_ticks(shim_session.clock);
	uint64_t patience = begun + (uint64_t)(patience_ns() / shim_session.ns_per_tick);

	thread->holds_unit = 1;
	for (;;) {
		uint32_t given = __atomic_load_n(&process->units_given, __ATOMIC_ACQUIRE);

		if ((int32_t)(ticket - given) < (int32_t)shim_session.units)
			break;
		if ((int64_t)(clock_ticks(shim_session.clock) - patience) < 0)
			relax();
		else
			sleep_for_unit(process, given);
	}
	thread->sums->queue_ticks += clock_ticks(shim_session.clock) - begun;
	errno = saved;
}

static void give_unit(struct shim_thread *thread)
{
	int saved = errno;

	thread->holds_unit = 0;
	__atomic_add_fetch(&shim_process->units_given, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&shim_process->units_sleepers, __ATOMIC_SEQ_CST))
		futex(&shim_process->units_given, FUTEX_WAKE_PRIVATE, INT_MAX);
	errno = saved;
}

uint64_t what_if_gap(struct shim_thread *thread, uint64_t now, uint64_t gap, int64_t waited_ns)
{
	double stretch = shim_session.other_factor - 1;
	double busy = (double)gap - (double)waited_ns / shim_session.ns_per_tick;
	struct call_sums *sums = thread->sums;
	uint64_t after, spun;

	if (!(stretch > 0) || !(busy > 0))
		return now;
	spin_until(now + (uint64_t)(busy * stretch));
	after = clock_ticks(shim_session.clock);
	spun = after - now;
	sums->gap_ticks += spun;
	after = offcpu_book(thread, after, &spun, &sums->gap_waiting_ns, &sums->gap_preempted_ns);
	thread->gap_ticks += spun;
	return after;
}

void what_if_enter(struct shim_thread *thread)
{
	thread->unit_since = thread->enter_ticks;
	if (shim_session.units) {
		take_unit(thread);
		thread->unit_since = clock_ticks(shim_session.clock);
	}
	if (shim_session.blas_factor > 1)
		thread->unit_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* How long the call took: the wall time, or the CPU time where it was switched out meanwhile. */
static double call_ticks(const struct shim_thread *thread, uint64_t now)
{
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread->unit_cpu_ns;

	if (*thread->lock == thread->last_lock)
		return (double)(now - thread->unit_since);
	return (double)cpu_ns / shim_session.ns_per_tick;
}

void what_if_leave(struct shim_thread *thread)
{
	uint64_t now = clock_ticks(shim_session.clock);

	if (shim_session.blas_factor > 1) {
		now += (uint64_t)(call_ticks(thread, now) * (shim_session.blas_factor - 1));
		spin_until(now);
	}
	if (!thread->holds_unit)
		return;
	note_hold(now - thread->unit_since);
	give_unit(thread);
}

void what_if_abandon(struct shim_thread *thread)
{
	if (thread->holds_unit)
		give_unit(thread);
}
