/* wrap.h: the wrapper around one routine. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_WRAP_H
#define SHIM_WRAP_H

#include "shim/call.h"

#define CALL_KEY(id, transa, transb, m_, n_, k_)                                                   \
	call.key.head = shape_head((id), (unsigned)(transa), (unsigned)(transb), 0),               \
	call.key.m = (m_), call.key.n = (n_), call.key.k = (k_)
#define CALL_KEY_OF(...) CALL_KEY(__VA_ARGS__)

/* The cleanup runs after the real routine returned and leaves its result alone. The dimensions are read
 * before the call: a Fortran routine may change what they point to. The target is found before the
 * clock starts. */
#define WRAP(symbol, id, ret, params, args, ...)                                                   \
	ret symbol params __attribute__((visibility("default")));                                  \
	ret symbol params                                                                          \
	{                                                                                          \
		ret(*real) params = __atomic_load_n(&resolve_cache[id], __ATOMIC_ACQUIRE);         \
		struct call call __attribute__((cleanup(call_cleanup)));                           \
                                                                                                   \
		CALL_KEY_OF(id, __VA_ARGS__);                                                     \
		if (unlikely(!real))                                                               \
			real = resolve_routine(id, __builtin_return_address(0));                   \
		call.thread = call_enter();                                                        \
		return real args;                                                                  \
	}

#endif
