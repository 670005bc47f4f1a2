/* call.h: a call of BLAS: its entry, the wrapper around it, and what the parts of the shim share
 * about it. */
/* SPDX-License-Identifier: MIT
 *
 * A name enters by a few instructions (entries.c), which hand the wrapper of the routine's
 * signature what is known of the name. The wrapper is small: call_begin(), the routine,
 * call_leave(). No lock, no allocation, no system call, no cache line that two threads write. Only
 * the outermost call of a thread counts.
 */
#ifndef SHIM_CALL_H
#define SHIM_CALL_H

#include "wire/clock.h"
#include "base/compute_unit.h"
#include "shim/shim.h"

/* A name that calls enter by. As entries.c lays it down. */
struct entry {
	void *function; /* that calls go on to; NULL: not known yet, or different for each caller */
	uint32_t id;	/* of the name: blas/routine_ids.h */
	uint32_t padding;
};
/* VARIANT_COUNT + BOUND_COUNT for each routine: its names, then those that dlsym() may give. Their
 * code has the same order, STUB_BYTES each. */
#define BOUND_SETS  2 /* functions of one name that dlsym() may give, besides the loader's own */
#define BOUND_COUNT (4 * BOUND_SETS)
#define STUB_BYTES  16

#pragma GCC visibility push(hidden)

extern struct entry blas_entries[], calibration_entry;
extern char blas_stubs[];
/* The code of the name, a function. */
void *entry_stub(const struct entry *entry);
/* Of the name; of a function that dlsym() gave for it. */
struct entry *entry_of(size_t id);
struct entry *entry_bound(size_t id, int set);

/* A call comes in, of the name's routine; `frame` is that of its wrapper, here and below.
 * transposes: both, a byte each. Returns the function to go on to. */
void *call_begin(struct entry *entry, unsigned transposes, int64_t m, int64_t n, int64_t k,
		 const void *frame) __attribute__((nothrow));
/* The call in progress, if it counts, is of another routine and shape than was said. */
void call_change(uint32_t id, int64_t m, int64_t n, int64_t k, const void *frame);
/* It has returned. */
void call_leave(const void *frame);
/* 1 where the call counts that has this frame. */
int call_counts(const void *frame);

/* onednn_info.c: a primitive as `count` products, m x k times k x n. */
struct onednn_info {
	int64_t m, n, k, count;
	double bytes;
	uint32_t id; /* of the routine */
	enum compute_unit unit;
};
/* What oneDNN's text tells of a primitive; NULL: no shape. Lasts as long as the process. */
const struct onednn_info *onednn_find_info(const char *text);

#pragma GCC visibility pop

/* 1 when the thread was off the CPU in the segment that ends now. Without a page only the segment's
 * length tells. */
static inline int call_was_switched(const struct shim_thread *thread)
{
	return *thread->lock != thread->last_lock;
}

/* 1 where offcpu_book() has something to look at in the segment that ends now. */
static inline __attribute__((always_inline)) int call_is_rare(const struct shim_thread *thread,
							      uint64_t now, uint64_t segment)
{
	return unlikely(call_was_switched(thread)) || unlikely(now > thread->refresh_at) ||
	       unlikely(segment > thread->long_after);
}

/* Inside from before the clock is read: a signal handler's call is then a nested one. The frame
 * twice: such a call in between may leave its own there. */
static inline __attribute__((always_inline)) void
go_inside(struct shim_thread *thread, unsigned state_before, const void *frame)
{
	thread->enter_frame = frame;
	__asm__ volatile("" : : : "memory");
	thread->state = state_before | STATE_INSIDE;
	__asm__ volatile("" : : : "memory");
	thread->enter_frame = frame;
}

/* A wrapper's frame is left by unwinding. */
#define WHEN_UNWOUND __asm__ volatile(".cfi_personality 0x1b, call_unwound")

static inline __attribute__((always_inline)) void call_end(const void *const *frame)
{
	call_leave(*frame);
}

/* It has returned, and did more than its shape says. The unit: of the shape's first call. */
static inline __attribute__((always_inline)) void
call_leave_more(const void *frame, double flops, double bytes, enum compute_unit unit)
{
	struct shim_thread *thread = &shim_self;
	int counts = call_counts(frame);

	call_leave(frame);
	if (!counts)
		return;
	thread->row->other_flops += flops;
	thread->row->other_bytes += bytes;
	thread->sums->flops += flops;
	if (unlikely(thread->row->calls == 1))
		thread->row->unit = unit;
}

/* A name jumps here with the entry in a register. HANDED: how the wrapper gets that and `frame`,
 * which begins with the caller's frame pointer and return address. */
/* clang-format off */
#if defined(__x86_64__)
/* No compiler knows of the register, so it becomes an argument: a struct of this size is on the
 * stack, before all other arguments there. Its end is a frame: walks find the caller by it. */
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
#define WRAPPER_FRAMES 2 /* that the caller's is above, by frame pointers: the wrapper keeps its */
#define HANDED                                                                                     \
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));                                  \
	struct entry *entry = handed.entry;                                                        \
	const void *frame = handed.frame;
#elif defined(__aarch64__)
/* Compilers leave the register alone (-ffixed-x15), and nothing comes before it is read. */
#define ENTER(wrapper)
#define HANDED_PARAM
#define WRAPPER_FRAMES 1
#define HANDED                                                                                     \
	register struct entry *in_register __asm__("x15");                                         \
	__asm__ volatile("" : "=r"(in_register));                                                  \
	struct entry *entry = in_register;                                                         \
	const void *frame = __builtin_frame_address(0);
#else
#error "the preload library is written for x86-64 and AArch64"
#endif
/* clang-format on */
#define WRAPPER                                                                                    \
	__attribute__((visibility("hidden"), no_sanitize("thread"), no_profile_instrument_function))
#define IN_PARENTHESES(...) __VA_ARGS__
#define CALL_BEGIN(ta, tb, m, n, k)                                                                \
	call_begin(entry, ((unsigned)(ta)&0xff) | ((unsigned)(tb)&0xff) << 8, (blas_int)(m),       \
		   (blas_int)(n), (blas_int)(k), frame)
#define CALL_BEGIN_OF(...) CALL_BEGIN(__VA_ARGS__)

/* The cleanup runs after the real routine returned and leaves its result alone. The dimensions are
 * read before the call: a Fortran routine may change what they point to. */
#define WRAP(symbol, ret, params, args, dims)                                                      \
	ENTER(symbol)                                                                              \
	WRAPPER ret symbol(HANDED_PARAM IN_PARENTHESES params);                                    \
	WRAPPER ret symbol(HANDED_PARAM IN_PARENTHESES params)                                     \
	{                                                                                          \
		WHEN_UNWOUND;                                                                      \
		HANDED                                                                             \
		const void *call __attribute__((unused, cleanup(call_end))) = frame;               \
		ret(*real) params = CALL_BEGIN_OF dims;                                            \
                                                                                                   \
		return real args;                                                                  \
	}

#endif
