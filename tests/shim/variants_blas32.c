/* variants_blas32.c: the part of the stand-in BLAS with 32-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 32
#include "variants_blas.h"

uint64_t variants_seen;
