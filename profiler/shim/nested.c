/* nested.c: tells nested calls from calls that follow one that was left without a return. */
/* SPDX-License-Identifier: MIT
 *
 * Calls that a thread makes while one of its calls has not returned are nested in that call. A call
 * may end without a return in three ways. Exceptions and forced unwinding (pthread_exit,
 * cancellation) call the wrapper's personality routine, which counts the call. Jumps and changes of
 * the stack call the functions at the end of this file. After these the call may still return, for
 * instance if the jump was inside the library or from one coroutine to another. So the call is set
 * aside, and counts if it returns.
 *
 * Not detected: a call left by code that has its own jump (__builtin_longjmp, the assembly of
 * greenlet and Boost). The thread's next calls then count as nested, until one comes from the same
 * stack address or a higher one.
 */
#include "shim/call.h"

#include <signal.h>
#include <unwind.h>

#include "base/early.h"
#include "shim/dlsym.h"

/* Sets the call in progress aside, since it may still return. Its time so far counts as a gap. */
static void set_aside(struct shim_thread *thread)
{
	struct thread_record *record = thread->record;

	if (!thread->inside_mpi) {
		struct call_aside *aside = &thread->aside[thread->nasides++ % ASIDES_MAX];

		for (int i = 0; i < ASIDES_MAX; i++)
			if (thread->aside[i].frame == thread->enter_frame)
				aside = &thread->aside[i];
		aside->frame = thread->enter_frame;
		aside->row = thread->row;
	}
	what_if_abandon(thread);
	if (thread->enter_ticks > record->last_ticks)
		record->last_ticks = thread->enter_ticks;
	thread->inside_mpi = 0;
	thread->enter_frame = NULL;
	thread->state &= ~(unsigned)STATE_OTHER;
}

int call_is_nested(struct shim_thread *thread, const void *frame)
{
	const void *outer = thread->enter_frame;
	stack_t stack;

	if (!outer)
		return 0;
	/* the stack grows down: only a signal handler with its own stack may be above what it
	 * interrupts */
	if (thread->busy || frame < outer ||
	    (frame > outer && !sigaltstack(NULL, &stack) && stack.ss_flags & SS_ONSTACK))
		return 1;
	set_aside(thread);
	return 0;
}

void call_forget_aside(struct shim_thread *thread, const void *frame)
{
	for (int i = 0; i < ASIDES_MAX; i++)
		if (thread->aside[i].frame == frame)
			thread->aside[i].frame = NULL;
}

int call_resume_aside(struct shim_thread *thread, const void *frame)
{
	struct call_aside *aside = thread->aside;

	while (aside < thread->aside + ASIDES_MAX && aside->frame != frame)
		aside++;
	if (aside == thread->aside + ASIDES_MAX)
		return 0;
	if (thread->enter_frame)
		set_aside(thread);
	aside->frame = NULL;
	thread->row = aside->row;
	thread->enter_ticks = thread->record->last_ticks;
	return 1;
}

/* The personality routine of all wrappers. It calls no function of an unwinder, since the program
 * may have its own and must not be made to load another. So it cannot tell which wrapper is left:
 * the call in progress ends even if only a nested call is left. If the thread was cancelled while a
 * call began or was booked, that call does not start after the last call's end. */
_Unwind_Reason_Code call_unwound(int version, _Unwind_Action actions, uint64_t exception_class,
				 struct _Unwind_Exception *exception,
				 struct _Unwind_Context *context)
	__attribute__((visibility("hidden")));
_Unwind_Reason_Code call_unwound(int version, _Unwind_Action actions, uint64_t exception_class,
				 struct _Unwind_Exception *exception,
				 struct _Unwind_Context *context)
{
	struct shim_thread *thread = &shim_self;

	if (actions & _UA_CLEANUP_PHASE && thread->enter_frame) {
		if (thread->inside_mpi) {
			mpi_leave(thread->enter_frame);
		} else if (thread->enter_ticks >= thread->record->last_ticks) {
			call_leave(thread->enter_frame);
		} else {
			thread->enter_frame = NULL;
			thread->state &= ~(unsigned)STATE_OTHER;
		}
	}
	return _URC_CONTINUE_UNWIND;
}

/* The program jumps, and leaves the call in progress if there is one, or the mark of a region that
 * a signal handler has interrupted. */
static EARLY void note_jump(void)
{
	struct shim_thread *thread = &shim_self;

	if ((!thread->enter_frame && !thread->busy) || thread->owner != process_token())
		return;
	if (thread->enter_frame)
		set_aside(thread);
	thread->busy = 0;
}

#define JUMP(name, ret, params, args)                                                              \
	FIND_AT_START(name)                                                                        \
	EXPORT ret name params;                                                                    \
	EARLY ret name params                                                                      \
	{                                                                                          \
		note_jump();                                                                       \
		return NEXT(name) args;                                                            \
	}
JUMP(longjmp, void, (void *to, int value), (to, value))
JUMP(_longjmp, void, (void *to, int value), (to, value))
JUMP(siglongjmp, void, (void *to, int value), (to, value))
JUMP(__longjmp_chk, void, (void *to, int value), (to, value))
JUMP(setcontext, int, (const void *to), (to))
JUMP(swapcontext, int, (void *from, const void *to), (from, to))
