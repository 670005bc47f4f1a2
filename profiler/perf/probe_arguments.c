/* probe_arguments.c: reads the arguments of a probed call, through functions of its signature. */
/* SPDX-License-Identifier: MIT */
#include "perf/uprobe.h"

#include <string.h>

#include "blas/routines.h"

#define BLAS_INT   int64_t
#define BLAS_VALUE int64_t
#include "blas/shapes.h"

/* No dimension comes after the eighth integer or pointer argument. Floating-point arguments have
 * registers of their own, which no reader uses. */
enum { WORDS = 8 };
typedef void (*words_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			       uint64_t);

static _Thread_local struct probe_shape read_shape;

/* A reader has the signature of its routine, so that the compiler knows where each argument is. All
 * integers are read with 64 bits. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define ROUTINE(name, type, family, shape)                                                         \
	static void read_##name(C_PARAMS(shape, type))                                             \
	{                                                                                          \
		const int64_t dims[] = {C_DIMS(shape)};                                            \
                                                                                                   \
		read_shape = (struct probe_shape){(unsigned char)dims[0], (unsigned char)dims[1],  \
						  dims[2], dims[3], dims[4]};                      \
	}
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#define BATCH(name, type, family, shape)
#include "blas/routines.def"

/* By row of the table; NULL for batches, whose dimensions are in memory. */
static void (*const readers[ROUTINE_BASES])(void) = {
#define ROUTINE(name, type, family, shape)    [BASE_##name] = (void (*)(void))read_##name,
#define CBLAS_ONLY(name, type, family, shape) ROUTINE(name, type, family, shape)
#define BATCH(name, type, family, shape)
#include "blas/routines.def"
};

int probe_arguments_read(size_t id, const struct sample_record *sample, struct probe_shape *shape)
{
	static const unsigned char order[] = PROBE_ENTRY_ARGUMENTS;
	const struct routine_variant *variant = routine_variant_of(id);
	const size_t in_registers = sizeof order < WORDS ? sizeof order : WORDS;
	const size_t stack_bytes = (WORDS - in_registers) * sizeof(uint64_t);
	uint64_t words[WORDS];
	void (*reader)(void);

	if (!routine_exists(id) || !variant->cblas || !sample->regs)
		return -1;
	/* the calling convention has six registers and the stack above the return address, or eight
	 * registers */
	for (size_t i = 0; i < in_registers; i++)
		words[i] = sample->regs[order[i]];
	if (stack_bytes) {
		if (sample->stack_bytes < sizeof *words + stack_bytes)
			return -1;
		memcpy(words + in_registers, sample->stack + sizeof *words, stack_bytes);
	}
	reader = readers[id / VARIANT_COUNT];
	if (!reader)
		return -1;
	((words_function)reader)(words[0], words[1], words[2], words[3], words[4], words[5],
				 words[6], words[7]);
	*shape = read_shape;
	if (variant->bits == 32) { /* the upper halves of the words may have any value */
		shape->m = (int32_t)shape->m;
		shape->n = (int32_t)shape->n;
		shape->k = (int32_t)shape->k;
	}
	return 0;
}
