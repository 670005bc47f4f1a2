/* float_guard.h: keeps the shim's floating-point operations away from the program's flags. */
/* SPDX-License-Identifier: MIT
 *
 * A program may look at the flags of floating-point exceptions, or have them trapped. So the shim
 * computes with doubles only between these two functions, on slow paths.
 */
#ifndef SHIM_FLOAT_GUARD_H
#define SHIM_FLOAT_GUARD_H

#include <stdint.h>

struct float_guard {
	uint64_t control, flags;
};

/* Saves the state, then masks all exceptions and selects the default rounding. */
static inline void float_guard_begin(struct float_guard *guard)
{
#if defined(__x86_64__)
	const uint32_t none = 0x1f80;
	uint32_t mxcsr;

	__asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(mxcsr) : "m"(none) : "memory");
	guard->control = mxcsr;
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr\n\tmsr fpcr, xzr"
			 : "=&r"(guard->control), "=&r"(guard->flags)
			 :
			 : "memory");
#endif
}

/* Restores the state. */
static inline void float_guard_end(const struct float_guard *guard)
{
#if defined(__x86_64__)
	uint32_t mxcsr = (uint32_t)guard->control;

	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("msr fpsr, %1\n\tmsr fpcr, %0"
			 :
			 : "r"(guard->control), "r"(guard->flags)
			 : "memory");
#endif
}

/* Calls both: the second at the end of the block. */
#define GUARD_FLOATS                                                                               \
	struct float_guard floats __attribute__((cleanup(float_guard_end)));                       \
	float_guard_begin(&floats)

#endif
