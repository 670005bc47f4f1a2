/* compute_unit.h: tells a kernel's matrix unit and element type from its name. */
/* SPDX-License-Identifier: MIT */
#ifndef BASE_COMPUTE_UNIT_H
#define BASE_COMPUTE_UNIT_H

#include <string.h>

enum compute_unit { UNIT_UNKNOWN, UNIT_AVX512_BF16, UNIT_SME, UNIT_AMX, UNITS };

static inline const char *compute_unit_name(int unit)
{
	static const char *const names[UNITS] = {"", "AVX-512 BF16", "SME", "AMX"};

	return unit > 0 && unit < UNITS ? names[unit] : "";
}

/* The unit that a kernel uses, from its function name in a BLAS library or from the name of a
 * oneDNN implementation, like "brg:avx512_core_amx_bf16", where "jit_bf16:avx512_core" is for CPUs
 * without AVX-512 BF16. OpenBLAS names kernels after CPUs. */
static inline enum compute_unit compute_unit_of(const char *kernel)
{
	static const struct {
		const char *part, *other; /* both are in the name, in this order */
		enum compute_unit unit;
	} rows[] = {
		{"[fp32]", "", UNIT_UNKNOWN}, /* its code was read: shim/jit.c */
		{"amx", "", UNIT_AMX},
		{"sbgemm_kernel", "SAPPHIRERAPIDS", UNIT_AMX},
		{"sbgemm", "COOPERLAKE", UNIT_AVX512_BF16},
		{"avx512", "bf16", UNIT_AVX512_BF16},
		{"_sme", "", UNIT_SME},
		{"-sme", "", UNIT_SME},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *part = strstr(kernel, rows[i].part);

		if (part && strstr(part, rows[i].other))
			return rows[i].unit;
	}
	return UNIT_UNKNOWN;
}

/* The element type, as in call_shape.type, or 0 if the name does not tell. The shim appends the
 * type that it found in a kernel's code to the kernel's name (shim/jit.c). */
static inline char compute_type_of(const char *kernel)
{
	static const struct {
		const char *part;
		char type;
	} rows[] = {
		{"bf16", 'b'}, {"fp16", 'h'}, {"int8", 'i'}, {"fp32", 's'}, {"fp64", 'd'},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strstr(kernel, rows[i].part))
			return rows[i].type;
	return 0;
}

#endif
