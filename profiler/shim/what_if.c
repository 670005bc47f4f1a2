/* what_if.c: simulates a machine with fewer matrix units, slower BLAS or slower other code. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wire/clock.h"

/* How long a queueing thread polls before it sleeps. Waking up takes some 50 us, unlike with a
 * hardware unit, and delays the threads behind it. So if each thread has a CPU of its own, it polls
 * for much longer. If that is often in vain, the holder is off the CPU and may be waiting for this
 * one: each failure halves the time to poll ("patience"), and each success gives a little of it
 * back.
 */
#define SPIN_NS	     50000
#define SPIN_LONG_NS 5000000
#define REGAIN_IN    256
#define LOOKS	     16 /* polls between two readings of the clock */
#define SLEEP_NS     100000000
#define HELD_NS_MAX  INT64_C(100000000000) /* revoked if held for longer while others wait */
#define DRAWING	     1			   /* instead of a ticket's number, which is larger */

int what_if_asked(void)
{
	return shim_session.units > 0 || shim_session.blas_factor > 1 ||
	       shim_session.other_factor > 1;
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

static uint32_t patience_ns(void)
{
	if (!threads_have_cpus())
		return SPIN_NS;
	return SPIN_LONG_NS - __atomic_load_n(&shim_process->unit_impatience_ns, __ATOMIC_RELAXED);
}

/* If several threads do this at once, some of the changes may be lost. */
static void adjust_patience(uint32_t patience_ns, int slept)
{
	uint32_t next = slept ? patience_ns / 2 : patience_ns + patience_ns / REGAIN_IN;

	next = next < SPIN_NS ? SPIN_NS : next > SPIN_LONG_NS ? SPIN_LONG_NS : next;
	if (next != patience_ns && threads_have_cpus())
		__atomic_store_n(&shim_process->unit_impatience_ns, SPIN_LONG_NS - next,
				 __ATOMIC_RELAXED);
}

/* Lamport's bakery algorithm: a thread marks its ticket before it draws a number, and the others
 * wait until it has one. So the thread may be stopped forever between any two instructions: it
 * leaves nothing behind but the word in its ticket. The ticket is in the thread's arena and stays
 * in the list, since others may read it after the thread has ended. */
static uint64_t draw_ticket(struct unit_ticket *ticket)
{
	struct unit_ticket **list = &shim_process->tickets;
	uint64_t number;

	if (!ticket->is_listed) {
		ticket->is_listed = 1;
		ticket->next = __atomic_load_n(list, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(list, &ticket->next, ticket, 0,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			continue;
	}
	__atomic_store_n(&ticket->number, DRAWING, __ATOMIC_SEQ_CST);
	number = DRAWING + __atomic_add_fetch(&shim_process->tickets_drawn, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&ticket->number, number, __ATOMIC_SEQ_CST);
	return number;
}

/* The tickets before a number. Tickets that are being drawn may come before it. */
struct queue_ahead {
	uint32_t changes; /* unit_changes before the list was read */
	unsigned count, drawing;
	struct unit_ticket *first;
	uint64_t first_number;
};

static int is_turn(struct queue_ahead *ahead, uint64_t number)
{
	struct unit_ticket *ticket;

	*ahead = (struct queue_ahead){
		.changes = __atomic_load_n(&shim_process->unit_changes, __ATOMIC_SEQ_CST),
		.first_number = UINT64_MAX,
	};
	ticket = __atomic_load_n(&shim_process->tickets, __ATOMIC_ACQUIRE);
	for (; ticket; ticket = ticket->next) {
		uint64_t other = __atomic_load_n(&ticket->number, __ATOMIC_SEQ_CST);

		if (!other || other >= number)
			continue;
		ahead->count++;
		if (other == DRAWING) {
			ahead->drawing++;
		} else if (other < ahead->first_number) {
			ahead->first = ticket;
			ahead->first_number = other;
		}
	}
	return ahead->count < shim_session.units;
}

/* Wakes the waiting threads. A signal handler may jump out of here before that, so they also look
 * by themselves now and then. */
static void note_change(void)
{
	struct shim_process *process = shim_process;

	__atomic_add_fetch(&process->unit_changes, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&process->unit_sleepers, __ATOMIC_SEQ_CST)) {
		__atomic_store_n(&process->unit_sleepers, 0, __ATOMIC_SEQ_CST);
		futex(&process->unit_changes, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
	}
}

/* Takes the first unit away from its holder, so that a call left unnoticed does not hang the
 * program.
 */
static void revoke_unit(const struct queue_ahead *ahead)
{
	uint64_t number = ahead->first_number;

	if (!ahead->first || !__atomic_compare_exchange_n(&ahead->first->number, &number, 0, 0,
							  __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return;
	__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_UNIT_TAKEN, __ATOMIC_RELAXED);
	note_change();
}

/* Sleeps until it is the thread's turn. A thread reads the changes after it has announced that it
 * sleeps; a thread that makes a change looks for sleepers after that. So one sees the other. */
static void queue_asleep(uint64_t number)
{
	struct shim_process *process = shim_process;
	const struct timespec sleep_time = {0, SLEEP_NS};
	int64_t since_ns = clock_ns(CLOCK_MONOTONIC), now_ns;
	struct queue_ahead ahead;
	unsigned count = UINT_MAX;

	for (;;) {
		__atomic_store_n(&process->unit_sleepers, 1, __ATOMIC_SEQ_CST);
		if (is_turn(&ahead, number))
			return;
		now_ns = clock_ns(CLOCK_MONOTONIC);
		if (ahead.count != count)
			since_ns = now_ns;
		count = ahead.count;
		if (now_ns - since_ns > HELD_NS_MAX)
			revoke_unit(&ahead);
		else if (ahead.drawing)
			sched_yield();
		else
			futex(&process->unit_changes, FUTEX_WAIT_PRIVATE, ahead.changes,
			      &sleep_time);
	}
}

/* Polls until it is the thread's turn, and returns 1, or until the clock reaches `until`, and
 * returns 0. Rarely reads the clock, since that would keep a free unit idle for as long. */
static int queue_awake(uint64_t number, uint64_t until)
{
	const uint32_t *changes = &shim_process->unit_changes;
	struct queue_ahead ahead;

	do {
		if (is_turn(&ahead, number))
			return 1;
		for (int looks = 0; looks < LOOKS; looks++) {
			if (__atomic_load_n(changes, __ATOMIC_ACQUIRE) != ahead.changes)
				break;
			relax();
		}
	} while ((int64_t)(clock_ticks(shim_session.clock) - until) < 0);
	return 0;
}

uint64_t what_if_gap(struct shim_thread *thread, uint64_t now, uint64_t gap, int64_t waited_ns)
{
	double extra = shim_session.other_factor - 1;
	double busy = (double)gap - (double)waited_ns / shim_session.ns_per_tick;
	struct call_sums *sums = thread->sums;
	uint64_t after, spun;

	if (!(extra > 0) || !(busy > 0))
		return now;
	spin_until(now + (uint64_t)(busy * extra));
	after = clock_ticks(shim_session.clock);
	spun = after - now;
	sums->in[IN_OTHER].ticks += spun;
	after = offcpu_book(thread, after, &spun, &sums->in[IN_OTHER].waiting_ns,
			    &sums->in[IN_OTHER].preempted_ns);
	thread->gap_ticks += spun;
	return after;
}

void what_if_enter(struct shim_thread *thread)
{
	thread->unit_since = thread->enter_ticks;
	if (shim_session.units) {
		KEEP_ERRNO;
		uint64_t number = draw_ticket(&thread->arena->ticket);
		uint64_t begun = clock_ticks(shim_session.clock);
		uint32_t patience = patience_ns();
		uint64_t until = begun + ticks_of(patience);
		int is_late = !queue_awake(number, until);

		if (is_late)
			queue_asleep(number);
		adjust_patience(patience, is_late);
		thread->unit_since = clock_ticks(shim_session.clock);
		thread->sums->queue_ticks += thread->unit_since - begun;
	}
	if (shim_session.blas_factor > 1)
		thread->unit_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void what_if_leave(struct shim_thread *thread)
{
	if (shim_session.blas_factor > 1) {
		uint64_t now = clock_ticks(shim_session.clock);
		int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread->unit_cpu_ns;
		double call_ticks = (double)(now - thread->unit_since);

		/* the CPU time if the thread was switched out meanwhile */
		if (*thread->lock != thread->last_lock)
			call_ticks = (double)cpu_ns / shim_session.ns_per_tick;
		spin_until(now + (uint64_t)(call_ticks * (shim_session.blas_factor - 1)));
	}
	what_if_abandon(thread);
}

void what_if_abandon(struct shim_thread *thread)
{
	KEEP_ERRNO;

	if (shim_session.units &&
	    __atomic_exchange_n(&thread->arena->ticket.number, 0, __ATOMIC_SEQ_CST))
		note_change();
}
