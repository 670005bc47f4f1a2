/* naming.h: names the code at all addresses: functions, inlined functions, source lines. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_NAMING_H
#define SYMBOLS_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "store/run.h"
#include "symbols/address_table.h"
#include "symbols/symbols.h"
#include "symbols/jit_map.h"

/* The frames of addresses. Equal strings in it are equal pointers.
 */
struct naming;

/* Names the addresses whose counts[] is not 0, by the files they lie in, by /proc/kallsyms or by
 * what the processes' own records and perf map files say. Files changed after since_ns (realtime)
 * are not trusted. The run gets the notes objects_unreadable, jit_map_damaged and jit_unnamed, with
 * counts[] for weights; samples[]: those among them that time was spent at. The addresses may be
 * freed before the naming. */
struct naming *naming_make(const struct address_table *addresses, const uint64_t *counts,
			   const uint64_t *samples, const struct jit_processes *jits,
			   int64_t since_ns, struct run *run);
void naming_free(struct naming *naming);

/* The frames at an address, by its number, innermost first; returns how many: at least 1. The last
 * is the function that the code belongs to as the linker knows it, those before it were inlined. Of
 * a caller take the return address less 1. An address that was not to be named, or whose code has
 * no name, has the one frame "[unknown]". Owned by the naming. */
size_t naming_frames(const struct naming *naming, uint32_t address,
		     const struct symbol_frame **frames);

/* Sets the location at an address of the table that was named: its innermost frame. The location
 * owns its strings. */
void naming_locate(const struct naming *naming, const struct address_table *addresses,
		   uint32_t address, struct code_location *location);

/* Samples of each address, by number. */
struct address_counts {
	uint64_t *all;
	uint64_t *workers; /* those of them that did not spin, in threads that BLAS itself started
			    */
	uint32_t *thread;  /* the one that all of them are of, or THREAD_SEVERAL; 0: none */
	uint64_t *spins;   /* those of all that spun; they count nowhere here */
};
#define THREAD_SEVERAL UINT32_MAX

/* Adds a row to run->functions for each function with samples, inlined functions apart by what they
 * were inlined into, with the line that most of its samples are on. code[]: of each address.
 * OBJECT_UNKNOWN is left out. */
void functions_add(const struct address_table *addresses, const struct naming *naming,
		   const struct address_counts *counts, const enum run_code *code, struct run *run);

/* The name that a symbol stands for, without parameters and result: "ns::f<int>" of
 * "_ZN2ns1fIiEEvi", "core::fmt::write" of the names of Rust. To be freed. NULL where it stands for
 * itself. */
char *demangle(const char *symbol);

struct kernel_address {
	uint64_t address;
	char function[64]; /* set by kernel_symbols_name(); "[kernel]" where it is not known */
};

/* Sorts the addresses and names them by root + "/proc/kallsyms". A user without the right to see
 * the kernel's addresses (sysctl kernel.kptr_restrict) gets no names. */
void kernel_symbols_name(const char *root, struct kernel_address *addresses, size_t count);

#endif
