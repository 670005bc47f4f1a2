/* entries.c: the exported names: a few instructions each that pass the name's entry to the wrapper
 * of its signature. */
/* SPDX-License-Identifier: MIT
 *
 * So there is one wrapper per signature, not per name. plain.c exports the names without an
 * underscore.
 */
#include "shim/call.h"

/* clang-format off */
#if defined(__x86_64__)
#define JUMP_WITH_ENTRY                                                                            \
	"	endbr64\n"                                                                         \
	"	leaq 771b(%rip), %r11\n"                                                           \
	"	jmp enter_\\wrapper\n"
#elif defined(__aarch64__)
#define JUMP_WITH_ENTRY                                                                            \
	"	hint 34\n"                                                                         \
	"	adrp x15, 771b\n"                                                                  \
	"	add x15, x15, :lo12:771b\n"                                                        \
	"	b enter_\\wrapper\n"
#else
#error "the preload library is written for x86-64 and AArch64"
#endif

/* Defines a struct entry and its STUB_BYTES of code. */
__asm__(".macro entry_of id, wrapper\n"
	"	.pushsection .data\n"
	"771:	.quad 0\n"
	"	.long \\id, 0\n"
	"	.popsection\n"
	"	.p2align 4\n"
	JUMP_WITH_ENTRY
	".endm\n"
	/* defines a name; id counts them */
	".macro variant variant, prefix, suffix, wrapper, name\n"
	"	.p2align 4\n"
	"	.ifnc \\variant, PLAIN\n"
	"	.globl \\prefix\\name\\suffix\n"
	"	.type \\prefix\\name\\suffix, STT_FUNC\n"
	"	.size \\prefix\\name\\suffix, 16\n"
	"\\prefix\\name\\suffix:\n"
	"	.endif\n"
	"	entry_of id, \\wrapper\n"
	"	.set id, id + 1\n"
	".endm\n"
	/* takes the place of a name that does not exist */
	".macro no_variant\n"
	"	.pushsection .data\n"
	"	.quad 0, 0\n"
	"	.popsection\n"
	"	.p2align 4\n"
	"	.skip 16\n"
	"	.set id, id + 1\n"
	".endm\n"
	/* defines BOUND_SETS entries without a name */
	".macro bound wrapper\n"
	"	entry_of 0, \\wrapper\n"
	"	entry_of 0, \\wrapper\n"
	"	entry_of 0, \\wrapper\n"
	".endm\n"
	".macro no_bound\n"
	"	.pushsection .data\n"
	"	.skip 48\n"
	"	.popsection\n"
	"	.p2align 4\n"
	"	.skip 48\n"
	".endm\n"
	"	.set id, 0\n"
	"	.data\n"
	"	.p2align 4\n"
	"	.hidden blas_entries, calibration_entry, blas_stubs, calibration_stub\n"
	"	.globl blas_entries, calibration_entry, blas_stubs, calibration_stub\n"
	"blas_entries:\n"
	"	.text\n"
	"	.p2align 4\n"
	"	.cfi_startproc\n"
	"blas_stubs:\n"
#define LETTER_0 "F"
#define LETTER_1 "C"
#define VARIANT(variant, prefix, suffix, wrapper, name)                                            \
	"	variant " #variant ", \"" #prefix "\", \"" #suffix "\", " wrapper ", " #name "\n"
#define NAME(variant, prefix, suffix, cblas, bits, name)                                           \
	VARIANT(variant, prefix, suffix, "wrapper_" LETTER_##cblas #bits "_" #name, name)
#define CBLAS_NAME_0(...) "	no_variant\n"
#define CBLAS_NAME_1(...) NAME(__VA_ARGS__)
#define CBLAS_NAME(variant, prefix, suffix, cblas, bits, name)                                     \
	CBLAS_NAME_##cblas(variant, prefix, suffix, cblas, bits, name)
#define BOUND(bits, name) "	bound wrapper_" #bits "_" #name "\n"
#define NO_BOUND	  "	no_bound\n"
#define ROUTINE(name, type, family, shape)                                                         \
	VARIANTS_ALL(NAME, name)                                                                   \
	BOUND(F32, name) BOUND(F64, name) BOUND(C32, name) BOUND(C64, name)
#define CBLAS_ONLY(name, type, family, shape)                                                      \
	VARIANTS_ALL(CBLAS_NAME, name) NO_BOUND NO_BOUND BOUND(C32, name) BOUND(C64, name)
#define LAPACK_NAME_1(...) "	no_variant\n"
#define LAPACK_NAME_0(variant, prefix, suffix, name, words)                                        \
	"	.ifc " #variant ", PLAIN\n"                                                        \
	"	no_variant\n"                                                                      \
	"	.else\n"                                                                           \
	VARIANT(variant, prefix, suffix, "wrapper_lapack_" #words, name)                           \
	"	.endif\n"
#define LAPACK_NAME(variant, prefix, suffix, cblas, bits, name, words)                             \
	LAPACK_NAME_##cblas(variant, prefix, suffix, name, words)
#define LAPACK(name, type, family, words)                                                          \
	VARIANTS_ALL(LAPACK_NAME, name, words) BOUND(lapack, words) BOUND(lapack, words) NO_BOUND NO_BOUND
/* oneDNN's functions are wrapped elsewhere: only skips their ids */
#define ONE_MORE(...) " + 1"
#define ONEDNN(name, type, family) "	.set id, id" VARIANTS_ALL(ONE_MORE, name) "\n"
#include "blas/routines.def"
	"	.pushsection .data\n"
	"calibration_entry:\n"
	"	.popsection\n"
	"calibration_stub:\n"
	"	entry_of id, calibration_wrapper\n"
	"	.cfi_endproc\n");
/* clang-format on */

#define ENTRIES_EACH (VARIANT_COUNT + BOUND_COUNT)
_Static_assert(sizeof(struct entry) == 16, "the layout that the macro entry_of defines");
_Static_assert(BOUND_SETS == 3, "the number that the macro bound defines");

void *entry_stub(const struct entry *entry)
{
	return blas_stubs + STUB_BYTES * (entry - blas_entries);
}

const struct entry *entry_at(const void *address)
{
	size_t offset = (size_t)((const char *)address - blas_stubs), index = offset / STUB_BYTES;

	return offset % STUB_BYTES || index >= (size_t)(&calibration_entry - blas_entries)
		       ? NULL
		       : &blas_entries[index];
}

struct entry *entry_of(size_t id)
{
	return &blas_entries[id / VARIANT_COUNT * ENTRIES_EACH + id % VARIANT_COUNT];
}

struct entry *entry_bound(size_t id, int set)
{
	const struct routine_variant *variant = routine_variant_of(id);
	size_t signature = (size_t)variant->cblas * 2 + (variant->bits == 64);

	return &blas_entries[id / VARIANT_COUNT * ENTRIES_EACH + VARIANT_COUNT +
			     signature * BOUND_SETS + (size_t)set];
}
