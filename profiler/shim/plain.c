/* plain.c: the names without an underscore (sgemm, ddot), which are wrapped only if they are BLAS.
 */
/* SPDX-License-Identifier: MIT
 *
 * Any library may have its own function with the name dswap or drot and other arguments; some C
 * libraries export sgemm with arguments by value. A wrapper that read such arguments could crash
 * the program. So the code of these names touches no argument. Their first call looks at the real
 * function; from then on they jump to the wrapper or to that function itself.
 */
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "shim/signal_guard.h"
#include "shim/dlsym.h"
#include "shim/objects.h"
#include "base/text.h"

/* As the assembly below lays it out. */
struct plain_record {
	void *target; /* NULL until known, or if it differs between callers */
	char name[];
};
void *plain_bind_find(struct plain_record *record, const void *caller)
	__attribute__((visibility("hidden")));
extern char plain_records[] __attribute__((visibility("hidden"))); /* where they begin */

/* Accepts MKL, which exports all spellings; a library that has the same function under both
 * spellings; and one built by a compiler that adds no underscore, which has a whole BLAS and no
 * names with an underscore. */
int plain_is_blas(void *function, const char *name)
{
	static const char *const whole[] = {"xerbla", "dgemm", "dtrsm", "daxpy"};
	char underscored[ROUTINE_NAME_MAX], *end = underscored + sizeof underscored;
	struct object object;
	size_t i = 0;

	if (!object_find(function, &object))
		return 0;
	text_add(text_add(underscored, end, name), end, "_");
	if (object_symbol(&object, "mkl_get_max_threads") ||
	    object_symbol(&object, underscored) == function)
		return 1;
	while (i < sizeof whole / sizeof *whole && object_symbol(&object, whole[i]))
		i++;
	return i == sizeof whole / sizeof *whole && !object_symbol(&object, "dgemm_");
}

void *plain_bind_find(struct plain_record *record, const void *caller)
{
	size_t key = KEYS_END + (size_t)((char *)record - plain_records) / _Alignof(*record);
	void *target = resolve_known(key, caller), *function;
	struct entry *entry;

	if (target)
		return target;
	entry = entry_of(routine_find(record->name));
	function = resolve_entry(entry, caller);
	GUARD_SIGNALS;
	target = plain_is_blas(function, record->name) ? entry_stub(entry) : function;
	if (__atomic_load_n(&entry->function, __ATOMIC_ACQUIRE) == function) /* never unloaded */
		__atomic_store_n(&record->target, target, __ATOMIC_RELEASE);
	else
		resolve_remember(key, caller, target);
	return target;
}

#if defined(__x86_64__)
/* What XSAVE has to save: the components of the CPU's state that may hold arguments (SSE, AVX, MPX
 * bounds, AVX-512 masks, upper halves and registers), as bits of XCR0, and the size of its area. */
struct vector_state {
	uint64_t bytes;
	uint64_t components; /* 0: the CPU has no XSAVE, use FXSAVE */
};
#define ARGUMENT_COMPONENTS 0xeeu
#define XSAVE_LEAF	    0xd
#define FXSAVE_BYTES	    512u
#define XSAVE_HEADER_BYTES  64u

/* Uses no vector register, since these still hold arguments. */
struct vector_state plain_vector_state(void)
	__attribute__((visibility("hidden"), target("general-regs-only"), no_sanitize("thread"),
		       no_profile_instrument_function));
struct vector_state plain_vector_state(void)
{
	static uint32_t known_bytes, known_components;
	uint32_t bytes = __atomic_load_n(&known_bytes, __ATOMIC_ACQUIRE), components = 0;
	uint32_t eax, ebx, ecx, edx;

	if (bytes)
		return (struct vector_state){bytes, known_components};
	bytes = FXSAVE_BYTES;
	__cpuid(1, eax, ebx, ecx, edx);
	if (ecx & bit_OSXSAVE) {
		__asm__ volatile("xgetbv" : "=a"(components), "=d"(edx) : "c"(0));
		components &= ARGUMENT_COMPONENTS;
		bytes += XSAVE_HEADER_BYTES;
	}
	for (uint32_t i = 2; i < 32; i++) { /* the first two are where FXSAVE puts them */
		if (!(components >> i & 1))
			continue;
		__cpuid_count(XSAVE_LEAF, i, eax, ebx, ecx, edx);
		bytes = ebx + eax > bytes ? ebx + eax : bytes;
	}
	__atomic_store_n(&known_components, components, __ATOMIC_RELAXED);
	__atomic_store_n(&known_bytes, bytes, __ATOMIC_RELEASE);
	return (struct vector_state){bytes, components};
}
#endif

/* clang-format off */
#if defined(__x86_64__)
#define JUMP_TO_TARGET(name)                                                                       \
	"	endbr64\n"                                                                         \
	"	leaq plain_record_" #name "(%rip), %r10\n"                                         \
	"	movq (%r10), %r11\n"                                                               \
	"	testq %r11, %r11\n"                                                                \
	"	jz plain_bind\n"                                                                   \
	"	jmp *%r11\n"

