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
 * of its own it looks for much longer. Where that is often in vain the holder is off the CPU, and
 * may be waiting for this one: each time halves the patience, and each turn that came in time gives
 * a little of it back. */
#define SPIN_NS	     50000
#define SPIN_LONG_NS 5000000
#define REGAIN_IN    256

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

static uint32_t patience_ns(struct shim_process *process)
{
	if (!threads_have_cpus())
		return SPIN_NS;
	return SPIN_LONG_NS - __atomic_load_n(&process->units_haste_ns, __ATOMIC_RELAXED);
}

/* Of threads that note it at the same time one may be forgotten. */
static void note_patience(struct shim_process *process, uint32_t patience_ns, int slept)
{
	uint32_t next = slept ? patience_ns / 2 : patience_ns + patience_ns / REGAIN_IN;

	next = next < SPIN_NS ? SPIN_NS : next > SPIN_LONG_NS ? SPIN_LONG_NS : next;
	if (next != patience_ns && threads_have_cpus())
		__atomic_store_n(&process->units_haste_ns, SPIN_LONG_NS - next, __ATOMIC_RELAXED);
}

/* First come first served: a ticket's turn is when all but `units` of the tickets before it have
 * been given back. */
static void take_unit(struct shim_thread *thread)
{
	int saved = errno;
	struct shim_process *process = shim_process;
	uint32_t ticket = __atomic_fetch_add(&process->units_taken, 1, __ATOMIC_RELAXED);
	uint64_t begun = clock_ticks(shim_session.clock);
	uint32_t patience = patience_ns(process);
	uint64_t until = begun + (uint64_t)(patience / shim_session.ns_per_tick);
	int slept = 0;

	thread->holds_unit = 1;
	for (;;) {
		uint32_t given = __atomic_load_n(&process->units_given, __ATOMIC_ACQUIRE);

		if ((int32_t)(ticket - given) < (int32_t)shim_session.units)
			break;
		if ((int64_t)(clock_ticks(shim_session.clock) - until) < 0) {
			relax();
			continue;
		}
		sleep_for_unit(process, given);
		slept = 1;
	}
	note_patience(process, patience, slept);
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

	if (shim_session.blas_factor > 1)
		spin_until(now +
			   (uint64_t)(call_ticks(thread, now) * (shim_session.blas_factor - 1)));
	if (thread->holds_unit)
		give_unit(thread);
}

void what_if_abandon(struct shim_thread *thread)
{
	if (thread->holds_unit)
		give_unit(thread);
}
