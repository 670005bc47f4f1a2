/* variants32.c: calls every name that takes 32-bit integers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 32
#include "variants_calls.h"
