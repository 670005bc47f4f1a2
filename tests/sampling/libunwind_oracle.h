/* libunwind_oracle.h: unwinds a copied stack by libunwind. */
/* SPDX-License-Identifier: MIT */
#ifndef LIBUNWIND_ORACLE_H
#define LIBUNWIND_ORACLE_H

#include "sampling/unwind.h"

/* Writes where the frames of the copy are, innermost first, of a caller's its return address less
 * 1; returns how many. The mappings must lie in this process, and stay what they were at the first
 * call. The copy goes on for ORACLE_RED_ZONE bytes below the stack pointer, where libunwind looks
 * for registers that were popped already. */
enum { ORACLE_RED_ZONE = 128 };
size_t oracle_unwind(const struct unwinder *unwinder, const struct sample_record *sample,
		     uint64_t *ips, size_t max);

#endif
