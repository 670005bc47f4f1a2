/* record.h: runs a command under the preload library and the sampler, and brings back the run. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "base/error.h"
#include "launch/launch.h"
#include "perf/event.h"
#include "store/run.h"
#include "wire/session.h"

/* How the program is changed to see what would be if (all zero: not at all). */
struct what_if {
	int units;    /* the most threads inside BLAS at once, first come first served */
	double blas;  /* factor by which each call takes longer; >= 1 */
	double other; /* factor by which each gap between calls takes longer; >= 1 */
};

struct record_options {
	int rate_hz;	   /* 0: no sampling */
	const char *event; /* sampling event, or NULL for the default */
	enum call_graph call_graph;
	int stack_bytes;     /* that each sample copies, by CALL_GRAPH_DWARF; 0: as many as usual */
	const char *counted; /* events to count, as event_list_parse() takes them; NULL: none */
	int threads_requested; /* 0: whatever the program uses */
	struct what_if what_if;
	const char *
		roi; /* NULL or "blas", "process", or the name of a region that the program marks */
	const char *work; /* NULL or "flops"; "steps": progress marks; else a regular expression
			   * with one group, matched in the program's standard output */
	int uprobes;	  /* 1: count the BLAS calls of what cannot be preloaded by uprobes */
	int follow;	  /* enum follow_kind (wire/layout.h): whose calls count */
	int spans;	  /* that each thread keeps of its timeline; 0: no timeline */
	const char *shim; /* path of libblasprof.so; NULL: beside the program, then PKGLIBDIR */
};

/* Runs argv (NULL-terminated; found by PATH like a shell does), its stdin, stdout, stderr and
 * signals untouched. *run is initialised here, and is to be freed by the caller in every case. On
 * LAUNCH_DONE its records are still there, in *session: session_remove() it when the run is stored,
 * or else record_leave() it, and then launch_end() gives the signals back. On any other result
 * *session is closed and *err says why; nothing ran then (or, for LAUNCH_FAILED, *err says what was
 * lost). */
enum launch_result record_run(const struct record_options *options, char *const argv[],
			      struct run *run, struct session_dir *session, struct error *err);
/* Closes the session of a run that cannot be stored now, and has the remedy of *err say how to
 * store it once what `before` says is done; where no calls are in it, does nothing. */
void record_leave(struct session_dir *session, const char *before, struct error *err);

#endif
