/* cause_text.c: what is said of several causes. */
/* SPDX-License-Identifier: MIT */
#include "report/cause_text.h"

#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"
#include "report/warnings.h"

const struct wait_cause wait_causes[] = {
	{"gil", CAUSE_GIL, "Python's interpreter lock", REMEDY_GIL},
	{"runtime lock", CAUSE_LOCK,
	 "the lock of OCaml's runtime, which one thread holds at a time",
	 "use processes instead of threads, or the domains of OCaml 5"},
	{"collector", CAUSE_SERIAL_PART, "Java's garbage collector, which stops all of them",
	 "allocate less, or give Java a larger heap (-Xmx) or a collector with several threads "
	 "(-XX:+UseParallelGC)"},
	{"mutex", CAUSE_LOCK, "a mutex that another thread holds", REMEDY_LOCK},
	{"rwlock", CAUSE_LOCK, "a read-write lock that another thread holds", REMEDY_LOCK},
	{"mmap", CAUSE_LOCK,
	 "the kernel's lock of their memory map (page faults, mmap(), munmap())",
	 "allocate memory once and use it again, or let free() keep it: with glibc "
	 "MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=33554432"},
	{"file lock", CAUSE_LOCK, "a lock on a file that another thread or process holds",
	 REMEDY_LOCK},
	{"I/O", CAUSE_IO, "a file, a device or the network",
	 "do the I/O in another thread, or less often and in larger pieces", 1},
	{"sleep", CAUSE_SLEEP, "a timer (sleep)",
	 "sleep less, or, to wait for an event, use a condition variable", 1},
	{"GPU", CAUSE_GPU, "a GPU", REMEDY_GPU},
	{"MPI", CAUSE_MPI, "messages from other ranks", REMEDY_MPI},
};
const size_t wait_causes_count = COUNT(wait_causes);

int is_ordered(const struct report_wait *wait)
{
	return is_openmp_call(wait->sum.function) && strstr(wait->sum.function, "_ordered");
}

const char *wait_what(const struct wait_cause *cause, const struct report_wait *wait)
{
	return is_ordered(wait) ? "their turn in an ordered section (omp ordered)" : cause->what;
}

const char *participant_noun(const struct report_run *run)
{
	return run->spread.are_processes ? "process" : "thread";
}

const char *one_thread_remedy(const struct report *report)
{
	return string_printf("let BLAS run on the caller's thread: set %s=1 (a call in the program "
			     "overrides that)",
			     report_threads_variable(report));
}

int say_blas_spins(const struct search *search, const struct report_function *loop,
		   struct claim *found)
{
	if (!is_in_blas(search, loop))
		return 0;
	SAY(found->remedy,
	    "set %s=1, or lower than now: the threads that spin are the library's own",
	    report_threads_variable(search->report));
	return 1;
}

const char *also_single(const struct search *search)
{
	return report_runs_openmp(search->report, search->row->threads)
		       ? " also what is in omp single or master,"
		       : "";
}

int say_small_tasks(const char *function, struct claim *found)
{
	if (strncmp(function, "GOMP_task", 9) != 0)
		return 0;
	SAY(found->sentence, ": its tasks are too small, or too few");
	SAY(found->remedy,
	    "let each task do more work, and create as many as there are threads, or more");
	return 1;
}

int say_imports(const struct search *search, double part, struct claim *found)
{
	if (!(search->row->main_imports > part / 2))
		return 0;
	SAY(found->sentence, IMPORTS);
	SAY(found->remedy, "give the program more work, so that its start counts less%s",
	    search->row->f_on_cpu >= CAUSE_MIN ? ", or leave the start out: --roi=blas" : "");
	return 1;
}
