/* wrappers64.c: the wrappers of routines with 64-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define BLAS_INT int64_t
#define WIDTH	 64
#include "shim/wrappers.h"
