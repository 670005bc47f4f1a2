/* wrap.h: the wrapper around one routine. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_WRAP_H
#define SHIM_WRAP_H

#include "shim/call.h"

#define CALL_HEAD(id, transa, transb, m, n, k)                                                     \
	shape_head((id), (unsigned)(transa), (unsigned)(transb), 0), (m), (n), (k)
#define CALL_BEGIN(...)                                                                            \
	call_begin(CALL_HEAD(__VA_ARGS__), __builtin_return_address(0), __builtin_frame_address(0))
#define CALL_KEY(...) ((struct shape_key){CALL_HEAD(__VA_ARGS__), (uintptr_t)shim_self.caller})

/* The wrapper proper has a short way only, so that it needs to save next to nothing; for the rest
 * it jumps to its long twin. The cleanup runs after the real routine returned and leaves its result
 * alone. The dimensions are read before the call: a Fortran routine may change what they point to.
 */
#define WRAP(symbol, id, ret, params, args, ...)                                                   \
	static __attribute__((noinline, cold)) ret symbol##_long params                            \
	{                                                                                          \
		ret(*real) params = __atomic_load_n(&resolve_cache[id], __ATOMIC_ACQUIRE);         \
		struct shape_key key = CALL_KEY(id, __VA_ARGS__);                                  \
		const void *frame = shim_self.frame;                                               \
		const void *counted __attribute__((cleanup(call_end_special))) = NULL;             \
                                                                                                   \
		if (!real)                                                                         \
			real = resolve_routine(id, shim_self.caller);                              \
		counted = call_enter(&key, frame) ? frame : NULL;                                  \
		return real args;                                                                  \
	}                                                                                          \
	ret symbol params __attribute__((visibility("default")));                                  \
	ret symbol params                                                                          \
	{                                                                                          \
		ret(*real) params = __atomic_load_n(&resolve_cache[id], __ATOMIC_ACQUIRE);         \
                                                                                                   \
		if (unlikely(!real) || unlikely(!CALL_BEGIN(id, __VA_ARGS__))) {                   \
			call_note(__builtin_frame_address(0), __builtin_return_address(0));        \
			return symbol##_long args;                                                 \
		}                                                                                  \
		int counted __attribute__((cleanup(call_end), unused)) = 1;                        \
                                                                                                   \
		return real args;                                                                  \
	}

#endif
