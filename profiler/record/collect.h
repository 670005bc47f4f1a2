/* collect.h: turns the shim's record files into the run's threads, shapes and processes. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_COLLECT_H
#define RECORD_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "record/session.h"
#include "store/run.h"
#include "util/error.h"

/* What the sampler needs to know of the calls; free with collected_free(). */
struct collected {
	int64_t roi_start_ns, roi_end_ns; /* CLOCK_MONOTONIC; both 0 where no call returned */
	char **blas_objects;              /* paths of the objects that calls were forwarded to */
	size_t nblas_objects;
};

/* Reads every process file of the session and adds threads, shapes, processes, notes and facts
 * (blas, blas_path, blas_version, blas_core, blas_threads, clock) to the run. Files that are cut
 * off or damaged give what can be read, and a note. */
int collect_run(const struct session_dir *session, struct run *run, struct collected *collected,
		struct error *err);
void collected_free(struct collected *collected);

#endif
