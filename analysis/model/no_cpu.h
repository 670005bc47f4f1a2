/* no_cpu.h: splits the time without a CPU by who had the CPUs: a pure function. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_NO_CPU_H
#define MODEL_NO_CPU_H

/* Who had the CPU; what none of them had is not told apart. X(id, column, label, documentation of
 * the column, ...). */
#define NO_CPU_ROWS(X, ...)                                                                        \
	X(OWN, no_cpu_own_ns, "own threads",                                                       \
	  "the part of preempted_ns in which more threads of the program were ready than it has "  \
	  "CPUs",                                                                                  \
	  ##__VA_ARGS__)                                                                           \
	X(OTHERS, no_cpu_others_ns, "other programs",                                              \
	  "the part of preempted_ns in which other programs had its CPUs", ##__VA_ARGS__)          \
	X(STEAL, no_cpu_steal_ns, "the host's other machines",                                     \
	  "the part of preempted_ns that the hypervisor stole", ##__VA_ARGS__)                     \
	X(QUOTA, no_cpu_quota_ns, "the control group's quota",                                     \
	  "the part of preempted_ns in which the control group had used up its quota",             \
	  ##__VA_ARGS__)

enum no_cpu {
#define NO_CPU_ID(id, ...) NO_CPU_##id,
	NO_CPU_ROWS(NO_CPU_ID)
#undef NO_CPU_ID
		NO_CPU_COUNT
};
extern const char *const no_cpu_names[NO_CPU_COUNT]; /* the labels */

/* What is known of threads that went without a CPU for some time. All ns; 0 where not known. */
struct no_cpu_evidence {
	double seen_ns;	    /* of that time, what switch records show to the moment */
	double seen_own_ns; /* the part in which more of the program's threads were ready than CPUs
			     */
	/* by how much its ready threads exceed its CPUs on average, times the wall time: what is
	 * their own at least. Used where no record shows anything. */
	double over_ns;
	/* What each can have taken at most: CPU time that others had on the program's CPUs, and the
	 * time for which its control group was stopped on them. */
	double others_ns, steal_ns, quota_ns;
};

/* Splits no_cpu_ns into parts[], none less than 0 and together no more than it.
 *
 * A hypervisor's slice is in no switch record, so it comes out of what they do not show. The rest
 * of that (what passed between waking up and running) is taken to be like what they show. While
 * more threads are ready than there are CPUs, the excess waits for the program's own threads,
 * whoever else is there. Of the rest each CPU that does not run the program keeps one thread
 * waiting, so that no cause has more than it had of the CPUs: first the quota, which stops nobody
 * else, then other programs. What is left is not explained. */
void no_cpu_split(double no_cpu_ns, const struct no_cpu_evidence *evidence,
		  double parts[NO_CPU_COUNT]);

#endif
