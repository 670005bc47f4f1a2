/* nested.c: tells a call that a BLAS call makes from one that comes after a BLAS call was left for
 * good. */
/* SPDX-License-Identifier: MIT
 *
 * What a thread calls while one of its calls has not returned belongs to that call. Three things
 * end a call without a return. Exceptions and forced unwinding (pthread_exit, cancellation) call
 * the wrapper's personality routine, which counts the call. Jumps and changes of the stack go
 * through the functions at the end of this file. Such a call may come back, for the jump may have
 * been inside the library, or from one coroutine to another: it is set aside, and counts when it
 * returns.
 *
 * Not detected: a call left by code that brings its own jump (__builtin_longjmp, greenlet's and
 * Boost's assembly). The thread's next calls are then taken for nested ones, until one comes from
 * the same place of the stack or from above.
 */
#include "shim/call.h"

#include <dlfcn.h>
#include <signal.h>
#include <unwind.h>

#include "base/early.h"
#include "shim/dlsym.h"

/* The call in progress may come back. What it took so far counts as a gap. */
static void abandon(struct shim_thread *thread)
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
	thread->state &= ~(unsigned)(STATE_INSIDE | STATE_OTHER);
}

static int is_on_signal_stack(void)
{
	stack_t stack;

	return !sigaltstack(NULL, &stack) && stack.ss_flags & SS_ONSTACK;
}

int call_is_nested(struct shim_thread *thread, const void *frame)
{
	const void *outer = thread->enter_frame;

	if (!(thread->state & STATE_INSIDE))
		return 0;
	/* the stack grows down: only a signal handler with a stack of its own is above what it
	 * interrupts */
	if (thread->busy || frame < outer || (frame > outer && is_on_signal_stack()))
		return 1;
	abandon(thread);
	return 0;
}

void call_begins_anew(struct shim_thread *thread, const void *frame)
{
	for (int i = 0; i < ASIDES_MAX; i++)
		if (thread->aside[i].frame == frame)
			thread->aside[i].frame = NULL;
}

int call_come_back(struct shim_thread *thread, const void *frame)
{
	struct call_aside *aside = thread->aside;

	while (aside < thread->aside + ASIDES_MAX && aside->frame != frame)
		aside++;
	if (aside == thread->aside + ASIDES_MAX)
		return 0;
	if (thread->state & STATE_INSIDE)
		abandon(thread);
	aside->frame = NULL;
	thread->row = aside->row;
	thread->enter_ticks = thread->record->last_ticks;
	return 1;
}

/* The personality routine of all wrappers. It uses no function of an unwinder: the program may have
 * its own, and must not be made to load another. So it cannot tell which wrapper is left: the call
 * in progress ends, even where only a call nested in it is left. A thread may be cancelled while a
 * call begins or is booked: such a one has no start after the last call's end. */
_Unwind_Reason_Code call_unwound(int version, _Unwind_Action actions, uint64_t exception_class,
				 struct _Unwind_Exception *exception,
				 struct _Unwind_Context *context)
	__attribute__((visibility("hidden")));
_Unwind_Reason_Code call_unwound(int version, _Unwind_Action actions, uint64_t exception_class,
				 struct _Unwind_Exception *exception,
				 struct _Unwind_Context *context)
{
	struct shim_thread *thread = &shim_self;

	(void)version, (void)exception_class, (void)exception, (void)context;
	if (actions & _UA_CLEANUP_PHASE && thread->state & STATE_INSIDE) {
		if (thread->inside_mpi) {
			mpi_leave(thread->enter_frame);
		} else if (thread->enter_ticks >= thread->record->last_ticks) {
			call_leave(thread->enter_frame);
		} else {
			thread->enter_frame = NULL;
			thread->state &= ~(unsigned)(STATE_INSIDE | STATE_OTHER);
		}
	}
	return _URC_CONTINUE_UNWIND;
}

/* A program jumps, and leaves the call in progress if there is one. */
static EARLY void note_jump(void)
{
	struct shim_thread *thread = &shim_self;

	if (thread->state & STATE_INSIDE && thread->owner == process_token())
		abandon(thread);
}

/* A constructor looks them up: a signal handler that jumps may have interrupted the loader. */
#define JUMP(name, ret, params, args)                                                              \
	static ret(*real_##name) params;                                                           \
	ret name params __attribute__((visibility("default")));                                    \
	EARLY ret name params                                                                      \
	{                                                                                          \
		note_jump();                                                                       \
		if (unlikely(!real_##name))                                                        \
			real_##name = (ret(*) params)dlsym_real(RTLD_NEXT, #name);                 \
		return real_##name args;                                                           \
	}

#define JUMPS(X)                                                                                   \
	X(longjmp, void, (void *to, int value), (to, value))                                       \
	X(_longjmp, void, (void *to, int value), (to, value))                                      \
	X(siglongjmp, void, (void *to, int value), (to, value))                                    \
	X(__longjmp_chk, void, (void *to, int value), (to, value))                                 \
	X(setcontext, int, (const void *to), (to))                                                 \
	X(swapcontext, int, (void *from, const void *to), (from, to))

JUMPS(JUMP)

static __attribute__((constructor)) void find_jumps(void)
{
#define FIND(name, ret, params, args) real_##name = (ret(*) params)dlsym_real(RTLD_NEXT, #name);
	JUMPS(FIND)
	dlerror();
}