/* Saves every register that may hold an argument. */
__asm__(".text\n"
	"plain_bind:\n"
	"	pushq %rbp\n"
	"	movq %rsp, %rbp\n"
	"	subq $80, %rsp\n"
	"	movq %rdi, -8(%rbp)\n"
	"	movq %rsi, -16(%rbp)\n"
	"	movq %rdx, -24(%rbp)\n"
	"	movq %rcx, -32(%rbp)\n"
	"	movq %r8, -40(%rbp)\n"
	"	movq %r9, -48(%rbp)\n"
	"	movq %rax, -56(%rbp)\n"
	"	movq %r10, -64(%rbp)\n"
	"	call plain_vector_state\n"
	"	movl %edx, -72(%rbp)\n"
	"	subq %rax, %rsp\n"
	"	andq $-64, %rsp\n"
	"	testl %edx, %edx\n"
	"	jz 1f\n"
	"	xorl %eax, %eax\n" /* clears the header of the area */
	"	leaq 512(%rsp), %rdi\n"
	"	movl $8, %ecx\n"
	"	rep stosq\n"
	"	movl %edx, %eax\n"
	"	xorl %edx, %edx\n"
	"	xsave (%rsp)\n"
	"	jmp 2f\n"
	"1:	fxsave (%rsp)\n"
	"2:	movq -64(%rbp), %rdi\n"
	"	movq 8(%rbp), %rsi\n"
	"	call plain_bind_find\n"
	"	movq %rax, %r11\n"
	"	movl -72(%rbp), %eax\n"
	"	xorl %edx, %edx\n"
	"	testl %eax, %eax\n"
	"	jz 3f\n"
	"	xrstor (%rsp)\n"
	"	jmp 4f\n"
	"3:	fxrstor (%rsp)\n"
	"4:	movq -8(%rbp), %rdi\n"
	"	movq -16(%rbp), %rsi\n"
	"	movq -24(%rbp), %rdx\n"
	"	movq -32(%rbp), %rcx\n"
	"	movq -40(%rbp), %r8\n"
	"	movq -48(%rbp), %r9\n"
	"	movq -56(%rbp), %rax\n"
	"	leave\n"
	"	jmp *%r11\n");
#elif defined(__aarch64__)
#define JUMP_TO_TARGET(name)                                                                       \
	"	hint 34\n"                                                                         \
	"	adrp x16, plain_record_" #name "\n"                                                \
	"	add x16, x16, :lo12:plain_record_" #name "\n"                                      \
	"	ldr x17, [x16]\n"                                                                  \
	"	cbz x17, 1f\n"                                                                     \
	"	br x17\n"                                                                          \
	"1:	b plain_bind\n"

/* Saves every register that may hold an argument, and x8, the address for results in memory.
 * Functions with another convention (SVE or vector arguments) are not supported: these would need
 * the registers from q8 on as well. */
__asm__(".text\n"
	"plain_bind:\n"
	"	stp x29, x30, [sp, -224]!\n"
	"	mov x29, sp\n"
	"	stp x0, x1, [sp, 16]\n"
	"	stp x2, x3, [sp, 32]\n"
	"	stp x4, x5, [sp, 48]\n"
	"	stp x6, x7, [sp, 64]\n"
	"	str x8, [sp, 80]\n"
	"	stp q0, q1, [sp, 96]\n"
	"	stp q2, q3, [sp, 128]\n"
	"	stp q4, q5, [sp, 160]\n"
	"	stp q6, q7, [sp, 192]\n"
	"	mov x0, x16\n"
	"	mov x1, x30\n"
	"	bl plain_bind_find\n"
	"	mov x16, x0\n"
	"	ldp x0, x1, [sp, 16]\n"
	"	ldp x2, x3, [sp, 32]\n"
	"	ldp x4, x5, [sp, 48]\n"
	"	ldp x6, x7, [sp, 64]\n"
	"	ldr x8, [sp, 80]\n"
	"	ldp q0, q1, [sp, 96]\n"
	"	ldp q2, q3, [sp, 128]\n"
	"	ldp q4, q5, [sp, 160]\n"
	"	ldp q6, q7, [sp, 192]\n"
	"	ldp x29, x30, [sp], 224\n"
	"	br x16\n");
#endif

__asm__(".data\n"
	".p2align 3\n"
	"plain_records:\n");
#define ROUTINE(name, type, family, shape)                                                         \
	__asm__(".data\n"                                                                          \
		".p2align 3\n"                                                                     \
		"plain_record_" #name ":\n"                                                        \
		"	.quad 0\n"                                                                 \
		"	.asciz \"" #name "\"\n"                                                    \
		".text\n"                                                                          \
		".p2align 4\n"                                                                     \
		".globl " #name "\n"                                                               \
		".type " #name ", STT_FUNC\n"                                                      \
		#name ":\n"                                                                        \
		JUMP_TO_TARGET(name)                                                               \
		".size " #name ", . - " #name "\n");
/* clang-format on */
#define CBLAS_ONLY(name, type, family, shape)
#include "blas/routines.def"
