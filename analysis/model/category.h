/* category.h: the categories that a thread's time is split into. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CATEGORY_H
#define MODEL_CATEGORY_H

#include <stdint.h>

/* A category is one row here; enum, names, the store's columns and the tables of reports come from
 * it: X(id, column, label, documentation of the column, the rest of struct time_category, ...),
 * where the last `...` are further arguments of X.
 * The columns of tables are stable, so the rows are in groups by the place that their columns have
 * in the tables of reports. A new row goes to the last group, whose columns are at the end. */
#define LOOKS(...) __VA_ARGS__
#define CATEGORIES_BLAS(X, ...)                                                                    \
	X(BLAS, blas_ns, "BLAS", "thread time inside BLAS calls",                                  \
	  LOOKS("BLAS", .colour = 0x1b6ca8), ##__VA_ARGS__)
#define CATEGORIES_COMPUTING(X, ...)                                                               \
	X(OTHER, other_ns, "other code", "thread time computing outside BLAS",                     \
	  LOOKS("other", .colour = 0x27865a), ##__VA_ARGS__)
#define CATEGORIES_OFF_CPU(X, ...)                                                                 \
	X(WAITING, waiting_ns, "waiting", "thread time blocked outside BLAS and MPI",              \
	  LOOKS("waiting", .colour = 0xd68910, .is_off_cpu = 1), ##__VA_ARGS__)                    \
	X(NO_CPU, preempted_ns, "no CPU",                                                          \
	  "thread time ready to run without a CPU, in BLAS or outside",                            \
	  LOOKS("no CPU", .colour = 0x95a5a6, .is_off_cpu = 1), ##__VA_ARGS__)
#define CATEGORIES_ADDED(X, ...)                                                                   \
	X(MPI, mpi_ns, "MPI", "thread time inside MPI calls, blocked or computing",                \
	  LOOKS("MPI", .colour = 0x8e44ad, .is_optional = 1), ##__VA_ARGS__)
#define CATEGORIES_NEW(X, ...)                                                                     \
	X(SPIN, spin_ns, "spinning",                                                               \
	  "thread time spent outside BLAS and MPI calls in loops that only wait, by samples; 0 "   \
	  "without them",                                                                          \
	  LOOKS("spin", .colour = 0xc0392b, .is_optional = 1), ##__VA_ARGS__)

#define CATEGORY_ROWS(X, ...)                                                                      \
	CATEGORIES_BLAS(X, ##__VA_ARGS__)                                                          \
	CATEGORIES_COMPUTING(X, ##__VA_ARGS__)                                                     \
	CATEGORIES_OFF_CPU(X, ##__VA_ARGS__)                                                       \
	CATEGORIES_ADDED(X, ##__VA_ARGS__)                                                         \
	CATEGORIES_NEW(X, ##__VA_ARGS__)

enum category {
#define CATEGORY_ID(id, ...) CAT_##id,
	CATEGORY_ROWS(CATEGORY_ID)
#undef CATEGORY_ID
		CAT_COUNT
};
#define EACH_CATEGORY(category) for (enum category category = 0; category < CAT_COUNT; category++)

/* What a category is called and how it looks. */
struct time_category {
	const char *column;  /* "other_ns" */
	const char *label;   /* "other code" */
	const char *heading; /* of a narrow column: "other" */
	unsigned int colour; /* 0xrrggbb */
	int is_optional;     /* 1: text shows it only where a program spent time in it */
	int is_off_cpu;	     /* 1: narrow tables show it after the others */
};
extern const struct time_category time_categories[CAT_COUNT];

/* A thread's time inside the region of interest, in ns. The categories do not overlap. */
struct time_split {
	int64_t ns[CAT_COUNT];
	int64_t blas_waiting_ns; /* the part of ns[CAT_BLAS] in which the thread was blocked */
};

/* Adds what `other` has, category by category. */
void time_split_add(struct time_split *sum, const struct time_split *other);
/* All categories together, ns. */
int64_t time_split_total(const struct time_split *split);

#endif
