/* nested.c: tells a call that a BLAS call makes from one that comes after a BLAS call was left for
 * good. */
/* SPDX-License-Identifier: MIT
 *
 * A call that was left by longjmp() or an exception never ends, and nobody says so. What a thread
 * calls while one of its calls has not returned belongs to that one only as long as it is there:
 * its wrapper's frame holds its return address, and is one of those that the new call came through.
 * The first is quick to see, but stays so until something else is written there; the second is not,
 * and is looked at once for each place that calls.
 *
 * A program may also have stacks of its own (swapcontext) and leave a call on one of them to come
 * back to it later. Such a call counts when it ends.
 */
#include "shim/call.h"

#include <signal.h>

#include "shim/chain.h"

static __attribute__((no_sanitize("thread", "address"))) int
return_is_there(const struct shim_thread *thread, uintptr_t inner)
{
	const void *frame = thread->enter_frame;

	return chain_can_read((uintptr_t)frame, inner) &&
	       frame_return(frame) == thread->enter_return;
}

/* 1 where a signal handler runs on the stack that was set aside for it, and the outer call does
 * not; -1 where it is the other way round. A stack that the kernel takes from the thread while it
 * is in use cannot be told. */
static int is_handlers_own(uintptr_t outer)
{
	stack_t stack;
	int outer_is_there, is_there;

	if (sigaltstack(NULL, &stack) || stack.ss_flags & SS_DISABLE)
		return 0;
	outer_is_there = outer - (uintptr_t)stack.ss_sp < stack.ss_size;
	is_there = !!(stack.ss_flags & SS_ONSTACK);
	return is_there - outer_is_there;
}

/* Where the calls in between cannot be followed: the stack grows down, so a call made by the outer
 * call has a lower frame, but for a signal handler's on a stack of its own. */
static int lies_below(uintptr_t inner, uintptr_t outer)
{
	int own = is_handlers_own(outer);

	return own > 0 || (!own && inner < outer);
}

/* A library calls its own routines from the same places, as far below, again and again. */
static int is_made_by(struct shim_thread *thread, const void *inner, const void *outer)
{
	const void *caller = frame_return(inner);
	uintptr_t below = (uintptr_t)outer - (uintptr_t)inner;
	struct call_nested *known = &thread->nested[((uintptr_t)caller ^ below >> 4) % NESTED_MAX];
	enum chain_answer answer;

	if (known->caller == caller && known->below == below)
		return 1;
	answer = chain_holds(inner, outer);
	if (answer == CHAIN_UNKNOWN)
		return lies_below((uintptr_t)inner, (uintptr_t)outer);
	if (answer == CHAIN_HOLDS)
		*known = (struct call_nested){caller, below};
	return answer == CHAIN_HOLDS;
}

/* The call under way may come back: on another stack. */
static void set_aside(struct shim_thread *thread)
{
	struct call_aside *aside = &thread->aside[thread->nasides++ % ASIDES_MAX];

	for (int i = 0; i < ASIDES_MAX; i++)
		if (thread->aside[i].frame == thread->enter_frame)
			aside = &thread->aside[i];
	aside->frame = thread->enter_frame;
	aside->row = thread->row;
}

/* What the call under way took so far counts as a gap. */
static void abandon(struct shim_thread *thread, int is_there)
{
	if (is_there && !thread->inside_mpi)
		set_aside(thread);
	what_if_abandon(thread);
	thread->record->last_ticks = thread->enter_ticks;
	thread->inside_mpi = 0;
	thread->enter_frame = NULL;
	thread->state &= ~(unsigned)STATE_INSIDE;
}

int call_is_nested(struct shim_thread *thread, const void *frame)
{
	const void *outer = thread->enter_frame;
	int is_there;

	if (!(thread->state & STATE_INSIDE))
		return 0;
	if (thread->busy)
		return 1;
	is_there = frame != outer && return_is_there(thread, (uintptr_t)frame);
	if (is_there && is_made_by(thread, frame, outer))
		return 1;
	abandon(thread, is_there);
	return 0;
}

int call_come_back(struct shim_thread *thread, const void *frame)
{
	struct call_aside *aside = thread->aside;

	while (aside < thread->aside + ASIDES_MAX && aside->frame != frame)
		aside++;
	if (aside == thread->aside + ASIDES_MAX)
		return 0;
	if (thread->state & STATE_INSIDE)
		abandon(thread, 1);
	aside->frame = NULL;
	thread->row = aside->row;
	thread->row_is_other = 0;
	thread->enter_ticks = thread->record->last_ticks;
	return 1;
}
