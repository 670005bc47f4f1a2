/* doors64.c: the small wrappers of names with 64-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#define BLAS_INT		   int64_t
#define DOORS_CBLAS		   DOORS_CBLAS_64
#define DOORS_FORTRAN		   DOORS_FORTRAN_64
#define BOUND_FINDER		   bound_find_64
#define BOUND_SYMBOL(X, set, name) bound64_##X##_##set##_##name
#include "shim/doors_each.h"
