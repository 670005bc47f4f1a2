/* call.h: a BLAS call: its entry, its wrapper, and the functions that begin and end it. */
/* SPDX-License-Identifier: MIT
 *
 * Each exported name is a few instructions (entries.c) that pass the name's entry to the wrapper of
 * the routine's signature. A wrapper calls call_begin(), the routine and call_leave(): no lock, no
 * allocation, no system call, no cache line that two threads write. Only a thread's outermost call
 * counts.
 */
#ifndef SHIM_CALL_H
#define SHIM_CALL_H

#include "wire/clock.h"
#include "base/compute_unit.h"
#include "shim/float_guard.h"
#include "shim/shim.h"

/* An exported name. entries.c defines the same layout in assembly. */
struct entry {
	void *function; /* the real function; NULL if not known yet, or if it depends on the caller
			 */
	uint32_t id;	/* number of the name: blas/routine_ids.h */
	uint32_t is_bound; /* IS_BOUND: to what dlsym() found, whatever the name means to the caller
			    */
#define IS_BOUND (1u << 31) /* makes a tag that no slot has: caller_tag() */
};
/* Each routine has VARIANT_COUNT + BOUND_COUNT entries: its names, then the functions that dlsym()
 * returned. Their code is in the same order, STUB_BYTES each. */
#define BOUND_SETS  3 /* functions of one name that dlsym() may return besides the loader's own */
#define BOUND_COUNT (4 * BOUND_SETS)
#define STUB_BYTES  16

#pragma GCC visibility push(hidden)

extern struct entry blas_entries[], calibration_entry;
extern char blas_stubs[];
/* Returns the code of the entry, a function. */
void *entry_stub(const struct entry *entry);
/* Returns the entry whose code begins at this address, or NULL. */
const struct entry *entry_at(const void *address);
/* Return the entry of a name, and that of a function that dlsym() returned for it. */
struct entry *entry_of(size_t id);
struct entry *entry_bound(size_t id, int set);

/* Begins a call of the entry's routine. `frame` is the wrapper's, here and below; transposes: as in
 * shape_key.head. Returns the real function. */
void *call_begin(struct entry *entry, uint64_t transposes, int64_t m, int64_t n, int64_t k,
		 const void *frame) __attribute__((nothrow));
/* Corrects the routine and shape of the call in progress, if that call counts. */
void call_change(uint32_t id, int64_t m, int64_t n, int64_t k, const void *frame);
/* Ends a call. */
void call_leave(const void *frame);
/* Returns 1 if the call with this frame counts. */
int call_counts(const void *frame);

/* A primitive of oneDNN as `count` products of m x k and k x n matrices. */
struct onednn_info {
	int64_t m, n, k, count;
	double bytes; /* of all operands */
	uint32_t id;  /* of the routine; 0: it is not booked */
	enum compute_unit unit;
};
/* onednn.c: ends the call of a primitive. */
struct onednn_call {
	const void *frame;
	const struct onednn_info *info;
};
void onednn_end(const struct onednn_call *call);
/* onednn_info.c: parses oneDNN's description of a primitive. Returns NULL if it has no shape; the
 * result lasts as long as the process. */
const struct onednn_info *onednn_find_info(const char *text);

#pragma GCC visibility pop

/* Returns 1 if the thread was off the CPU in the segment that ends now. Always 0 without a perf
 * page: then only the length of the segment is known. */
static inline int call_was_switched(const struct shim_thread *thread)
{
	return *thread->lock != thread->last_lock;
}

/* Returns 1 if offcpu_book() must look at the segment that ends now. */
static inline __attribute__((always_inline)) int call_is_rare(const struct shim_thread *thread,
							      uint64_t now, uint64_t segment)
{
	return unlikely(call_was_switched(thread)) || unlikely(now > thread->refresh_at) ||
	       unlikely(segment > thread->long_after);
}

/* Names the personality routine that runs when a wrapper's frame is unwound. */
#define WHEN_UNWOUND __asm__ volatile(".cfi_personality 0x1b, call_unwound")

static inline __attribute__((always_inline)) void call_end(const void *const *frame)
{
	call_leave(*frame);
}

/* Returns flops as records count them, rounded. The limits are beyond any real call. */
static inline int64_t whole_flops(double flops)
{
	if (!(flops > -1e18 && flops < 1e18))
		return flops < 0 ? -INT64_C(1000000000000000000) : INT64_C(1000000000000000000);
	return (int64_t)(flops + (flops < 0 ? -0.5 : 0.5));
}

/* Ends a call that did more work than its shape says. A shape has the unit of its first call that
 * has one. */
