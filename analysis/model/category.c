/* category.c: names and sums of the categories that a thread's time is split into. */
/* SPDX-License-Identifier: MIT */
#include "model/category.h"

const char *const category_names[CAT_COUNT] = {
#define CATEGORY_LABEL(id, column, label, doc) label,
	CATEGORY_ROWS(CATEGORY_LABEL)
};

void time_split_add(struct time_split *sum, const struct time_split *other)
{
	for (int i = 0; i < CAT_COUNT; i++)
		sum->ns[i] += other->ns[i];
	sum->blas_waiting_ns += other->blas_waiting_ns;
}

int64_t time_split_total(const struct time_split *split)
{
	int64_t total = 0;

	for (int i = 0; i < CAT_COUNT; i++)
		total += split->ns[i];
	return total;
}
