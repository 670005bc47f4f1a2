/* naming.h: names addresses: functions, inlined functions, source lines. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_NAMING_H
#define SYMBOLS_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "store/run.h"
#include "symbols/address_table.h"
#include "symbols/symbols.h"
#include "symbols/jit_map.h"

/* The frames of addresses. Equal strings are equal pointers. */
struct naming;

/* Names the addresses whose counts[] is not 0 from object files, /proc/kallsyms, the processes'
 * records and perf map files. Files that changed after since_ns (realtime) are not trusted. Adds
 * the notes objects_unreadable, jit_map_damaged and jit_unnamed to the run; counts[] are the
 * weights. samples[] is the part of counts[] that are samples. The addresses may be freed before
 * the naming. */
struct naming *naming_make(const struct address_table *addresses, const uint64_t *counts,
			   const uint64_t *samples, const struct jit_processes *jits,
			   int64_t since_ns, struct run *run);
void naming_free(struct naming *naming);

/* Sets *frames to the frames of the address with this number, innermost first, owned by the naming.
 * Returns their number, at least 1. The last is the function of the symbol, those before it were
 * inlined. For a caller, name the return address - 1. An address without a name has the only frame
 * "[unknown]". */
size_t naming_frames(const struct naming *naming, uint32_t address,
		     const struct symbol_frame **frames);

/* Sets the location to the innermost frame of the address. */
void naming_locate(const struct naming *naming, const struct address_table *addresses,
		   uint32_t address, struct code_location *location);

/* Samples of an address. */
struct address_count {
	uint64_t all;
	uint64_t workers; /* part of all without spins, in threads that BLAS started */
	uint64_t spins;	  /* part of all in code that only waits */
	uint64_t called;  /* part of all that BLAS called, in code that is not BLAS's own */
	uint32_t thread;  /* the only thread with samples, or THREAD_SEVERAL; 0: none */
};
#define THREAD_SEVERAL UINT32_MAX

/* Adds a row to run->functions for each function with samples other than spins, with its line that
 * has the most samples. Functions inlined into different functions have different rows. counts[]
 * and code[] are of each address; what BLAS called is BLAS. OBJECT_UNKNOWN is ignored. */
void functions_add(const struct address_table *addresses, const struct naming *naming,
		   const struct address_count *counts, const enum run_code *code, struct run *run);

/* Returns the demangled name without parameters and result, fresh: "ns::f<int>" for
 * "_ZN2ns1fIiEEvi", "core::fmt::write" for symbols of Rust. NULL if the symbol is not mangled. */
char *demangle(const char *symbol);

/* Sorts the addresses and names them from root + "/proc/kallsyms". All are "[kernel]" if the user
 * may not see the kernel's addresses (sysctl kernel.kptr_restrict). */
void kernel_symbols_name(const char *root, struct named_address *addresses, size_t count);

#endif
