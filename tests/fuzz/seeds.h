/* seeds.h: what the makers of seeds share. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SEEDS_H
#define TESTS_SEEDS_H

#include <stddef.h>

/* Writes the seed of that name, TARGET/NAME; ends the program where that fails. */
void put(const char *name, const void *data, size_t size);

#endif
