/* selection.c: which cells are asked for: categories, kernels and sizes. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells/selection.h"

/* Products of such sizes still count their bytes in 64 bits, and BLAS counts in int. */
enum { LENGTH_MAX = 1000000000 };

/* Whether the comma-separated list has the word; an absent list has all. */
static int list_has(const char *list, const char *word)
{
	const size_t length = strlen(word);

	while (list && *list) {
		if (strcspn(list, ",") == length && !strncmp(list, word, length))
			return 1;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return !list;
}

/* Whether a category or, where `kernels`, a kernel of those categories has the name. */
static int is_known(const struct selection *selection, const char *name, int length, int kernels)
{
	for (int i = 0; kernel_tables[i]; i++)
		for (const struct kernel *kernel = kernel_tables[i]; kernel->name; kernel++) {
			const char *known = kernels ? kernel->name : kernel->category;

			if (strlen(known) == (size_t)length &&
			    !strncmp(known, name, (size_t)length) &&
			    (!kernels || selection_has_category(selection, kernel->category)))
				return 1;
		}
	return 0;
}

/* As many as there is room for. */
static void list_known(const struct selection *selection, int kernels, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; kernel_tables[i]; i++)
		for (const struct kernel *kernel = kernel_tables[i]; kernel->name; kernel++) {
			if (kernels ? !selection_has_category(selection, kernel->category)
				    : kernel != kernel_tables[i])
				continue;
			if (used < size)
				used += (size_t)snprintf(text + used, size - used, "%s%s",
							 used ? ", " : "",
							 kernels ? kernel->name : kernel->category);
		}
}

static int check_list(const struct selection *selection, const char *list, int kernels,
		      struct failure *failure)
{
	char known[384] = "";

	while (list && *list) {
		const int length = (int)strcspn(list, ",");

		if (!is_known(selection, list, length, kernels)) {
			list_known(selection, kernels, known, sizeof(known));
			return failure_set(failure, EXIT_USAGE,
					   "there is no %s '%.*s'; there are %s%s",
					   kernels ? "kernel" : "category", length, list, known,
					   strlen(known) + 1 == sizeof(known) ? "..." : "");
		}
		list += length;
		list += *list == ',';
	}
	return 0;
}

int selection_check(const struct selection *selection, struct failure *failure)
{
	const char *rest = selection->caches;

	for (; rest && *rest; rest += strcspn(rest, ","), rest += *rest == ',') {
		const int length = (int)strcspn(rest, ",");

		if (length != 4 || (strncmp(rest, "warm", 4) != 0 && strncmp(rest, "cold", 4) != 0))
			return failure_set(failure, EXIT_USAGE,
					   "--cache: '%.*s' is neither warm nor cold", length,
					   rest);
	}
	if (check_list(selection, selection->categories, 0, failure))
		return -1;
	return check_list(selection, selection->kernels, 1, failure);
}

/* N or MxNxK at *text, which then points behind it; 0, or -1: it is neither. */
static int read_size(const char **text, struct size *size)
{
	long numbers[3];
	int count = 0;

	do {
		char *end;

		numbers[count] = strtol(*text, &end, 10);
		if (end == *text || numbers[count] < 1 || numbers[count] > LENGTH_MAX)
			return -1;
		*text = end;
	} while (++count < 3 && *(*text)++ == 'x');
	if (count == 2 || (count == 3 && **text && **text != ','))
		return -1;
	if (count == 1)
		--*text;
	*size = count == 1 ? (struct size){.n = numbers[0]}
			   : (struct size){numbers[0], numbers[1], numbers[2], 0};
	return 0;
}

int selection_read_sizes(struct selection *selection, const char *text, struct failure *failure)
{
	const char *rest = text;
	int count = 0;

	memset(selection->sizes, 0, sizeof(selection->sizes));
	do {
		if (count == SIZES_MAX)
			return failure_set(failure, EXIT_USAGE, "--size: more than %d sizes",
					   SIZES_MAX);
		if (read_size(&rest, &selection->sizes[count++]) || (*rest && *rest != ','))
			return failure_set(
				failure, EXIT_USAGE,
				"--size: '%s' is not a list like 64,16x32x64, of numbers "
				"from 1 to %d",
				text, LENGTH_MAX);
	} while (*rest++);
	return 0;
}

int selection_has_category(const struct selection *selection, const char *category)
{
	return list_has(selection->categories, category);
}

int selection_has_cache(const struct selection *selection, const char *cache)
{
	return list_has(selection->caches, cache);
}

int selection_has_kernel(const struct selection *selection, const struct kernel *kernel)
{
	return list_has(selection->kernels, kernel->name);
}

/* Whether no buffer is longer than it may be. */
static int is_allowed(const struct selection *selection, const struct kernel *kernel,
		      struct size size)
{
	for (int i = 0; i < kernel->buffers; i++)
		if (kernel->length(size, i) > (size_t)selection->max_elements)
			return 0;
	return 1;
}

/* The size as the kernel counts; n = 0 where it does not run at that. */
static struct size size_for(const struct kernel *kernel, struct size size)
{
	const int is_product = kernel->sizes[0].m > 0;

	if (!kernel->multiple || size.n % kernel->multiple || (size.m && !is_product))
		return (struct size){0};
	return is_product && !size.m ? (struct size){size.n, size.n, size.n, 0} : size;
}

int selection_size(const struct selection *selection, const struct kernel *kernel, int index,
		   struct size *size)
{
	const struct size *from = selection->sizes[0].n ? selection->sizes : kernel->sizes;

	*size = from[index];
	if (!size->n)
		return 0;
	if (from == selection->sizes)
		*size = size_for(kernel, *size);
	if (!is_allowed(selection, kernel, *size))
		size->n = 0;
	return 1;
}
