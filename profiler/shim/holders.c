/* holders.c: finds the threads that have a unit of a what-if and are not inside a call any more. */
/* SPDX-License-Identifier: MIT
 *
 * A call that was left by longjmp() or an exception never ends, and nobody says so. The thread's
 * next call tells, and so does its end; but it may do neither, and wait for one that waits for its
 * unit. So who has waited long looks at the others' stacks. What is there is no proof that a call
 * still lasts: of a thread that computes, or sleeps further below or on another stack, nobody can
 * tell. A program must not hang for that, so in the end its unit is taken as well, and the profile
 * says so.
 */
#include "shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/calm.h"
#include "wire/clock.h"
#include "base/text.h"

#define LOOK_AFTER_NS 100000000 /* and then each time after twice as long ... */
#define LOOKS_MAX     10	/* ... so often in vain: 102 s */
#define LOOKS_CERTAIN 2		/* a place above the call may be a signal handler's own stack */

uint32_t holder_begin(struct shim_thread *thread)
{
	struct unit_holder *holder = &thread->arena->holder;
	struct unit_holder **list = &shim_process->holders;
	uint64_t ticket = __atomic_fetch_add(&shim_process->units_taken, 1, __ATOMIC_RELAXED);

	__atomic_store_n(&holder->tid, thread->record->tid, __ATOMIC_RELAXED);
	__atomic_store_n(&holder->frame, (uintptr_t)thread->enter_frame, __ATOMIC_RELAXED);
	__atomic_store_n(&holder->return_address, (uintptr_t)thread->enter_return,
			 __ATOMIC_RELAXED);
	__atomic_store_n(&holder->ticket, ticket + 1, __ATOMIC_RELEASE);
	if (!holder->is_listed) {
		holder->is_listed = 1;
		holder->next = __atomic_load_n(list, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(list, &holder->next, holder, 0,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
	}
	return (uint32_t)ticket;
}

int holder_end(struct shim_thread *thread)
{
	uint64_t *ticket = &thread->arena->holder.ticket;

	return __atomic_load_n(ticket, __ATOMIC_RELAXED) &&
	       __atomic_exchange_n(ticket, 0, __ATOMIC_ACQ_REL);
}

/* As it was when it was looked at. */
static struct unit_holder holder_copy(const struct unit_holder *holder)
{
	struct unit_holder copy = {.ticket = __atomic_load_n(&holder->ticket, __ATOMIC_ACQUIRE)};

	copy.tid = __atomic_load_n(&holder->tid, __ATOMIC_RELAXED);
	copy.frame = __atomic_load_n(&holder->frame, __ATOMIC_RELAXED);
	copy.return_address = __atomic_load_n(&holder->return_address, __ATOMIC_RELAXED);
	return copy;
}

/* 1 where something else is where the call's return address was, or no memory any more: by a system
 * call, for a stack may be unmapped at any time. */
static int return_is_lost(const struct unit_holder *holder)
{
	uintptr_t word = 0;
	struct iovec to = {&word, sizeof word};
	struct iovec from = {(void *)(holder->frame + sizeof word), sizeof word};
	long got = syscall(SYS_process_vm_readv, getpid(), &to, 1, &from, 1, 0);

	return got < 0 ? errno == EFAULT : got == sizeof word && word != holder->return_address;
}

static int thread_is_gone(int64_t tid)
{
	return syscall(SYS_tgkill, getpid(), (pid_t)tid, 0) && errno == ESRCH;
}

/* The stack pointer of a thread that sleeps: the last but one of the words that the kernel shows;
 * 0: it does not sleep, or that is not to be seen. */
static uintptr_t read_stack_pointer(int64_t tid)
{
	char path[64], *end = path + sizeof path, text[256];
	ssize_t got = -1;
	int fd;

	text_add(text_add_number(text_add(path, end, "/proc/self/task/"), end, tid), end, "/syscall");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, text, sizeof text - 1);
		close(fd);
	}
	for (int words = 0; got > 0 && words < 2;)
		words += text[--got] == ' ';
	text[got > 0 ? got : 0] = '\0';
	return got > 0 ? strtoull(text + got + 1, NULL, 16) : 0;
}

/* 1 where the thread sleeps above its call, on the same stack. */
static int sleeps_above(const struct unit_holder *holder)
{
	uintptr_t stack = read_stack_pointer(holder->tid);
	struct map_record map;
	int found;

	if (stack <= holder->frame)
		return 0;
	process_lock();
	found = maps_find(holder->frame, &map);
	process_unlock();
	return found && stack < map.end;
}

static int has_left(const struct unit_holder *holder, unsigned looks)
{
	if (return_is_lost(holder) || thread_is_gone(holder->tid))
		return 1;
	if (looks >= LOOKS_CERTAIN && sleeps_above(holder))
		return 1;
	if (looks < LOOKS_MAX)
		return 0;
	__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_UNIT_TAKEN, __ATOMIC_RELAXED);
	return 1;
}

/* Of those whose turn has come: the others sleep in what_if.c, or will be looked at then. */
static unsigned take_units(uint32_t given, unsigned looks)
{
	struct unit_holder *holder = __atomic_load_n(&shim_process->holders, __ATOMIC_ACQUIRE);
	unsigned taken = 0;

	for (; holder; holder = holder->next) {
		struct unit_holder then = holder_copy(holder);

		if (then.ticket &&
		    (int32_t)((uint32_t)(then.ticket - 1) - given) < (int32_t)shim_session.units &&
		    has_left(&then, looks))
			taken += __atomic_compare_exchange_n(&holder->ticket, &then.ticket, 0, 0,
							     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
	}
	return taken;
}

void holders_watch_start(struct holders_watch *watch, uint32_t others)
{
	watch->delay_ns = LOOK_AFTER_NS * (1 + (int64_t)others);
	watch->at_ns = clock_ns(CLOCK_MONOTONIC) + watch->delay_ns;
	watch->given = 0;
	watch->looks = 0;
}

unsigned holders_look(struct holders_watch *watch, uint32_t given)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int saved = errno;
	struct calm calm;
	unsigned taken;

	if (now_ns < watch->at_ns)
		return 0;
	watch->looks = given == watch->given ? watch->looks + 1 : 1;
	watch->given = given;
	watch->delay_ns *= 2;
	watch->at_ns = now_ns + watch->delay_ns;
	calm_begin(&calm);
	taken = take_units(given, watch->looks);
	calm_end(&calm);
	errno = saved;
	return taken;
}
