/* kernel_symbols.h: names of the kernel's functions. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_KERNEL_SYMBOLS_H
#define SYMBOLS_KERNEL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct kernel_address {
	uint64_t address;
	char function[64]; /* set by kernel_symbols_name(); "[kernel]" where it is not known */
};

/* Sorts the addresses and names them by root + "/proc/kallsyms". A user without the right to see
 * the kernel's addresses (sysctl kernel.kptr_restrict) gets no names. */
void kernel_symbols_name(const char *root, struct kernel_address *addresses, size_t count);

#endif
