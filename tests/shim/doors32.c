/* doors32.c: calls every name that takes 32-bit whole numbers. */
/* SPDX-License-Identifier: MIT */
#define WIDTH 32
#include "doors_calls.h"
