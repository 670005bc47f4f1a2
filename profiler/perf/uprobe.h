/* uprobe.h: breakpoints of the kernel (uprobes) on a program's own BLAS routines. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_UPROBE_H
#define PERF_UPROBE_H

#include <libelf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "perf/sample_record.h"

/* What a call costs when its entry and its return are probed. */
struct probe_cost {
	double inside_ns;  /* of it lie between entry and return ... */
	double outside_ns; /* ... and before and after these */
};

/* Makes *attr the event of an offset in a file, at entry or at return. `path` must live as long as
 * the attr. -1 with *err where this machine has no uprobes. */
int probe_set(struct perf_event_attr *attr, const char *path, uint64_t offset, int at_return,
	      struct error *err);
/* Opens it for a thread of the caller's (0, -1) or for a whole CPU (-1, cpu). A descriptor, or -1
 * with *err. */
int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu, struct error *err);

/* Measures on an empty function of this program. -1 with *err where that cannot be. */
int probe_cost_measure(struct probe_cost *cost, struct error *err);

/* The offset in the file of the address in the object; -1: it has none. */
int64_t elf_address_offset(Elf *elf, uint64_t address);

struct blas_symbol {
	size_t id;	 /* of the name (blas/routines.h) */
	uint64_t offset; /* of the function in the file */
};

/* The functions of the file that are called as the routine table says, in order of offset; of
 * several names of one function the first. *symbols is the caller's to free. 0, also where there
 * are none; -1 with *err when the file is no object, has no symbols, or memory is out. */
int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err);

/* As in struct shape_key (wire/layout.h): 0 where the routine has no such argument. */
struct probe_shape {
	unsigned char transa, transb; /* as they were passed */
	int64_t m, n, k;
};

/* Reads what a routine (blas/routines.h) was entered with from a sample of PROBE_ENTRY_TYPE. 0; -1
 * where that does not tell: Fortran's arguments and those of batches are addresses. */
int probe_arguments_read(size_t id, const struct sample_record *sample, struct probe_shape *shape);

#endif
