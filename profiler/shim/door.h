/* door.h: the small wrapper: for the names that are called seldom, and for functions that dlsym()
 * gave. */
/* SPDX-License-Identifier: MIT
 *
 * The same as WRAP (wrap.h), a third of its size and some ns slower: what does not depend on the
 * signature is called, not expanded.
 */
#ifndef SHIM_DOOR_H
#define SHIM_DOOR_H

#include "blas/batch.h"
#include "shim/wrap.h"

#define BOUND_SETS                                                                                 \
	2 /* functions of one name and convention that dlsym() may give, besides the loader's own  \
	   */

/* A function that dlsym() gave, behind a wrapper of its own. */
struct bound {
	void *function; /* NULL: free */
	unsigned id;	/* of the name it was asked for by */
	int noted;	/* 1: its object was noted as a provider */
};

/* How a call went in, and so how it goes out. */
enum door_way {
	DOOR_UNCOUNTED,
	DOOR_SHORT, /* call_begin() */
	DOOR_LONG,  /* call_enter() */
};

struct batch_call {
	enum door_way way;
	struct batch_total total;
};

#pragma GCC visibility push(hidden)

/* Return the function to go on to. `frame` and `caller` as in call_note(); the key has the id of
 * the name. */
void *door_enter(struct shape_key *key, enum door_way *way, const void *frame, const void *caller);
void *bound_enter(struct shape_key *key, enum door_way *way, const void *frame, const void *caller,
		  struct bound *bound);
void door_leave(enum door_way way, const void *frame);
void batch_leave(const struct batch_call *batch, const void *frame);

#pragma GCC visibility pop

static inline __attribute__((always_inline)) void door_end(const enum door_way *way)
{
	door_leave(*way, __builtin_frame_address(0));
}

static inline __attribute__((always_inline)) void batch_end(const struct batch_call *batch)
{
	batch_leave(batch, __builtin_frame_address(0));
}

#define DOOR_BODY(visible, symbol, id, enter, ret, params, args, ...)                              \
	ret symbol params __attribute__((visibility(visible)));                                    \
	ret symbol params                                                                          \
	{                                                                                          \
		struct shape_key key = CALL_KEY(id, __VA_ARGS__);                                  \
		enum door_way way __attribute__((cleanup(door_end))), *in = &way;                  \
		ret(*real) params = enter;                                                         \
                                                                                                   \
		return real args;                                                                  \
	}

#define BATCH_BODY(visible, symbol, id, enter, ret, params, args, all, ...)                        \
	ret symbol params __attribute__((visibility(visible)));                                    \
	ret symbol params                                                                          \
	{                                                                                          \
		struct shape_key key = CALL_KEY(id, __VA_ARGS__);                                  \
		struct batch_call batch __attribute__((cleanup(batch_end))) = {0, all};            \
		enum door_way *in = &batch.way;                                                    \
		ret(*real) params = enter;                                                         \
                                                                                                   \
		return real args;                                                                  \
	}

/* For `enter` above. */
#define DOOR_ENTER door_enter(&key, in, __builtin_frame_address(0), __builtin_return_address(0))
#define BOUND_ENTER(slot)                                                                          \
	bound_enter(&key, in, __builtin_frame_address(0), __builtin_return_address(0), slot)

/* The wrapper `symbol` of a routine, X being C or F. */
#define DOOR_OF(X, visible, symbol, id, enter, type, shape)                                        \
	DOOR_BODY(visible, symbol, id, enter, X##_##shape##_RET(type),                             \
		  (X##_##shape##_PARAMS(type)), (X##_##shape##_ARGS), X##_##shape##_DIMS)
#define BATCH_OF(X, visible, symbol, id, enter, type, shape)                                       \
	BATCH_BODY(visible, symbol, id, enter, X##_##shape##_RET(type),                            \
		   (X##_##shape##_PARAMS(type)), (X##_##shape##_ARGS), X##_##shape##_TOTAL(id),    \
		   X##_##shape##_DIMS)

#endif
