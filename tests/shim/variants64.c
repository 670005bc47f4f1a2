/* variants64.c: calls every name that takes 64-bit integers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 64
#include "variants_calls.h"
