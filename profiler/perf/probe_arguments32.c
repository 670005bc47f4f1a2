/* probe_arguments32.c: readers of calls by names with 32-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define BLAS_INT      int
#define READER_FINDER probe_reader_32
#include "perf/probe_arguments_each.h"
