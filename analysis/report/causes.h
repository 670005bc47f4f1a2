/* causes.h: the list of causes for which speed-up is lost. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

#include "report/report.h"

/* A loss of a smaller part of N counts as none: clocks, caches and other programs change a speed-up
 * by as much between two runs. A loss of up to twice this size counts as none if each of its causes
 * is smaller than this. */
#define LOSS_MIN 0.05

/* One row for each cause: X(id, name, what it means, the evidence that it needs). The manual lists
 * them. The split of the lost speed-up says where time is spent; a cause is claimed only with its
 * evidence. */
#define CAUSE_ROWS(X)                                                                              \
	X(BLAS_QUEUE, "blas-queue",                                                                \
	  "BLAS calls wait for one another, as for a matrix unit or BLAS's own threads",           \
	  "calls that are blocked inside, or that yield and lock while BLAS's own threads work, "  \
	  "with a CPU for each; or calls whose fastest tenth stays as fast while the "             \
	  "others take as much longer as a call may wait, and a number of units that fits the "    \
	  "speed-ups, with both ends of its interval; or a --what-if with fewer units than "       \
	  "threads")                                                                               \
	X(BLAS_BANDWIDTH, "blas-bandwidth",                                                        \
	  "BLAS calls get slower because the threads share the memory's bandwidth",                \
	  "all calls get slower by the same factor, and memory limits the rate at which they get " \
	  "their operands")                                                                        \
	X(BLAS_SLOWER, "blas-slower",                                                              \
	  "BLAS calls take longer for the same work: they are smaller, threads share cores "       \
	  "(SMT), or it is in the kernel; else memory, caches or the clock rate, of which the "    \
	  "speed-up alone does not tell which",                                                    \
	  "their time on the CPU for each unit of work, flops per call, and samples in the "       \
	  "kernel inside them")                                                                    \
	X(OTHER_BANDWIDTH, "other-bandwidth",                                                      \
	  "other code gets slower because the threads share the memory's bandwidth",               \
	  "counters (-e): for each unit of work as many instructions in more cycles, and cache "   \
	  "misses that take more than half of the memory's bandwidth")                             \
	X(CACHE_LINES, "cache-line-contention", "threads write to the same cache lines",           \
	  "counters (-e) of lines that another core had modified, or more than twice the cache "   \
	  "misses of one thread for each unit of work")                                            \
	X(OTHER_SLOWER, "other-slower", "other code takes more CPU time for each unit of work",    \
	  "that time; counters (-e) tell whether it executes more instructions; threads share "    \
	  "cores (SMT) if there are more of them and half as much or less is lost with one a "     \
	  "core; only possible if runs are the work and N threads take N times as long, as if "    \
	  "each had its own work")                                                                 \
	X(LOCK, "lock",                                                                            \
	  "threads wait for a mutex, a read-write lock or a lock on a file that another holds, "   \
	  "or for the lock of OCaml's runtime or the kernel's of their memory map",                \
	  "time in the lock's functions, blocked or spinning; also where the others wait for a "   \
	  "thread that was late because of a lock; or more time than on one thread to take and "   \
	  "to release locks, also inside BLAS calls")                                              \
	X(GIL, "gil", "threads wait for Python's interpreter lock",                                \
	  "blocked time in the interpreter's functions that take it; the place is the script's "   \
	  "code that runs meanwhile, if it is known")                                              \
	X(BARRIER, "barrier",                                                                      \
	  "threads have even work, but meet so often that the meetings themselves cost time",      \
	  "blocked time at a barrier that unevenness does not explain, for each wait up to the "   \
	  "time that it takes to wake a thread; or threads that are started again and again, for " \
	  "each up to that time; or more time than on one thread in code that hands out work, "    \
	  "locks and wakes threads")                                                               \
	X(IMBALANCE, "imbalance",                                                                  \
	  "threads have unequal work, and the others block, spin or end early",                    \
	  "computing time that differs between threads, in code that all of them run, or where "   \
	  "each runs code of its own; or threads that have ended before the last of those that "   \
	  "were started with them; or long waits where threads meet or get their work, blocked "   \
	  "or, in OpenMP's library, spinning; the place is where they meet or sleep, or code "     \
	  "that only the last one runs, or else where all do most of their work")                  \
	X(SERIAL_PART, "serial-part", "one thread works while all others wait, again and again",   \
	  "computing time of one thread in code that no other thread runs, outside the parallel "  \
	  "regions of OpenMP that the others compute in, before any other thread has started, "    \
	  "while none of those is alive that it starts again and again (unless it goes on with "   \
	  "work that it shared with them), or in addition to the N; waits for Java's garbage "     \
	  "collector; "                                                                            \
	  "with a single caller: samples in BLAS code of the library's own threads")               \
	X(SPIN, "spin",                                                                            \
	  "threads spin, and take a CPU from others or have no uneven work that explains it",      \
	  "time in wait loops, and what else OpenMP's library takes if each wait is short")        \
	X(POOLS_COMPETE, "pools-compete",                                                          \
	  "the thread pools of two libraries run at once, with more threads than there are CPUs",  \
	  "threads of both pools that were ready to run without a CPU, or spun meanwhile")         \
	X(OVERSUBSCRIBED, "oversubscribed",                                                        \
	  "more of the program's threads are ready to run than it has CPUs",                       \
	  "time ready to run without a CPU, while the program's own threads had the CPUs")         \
	X(OTHER_PROGRAMS, "other-programs", "other programs had the CPUs",                         \
	  "time ready to run without a CPU, while they had the CPUs")                              \
	X(CPU_QUOTA, "cpu-quota", "the quota of the control group (container) was used up",        \
	  "time in which it was throttled")                                                        \
	X(HOST_STEAL, "host-steal",                                                                \
	  "the machine is virtual, and its host gave the CPUs to other machines",                  \
	  "stolen time, as reported by the host")                                                  \
	X(IO, "io", "threads wait for files, devices or the network",                              \
	  "blocked time in system calls for I/O; also where the others spin or are blocked "       \
	  "meanwhile, and none of them computes")                                                  \
	X(SLEEP, "sleep", "threads sleep", "blocked time in functions that sleep")                 \
	X(MPI, "mpi", "ranks wait for messages and for each other", "time inside MPI calls")       \
	X(GPU, "gpu", "threads wait for a GPU",                                                    \
	  "blocked time in its library or driver, and samples in its functions that wait")         \
	X(OUTSIDE_BLAS, "outside-blas-symbols",                                                    \
	  "matrix work is done by code that is not called by a BLAS name",                         \
	  "the time that grew is in libraries that compute with matrices, outside BLAS calls")     \
	X(CALL_MIX, "call-mix",                                                                    \
	  "the runs make different BLAS calls at different thread counts, so a unit of work is "   \
	  "not the same",                                                                          \
	  "flops per call and flops per run, which both differ between thread counts; the part "   \
	  "of a run's flops that differs is the part of the time that may not be lost")            \
	X(TOO_NOISY, "too-noisy", "the differences between the runs are larger than the loss",     \
	  "the 95 % interval of the speed-up, which includes N; causes for which threads are "     \
	  "blocked or spin are still named, if they do so in each run")                            \
	X(NONE, "none",                                                                            \
	  "next to nothing is lost; or little is lost and no single cause is large; or there is "  \
	  "only one thread count, which says nothing about it; or as many threads compute with "   \
	  "one asked for; or there is no evidence for a cause of this part of the loss",           \
	  "")

enum cause {
#define CAUSE_ID(id, ...) CAUSE_##id,
	CAUSE_ROWS(CAUSE_ID)
#undef CAUSE_ID
		CAUSES
};

extern const struct cause_kind {
	const char *name, *meaning, *evidence;
} cause_kinds[CAUSES];

/* The waterfall from the ideal speed-up down to the measured one. */
enum step_kind { STEP_WHOLE, STEP_LOST, STEP_REST };
struct waterfall_step {
	const char *name; /* for a cause, with its place */
	enum step_kind kind;
	double from, to; /* the lower and the upper end of its bar, as speed-ups */
	double value;	 /* what it adds; in the first and the last step, the speed-up itself */
};

/* Returns a fresh array of *count steps: the ideal, a step for each cause, the largest first, what
 * no cause explains, and the measured speed-up. *row is the row of the thread count. Returns NULL,
 * with *count 0, if no speed-up is known. */
struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count);

#endif
