/* variants_blas64.c: the part of the stand-in BLAS with 64-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 64
#include "variants_blas.h"
