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

#include "wire/clock.h"

/* A thread that queues looks for so long before it sleeps. Waking up takes some 50 us here, which
 * no hardware unit does, and makes the next one in the queue wait; so where each thread has a CPU
 * of its own it looks for much longer. Where that is often in vain the holder is off the CPU, and
 * may be waiting for this one: each time halves the patience, and each turn that came in time gives
 * a little of it back. */
#define SPIN_NS	     50000
#define SPIN_LONG_NS 5000000
#define REGAIN_IN    256
#define LOOKS	     16 /* for a unit, from one reading of the clock to the next */
#define NS_PER_S     INT64_C(1000000000)

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

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static struct timespec time_until(int64_t at_ns)
{
	int64_t left_ns = at_ns - clock_ns(CLOCK_MONOTONIC);

	left_ns = left_ns < 0 ? 0 : left_ns;
	return (struct timespec){left_ns / NS_PER_S, left_ns % NS_PER_S};
}

/* Sleeps until a unit is given back, unless one was since `given` was read, or that time has come.
 * The giver looks for sleepers after giving, and a sleeper looks at what was given after saying
 * that it sleeps: one of them sees the other. */
static void sleep_for_unit(struct shim_process *process, uint32_t given, int64_t at_ns)
{
	struct timespec timeout = time_until(at_ns);

	__atomic_add_fetch(&process->units_sleepers, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&process->units_given, __ATOMIC_SEQ_CST) == given)
		futex(&process->units_given, FUTEX_WAIT_PRIVATE, given, &timeout);
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

static void give_units(unsigned count)
{
	struct shim_process *process = shim_process;

	__atomic_add_fetch(&process->units_given, count, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&process->units_sleepers, __ATOMIC_SEQ_CST))
		futex(&process->units_given, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
}

/* First come first served: a ticket's turn is when all but `units` of the tickets before it have
 * been given back. */
static inline int comes_later(uint32_t ticket, uint32_t given)
{
	return (int32_t)(ticket - given) >= (int32_t)shim_session.units;
}

/* Until then it sleeps. */
static void queue_asleep(struct shim_process *process, uint32_t ticket)
{
	uint32_t given = __atomic_load_n(&process->units_given, __ATOMIC_ACQUIRE);
	struct holders_watch watch;

	holders_watch_start(&watch, ticket - given - shim_session.units);
	while (comes_later(ticket, given)) {
		unsigned left;

		sleep_for_unit(process, given, watch.at_ns);
		left = holders_look(&watch, given);
		if (left)
			give_units(left);
		given = __atomic_load_n(&process->units_given, __ATOMIC_ACQUIRE);
	}
}

/* Looks until its turn has come, or the clock says `until`: 0 where that came first. The clock is
 * not read between two looks, for each would keep the unit idle by as much. */
static int queue_awake(const struct shim_process *process, uint32_t ticket, uint64_t until)
{
	do {
		for (int looks = 0; looks < LOOKS; looks++) {
			if (!comes_later(ticket,
					 __atomic_load_n(&process->units_given, __ATOMIC_ACQUIRE)))
				return 1;
			relax();
		}
	} while ((int64_t)(clock_ticks(shim_session.clock) - until) < 0);
	return 0;
}

static void take_unit(struct shim_thread *thread)
{
	int saved = errno;
	struct shim_process *process = shim_process;
	uint32_t ticket = holder_begin(thread);
	uint64_t begun = clock_ticks(shim_session.clock);
	uint32_t patience = patience_ns(process);
	int is_late = !queue_awake(process, ticket,
				   begun + (uint64_t)(patience / shim_session.ns_per_tick));

	if (is_late)
		queue_asleep(process, ticket);
	note_patience(process, patience, is_late);
	thread->unit_since = clock_ticks(shim_session.clock);
	thread->sums->queue_ticks += thread->unit_since - begun;
	errno = saved;
}

static void give_unit(struct shim_thread *thread)
{
	int saved = errno;

	if (holder_end(thread))
		give_units(1);
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
	if (shim_session.units)
		take_unit(thread);
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
	if (shim_session.blas_factor > 1) {
		uint64_t now = clock_ticks(shim_session.clock);

		spin_until(now +
			   (uint64_t)(call_ticks(thread, now) * (shim_session.blas_factor - 1)));
	}
	if (shim_session.units)
		give_unit(thread);
}

void what_if_abandon(struct shim_thread *thread)
{
	if (shim_session.units)
		give_unit(thread);
}
