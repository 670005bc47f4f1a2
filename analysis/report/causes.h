/* causes.h: why speed-up was lost: the closed list of causes, and what finds them. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSES_H
#define REPORT_CAUSES_H

/* A cause is one row: X(enum's ending, name, what it means, the evidence that it needs). The manual
 * lists them. The split of the lost speed-up says where time is spent; a cause is claimed only with
 * its evidence. */
#define CAUSE_ROWS(X)                                                                              \
	X(BLAS_QUEUE, "blas-queue",                                                                \
	  "BLAS calls wait for one another, as for a matrix unit that all threads share",          \
	  "calls that are blocked inside, or whose fastest tenth stays as fast while the others "  \
	  "get slower, and a number of units that fits the speed-ups, with both ends of its "      \
	  "interval; or fewer units by --what-if than threads")                                    \
	X(BLAS_BANDWIDTH, "blas-bandwidth",                                                        \
	  "BLAS calls get slower because the threads share the memory's bandwidth",                \
	  "all calls get slower alike, and their operands come from memory at a rate that limits " \
	  "them")                                                                                  \
	X(BLAS_SLOWER, "blas-slower",                                                              \
	  "BLAS calls get slower: by memory, caches or the clock rate, which the speed-up alone "  \
	  "does not tell apart",                                                                   \
	  "their time on the CPU for each unit of work")                                           \
	X(OTHER_BANDWIDTH, "other-bandwidth",                                                      \
	  "other code gets slower because the threads share the memory's bandwidth",               \
	  "counters (-e): as many instructions for each unit of work, in more cycles, with more "  \
	  "bytes from memory than half of what it can give, or as many cache misses")              \
	X(CACHE_LINES, "cache-line-contention", "threads write to the same cache lines",           \
	  "counters (-e) of lines that another core had changed, or over twice the cache misses "  \
	  "for each unit of work that one thread has")                                             \
	X(OTHER_SLOWER, "other-slower", "other code takes more CPU time for each unit of work",    \
	  "that time; counters (-e) say whether it is more instructions")                          \
	X(LOCK, "lock", "threads wait for a mutex or a read-write lock that another one holds",    \
	  "time in its functions, blocked or spinning")                                            \
	X(GIL, "gil", "threads wait for Python's interpreter lock",                                \
	  "blocked time in the interpreter's functions that take it; its place is the script's "   \
	  "code that runs meanwhile, where it is known")                                           \
	X(BARRIER, "barrier",                                                                      \
	  "threads have even work, but meet so often that the meeting itself costs",               \
	  "blocked time at a barrier that no unevenness explains, of each wait as much as it "     \
	  "takes to wake a thread; or more time than on one thread in code that hands out work, "  \
	  "locks and wakes threads")                                                               \
	X(IMBALANCE, "imbalance",                                                                  \
	  "threads have unequal work, and the others wait, by blocking, spinning or ending early", \
	  "computing time that differs by thread, in code that all of them run; or long waits "    \
	  "where threads meet or get their work")                                                  \
	X(SERIAL_PART, "serial-part", "one thread works while all others wait, again and again",   \
	  "computing time of one thread in code that no other runs, before any other is there, "   \
	  "or besides the N; of one caller: samples in BLAS code of its own threads")              \
	X(SPIN, "spin",                                                                            \
	  "threads spin, which takes a CPU from others or which no unevenness explains",           \
	  "time in wait loops")                                                                    \
	X(POOLS_COMPETE, "pools-compete",                                                          \
	  "the thread pools of two libraries run at once, on fewer CPUs than both have threads",   \
	  "threads of both that were ready to run without a CPU, or that spun meanwhile")          \
	X(OVERSUBSCRIBED, "oversubscribed",                                                        \
	  "more of the program's threads are ready to run than it has CPUs",                       \
	  "time ready to run without a CPU, which the program's own threads had")                  \
	X(OTHER_PROGRAMS, "other-programs", "other programs had the CPUs",                         \
	  "time ready to run without a CPU, which they had")                                       \
	X(CPU_QUOTA, "cpu-quota", "the quota of the control group (container) was used up",        \
	  "time in which it was throttled")                                                        \
	X(HOST_STEAL, "host-steal",                                                                \
	  "the machine is virtual, and its host gave the CPUs to others",                          \
	  "time that the host says it took")                                                       \
	X(IO, "io", "threads wait for files, devices or the network",                              \
	  "blocked time in such system calls")                                                     \
	X(SLEEP, "sleep", "threads sleep", "blocked time in functions that sleep")                 \
	X(MPI, "mpi", "ranks wait for messages and for each other", "time inside MPI calls")       \
	X(GPU, "gpu", "threads wait for a GPU",                                                    \
	  "blocked time in its library or driver, and samples in its functions that wait")         \
	X(OUTSIDE_BLAS, "outside-blas-symbols",                                                    \
	  "matrix work is done by code that is called by no BLAS name",                            \
	  "what grew lies in libraries that compute with matrices, outside BLAS calls")            \
	X(CALL_MIX, "call-mix",                                                                    \
	  "the runs make other BLAS calls at other thread counts, so a unit of work is not the "   \
	  "same",                                                                                  \
	  "flops a call and flops a run, which both differ by thread count")                       \
	X(TOO_NOISY, "too-noisy", "the runs differ more from each other than the loss is large",   \
	  "the 95 % interval of the speed-up, which includes N")                                   \
	X(NONE, "none",                                                                            \
	  "next to nothing is lost, little is lost and no single cause is large, one thread "      \
	  "count "                                                                                 \
	  "alone says nothing of it, or this much of the loss has no cause for which there is "    \
	  "evidence",                                                                              \
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

#endif