static inline __attribute__((always_inline)) void
call_leave_more(const void *frame, double flops, double bytes, enum compute_unit unit)
{
	struct shim_thread *thread = &shim_self;
	int counts = call_counts(frame);

	call_leave(frame);
	if (!counts)
		return;
	GUARD_FLOATS;
	thread->row->other_flops += flops;
	thread->row->other_bytes += bytes;
	thread->sums->flops += (uint64_t)whole_flops(flops);
	if (unlikely(thread->row->unit == UNIT_UNKNOWN))
		thread->row->unit = unit;
}

/* For wrappers, to which a name jumps with the entry in a register. HANDED gives the wrapper the
 * entry and `frame`, which begins with the caller's frame pointer and return address. */
/* clang-format off */
#if defined(ENTRY_REGISTER)
/* The compiler leaves the register alone, and it is read first. */
#define TEXT_OF(word) #word
#define REGISTER_OF(word) __asm__(TEXT_OF(word))
#define WRAPPER_OF(symbol) enter_##symbol
#define ENTER(wrapper)
#define HANDED_PARAM
#define WRAPPER_FRAMES 1 /* frames below the caller's, by frame pointers */
#define HANDED                                                                                     \
	register struct entry *in_register REGISTER_OF(ENTRY_REGISTER);                            \
	__asm__ volatile("" : "=r"(in_register));                                                  \
	struct entry *entry = in_register;                                                         \
	const void *frame = __builtin_frame_address(0);
#elif defined(__x86_64__)
/* The compiler does not know about the register, so it becomes an argument: a struct of this size
 * is passed on the stack, before the other stack arguments. Its end is a frame, by which stack walks
 * find the caller. */
#define WRAPPER_OF(symbol) symbol
struct handed {
	void *unused;
	struct entry *entry;
	const void *frame[2];
};
#define ENTER(wrapper)                                                                             \
	__asm__(".text\n"                                                                          \
		".p2align 4\n"                                                                     \
		".globl enter_" #wrapper "\n"                                                      \
		".hidden enter_" #wrapper "\n"                                                     \
		".type enter_" #wrapper ", @function\n"                                            \
		"enter_" #wrapper ":\n"                                                            \
		"	.cfi_startproc\n"                                                         \
		"	pushq %rbp\n"                                                             \
		"	.cfi_def_cfa_offset 16\n"                                                 \
		"	.cfi_offset %rbp, -16\n"                                                  \
		"	movq %rsp, %rbp\n"                                                        \
		"	.cfi_def_cfa_register %rbp\n"                                             \
		"	pushq %r11\n"                                                             \
		"	pushq %r11\n"                                                             \
		"	call " #wrapper "\n"                                                      \
		"	leave\n"                                                                  \
		"	.cfi_def_cfa %rsp, 8\n"                                                   \
		"	ret\n"                                                                    \
		"	.cfi_endproc\n"                                                           \
		".size enter_" #wrapper ", . - enter_" #wrapper "\n");
#define HANDED_PARAM struct handed handed,
#define WRAPPER_FRAMES 2
#define HANDED                                                                                     \
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));                                  \
	struct entry *entry = handed.entry;                                                        \
	const void *frame = handed.frame;
#endif
/* clang-format on */
#define WRAPPER                                                                                    \
	__attribute__((visibility("hidden"), no_sanitize("thread"), no_profile_instrument_function))
#define IN_PARENTHESES(...) __VA_ARGS__
#define CALL_BEGIN(ta, tb, m, n, k)                                                                \
	call_begin(entry, (uint64_t)(uint8_t)(ta) << 16 | (uint64_t)(uint8_t)(tb) << 24,           \
		   (blas_int)(m), (blas_int)(n), (blas_int)(k), frame)
#define CALL_BEGIN_OF(...) CALL_BEGIN(__VA_ARGS__)

/* The cleanup runs after the real routine and keeps its result. The dimensions are read before the
 * call, since a Fortran routine may change the variables that they point to. */
#define WRAP(symbol, ret, params, args, dims)                                                      \
	WRAP_WITH(symbol, ret, params, args, dims,                                                 \
		  const void *call __attribute__((unused, cleanup(call_end))) = frame)
/* `before` are statements that declare the variable with the cleanup. */
#define WRAP_WITH(symbol, ret, params, args, dims, before)                                         \
	ENTER(symbol)                                                                              \
	WRAPPER ret WRAPPER_OF(symbol)(HANDED_PARAM IN_PARENTHESES params);                        \
	WRAPPER ret WRAPPER_OF(symbol)(HANDED_PARAM IN_PARENTHESES params)                         \
	{                                                                                          \
		WHEN_UNWOUND;                                                                      \
		HANDED                                                                             \
		before;                                                                            \
		ret(*real) params = CALL_BEGIN_OF dims;                                            \
                                                                                                   \
		return real args;                                                                  \
	}

#endif
