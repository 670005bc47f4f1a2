/* cause_claim.h: what is lost at a thread count, and how causes claim their parts of it. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CAUSE_CLAIM_H
#define REPORT_CAUSE_CLAIM_H

#include "report/build.h"
#include "report/causes.h"

/* A cause of a smaller part of N is not worth a row. */
#define CAUSE_MIN 0.01
/* To wake a blocked thread takes 5 to 50 us, most on virtual machines and when the CPU was in deep
 * sleep. If several threads are woken, each adds a part of that. */
#define WAKE_NS	  100e3
/* The CPU time that one wait and its wake-up cost both threads together. */
#define SWITCH_NS 50e3

enum sure { SURE, LIKELY, POSSIBLE };

/* The search for the causes at one thread count. Losses are in threads, out of N. */
struct search {
	struct report *report;
	const struct report_row *row;
	/* the row of one thread; if that was not measured, its computing is an estimate, and all
	 * else is 0 */
	const struct report_row *base;
	int is_measured;
	double left[CAT_COUNT]; /* lost to each category and not claimed by a cause yet */
	double pools_no_cpu;	/* of CAT_NO_CPU, what pools that compete have claimed */
	double spun_unserved;	/* of CAT_SPIN, for locks whose holders had no CPU */
	double threads_per_ns;	/* threads lost for each ns more per unit of work */
	double other_lost;	/* to CAT_OTHER, claimed or not */
	/* other programs take the CPU for this many ns for each ns of computing, as on one thread,
	 * which explains this part of what they take beyond one thread, and is counted as loss of
	 * the categories that compute, which raises it by this factor */
	double starved, usual, raised;
	struct run *loaded; /* the run whose stacks were loaded last */
};

/* Iterate over the rows of a table, or over the runs, at the thread count of the search. */
#define EACH_HERE(each, search, array)                                                             \
	EACH_AT(each, (search)->report, array, (search)->row->threads)
#define EACH_RUN_HERE(each, search) EACH_RUN_AT(each, (search)->report, (search)->row->threads)

struct claim {
	enum cause cause;
	enum sure sure;
	double lost[CAT_COUNT];		   /* threads, in each category */
	const char *place;		   /* of the string pool or static; NULL: not known */
	char sentence[CAUSE_SENTENCE_MAX]; /* what follows "1.20 of 4 threads " */
	char remedy[CAUSE_SENTENCE_MAX];
};

struct report_cause *add_cause(struct search *search, enum cause cause, double lost);
/* Assigns part of the loss in these categories to the cause, so that no other cause can claim it.
 * Claims of the same cause at the same place become one row, with the sentence of the larger one.
 */
void claim(struct search *search, const struct claim *claim);
/* Converts extra time per unit of work (point - base, in ns) to lost threads; 0 if there is none.
 */
double threads_lost(const struct search *search, double point, double base);
/* The same for ns of all the row's work, and base_ns of that of one thread. */
double more_lost(const struct search *search, double ns, double base_ns);
/* The same if one thread has none. */
double time_lost(const struct search *search, double ns);
/* How many times as long the category takes for a unit of work as on one thread. */
double growth(const struct search *search, enum category category);
/* The threads that had no CPU because of this, beyond those of one thread and those that are
 * explained already. */
double no_cpu_lost(const struct search *search, enum no_cpu who);
/* In these a thread gets no work done, by the clocks of the run itself. Threads that wait for each
 * other are blocked, have not started or have ended, are in MPI, or spin. */
int is_idle(enum category category);
double sum_idle(const double lost[CAT_COUNT]);
/* The share of its time in which it is idle. */
double idle_share(const struct account *account);
/* The time in which threads compute. */
double work_ns(const struct account *account);
/* Sets what each category lost. Gains of some categories reduce the losses of all others by the
 * same factor, so that the causes never add up to more than the whole loss. */
void split_loss(struct search *search);
/* Adds the loss to the claim, divided between these categories in proportion to what is left. */
void add_idle_loss(const struct search *search, double lost, struct claim *found);

/* The functions that look for causes, in their order: each claims what it finds evidence for, those
 * with the plainest evidence first. Unevenness comes before locks and I/O: a thread that would have
 * to wait for other threads' work anyway loses nothing to a lock, a pipe or a sleep, and some waits
 * that look like locks are queues. */
/* clang-format off */
#define CAUSE_FINDERS(X) \
	X(pools) X(inner) X(starts) X(serial) X(spin_locks) X(imbalance) X(locks) X(extra) X(polls) \
	X(meeting_costs) X(no_cpu) X(late_threads) X(gpu) X(spin) X(mpi) X(idle_inside) X(mix) X(blas) X(other)
/* clang-format on */
#define FINDER(name) void find_##name(struct search *search);
CAUSE_FINDERS(FINDER)
#undef FINDER
/* Adds what one thread count alone tells, and the command that would tell more. */
void add_prospect(struct search *search);

#endif
