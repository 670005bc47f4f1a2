/* wrappers32.c: the wrappers of routines with 32-bit integers. */
/* SPDX-License-Identifier: MIT */
#define BLAS_INT int
#define WIDTH	 32
#include "shim/wrappers.h"
