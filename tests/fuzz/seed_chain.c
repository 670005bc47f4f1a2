/* seed_chain.c: makes tables for exceptions that fuzzing starts from: this program's own, and some
 * with each instruction. */
/* SPDX-License-Identifier: MIT */
#include "seeds.h"

#include <link.h>
#include <string.h>

#include "chain_fuzz.h"

#define FUNCTION_BYTES 0x400
#define CODE_BYTES     (4 * FUNCTION_BYTES)

struct input {
	struct chain_input head;
	uint8_t bytes[1 << 20];
	size_t used;
};

static void add(struct input *input, const void *data, size_t size)
{
	memcpy(input->bytes + input->used, data, size);
	input->used += size;
}

static void add_word(struct input *input, uint32_t word)
{
	add(input, &word, sizeof word);
}

/* Bytes of an array after its length, as an entry has it. */
static void add_entry(struct input *input, const void *data, size_t size)
{
	add_word(input, (uint32_t)size);
	add(input, data, size);
}

/* The instructions of the function of that number. */
static void add_function(struct input *input, uint32_t number, uint32_t common,
			 const uint8_t *instructions, size_t size)
{
	uint32_t pair = 12 + 8 * number, at = (uint32_t)input->used;
	uint32_t start = number * FUNCTION_BYTES - CODE_BYTES, range = FUNCTION_BYTES;

	memcpy(input->bytes + pair, &start, sizeof start);
	memcpy(input->bytes + pair + 4, &at, sizeof at);
	add_word(input, (uint32_t)(13 + size));
	add_word(input, at + 4 - common);
	add_word(input, start - (at + 8));
	add_word(input, range);
	add(input, "", 1); /* no augmentation */
	add(input, instructions, size);
}

static void make_each(void)
{
	static const uint8_t usual[] = {0,    0,  0, 0,	   1,	 'z', 'R', 0,	 1,
					0x78, 16, 1, 0x1b, 0x0c, 7,   8,   0x90, 1};
	static const uint8_t signal[] = {0, 0, 0,    0,	 1, 'z',  'R', 'S',
					 0, 1, 0x78, 16, 1, 0x1b, 0,   0};
	static const uint8_t plain[] = {0x41, 0x0e, 16,	  0x86, 2, 0x43, 0x0d, 6,
					0x02, 0xf0, 0x0a, 0x0c, 7, 8,	 0x41, 0x0b};
	static const uint8_t expressions[] = {0x0f, 3, 0x76, 0x78, 6, 0x10, 6, 2,
					      0x76, 0, 0x10, 16,   2, 0x76, 8};
	static const uint8_t others[] = {0x05, 6,    2,	   0x41, 0x11, 6,    0x7e, 0x12, 7,    0x7e,
					 0x13, 0x7d, 0x2e, 16,	 0x08, 3,    0x09, 3,	 6,    0x14,
					 3,    2,    0x16, 3,	 2,    0x77, 16,   0xc6, 0x03, 0x10,
					 0,    0xc6, 0x04, 0,	 2,    0,    0,	   0x07, 16};
	static struct input input = {.head = {0, CODE_BYTES, CODE_BYTES, 1}};
	uint32_t common;

	add(&input, "\1\x1b\3\x3b\0\0\0\0\4\0\0\0", 12);
	input.used += 4 * 8;
	common = (uint32_t)input.used;
	add_entry(&input, usual, sizeof usual);
	add_function(&input, 0, common, plain, sizeof plain);
	add_function(&input, 2, common, expressions, sizeof expressions);
	add_function(&input, 3, common, others, sizeof others);
	common = (uint32_t)input.used;
	add_entry(&input, signal, sizeof signal);
	add_function(&input, 1, common, plain, 0);
	put("chain/each", &input.head, offsetof(struct input, bytes) + input.used);
}

/* The first segment of that type, with these flags, that the address lies in; 0: any. */
static const ElfW(Phdr) * find_segment(const struct dl_phdr_info *info, uint32_t type,
				       uint32_t flags, ElfW(Addr) address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == type && (segment->p_flags & flags) == flags &&
		    (!address || address - segment->p_vaddr < segment->p_filesz))
			return segment;
	}
	return NULL;
}

/* From the index to the end of the segment that it lies in. */
static int copy_own(struct dl_phdr_info *info, size_t size, void *data)
{
	const ElfW(Phdr) *index = find_segment(info, PT_GNU_EH_FRAME, 0, 0);
	const ElfW(Phdr) *code = find_segment(info, PT_LOAD, PF_X, 0);
	const ElfW(Phdr) *segment = index ? find_segment(info, PT_LOAD, 0, index->p_vaddr) : NULL;
	struct input *input = data;
	size_t bytes;

	(void)size;
	if (!segment || !code)
		return 1;
	bytes = segment->p_vaddr + segment->p_filesz - index->p_vaddr;
	if (bytes > sizeof input->bytes)
		return 1;
	input->head.distance = (uint32_t)(index->p_vaddr - code->p_vaddr);
	input->head.code_bytes = (uint32_t)code->p_memsz;
	add(input, (const void *)(info->dlpi_addr + index->p_vaddr), bytes);
	return 1; /* the program comes first */
}

void make_chain(void)
{
	static struct input own;

	make_each();
	dl_iterate_phdr(copy_own, &own);
	if (own.used)
		put("chain/own", &own.head, offsetof(struct input, bytes) + own.used);
}
