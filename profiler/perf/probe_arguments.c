/* probe_arguments.c: calls a function of the routine's signature with the words of the probed call.
 */
/* SPDX-License-Identifier: MIT */
#include "perf/probe_arguments.h"

#include <string.h>

#include "blas/routine_ids.h"
#include "blas/routines.h"

/* No dimension comes after the eighth whole number or address. Floating-point arguments have
 * registers of their own, which no reader looks at. */
enum { WORDS = 8 };
typedef void (*words_function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			       uint64_t);

static _Thread_local struct probe_shape kept;

void probe_arguments_keep(const int64_t dimensions[5])
{
	kept = (struct probe_shape){(unsigned char)dimensions[0], (unsigned char)dimensions[1],
				    dimensions[2], dimensions[3], dimensions[4]};
}

/* In the order of the calling convention: six registers and the stack behind the return address, or
 * eight registers. */
static int gather(const struct sample_record *sample, uint64_t words[WORDS])
{
	static const unsigned char places[] = PROBE_ENTRY_ARGUMENTS;
	size_t in_registers = sizeof places < WORDS ? sizeof places : WORDS;
	size_t on_stack = WORDS - in_registers;

	if (!sample->regs)
		return -1;
	for (size_t i = 0; i < in_registers; i++)
		words[i] = sample->regs[places[i]];
	if (!on_stack)
		return 0;
	if (sample->stack_bytes < (1 + on_stack) * sizeof *words)
		return -1;
	memcpy(words + in_registers, sample->stack + sizeof *words, on_stack * sizeof *words);
	return 0;
}

int probe_arguments_read(size_t id, const struct sample_record *sample, struct probe_shape *shape)
{
	const struct routine_variant *variant = routine_variant_of(id);
	uint64_t words[WORDS];
	probe_reader reader;

	if (!routine_exists(id) || !variant->cblas || gather(sample, words))
		return -1;
	reader = variant->bits == 64 ? probe_reader_64(id / VARIANT_COUNT)
				  : probe_reader_32(id / VARIANT_COUNT);
	if (!reader)
		return -1;
	((words_function)reader)(words[0], words[1], words[2], words[3], words[4], words[5],
				 words[6], words[7]);
	*shape = kept;
	return 0;
}
