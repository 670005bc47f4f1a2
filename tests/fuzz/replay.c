/* replay.c: a replacement for libFuzzer: feeds the given files, and then mutations of them. */
/* SPDX-License-Identifier: MIT
 *
 * Usage: fuzz [-m MUTATIONS] FILE...
 *
 * The mutations are the same in each run. An input that crashes the program is written to
 * crash-input in the current directory.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUT_MAX (1 << 20)

struct input {
	uint8_t *data;
	size_t size;
};

static struct input *inputs;
static size_t inputs_count;
static struct input current;

static void save_input(int number)
{
	int fd = open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, current.data, current.size) < 0)
		_exit(98);
	signal(number, SIG_DFL);
	raise(number);
}

static void add_file(const char *path)
{
	static uint8_t data[INPUT_MAX];
	FILE *file = fopen(path, "r");
	struct input *input = array_add(&inputs, &inputs_count, sizeof *input);

	if (!file || !input) {
		perror(path);
		exit(99);
	}
	input->size = fread(data, 1, sizeof data, file);
	input->data = malloc(input->size + 1);
	if (!input->data)
		exit(99);
	memcpy(input->data, data, input->size);
	fclose(file);
}

static void run(const uint8_t *data, size_t size)
{
	current.size = size;
	current.data =
		malloc(size + 1); /* a separate block, so that AddressSanitizer knows its end */
	if (!current.data)
		exit(99);
	memcpy(current.data, data, size);
	LLVMFuzzerTestOneInput(current.data, current.size);
	free(current.data);
}

/* Numbers that programs often handle wrongly. */
static uint64_t odd_number(unsigned *seed)
{
	static const uint64_t odd[] = {0,	   1,	       0x7f,	   0xff,
				       0xffff,	   INT32_MAX,  UINT32_MAX, INT64_MAX,
				       UINT64_MAX, 1ull << 63, 4096,	   0x7ff0000000000000};

	return odd[(unsigned)rand_r(seed) % COUNT(odd)] + (uint64_t)(rand_r(seed) % 3) - 1;
}

static size_t mutate(uint8_t *data, size_t size, unsigned *seed)
{
	size_t at = size ? (size_t)rand_r(seed) % size : 0, length = (size_t)rand_r(seed) % 16 + 1;
	uint64_t number = odd_number(seed);

	length = at + length <= size ? length : size - at;
	switch (rand_r(seed) % 6) {
	case 0:
		if (size)
			data[at] ^= (uint8_t)(1 << rand_r(seed) % 8);
		return size;
	case 1:
		if (size)
			data[at] = (uint8_t)rand_r(seed);
		return size;
	case 2:
		at &= ~(size_t)7;
		memcpy(data + at, &number, size - at < 8 ? size - at : 8);
		return size;
	case 3: /* removes some bytes */
		memmove(data + at, data + at + length, size - at - length);
		return size - length;
	case 4: /* repeats some bytes */
		if (size + length > INPUT_MAX)
			return size;
		memmove(data + at + length, data + at, size - at);
		return size + length;
	default: /* truncates */
		return rand_r(seed) % 4 ? size : at;
	}
}

static void run_mutations(long count)
{
	static uint8_t data[INPUT_MAX];
	unsigned seed = 1;

	for (long i = 0; i < count; i++) {
		const struct input *input = &inputs[(size_t)rand_r(&seed) % inputs_count];
		size_t size = input->size;

		memcpy(data, input->data, size);
		for (int times = 1 + rand_r(&seed) % 5; times; times--)
			size = mutate(data, size, &seed);
		run(data, size);
	}
}

int main(int argc, char **argv)
{
	const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
	long mutations = 0;
	int option;

	while ((option = getopt(argc, argv, "m:")) == 'm')
		mutations = atol(optarg);
	for (; optind < argc; optind++)
		add_file(argv[optind]);
	if (!inputs_count || option != -1) {
		fprintf(stderr, "usage: %s [-m MUTATIONS] FILE...\n", argv[0]);
		return 2;
	}
	for (size_t i = 0; i < COUNT(ends); i++)
		signal(ends[i], save_input);
	for (size_t i = 0; i < inputs_count; i++)
		run(inputs[i].data, inputs[i].size);
	run_mutations(mutations);
	printf("%zu inputs and %ld mutations\n", inputs_count, mutations);
	return 0;
}
