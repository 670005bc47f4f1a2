/* door.c: enter and leave of the small wrappers. */
/* SPDX-License-Identifier: MIT */
#include "shim/door.h"

#include <errno.h>

#include "shim/calm.h"
#include "shim/dlerror.h"

static enum door_way go_in(struct shape_key *key, const void *frame, const void *caller)
{
	key->caller = (uintptr_t)caller;
	if (likely(call_begin(key->head, key->m, key->n, key->k, caller, frame)))
		return DOOR_SHORT;
	return call_enter(key, frame) ? DOOR_LONG : DOOR_UNCOUNTED;
}

void *door_enter(struct shape_key *key, enum door_way *way, const void *frame, const void *caller)
{
	unsigned id = shape_routine(key);
	void *real = __atomic_load_n(&resolve_cache[id], __ATOMIC_ACQUIRE);

	if (unlikely(!real))
		real = resolve_routine(id, caller);
	*way = go_in(key, frame, caller);
	return real;
}

/* Once: a handler's call would wait for the lock that this holds. */
static __attribute__((noinline, cold)) void note_bound(struct bound *bound)
{
	int saved = errno;
	struct calm calm;

	if (!process_token())
		thread_attach_ahead();
	calm_begin(&calm);
	dlerror_keep();
	__atomic_store_n(&bound->noted, resolve_note(bound->function), __ATOMIC_RELAXED);
	dlerror_keep_end();
	calm_end(&calm);
	errno = saved;
}

void *bound_enter(struct shape_key *key, enum door_way *way, const void *frame, const void *caller,
		  struct bound *bound)
{
	key->head = (key->head & ~UINT64_C(0xffff)) | bound->id;
	if (unlikely(!__atomic_load_n(&bound->noted, __ATOMIC_RELAXED)))
		note_bound(bound);
	*way = go_in(key, frame, caller);
	return bound->function;
}

void door_leave(enum door_way way, const void *frame)
{
	if (likely(way == DOOR_SHORT))
		call_leave(frame);
	else if (way == DOOR_LONG)
		call_leave_special(frame);
}

void batch_leave(const struct batch_call *batch, const void *frame)
{
	struct shim_thread *thread = &shim_self;

	door_leave(batch->way, frame);
	if (batch->way == DOOR_UNCOUNTED || thread->owner != process_token())
		return;
	thread->row->other_flops += batch->total.flops;
	thread->row->other_bytes += batch->total.bytes;
	thread->sums->flops += batch->total.flops;
}
