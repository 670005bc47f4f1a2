/* digest.h: a hash of a call's name and arguments, which the caller and the called function
 * compute.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SHIM_DIGEST_H
#define TESTS_SHIM_DIGEST_H

#include <stdint.h>

/* Not inlined, since there are some 20,000 uses. */
#define DIGEST_FUNCTION static __attribute__((noinline, unused)) uint64_t

DIGEST_FUNCTION digest_double(double value)
{
	union {
		double number;
		uint64_t bits;
	} u = {value};

	return u.bits;
}

DIGEST_FUNCTION digest_whole(int64_t value)
{
	return (uint64_t)value;
}

DIGEST_FUNCTION digest_pointer(const void *value)
{
	return (uintptr_t)value;
}

DIGEST_FUNCTION digest_mix(uint64_t digest, uint64_t value)
{
	digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

DIGEST_FUNCTION digest_name(const char *name)
{
	uint64_t digest = 0;

	for (; *name; name++)
		digest = digest_mix(digest, (uint64_t)*name);
	return digest;
}

/* Half precision, if it is a number (blas/shapes.h). */
#if defined(__aarch64__)
#define DIGEST_HALF __fp16 : digest_double,
#else
#define DIGEST_HALF
#endif
#define DIGEST_OF(x)                                                                               \
	_Generic((x), DIGEST_HALF float                                                            \
		 : digest_double, double                                                           \
		 : digest_double, unsigned short                                                   \
		 : digest_whole, int                                                               \
		 : digest_whole, long                                                              \
		 : digest_whole, unsigned long                                                     \
		 : digest_whole, default                                                           \
		 : digest_pointer)(x)

/* Up to 26 arguments, one after another. */
#define DIGEST_1(x)	  d = digest_mix(d, DIGEST_OF(x));
#define DIGEST_2(x, ...)  DIGEST_1(x) DIGEST_1(__VA_ARGS__)
#define DIGEST_3(x, ...)  DIGEST_1(x) DIGEST_2(__VA_ARGS__)
#define DIGEST_4(x, ...)  DIGEST_1(x) DIGEST_3(__VA_ARGS__)
#define DIGEST_5(x, ...)  DIGEST_1(x) DIGEST_4(__VA_ARGS__)
#define DIGEST_6(x, ...)  DIGEST_1(x) DIGEST_5(__VA_ARGS__)
#define DIGEST_7(x, ...)  DIGEST_1(x) DIGEST_6(__VA_ARGS__)
#define DIGEST_8(x, ...)  DIGEST_1(x) DIGEST_7(__VA_ARGS__)
#define DIGEST_9(x, ...)  DIGEST_1(x) DIGEST_8(__VA_ARGS__)
#define DIGEST_10(x, ...) DIGEST_1(x) DIGEST_9(__VA_ARGS__)
#define DIGEST_11(x, ...) DIGEST_1(x) DIGEST_10(__VA_ARGS__)
#define DIGEST_12(x, ...) DIGEST_1(x) DIGEST_11(__VA_ARGS__)
#define DIGEST_13(x, ...) DIGEST_1(x) DIGEST_12(__VA_ARGS__)
#define DIGEST_14(x, ...) DIGEST_1(x) DIGEST_13(__VA_ARGS__)
#define DIGEST_15(x, ...) DIGEST_1(x) DIGEST_14(__VA_ARGS__)
#define DIGEST_16(x, ...) DIGEST_1(x) DIGEST_15(__VA_ARGS__)
#define DIGEST_17(x, ...) DIGEST_1(x) DIGEST_16(__VA_ARGS__)
#define DIGEST_18(x, ...) DIGEST_1(x) DIGEST_17(__VA_ARGS__)
#define DIGEST_19(x, ...) DIGEST_1(x) DIGEST_18(__VA_ARGS__)
#define DIGEST_20(x, ...) DIGEST_1(x) DIGEST_19(__VA_ARGS__)
#define DIGEST_21(x, ...) DIGEST_1(x) DIGEST_20(__VA_ARGS__)
#define DIGEST_22(x, ...) DIGEST_1(x) DIGEST_21(__VA_ARGS__)
#define DIGEST_23(x, ...) DIGEST_1(x) DIGEST_22(__VA_ARGS__)
#define DIGEST_24(x, ...) DIGEST_1(x) DIGEST_23(__VA_ARGS__)
#define DIGEST_25(x, ...) DIGEST_1(x) DIGEST_24(__VA_ARGS__)
#define DIGEST_26(x, ...) DIGEST_1(x) DIGEST_25(__VA_ARGS__)
#define DIGEST_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,  \
		    pick, ...)                                                                     \
	pick
#define DIGEST_COUNT(...)                                                                          \
	DIGEST_PICK(__VA_ARGS__, DIGEST_26, DIGEST_25, DIGEST_24, DIGEST_23, DIGEST_22, DIGEST_21, \
		    DIGEST_20, DIGEST_19, DIGEST_18, DIGEST_17, DIGEST_16, DIGEST_15, DIGEST_14,   \
		    DIGEST_13, DIGEST_12, DIGEST_11, DIGEST_10, DIGEST_9, DIGEST_8, DIGEST_7,      \
		    DIGEST_6, DIGEST_5, DIGEST_4, DIGEST_3, DIGEST_2, DIGEST_1)
#define DIGEST_ALL(...) DIGEST_COUNT(__VA_ARGS__)(__VA_ARGS__)

/* Declares d, the digest of a name and a list of arguments in parentheses. */
#define DIGEST(name, args)                                                                         \
	uint64_t d = digest_name(name);                                                            \
	DIGEST_ALL args

/* The stand-in BLAS sets this to the digest of the last call, and its functions return this value.
 */
extern uint64_t variants_seen;
#define VARIANTS_RESULT 42

/* Call all names of one width, and return how many calls were wrong. */
int variants_call_32(void);
int variants_call_64(void);
/* variants.c: returns how often to call the name as the loader binds it, and prints that. */
int variants_times(const char *name);
/* Returns what dlsym() finds for the name, or NULL in the run without look-ups. */
void *variants_look_up(const char *name);
/* Prints what was wrong, and returns 1. */
int variants_complain(const char *name, const char *of);

#endif
