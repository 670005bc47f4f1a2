/* category.c: names and sums of the categories that a thread's time is split into. */
/* SPDX-License-Identifier: MIT */
#include "model/category.h"

/* A store can hold any number, so sums saturate instead of overflowing. */
static int64_t add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

const struct time_category time_categories[CAT_COUNT] = {
#define CATEGORY_ROW(id, column, label, doc, looks) {#column, label, looks},
	CATEGORY_ROWS(CATEGORY_ROW)};

void time_split_add(struct time_split *sum, const struct time_split *other)
{
	EACH_CATEGORY(category)
		sum->ns[category] = add(sum->ns[category], other->ns[category]);
	sum->blas_waiting_ns = add(sum->blas_waiting_ns, other->blas_waiting_ns);
}

int64_t time_split_total(const struct time_split *split)
{
	int64_t total = 0;

	EACH_CATEGORY(category)
		total = add(total, split->ns[category]);
	return total;
}
