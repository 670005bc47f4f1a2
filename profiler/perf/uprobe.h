/* uprobe.h: breakpoints of the kernel (uprobes) on the BLAS routines of a program. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_UPROBE_H
#define PERF_UPROBE_H

#include <libelf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "perf/ring.h"

/* Cost of a call whose entry and return are probed. */
struct probe_cost {
	double inside_ns;  /* between the records of entry and return */
	double outside_ns; /* before and after these */
};

/* Sets *attr to the event at an offset of a file, at entry or at return. `path` must live as long
 * as *attr. Returns -1 with *err if this machine has no uprobes. */
int probe_set(struct perf_event_attr *attr, const char *path, uint64_t offset, int at_return,
	      struct error *err);
/* Opens the event for the calling thread (0, -1) or for a whole CPU (-1, cpu). Returns a
 * descriptor, or -1 with *err. */
int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu, struct error *err);

/* Measures the cost on an empty function of blasprof itself. Returns -1 with *err if that is not
 * possible. */
int probe_cost_measure(struct probe_cost *cost, struct error *err);

/* Returns the offset in the file of an address of the object, or -1. */
int64_t elf_address_offset(Elf *elf, uint64_t address);

struct blas_symbol {
	size_t id;	 /* of the name, see blas/routines.h */
	uint64_t offset; /* of the function, in the file */
};

/* Finds the functions of the file that have names of the routine table, in order of offset; if a
 * function has several names, the first one. The caller frees *symbols. Finding none is no error.
 * Returns -1 with *err if the file is no object or has no symbols. */
int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err);

/* As struct shape_key (wire/layout.h); 0 if the routine has no such argument. */
struct probe_shape {
	unsigned char transa, transb; /* as passed */
	int64_t m, n, k;
};

/* Reads the arguments of a routine (see blas/routines.h) from a sample of PROBE_ENTRY_TYPE. Returns
 * -1 if they are not known: those of Fortran and of batches are addresses. */
int probe_arguments_read(size_t id, const struct sample_record *sample, struct probe_shape *shape);

#endif
