/* jit_code.c: copies the machine code of a function to fresh memory, as a compiler would write it.
 */
/* SPDX-License-Identifier: MIT */
#include "jit_code.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "burn.h"

/* The linker marks the ends of a section whose name is a C identifier. */
extern const char __start_jit_code[], __stop_jit_code[];

__attribute__((section("jit_code"), noinline, used)) static uint64_t pattern(uint64_t seed)
{
	BURN_BODY(seed);
	return seed;
}

/* With lines that make no sense around it, as a program that is killed leaves them. */
static void write_map(const char *name, const void *code, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	file = fopen(path, "we");
	if (!file)
		return;
	fprintf(file, "no line of names\n%lx %zx wrong_name\n%lx %zx %s\n%lx %zx cut_o", (long)code,
		size, (long)code, size, name, (long)code, size);
	fclose(file);
}

uint64_t (*jit_code_make(const char *name))(uint64_t seed)
{
	size_t size = (size_t)(__stop_jit_code - __start_jit_code);
	uint64_t (*code)(uint64_t);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	memcpy(memory, __start_jit_code, size);
	__builtin___clear_cache(memory, memory + size);
	if (mprotect(memory, size, PROT_READ | PROT_EXEC))
		return NULL;
	write_map(name, memory, size);
	memory += (const char *)pattern - __start_jit_code;
	memcpy(&code, &memory, sizeof code);
	return code;
}
