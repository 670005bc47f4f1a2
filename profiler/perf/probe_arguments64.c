/* probe_arguments64.c: readers of calls by names with 64-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#define BLAS_INT      int64_t
#define READER_FINDER probe_reader_64
#include "perf/probe_arguments_each.h"
