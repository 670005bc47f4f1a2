/* kallsyms.h: names of the kernel's functions. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_KALLSYMS_H
#define RECORD_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

/* One address to be named. */
struct kernel_address {
	uint64_t address;
	char function[64]; /* set by kallsyms_name(); "[kernel]" where it cannot be told */
};

/* Names the addresses, which it sorts, by root + "/proc/kallsyms", or by the copy of it that an
 * earlier run kept (kernel_names.h). That file shows no addresses to a user without the right to
 * see them (sysctl kernel.kptr_restrict). */
void kallsyms_name(const char *root, struct kernel_address *addresses, size_t count);

#endif
