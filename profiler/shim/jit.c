/* jit.c: records the names of code that is generated at run time, as the generator reports them. */
/* SPDX-License-Identifier: MIT
 *
 * oneDNN and other libraries report each kernel that they generate to NotifyEvent() and
 * Initialize() of the library that INTEL_JIT_PROFILER64 names, which is this one. These names are
 * too common to be exported, since the program may have such functions of its own. Instead dlsym()
 * returns them when this library is asked for them. Numbers and struct are those of jitprofiling.h
 * of ITT 3 (github.com/intel/ittapi).
 */
#include <link.h>
#include <string.h>

#include "shim/objects.h"
#include "shim/shim.h"
#include "shim/signal_guard.h"
#include "base/text.h"

enum { NOTHING_RUNNING, SAMPLING_ON };
enum { LOAD_FINISHED = 13, LOAD_FINISHED_V2 = 21, LOAD_FINISHED_V3 };

/* The first members of iJIT_Method_Load and of its later versions. */
struct method {
	unsigned int id;
	const char *name;
	uint64_t start;
	unsigned int bytes;
};

/* All reports, including those before the process had its record or was forked. */
#define CODES_MAX 2048 /* large networks have some hundred kernels */
static struct code_record codes[CODES_MAX];
static uint32_t ncodes;

void jit_write(void)
{
	struct shim_process *process = shim_process;

	for (; process->ncodes < ncodes; process->ncodes++) {
		struct code_record *row = row_list_add(CHUNK_CODES, sizeof *row);

		if (!row)
			return;
		*row = codes[process->ncodes];
		row_list_commit(CHUNK_CODES);
	}
}

/* The type of numbers that code multiplies, by its multiply-add instructions. Those with the
 * highest rank decide: of a matrix unit, then of short numbers; among equals, the most frequent.
 * `kinds` are instructions as the manuals of Intel and AMD encode them: opcode map, prefix (0 none,
 * 1 66, 2 F3, 3 F2), W and opcode. */
#define KIND(map, prefix, w, opcode)                                                               \
	((uint32_t)(map) << 16 | (uint32_t)(prefix) << 12 | (uint32_t)(w) << 8 | (opcode))
static const struct numbers {
	const char *text;
	int rank;
	uint32_t kinds[5];
} numbers[] = {
	{"[amx_bf16]", 3, {KIND(2, 2, 0, 0x5c)}},
	{"[amx_fp16]", 3, {KIND(2, 3, 0, 0x5c)}},
	{"[amx_int8]",
	 3,
	 {KIND(2, 0, 0, 0x5e), KIND(2, 1, 0, 0x5e), KIND(2, 2, 0, 0x5e), KIND(2, 3, 0, 0x5e)}},
	{"[avx512_bf16]", 2, {KIND(2, 2, 0, 0x52)}},
	{"[int8]", 2, {KIND(2, 1, 0, 0x50)}},
	{"[fp16]", 2, {KIND(6, 1, 0, 0x98), KIND(6, 1, 0, 0xa8), KIND(6, 1, 0, 0xb8)}},
	{"[fp32]", 1, {KIND(2, 1, 0, 0x98), KIND(2, 1, 0, 0xa8), KIND(2, 1, 0, 0xb8)}},
	{"[fp64]", 1, {KIND(2, 1, 1, 0x98), KIND(2, 1, 1, 0xa8), KIND(2, 1, 1, 0xb8)}},
};
#define NUMBERS		  (sizeof numbers / sizeof *numbers)
#define INSTRUCTION_BYTES 5 /* read by instruction_kind() */

/* Returns the kind of an instruction with a VEX prefix of three bytes or an EVEX prefix of four
 * bytes, or 0 if the code is something else. */
static uint32_t instruction_kind(const unsigned char *code)
{
	int is_evex = code[0] == 0x62;

	if (code[0] != 0xc4 && (!is_evex || code[1] & 8 || !(code[2] & 4)))
		return 0;
	return KIND(code[1] & (is_evex ? 7 : 31), code[2] & 3, code[2] >> 7, code[3 + is_evex]);
}

/* Returns "" if the code is not a kernel of oneDNN, multiplies nothing, or is for another CPU. */
static const char *find_numbers(const struct method *kernel)
{
	const unsigned char *code = (const unsigned char *)(uintptr_t)kernel->start;
	unsigned counts[NUMBERS] = {0};
	size_t best = 0;

	if (strncmp(kernel->name + strspn(kernel->name, "_"), "jit_", 4) != 0)
		return "";
	for (size_t at = 0; at + INSTRUCTION_BYTES <= kernel->bytes; at++) {
		uint32_t kind = instruction_kind(code + at);

		for (size_t i = 0; kind && i < NUMBERS; i++)
			for (const uint32_t *row = numbers[i].kinds; *row; row++)
				counts[i] += *row == kind;
	}
	for (size_t i = 1; i < NUMBERS; i++)
		if (counts[i] &&
		    (!counts[best] || numbers[i].rank > numbers[best].rank ||
		     (numbers[i].rank == numbers[best].rank && counts[i] > counts[best])))
			best = i;
	return counts[best] ? numbers[best].text : "";
}

static unsigned int notify(unsigned int event, const struct method *method)
{
	const char *text;

	if ((event != LOAD_FINISHED && event != LOAD_FINISHED_V2 && event != LOAD_FINISHED_V3) ||
	    !method || !method->name || wall_stands())
		return 1;
	text = find_numbers(method);
	LOCK_PROCESS;
	if (ncodes < CODES_MAX) {
		struct code_record *code = &codes[ncodes];

		*code = (struct code_record){.start = method->start, .bytes = method->bytes};
		text_add(TEXT_COPY(code->name, method->name), code->name + sizeof code->name, text);
		ncodes++;
	}
	if (process_token())
		jit_write();
	return 1;
}

static unsigned int initialize(void)
{
	session_start();
	return session_state() == SESSION_NONE ? NOTHING_RUNNING : SAMPLING_ON;
}

void *jit_function(const void *handle, const char *name)
{
	void *function = !strcmp(name, "NotifyEvent")  ? (void *)notify
			 : !strcmp(name, "Initialize") ? (void *)initialize
						       : NULL;
	const struct link_map *map = handle;

	return function && object_is_own(map->l_ld) ? function : NULL;
}
