/* causes.c: attributes the lost speed-up to causes for which there is evidence. */
/* SPDX-License-Identifier: MIT */
#include "report/causes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "report/build.h"
#include "report/scaling.h"
#include "report/warnings.h"
#include "store/store.h"

/* A cause of a smaller part of N is not worth a row. */
#define CAUSE_MIN 0.01
/* To wake a blocked thread takes 5 to 50 us, most on virtual machines and when the CPU was in deep
 * sleep. If several threads are woken, each adds a part of that. */
#define WAKE_NS	  100e3
/* The CPU time that one wait and its wake-up cost both threads together. */
#define SWITCH_NS 50e3

const struct cause_kind cause_kinds[CAUSES] = {
#define CAUSE_KIND(id, ...) [CAUSE_##id] = {__VA_ARGS__},
	CAUSE_ROWS(CAUSE_KIND)
#undef CAUSE_KIND
};

enum sure { SURE, LIKELY, POSSIBLE };
static const char *const sure_names[] = {
	[SURE] = "sure",
	[LIKELY] = "likely",
	[POSSIBLE] = "possible",
};

/* The search for the causes at one thread count. Losses are in threads, out of N. */
struct search {
	struct report *report;
	const struct report_row *row;
	const struct report_row *base; /* the row of one thread; NULL if there is none */
	double left[CAT_COUNT];	       /* lost to each category and not claimed by a cause yet */
	double pools_no_cpu;	       /* of CAT_NO_CPU, what pools that compete have claimed */
	double spun_unserved;	       /* of CAT_SPIN, for locks whose holders had no CPU */
	double threads_per_ns;	       /* threads lost for each ns more per unit of work */
	double net_factor; /* the part of each category's loss that gains of others do not offset */
	/* other programs take the CPU for this many ns for each ns of computing, as on one thread,
	 * which explains this part of what they take beyond one thread, and is counted as loss of
	 * the categories that compute, which raises it by this factor */
	double starved, usual, raised;
	struct run *loaded; /* the run whose stacks were loaded last */
};

struct claim {
	enum cause cause;
	enum sure sure;
	double lost[CAT_COUNT];		   /* threads, in each category */
	const char *place;		   /* of the string pool or static; NULL: not known */
	char sentence[CAUSE_SENTENCE_MAX]; /* what follows "1.20 of 4 threads " */
	char remedy[CAUSE_SENTENCE_MAX];
};

static struct report_cause *add_cause(struct search *search, enum cause cause, double lost)
{
	struct report *report = search->report;
	struct report_cause *row = memory_add(&report->causes, &report->ncauses, sizeof *row);

	row->threads = search->row->threads;
	row->cause = cause_kinds[cause].name;
	row->lost = lost;
	row->share = lost / row->threads;
	row->sure = sure_names[SURE];
	row->place = "";
	return row;
}

/* 1 for the same place, or another function in the same line, "train.c:120 step()": a library's
 * that is called there, and the one that calls it. */
static int is_same_place(const char *place, const char *other)
{
	size_t length = strcspn(place, " ");

	return !strcmp(place, other) ||
	       (memchr(place, ':', length) && place[length] && !strncmp(place, other, length + 1));
}

/* Assigns part of the loss in these categories to the cause, so that no other cause can claim it.
 * Claims of the same cause at the same place become one row, with the sentence of the larger one.
 */
static void claim(struct search *search, const struct claim *claim)
{
	const char *cause = cause_kinds[claim->cause].name;
	const char *place = claim->place ? claim->place : "";
	struct report_cause *row = NULL;
	double lost = 0;

	EACH_CATEGORY(category)
		lost += fmin(claim->lost[category], search->left[category]);
	if (!(lost >= CAUSE_MIN * search->row->threads))
		return;
	EACH_CATEGORY(category)
		search->left[category] -= fmin(claim->lost[category], search->left[category]);
	EACH_AT(other, search->report, causes, search->row->threads)
		if (*place && !strcmp(other->cause, cause) && is_same_place(place, other->place))
			row = other;
	if (!row)
		row = add_cause(search, claim->cause, 0);
	if (lost > row->lost) {
		row->sure = sure_names[claim->sure];
		row->place = place;
		memcpy(row->remedy, claim->remedy, sizeof row->remedy);
		memcpy(row->sentence, claim->sentence, sizeof row->sentence);
	}
	row->lost += lost;
	row->share = row->lost / row->threads;
}

/* Converts extra time per unit of work (point - base, in ns) to lost threads; 0 if there is none.
 */
static double threads_lost(const struct search *search, double point, double base)
{
	double lost = search->threads_per_ns * (point - base);

	return isfinite(lost) ? fmax(lost, 0) : 0;
}

/* The same for ns of all the row's work, and base_ns of that of one thread. */
static double more_lost(const struct search *search, double ns, double base_ns)
{
	return threads_lost(search, ns / search->row->account.work,
			    search->base ? base_ns / search->base->account.work : 0);
}

/* The same if one thread has none. */
static double time_lost(const struct search *search, double ns)
{
	return more_lost(search, ns, 0);
}

/* The time for a unit of work on one thread, in ns. Without a run on one thread, computing time is
 * estimated, and the time of all other categories is taken to be 0. */
static double base_per_work(const struct search *search, enum category category)
{
	const struct scaling *scaling = &search->report->scaling;

	if (search->base)
		return account_per_work(&search->base->account, category);
	return category == CAT_BLAS    ? scaling->base.blas_per_work
	       : category == CAT_OTHER ? scaling->base.other_per_work
				       : 0;
}

/* The threads that had no CPU because of this, beyond those of one thread. */
static double no_cpu_lost(const struct search *search, enum no_cpu who)
{
	return more_lost(search, search->row->no_cpu_ns[who],
			 search->base ? search->base->no_cpu_ns[who] : 0);
}

/* 1 if threads use CPUs in this category, or wait for the only one that does. */
static int needs_cpu(const struct account *account, enum category category)
{
	return category == CAT_BLAS || category == CAT_OTHER || category == CAT_SPIN ||
	       (category == CAT_WAITING && account->parallel == PARALLEL_INNER);
}

/* The time in which other programs or the host had the CPU, for each ns of computing; 0 if nothing
 * computes. */
static double starved_ratio(const struct report_row *row)
{
	double used_ns = 0;

	EACH_CATEGORY(category)
		if (needs_cpu(&row->account, category))
			used_ns += row->account.category_ns[category];
	return used_ns > 0
		       ? (row->no_cpu_ns[NO_CPU_OTHERS] + row->no_cpu_ns[NO_CPU_STEAL]) / used_ns
		       : 0;
}

/* Where other programs slow down one thread as well, what takes longer also lacks a CPU for longer.
 * That is its own loss, not that of those programs. */
static void split_usual_no_cpu(struct search *search)
{
	double taken = no_cpu_lost(search, NO_CPU_OTHERS) + no_cpu_lost(search, NO_CPU_STEAL);
	double used = 0, moved;

	search->starved =
		search->base ? fmin(starved_ratio(search->base), starved_ratio(search->row)) : 0;
	EACH_CATEGORY(category)
		used += needs_cpu(&search->row->account, category) ? search->left[category] : 0;
	moved = fmin(search->starved * used, fmin(taken, search->left[CAT_NO_CPU]));
	if (!(moved > 0))
		return;
	search->usual = moved / taken;
	search->raised = 1 + moved / used;
	search->left[CAT_NO_CPU] -= moved;
	EACH_CATEGORY(category)
		if (needs_cpu(&search->row->account, category))
			search->left[category] *= search->raised;
}

/* In these a thread gets no work done, by the clocks of the run itself. Threads that wait for each
 * other are blocked, have not started or have ended, are in MPI, or spin. */
static int is_idle(enum category category)
{
	return category == CAT_WAITING || category == CAT_SPIN || category == CAT_MPI;
}

static double sum_idle(const double lost[CAT_COUNT])
{
	double sum = 0;

	EACH_CATEGORY(category)
		sum += is_idle(category) ? lost[category] : 0;
	return sum;
}

/* Time that spins is taken from other code, by samples: by chance, more than there is. So a gain in
 * other code is a smaller loss in spinning. A gain in one of the categories in which threads wait
 * for each other is a smaller loss in the others: a thread may be blocked with one thread, and spin
 * with several. */
static void net_idle(double lost[CAT_COUNT])
{
	double chance = fmin(fmax(-lost[CAT_OTHER], 0), fmax(lost[CAT_SPIN], 0));
	double all = 0, net, part;

	lost[CAT_OTHER] += chance;
	lost[CAT_SPIN] -= chance;
	net = sum_idle(lost);
	EACH_CATEGORY(category)
		all += is_idle(category) ? fmax(lost[category], 0) : 0;
	part = all > 0 ? fmax(net, 0) / all : 1;
	EACH_CATEGORY(category)
		if (is_idle(category))
			lost[category] = fmax(lost[category], 0) * part;
	lost[CAT_WAITING] += fmin(net, 0);
}

/* Sets what each category lost. Gains of some categories reduce the losses of all others by the
 * same factor, so that the causes never add up to more than the whole loss. */
static void split_loss(struct search *search)
{
	const struct account *account = &search->row->account;
	double lost = 0, gained = 0;

	search->threads_per_ns = account->threads / account_all_per_work(account);
	EACH_CATEGORY(category) {
		double more = search->threads_per_ns * (account_per_work(account, category) -
							base_per_work(search, category));

		search->left[category] = isfinite(more) ? more : 0;
	}
	net_idle(search->left);
	EACH_CATEGORY(category) {
		lost += fmax(search->left[category], 0);
		gained += fmax(-search->left[category], 0);
	}
	search->net_factor = lost > 0 ? fmax((lost - gained) / lost, 0) : 1;
	search->threads_per_ns *= search->net_factor;
	EACH_CATEGORY(category)
		search->left[category] = fmax(search->left[category], 0) * search->net_factor;
	split_usual_no_cpu(search);
}

#define NAME_LONG 48

/* Returns the name of a function, of less than `size` bytes; a long one without its template
 * arguments, which may have hundreds of characters. */
static const char *short_name(const char *function, size_t size)
{
	char name[CAUSE_PLACE_MAX];
	size_t length = 0;
	int depth = 0;

	if (strlen(function) <= NAME_LONG)
		return function;
	for (const char *at = function; *at && length + 4 < size; at++) {
		depth -= *at == '>' && depth && at[-1] != '-';
		if (!depth)
			name[length++] = *at;
		if (*at == '<' && at > function && !depth++)
			length += (size_t)sprintf(name + length, "...");
	}
	name[length] = '\0';
	return string_pooled(name);
}

/* Returns "train.c:120 step()", as far as it is known. */
static const char *code_place(const char *file, int line, const char *function)
{
	const char *name = short_name(function, 104);
	/* none after an address in an object, or Python's "train.py:31 step" and <module> */
	const char *brackets = *name && *name != '<' && !strpbrk(name, "+: ") ? "()" : "";
	const char *base = object_name(file);
	int length = (int)strnlen(base, 60);

	while (length && ((unsigned char)base[length] & 0xc0) == 0x80) /* not inside a character */
		length--;
	return line > 0 ? string_printf("%.*s:%d %s%s", length, base, line, name, brackets)
			: string_printf("%s%s", name, brackets);
}

/* The name of code in OpenMP's library without symbols, such as "libgomp.so.1.0.0+0x1cd39". */
static int is_nameless_openmp(const char *name)
{
	return object_runs_openmp(name) && strstr(name, "+0x");
}

/* 1 for functions of OpenMP's library that compiled code calls, with or without underscores. */
static int is_openmp_call(const char *function)
{
	return !strncmp(function, "GOMP_", 5) || !strncmp(function, "__kmpc_", 7) ||
	       !strncmp(function, "kmpc_", 5);
}

/* An idle thread of OpenMP has no caller in the program: it waits for what others call. Returns the
 * longest wait of this kind in a call of OpenMP, or the wait itself. */
static const struct report_wait *find_named_wait(const struct search *search,
						 const struct report_wait *wait)
{
	if (!is_nameless_openmp(*wait->sum.caller ? wait->sum.caller : wait->sum.function))
		return wait;
	EACH_AT(other, search->report, waits, search->row->threads)
		if (other->sum.line > 0 && wait_is_waiting(other, search->row) &&
		    !strcmp(other->sum.kind, wait->sum.kind) && is_openmp_call(other->sum.function))
			return other;
	return wait;
}

const char *wait_place(const struct report_wait *wait)
{
	const char *name = *wait->sum.caller		     ? wait->sum.caller
			   : strcmp(wait->sum.kind, "futex") ? wait->sum.function
							     : "";

	return *name ? code_place(wait->sum.file, wait->sum.line, name) : "";
}

/* 2 if the wait's place is the program's, 1 if Python's library, where the idle threads of a pool
 * wait, and 0 if it is not known, as some stacks end before the program's code. */
static int place_rank(const struct report_wait *wait)
{
	return !*wait->sum.caller ? 0 : 2 - python_is_library(wait->sum.file);
}
#define PLACE_RANKS 3
#define PLACE_MIN                                                                                  \
	0.1 /* of the loss at the place with the largest: places with less do not tell             \
	     */

static const char *function_place(const struct report_function *function)
{
	const struct code_location *location = &function->sum.location;

	return code_place(location->file, location->line, location->function);
}

/* Sets the place, and appends ", most in PLACE" if it is known. */
static void say_most_in(const char *place, struct claim *found)
{
	found->place = place;
	if (place && *place)
		SAY(found->sentence, ", most in %s", place);
}

#define REMEDY_LOCK                                                                                \
	"hold the lock for a shorter time, or give each thread its own part of the data that it "  \
	"guards"
#define REMEDY_SPIN                                                                                \
	"let them block while they wait: OMP_WAIT_POLICY=passive, or a condition variable "        \
	"instead of the loop"
#define REMEDY_COUNT                                                                               \
	"see that the program gets its thread count, as an argument or in a variable "             \
	"(--threads-env); if it does, "
#define IMPORTS		   ", which imports modules"
#define FEWER_BLAS_THREADS "give BLAS fewer threads, or larger matrices"
#define REMEDY_GPU	   "queue work for it ahead, and fetch the results later"
#define REMEDY_MPI	   "balance the work of the ranks, or send less often and earlier"

/* Kinds of waits that are causes by themselves. Unevenness is looked for before these: a thread
 * that would have to wait for other threads' work anyway loses nothing to a lock, a pipe or a
 * sleep, and some waits that look like locks are queues. */
static const struct wait_cause {
	const char *kind;
	enum cause cause;
	const char *what, *remedy;
	int polls; /* 1 if it may be a wait for what a thread beyond the N hands out */
} wait_causes[] = {
	{"gil", CAUSE_GIL, "Python's interpreter lock",
	 "use processes instead of threads, or calls that release the lock and run for longer"},
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

/* The part of the row's waits for which participants were blocked, by the clocks. In the table of
 * waits, each ends when the thread runs again; by the clocks, when it is ready to, which is much
 * earlier if other programs have the CPUs. */
static double blocked_part(const struct search *search, const struct report_row *row)
{
	double sum_ns = 0, ready_ns;

	EACH_ROW(wait, search->report->waits, search->report->nwaits)
		sum_ns += wait_is_waiting(wait, row) ? (double)wait->sum.total_ns : 0;
	ready_ns = fmin(sum_ns - row->blocked_ns, row->account.category_ns[CAT_NO_CPU]);
	return sum_ns > 0 ? 1 - fmax(ready_ns, 0) / sum_ns : 1;
}

/* Returns the threads lost at this place: its time for a unit of work beyond what one thread waits
 * there. */
static double wait_lost(const struct search *search, const struct report_wait *wait)
{
	struct table_order keys = table_order_by(&run_tables[RUN_PART_WAITS], WAIT_KEYS);
	double one_ns = 0;

	EACH_AT(other, search->report, waits, search->base ? 1 : -1)
		if (other->is_caller && !table_compare(&keys, &wait->sum, &other->sum))
			one_ns += (double)other->sum.total_ns * blocked_part(search, search->base);
	return more_lost(search, (double)wait->sum.total_ns * blocked_part(search, search->row),
			 one_ns);
}

/* The samples in threads that are not BLAS's own. */
static double own_samples(const struct report_function *function)
{
	return (double)function->sum.samples - (double)function->sum.samples_workers;
}

/* The samples in threads that BLAS itself started, or that only spin. */
static double idle_samples(const struct report_function *function)
{
	return (double)function->sum.samples_workers;
}

static double all_samples(const struct report_function *function)
{
	return (double)function->sum.samples;
}

/* The time in code of a category, or in all code of the kernel (NULL), in ns for a unit of work:
 * inside BLAS calls (CAT_BLAS), or in other code and in the kernel (CAT_OTHER). */
static double code_per_work(const struct search *search, const struct report_row *row,
			    enum category where, const char *category)
{
	double in = 0, all = 0;

	EACH_AT(function, search->report, functions, row->threads) {
		const struct code_location *at = &function->sum.location;
		const char *found = function->category;
		int is_blas = function->sum.code == RUN_CODE_BLAS;

		if (is_blas != (where == CAT_BLAS) || function->sum.code == RUN_CODE_SPIN)
			continue;
		if (is_blas) /* as for code that BLAS does not call */
			found = category_find(search->report->options.categories, at->object,
					      RUN_CODE_OTHER, at->function, at->inlined_into);
		all += own_samples(function);
		if (category ? !strcmp(found, category) : !strcmp(at->object, "[kernel]"))
			in += own_samples(function);
	}
	return in / all * account_per_work(&row->account, where);
}

static double code_lost(const struct search *search, enum category where, const char *category)
{
	return search->base
		       ? threads_lost(search, code_per_work(search, search->row, where, category),
				      code_per_work(search, search->base, where, category))
		       : 0;
}

/* Returns this number of waits as a share of all waits of participants. */
static double waits_share(const struct search *search, double waits)
{
	double all = 0;

	EACH_AT(wait, search->report, waits, search->row->threads)
		all += wait_is_waiting(wait, search->row) ? (double)wait->sum.waits : 0;
	return all > 0 ? waits / all : 0;
}

/* Returns where the program calls the MPI routine with most time, or NULL if there is none. Samples
 * that spin there tell, or else waits. All are sorted, the largest first. Fortran's names are in
 * lower case. */
static const char *mpi_place(const struct search *search)
{
	const char *file = "", *routine = NULL;
	int line = 0;

	EACH_AT(row, search->report, mpi, search->row->threads)
		routine = routine ?: row->sum.routine;
	if (!routine)
		return NULL;
	EACH_AT(function, search->report, functions, search->row->threads)
		if (!line && function->sum.code == RUN_CODE_SPIN &&
		    strcasestr(function->sum.location.function, routine)) {
			file = function->sum.location.file;
			line = function->sum.location.line;
		}
	EACH_AT(wait, search->report, waits, search->row->threads)
		if (!line && wait->is_caller && strcasestr(wait->sum.function, routine)) {
			file = wait->sum.file;
			line = wait->sum.line;
		}
	return code_place(file, line, routine);
}

static void find_mpi(struct search *search)
{
	/* some may wait there for one without a CPU */
	int lack_cpus = account_share(&search->row->account, CAT_NO_CPU) > LOSS_MIN;
	struct claim found = {CAUSE_MPI, lack_cpus ? LIKELY : SURE, .sentence = "are in MPI",
			      .remedy = REMEDY_MPI};

	found.lost[CAT_MPI] = search->left[CAT_MPI];
	say_most_in(mpi_place(search), &found);
	claim(search, &found);
}

/* A figure of struct spread, in ns, by its offset. */
#define SPREAD_FIGURE(member) offsetof(struct spread, member)

static double spread_ns(const struct report_run *run, size_t figure)
{
	return *(const double *)((const char *)&run->spread + figure);
}

/* The sum of the figure over the row's runs, as threads lost. */
static double spread_lost(const struct search *search, size_t figure)
{
	double sum_ns = 0;

	EACH_RUN_AT(run, search->report, search->row->threads)
		sum_ns += run->spread.known ? spread_ns(run, figure) : 0;
	return time_lost(search, sum_ns);
}

/* The same for computing time: one thread needs as much longer for it if it lacks a CPU. */
static double spread_work_lost(const struct search *search, size_t figure)
{
	return spread_lost(search, figure) * (1 + search->starved);
}

/* The run of the row with the largest figure, or NULL. */
static const struct report_run *find_spread(const struct search *search, size_t figure)
{
	const struct report_run *most = NULL;

	EACH_RUN_AT(run, search->report, search->row->threads)
		if (run->spread.known &&
		    (!most || spread_ns(run, figure) > spread_ns(most, figure)))
			most = run;
	return most;
}

/* Returns the routine with most time in BLAS calls, and its shape if that has most of this. */
static const char *calls_place(const struct search *search)
{
	const struct report *report = search->report;
	const char *routine = NULL;
	double most_ns = 0;

	EACH_AT(caller, report, callers, search->row->threads) {
		double ns = 0;

		EACH_AT(other, report, callers, search->row->threads)
			if (!strcmp(other->sum.shape.routine, caller->sum.shape.routine))
				ns += (double)other->sum.total_ns;
		if (ns > most_ns) {
			routine = caller->sum.shape.routine;
			most_ns = ns;
		}
	}
	EACH_AT(shape, report, shapes, search->row->threads)
		if (!routine || !strcmp(shape->sum.shape.routine, routine))
			return (double)shape->sum.total_ns > most_ns / 2
				       ? shape_name(&shape->sum.shape)
				       : string_printf("%.31s()", routine);
	return "";
}

static void forget_stacks(struct run *loaded)
{
	table_free(&run_tables[RUN_PART_FRAMES], loaded);
	table_free(&run_tables[RUN_PART_STACKS], loaded);
}

/* Returns the run with its stacks, which it may have only in the store. */
static const struct run *with_stacks(const struct search *search, const struct report_run *run)
{
	struct store *store = search->report->options.stacks;
	struct run *loaded = search->loaded;

	if (!store)
		return run->run;
	if (loaded->id != run->id) {
		forget_stacks(loaded);
		*loaded = *run->run;
		store_load_more(store, STORE_STACKS, loaded, 1, NULL);
	}
	return loaded;
}

/* Returns the row's newest run with its stacks; each row has one. */
static const struct run *newest_run(const struct search *search)
{
	const struct report_run *newest = NULL;

	EACH_RUN_AT(run, search->report, search->row->threads)
		newest = run;
	return with_stacks(search, newest);
}

/* Returns the place of the function of this name, or of what is inlined into it, with the line that
 * has most samples, if any has. */
static const char *named_place(const struct search *search, const char *name)
{
	const struct report_function *most = NULL;

	for (int inlined = 0; inlined < 2 && !most; inlined++)
		EACH_AT(function, search->report, functions, *name ? search->row->threads : -1) {
			const struct code_location *at = &function->sum.location;
			const char *in = inlined ? at->inlined_into : at->function;

			if (in && !strcmp(in, name) && *at->file && at->line > 0 &&
			    (!most || own_samples(function) > own_samples(most)))
				most = function;
		}
	return most ? function_place(most) : code_place("", 0, name);
}

/* Returns the function that this thread of the run, and no other, ran most, or the calls with most
 * time if it did so in BLAS. Without its stacks, the samples of functions tell. */
static const char *alone_place(const struct search *search, const struct report_run *run,
			       int64_t tid)
{
	const char *name = build_alone(with_stacks(search, run), tid);

	return name ? named_place(search, name) : calls_place(search);
}

/* Returns where the serial part is, of which main_place has what is outside BLAS. */
static const char *serial_place(const struct search *search, const struct report_run *run)
{
	const struct spread *spread = &run->spread;
	int is_outside = spread->serial_is_main && *search->row->main_place;

	EACH_ROW(thread, run->run->threads, run->run->nthreads)
		if (thread->tid == spread->serial_tid)
			is_outside &= (double)thread->times.ns[CAT_OTHER] > spread->serial_ns / 2;
	return is_outside ? search->row->main_place : alone_place(search, run, spread->serial_tid);
}

static const char *participant_noun(const struct report_run *run)
{
	return run->spread.are_processes ? "process" : "thread";
}

static int is_meeting(const struct report_wait *wait, const struct report_row *row)
{
	return wait_is_waiting(wait, row) && wait_is_meeting(&wait->sum);
}

/* 1 if a thread sleeps: it may look again and again whether it has got work, or a lock. */
static int is_polling(const struct report_wait *wait, const struct report_row *row)
{
	return wait_is_waiting(wait, row) && !strcmp(wait->sum.kind, "sleep");
}

/* 1 if a thread waits for the end of another thread or process. */
static int is_join(const struct report_wait *wait)
{
	return !strcmp(wait->sum.kind, "join") || !strcmp(wait->sum.kind, "child");
}

/* The longest wait for which the question is true, or NULL. Waits are sorted, the longest first. */
static const struct report_wait *find_longest(const struct search *search,
					      int (*is)(const struct report_wait *wait,
							const struct report_row *row))
{
	EACH_ROW(wait, search->report->waits, search->report->nwaits)
		if (is(wait, search->row))
			return wait;
	return NULL;
}

/* 1 for functions whose names say lock: spin locks, and locks that spin before they block. */
static int is_lock(const char *function)
{
	static const char *const words[] = {"_lock",	"::lock",  "_unlock",  "mutex",
					    "Mutex",	"rwlock",  "pinlock",  "pinLock",
					    "critical", "ordered", " lock in "};

	EACH_ROW(word, words, COUNT(words))
		if (strstr(function, *word))
			return 1;
	return !strcmp(function, "lock");
}

/* 1 if the function spins for a lock or, without in_lock, for anything else. */
static int is_spinning(const struct report_function *function, int in_lock)
{
	return function->sum.code == RUN_CODE_SPIN &&
	       is_lock(function->sum.location.function) == in_lock;
}

typedef double count_samples(const struct report_function *function);

/* The function in which most samples spin, or NULL. In the library that it is in, a function with a
 * name is preferred, since it tells more, and the library's own threads wait for the same. The
 * kernel's code of sched_yield() is returned only if nothing else spins. */
static const struct report_function *find_most_spinning(const struct search *search, int in_lock,
							count_samples *samples)
{
	const struct report_function *most = NULL, *in_kernel = NULL, *named = NULL;

	EACH_AT(function, search->report, functions, search->row->threads) {
		int is_kernel = !strcmp(function->sum.location.object, "[kernel]");
		const struct report_function **place = is_kernel ? &in_kernel : &most;

		if (is_spinning(function, in_lock) &&
		    samples(function) > (*place ? samples(*place) : 0))
			*place = function;
	}
	EACH_AT(function, search->report, functions, search->row->threads)
		if (most && is_spinning(function, in_lock) &&
		    (!strcmp(function->sum.location.object, most->sum.location.object) ||
		     (is_nameless_openmp(most->sum.location.function) &&
		      is_openmp_call(function->sum.location.function))) &&
		    !strchr(function->sum.location.function, '+') &&
		    samples(function) > (named ? samples(named) : 0))
			named = function;
	return named ? named : most ? most : in_kernel;
}

/* The loop in which participants spin most, or else the one of other threads; NULL for none. */
static const struct report_function *find_loop(const struct search *search, int in_lock)
{
	return find_most_spinning(search, in_lock, own_samples)
		       ?: find_most_spinning(search, in_lock, all_samples);
}

/* Returns from where the program calls code of the category most, in the newest run. */
static const char *calling_place(const struct search *search, const char *category)
{
	return named_place(search, build_calling(newest_run(search),
						 search->report->options.categories, category));
}

/* Returns where the program calls this function, or any of its object; "" if that is not known. */
static const char *caller_place(const struct search *search, const struct report_function *function,
				int any)
{
	const struct code_location *location = &function->sum.location;
	const char *caller =
		build_caller(newest_run(search), location->object, any ? NULL : location->function);

	return *caller && strcmp(caller, location->function) != 0 ? named_place(search, caller)
								  : "";
}

/* A function of a standard library tells nothing of the program, but its caller does. */
static const char *loop_place(const struct search *search, const struct report_function *loop)
{
	const char *caller = function_is_standard(loop->sum.location.function)
				     ? caller_place(search, loop, 0)
				     : "";

	return *caller ? caller : function_place(loop);
}

/* What is lost to code of the category, also in the kernel, as far as stacks show that. */
static double entered_lost(const struct search *search, enum category where, const char *category)
{
	double lost = code_lost(search, where, category);
	double in_kernel = code_lost(search, where, CATEGORY_KERNEL);

	if (in_kernel > 0)
		lost += in_kernel * build_entered(newest_run(search),
						  search->report->options.categories, category);
	return lost;
}

/* What is lost to code that hands out work, locks and wakes threads, and that no cause has claimed.
 */
static double unclaimed_locking(const struct search *search)
{
	double left = search->left[CAT_OTHER] / search->raised;
	double claimed = search->net_factor * search->row->lost.lost[CAT_OTHER] - left;

	return fmax(entered_lost(search, CAT_OTHER, CATEGORY_LOCKS) - claimed, 0);
}

/* To lock, to block and to be woken takes CPU time too. If that time has grown, these waits get
 * their part of the growth, at most SWITCH_NS each. Those for locks also get what it takes to lock
 * without a wait, as far as functions and stacks show that. */
static double switching_lost(const struct search *search, double waits, int are_for_locks)
{
	double grown = code_lost(search, CAT_OTHER, CATEGORY_LOCKS) +
		       code_lost(search, CAT_OTHER, CATEGORY_KERNEL);
	double share = waits_share(search, waits);

	return fmax(fmin(grown * share, time_lost(search, waits * SWITCH_NS)),
		    are_for_locks ? entered_lost(search, CAT_OTHER, CATEGORY_LOCKS) * share : 0);
}

/* Says where the threads wait for each other: " at the barrier in step()", or ", spinning in f()"
 * if most of them spin. Says nothing if neither is half of the loss, as when threads end early. */
static void say_meeting(const struct search *search, const struct report_wait *wait, double lost,
			struct claim *found)
{
	const struct report_function *loop = find_loop(search, 0);
	double waited = wait ? wait_lost(search, wait) : 0, spun = search->left[CAT_SPIN];
	double in_mpi = search->left[CAT_MPI];

	if (fmax(fmax(waited, spun), in_mpi) < lost / 2)
		return;
	if (in_mpi > fmax(waited, spun)) {
		say_most_in(mpi_place(search), found);
	} else if (loop && spun > waited) {
		found->place = is_nameless_openmp(loop->sum.location.function)
				       ? calling_place(search, CATEGORY_LOCKS)
				       : loop_place(search, loop);
		SAY(found->sentence, ", spinning%s%s", *found->place ? " in " : "", found->place);
	} else if (wait && !python_is_library(wait->sum.file)) {
		found->place = wait_place(find_named_wait(search, wait));
		if (is_nameless_openmp(found->place))
			found->place = calling_place(search, CATEGORY_LOCKS);
		if (*found->place)
			SAY(found->sentence, " %s %s in %s",
			    is_polling(wait, search->row) ? "in a" : "at the", wait->sum.kind,
			    found->place);
	}
}

static void find_spin_locks(struct search *search)
{
	const struct report_function *loop = find_loop(search, 1);
	struct claim found = {.cause = CAUSE_LOCK, .sure = LIKELY, .remedy = REMEDY_LOCK};
	double no_cpu = account_share(&search->row->account, CAT_NO_CPU);
	double in_locks = 0, elsewhere = 0, busy = 0;

	if (!loop)
		return;
	EACH_AT(function, search->report, functions, search->row->threads) {
		in_locks += is_spinning(function, 1) ? all_samples(function) : 0;
		elsewhere += is_spinning(function, 0) ? all_samples(function) : 0;
	}
	EACH_CATEGORY(category)
		busy += is_idle(category) && category != CAT_SPIN
				? 0
				: account_share(&search->row->account, category);
	found.lost[CAT_SPIN] = search->left[CAT_SPIN] * in_locks / (in_locks + elsewhere);
	/* the thread that holds it lacks a CPU as often as any that does not wait */
	search->spun_unserved = busy > 0 ? found.lost[CAT_SPIN] * no_cpu / busy : 0;
	found.lost[CAT_SPIN] -= search->spun_unserved;
	found.place = loop_place(search, loop);
	SAY(found.sentence, "spin for a lock that another thread holds, in %s", found.place);
	claim(search, &found);
}

/* 1 for the kernel and the C library, which others call to wait. */
static int is_system(const struct report_function *function)
{
	const char *object = object_name(function->sum.location.object);

	return !strcmp(object, "[kernel]") || !strncmp(object, "libc.so", 7);
}

/* 1 if the loop is in a library that also does BLAS work. It may lie in another file than the
 * routines that the program calls. */
static int is_in_blas(const struct search *search, const struct report_function *loop)
{
	if (!loop || is_system(loop) || object_runs_openmp(loop->sum.location.object))
		return 0;
	EACH_ROW(function, search->report->functions, search->report->nfunctions)
		if (function->sum.code == RUN_CODE_BLAS &&
		    !strcmp(function->sum.location.object, loop->sum.location.object))
			return 1;
	return 0;
}

/* 1 if callers spend most of their calls in the C library and the kernel, where they wait for the
 * BLAS library's own threads. */
static int calls_wait(const struct search *search)
{
	double waits = 0, computes = 0;

	EACH_AT(function, search->report, functions, search->row->threads)
		if (function->sum.code == RUN_CODE_BLAS)
			*(is_system(function) ? &waits : &computes) += own_samples(function);
	return waits > computes;
}

/* If several threads call a BLAS library that has threads of its own, which work, spin or are
 * waited for, returns how many it has, or else 0. */
static int threads_of_blas(const struct search *search)
{
	const struct report_row *row = search->row;
	const char *pool = report_fact(search->report, "blas_threads");
	int workers = row->workers_at_once;

	if (row->account.parallel == PARALLEL_INNER ||
	    (!workers && !is_in_blas(search, find_loop(search, 0)) && !calls_wait(search)))
		return 0;
	if (pool && !report_fact(search->report, "blas_2"))
		workers = (int)fmax(workers, atoi(pool) - 1); /* not all may have been sampled */
	return workers;
}

/* If several threads call a BLAS library that has threads of its own, says what to do about it. */
static int say_threads_of_blas(const struct search *search, struct claim *found)
{
	int workers = threads_of_blas(search);

	if (workers)
		SAY(found->remedy,
		    "let BLAS run on the caller's thread: set %s=1 (a call in the program "
		    "overrides that)",
		    report_threads_variable(search->report));
	return workers;
}

/* The same if all together are more than the CPUs, which comes first, whatever else is wrong. */
static int say_too_many_threads(const struct search *search, struct claim *found)
{
	return search->row->threads + threads_of_blas(search) > search->row->cpus_available &&
	       say_threads_of_blas(search, found);
}

/* If the loop is in the BLAS library, says how to keep its threads from spinning and returns 1. */
static int say_blas_spins(const struct search *search, const struct report_function *loop,
			  struct claim *found)
{
	if (!is_in_blas(search, loop))
		return 0;
	SAY(found->remedy,
	    "set %s=1, or lower than now: the threads that spin are the library's own",
	    report_threads_variable(search->report));
	return 1;
}

/* 1 for functions that wait for a GPU by spinning. */
static int is_gpu_wait(const struct code_location *location)
{
	const char *object = object_name(location->object);

	return !strncmp(object, "libcuda", 7) || !strncmp(object, "libamdhip", 9) ||
	       (strstr(location->function, "Synchronize") &&
		(!strncmp(location->function, "cu", 2) || !strncmp(location->function, "hip", 3)));
}

/* What one thread does alone in a parallel region of OpenMP cannot be told from its part of the
 * work if it runs the same functions. */
static const char *also_single(const struct search *search)
{
	return report_runs_openmp(search->report, search->row->threads)
		       ? " also what is in omp single or master,"
		       : "";
}

/* By chance, the sample after one that spins spins as often as any other of its thread. Threads
 * that spin for longer than the time between two samples do so more often than that. */
#define AGAIN_MIN 0.25

/* Returns 1 if threads spin for long each time, not for as long as it takes them to meet. */
static int spins_last(const struct search *search)
{
	double again = 0, most = 0;

	EACH_RUN_AT(run, search->report, search->row->threads)
		EACH_ROW(thread, run->run->threads, run->run->nthreads) {
			double spins = (double)thread->samples_spin;
			double chance = spins * spins /
					fmax(spins + (double)thread->samples_blas +
						     (double)thread->samples_other +
						     (double)thread->samples_kernel,
					     1);

			again += (double)thread->samples_spin_again - chance;
			most += spins - chance;
		}
	return again > AGAIN_MIN * most;
}

/* If the function waits for OpenMP's tasks, says what is wrong with these and returns 1. */
static int say_small_tasks(const char *function, struct claim *found)
{
	if (strncmp(function, "GOMP_task", 9) != 0)
		return 0;
	SAY(found->sentence, ": its tasks are too small, or too few");
	SAY(found->remedy,
	    "let each task do more work, and create as many as there are threads, or more");
	return 1;
}

/* 1 if a single thread computes in each run of the row, and no other does even for a moment. */
static int is_single(const struct search *search)
{
	EACH_RUN_AT(run, search->report, search->row->threads) {
		double most = 0, sum = 0;

		EACH_ROW(thread, run->run->threads, run->run->nthreads) {
			double ns = (double)thread->times.ns[CAT_BLAS] +
				    (double)thread->times.ns[CAT_OTHER];

			sum += fmax(ns, 0);
			most = fmax(most, ns);
		}
		if (sum - most > CAUSE_MIN * most)
			return 0;
	}
	return 1;
}

/* Spinning that no difference between the threads' work explains. */
static void find_spin(struct search *search)
{
	const struct report_function *loop = find_loop(search, 0);
	struct claim found = {.cause = CAUSE_SPIN, .sure = LIKELY};

	if (!loop)
		return;
	found.lost[CAT_SPIN] = search->left[CAT_SPIN];
	found.place = loop_place(search, loop);
	if (is_gpu_wait(&loop->sum.location)) {
		found.cause = CAUSE_GPU;
		found.sure = SURE;
		if (is_single(search)) {
			SAY(found.sentence, "have nothing to do while a single thread waits");
			found.lost[CAT_WAITING] = (search->row->threads - 1) *
						  search->row->threads *
						  account_share(&search->row->account, CAT_SPIN);
		} else {
			SAY(found.sentence, "wait");
		}
		SAY(found.sentence, " for a GPU, spinning in %s", found.place);
		SAY(found.remedy, "%s", REMEDY_GPU);
		claim(search, &found);
		return;
	}
	SAY(found.sentence, "spin, most in %s", found.place);
	if (say_blas_spins(search, loop, &found)) {
		;
	} else if (search->row->threads > search->row->cpus_available) {
		SAY(found.remedy, "%s", REMEDY_SPIN);
	} else if (!say_small_tasks(loop->sum.location.function, &found)) {
		int is_openmp = object_runs_openmp(loop->sum.location.object);

		if (is_openmp && spins_last(search)) {
			found.cause = CAUSE_IMBALANCE;
			SAY(found.sentence,
			    ", for long each time: it is not always the same thread that comes "
			    "last");
		} else if (is_openmp) {
			/* to meet takes more than to spin */
			found.lost[CAT_OTHER] = unclaimed_locking(search);
			SAY(found.sentence,
			    ": one of them comes late each time, or they meet too often");
		}
		SAY(found.remedy,
		    "divide the work between two meetings more evenly,%s and let threads meet less "
		    "often; if it is a lock, hold it for a shorter time",
		    also_single(search));
	}
	claim(search, &found);
}

/* Adds the loss to the claim, divided between these categories in proportion to what is left. */
static void add_idle_loss(const struct search *search, double lost, struct claim *found)
{
	double left = sum_idle(search->left);

	EACH_CATEGORY(category)
		if (is_idle(category))
			found->lost[category] += search->left[category] / left * lost;
}

/* The threads lost while others met them, had ended or took no part, or that spin. A thread that
 * joins others has come to its end. */
static double met_lost(const struct search *search)
{
	const struct account *account = &search->row->account;
	double ns = account->absent_ns + account->late_ns + account->ended_ns;

	EACH_AT(wait, search->report, waits, search->row->threads)
		if (is_meeting(wait, search->row) ||
		    (is_join(wait) && wait_is_waiting(wait, search->row)))
			ns += (double)wait->sum.total_ns;
	return time_lost(search, ns) + search->left[CAT_SPIN];
}

/* Returns the time in which nobody computed while a thread that takes no part, such as a main
 * thread that writes files between two steps, waited for a device. Functions that wait until
 * something can be read may wait for the other threads. */
static double apart_ns(const struct report_wait *wait, const struct report_row *row)
{
	static const char *const devices[] = {"fsync",	"fdatasync", "rename", "unlink",  "open",
					      "open64", "openat",    "close",  "pread",	  "pread64",
					      "write",	"writev",    "pwrite", "pwrite64"};

	if (wait->threads != row->threads || wait->is_caller || strcmp(wait->sum.kind, "I/O") != 0)
		return 0;
	for (size_t i = 0; i < COUNT(devices); i++)
		if (!strcmp(wait->sum.function, devices[i]))
			return (double)wait->sum.alone_ns;
	return 0;
}

/* All waits of one kind are one loss; its place is where most of it is. */
static void find_waits(struct search *search, const struct wait_cause *cause)
{
	const struct report_wait *most = NULL;
	struct claim found = {.cause = cause->cause, .sure = SURE};
	const struct report_wait *by_rank[PLACE_RANKS] = {0};
	double lost_by_rank[PLACE_RANKS] = {-INFINITY, -INFINITY, -INFINITY};
	double waits = 0, most_lost = -1, largest = -1, alone_ns = 0, held = 0, locked_ns = 0,
	       all_locked_ns = 0, all_apart_ns = 0, one_apart_ns = 0;
	double idle = 0; /* on one thread */
	int places = 0;

	EACH_AT(wait, search->report, waits, search->row->threads) {
		/* even one that computes next to nothing */
		int is_locked = wait_is_lock(&wait->sum);
		double lost, apart = apart_ns(wait, search->row);

		all_locked_ns += is_locked ? (double)wait->sum.total_ns : 0;
		if (strcmp(wait->sum.kind, cause->kind) != 0 ||
		    !(wait_is_waiting(wait, search->row) || is_locked || apart > 0))
			continue;
		locked_ns += is_locked ? (double)wait->sum.total_ns : 0;
		all_apart_ns += apart;
		lost = wait->is_caller ? wait_lost(search, wait)
				       : search->row->threads * time_lost(search, apart);
		found.lost[CAT_WAITING] += wait->is_caller ? lost : 0;
		alone_ns += wait->is_caller ? (double)wait->sum.alone_ns : 0;
		waits += wait_is_waiting(wait, search->row) ? (double)wait->sum.waits : 0;
		places++;
		largest = fmax(largest, lost);
		if (lost > lost_by_rank[place_rank(wait)]) {
			by_rank[place_rank(wait)] = wait;
			lost_by_rank[place_rank(wait)] = lost;
		}
	}
	for (int rank = 0; rank < PLACE_RANKS; rank++)
		if (by_rank[rank] && lost_by_rank[rank] >= PLACE_MIN * largest) {
			most = by_rank[rank];
			most_lost = lost_by_rank[rank];
		}
	if (!most)
		return;
	EACH_AT(wait, search->report, waits, search->base ? 1 : -1) {
		if (strcmp(wait->sum.kind, cause->kind) != 0)
			continue;
		one_apart_ns += apart_ns(wait, search->base);
		if (wait_is_waiting(wait, search->base))
			idle += (double)wait->sum.total_ns / search->base->account.wall_ns;
	}
	if (search->base)
		idle = fmin(idle, account_share(&search->base->account, CAT_WAITING));
	if (wait_is_lock(&most->sum)) {
		held = fmin(spread_lost(search, SPREAD_FIGURE(locked_ns)), met_lost(search)) *
		       (locked_ns / all_locked_ns);
	} else {
		/* nobody computes meanwhile: those who are not in such a wait wait for its end */
		held = fmin((search->row->threads - 1) * time_lost(search, alone_ns) +
				    more_lost(search, search->row->threads * all_apart_ns,
					      one_apart_ns),
			    met_lost(search));
		found.sure = held > found.lost[CAT_WAITING] ? LIKELY : SURE;
	}
	add_idle_loss(search, held, &found);
	found.lost[CAT_OTHER] =
		switching_lost(search, waits,
			       wait_is_lock(&most->sum) &&
				       found.lost[CAT_WAITING] > CAUSE_MIN * search->row->threads);
	/* the delay until a thread that was woken runs */
	found.lost[CAT_NO_CPU] = waits_share(search, waits) *
				 more_lost(search, unknown_no_cpu_ns(search->row),
					   search->base ? unknown_no_cpu_ns(search->base) : 0);
	found.place = wait_place(most);
	SAY(found.sentence, "wait for %s%s", found.sure == LIKELY ? "a thread that waits for " : "",
	    cause->what);
	if (*found.place)
		SAY(found.sentence, ", %s %s",
		    most_lost < largest ? "for example in"
		    : places > 1	? "most in"
					: "in",
		    found.place);
	/* what the script runs meanwhile usually holds the lock, so that is the place to look at */
	if (cause->cause == CAUSE_GIL && *search->row->script_place &&
	    strcmp(found.place, search->row->script_place) != 0) {
		found.place = search->row->script_place;
		SAY(found.sentence, ", while others run %s", found.place);
	}
	if (idle > 0.5) {
		SAY(found.sentence, ", as a single thread does for %.0f %% of its time",
		    100 * idle);
		if (found.cause == CAUSE_IO)
			SAY(found.remedy,
			    "if there is no more work, one thread is enough; otherwise ");
	}
	if (found.cause == CAUSE_SLEEP && strstr(found.place, ".so"))
		SAY(found.remedy,
		    "if the library does so only at its start, give the program more work, so "
		    "that this counts less; otherwise see its settings");
	else if (!strcmp(cause->kind, "mutex") &&
		 (strstr(most->sum.function, "alloc") || strstr(most->sum.function, "free")))
		SAY(found.remedy,
		    "allocate and free memory less often, and free it in the thread that "
		    "allocated it; or use an allocator with a pool for each thread, such as "
		    "jemalloc");
	else if (strstr(most->sum.file, "/multiprocessing/") &&
		 (cause->cause == CAUSE_GIL || cause->cause == CAUSE_IO))
		SAY(found.remedy,
		    "send less between the processes: let each make or read its own data, or share "
		    "it (multiprocessing.shared_memory)");
	else
		SAY(found.remedy, "%s", cause->remedy);
	claim(search, &found);
}

/* 1 if a thread that takes no part waits for another, as for its end. */
static int waits_for_thread(const struct report_wait *wait, const struct report_row *row)
{
	const char *kind = wait->sum.kind;

	return wait->threads == row->threads && !wait->is_caller &&
	       (is_join(wait) || !strcmp(kind, "condition") || !strcmp(kind, "futex"));
}

/* 1 if any thread waits for another's end. */
static int awaits_end(const struct report_wait *wait, const struct report_row *row)
{
	return wait->threads == row->threads && is_join(wait);
}

/* If imports have most of this part of the main thread's work, says so, and what to do about it.
 * Returns 1 then. */
static int say_imports(const struct search *search, double part, struct claim *found)
{
	if (!(search->row->main_imports > part / 2))
		return 0;
	SAY(found->sentence, IMPORTS);
	SAY(found->remedy, "give the program more work, so that its start counts less%s",
	    search->row->f_on_cpu >= CAUSE_MIN ? ", or leave the start out: --roi=blas" : "");
	return 1;
}

static void find_serial(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(serial_ns));
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};
	double first;
	int is_only;

	if (!most)
		return;
	/* all other threads wait while it works */
	add_idle_loss(search,
		      (search->row->threads - 1) *
			      spread_work_lost(search, SPREAD_FIGURE(serial_ns)),
		      &found);
	if (!most->spread.serial_tid) {
		const struct report_wait *wait = find_longest(search, waits_for_thread);

		SAY(found.sentence,
		    "have nothing to do: each %s is started when the one before has ended",
		    participant_noun(most));
		say_most_in(wait ? wait_place(wait) : NULL, &found);
		SAY(found.remedy, "start all before you wait for the first; what std::async() "
				  "returns waits when it is discarded");
		claim(search, &found);
		return;
	}
	is_only = is_single(search);
	first = most->spread.serial_first_ns / most->spread.serial_ns;
	if (is_only)
		SAY(found.sentence, "have nothing to do: a single thread computes");
	else
		SAY(found.sentence, "wait while %s %d works alone", participant_noun(most),
		    most->spread.serial_thread);
	if (first >= CAUSE_MIN && !is_only)
		SAY(found.sentence, ", %.0f %% of it before the others have started", 100 * first);
	say_most_in(serial_place(search, most), &found);
	if (is_openmp_call(found.place) && !is_only) {
		found.cause = CAUSE_BARRIER;
		SAY(found.sentence, ": it starts and ends parallel regions");
		SAY(found.remedy, "make the regions larger, so that there are fewer");
	} else if (!most->spread.serial_is_main || !say_imports(search, 1, &found)) {
		if (is_only)
			SAY(found.remedy, REMEDY_COUNT);
		SAY(found.remedy,
		    "divide that work between all threads, or let it overlap with theirs");
		if (first > 0.5 && !is_only)
			SAY(found.remedy, "; if it is done only once, measure a longer run");
	}
	claim(search, &found);
}

/* Adds what threads beyond the N compute, which no account has if there is one thread. */
static void add_extra_loss(const struct search *search, struct claim *found)
{
	const struct account *base = &search->base->account;

	for (int category = CAT_BLAS; category <= CAT_OTHER; category++) {
		double one = account_per_work(base, category);

		found->lost[category] =
			threads_lost(search, one * base->claimed_ns / base->wall_ns, one);
	}
}

/* 1 if the row has threads beyond the N, such as the N threads' own teams or the other stages of a
 * pipeline, which a single thread has as well, and they lack CPUs because of each other. */
static int lacks_cpus_for_extra(const struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(extra_ns));
	double wall_ns = search->row->account.wall_ns;

	return search->base && most && most->spread.extras && !most->spread.extra_is_apart &&
	       search->row->no_cpu_ns[NO_CPU_OWN] > LOSS_MIN * search->row->threads * wall_ns;
}

/* A thread beyond the N that they wait for, such as one that hands out the work. */
static void find_extra(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(extra_ns));
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (!most || !most->spread.extras || !search->base || lacks_cpus_for_extra(search))
		return;
	found.lost[CAT_WAITING] =
		(search->row->threads - 1) * spread_work_lost(search, SPREAD_FIGURE(extra_ns));
	add_extra_loss(search, &found);
	SAY(found.sentence, "are lost to %s %d, which works in addition to them, or wait for it",
	    participant_noun(most), most->spread.extra_thread);
	say_most_in(alone_place(search, most, most->spread.extra_tid), &found);
	if (!most->spread.extra_is_main || !say_imports(search, 1, &found))
		SAY(found.remedy, "divide that work between several threads, or do less of it");
	claim(search, &found);
}

static double other_samples(const struct report_function *function, const char *object)
{
	return function->sum.code == RUN_CODE_OTHER &&
			       !strcmp(function->sum.location.object, object)
		       ? own_samples(function)
		       : 0;
}

/* The function with most samples in the object in which participants compute most outside BLAS, or
 * NULL; *share is its part of that object's samples. The object comes first because the C library's
 * functions that an interpreter calls tell nothing. Functions with less than 1 % are skipped. */
static const struct report_function *find_most_other(const struct search *search, double *share)
{
	const struct report_function *most = NULL;
	double most_all = 0;

	EACH_AT(function, search->report, functions, search->row->threads) {
		const char *object = function->sum.location.object;
		int tells = function->share >= 0.01 && !object_is_unseen(object);
		double own = tells ? other_samples(function, object) : 0;
		double all = 0;

		EACH_AT(other, search->report, functions, own > 0 ? search->row->threads : -1)
			all += other_samples(other, object);
		if (all > most_all) {
			most = function;
			most_all = all;
			*share = own / all;
		}
	}
	return most;
}

/* A function with a smaller part of its object's samples does not stand for them. */
#define FUNCTION_MIN 0.2

/* Returns where participants compute most outside BLAS, and appends it: ", most in train.py:31
 * step() (add_kernel)", or in the program's function that calls others; or the object if its
 * samples are in many functions, as in an interpreter. The place is "" if that is not known. A
 * function of the interpreter itself is left out after a line of the script. */
static const char *say_other_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX])
{
	double share = 0;
	const struct report_function *most = find_most_other(search, &share);
	const char *place = search->row->script_place;

	if (!*place)
		place = named_place(search, build_outside(newest_run(search)));
	if (!*place && most) {
		int any = share < FUNCTION_MIN || strstr(most->sum.location.function, "+0x");

		if (strstr(most->sum.location.object, ".so") ||
		    function_is_standard(most->sum.location.function))
			place = caller_place(search, most, any);
		if (!*place) {
			place = any ? object_name(most->sum.location.object) : function_place(most);
			most = NULL;
		} else if (any) {
			most = NULL;
		}
	}
	if (*place)
		say(sentence, CAUSE_SENTENCE_MAX, ", most in %s", place);
	/* "_Z": a name that could not be demangled */
	if (most && !strstr(place, most->sum.location.function) &&
	    !strstr(most->sum.location.function, "+0x") &&
	    strncmp(most->sum.location.function, "_Z", 2) != 0 &&
	    strcmp(most->category, CATEGORY_INTERPRETER) != 0)
		say(sentence, CAUSE_SENTENCE_MAX, " (%s)",
		    short_name(most->sum.location.function, CAUSE_PLACE_MAX));
	return place;
}

/* If only BLAS is parallel, its threads have nothing to do while the caller computes. */
static void find_inner(struct search *search)
{
	const struct report_row *row = search->row;
	double waiting_ns = row->account.category_ns[CAT_WAITING];
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = SURE};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_WAITING] =
		search->left[CAT_WAITING] * fmax(waiting_ns - row->blocked_ns, 0) / waiting_ns;
	SAY(found.sentence, "have nothing to do while the caller works outside BLAS");
	found.place = say_other_place(search, found.sentence);
	if (!say_imports(search, 1 - row->f_on_cpu, &found))
		SAY(found.remedy, "make that part parallel too, or use BLAS for more of the work");
	claim(search, &found);
}

/* Appends where the participants do most of their work: ", most in train.py:31 step()". BLAS calls
 * have the place of the caller with most time in them. Returns the place. */
static const char *say_work_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX])
{
	const double *ns = search->row->account.category_ns;
	const char *place;

	if (!(ns[CAT_BLAS] > ns[CAT_OTHER]))
		return say_other_place(search, sentence);
	EACH_AT(caller, search->report, callers, search->row->threads) {
		const struct code_location *location = &caller->sum.location;

		place = *search->row->blas_place
				? search->row->blas_place
				: code_place(location->file, location->line, location->function);
		say(sentence, CAUSE_SENTENCE_MAX, ", most in %s", place);
		return place;
	}
	return "";
}

static void find_imbalance(struct search *search)
{
	const struct report_run *most = find_spread(search, SPREAD_FIGURE(uneven_ns));
	struct claim found = {.cause = CAUSE_IMBALANCE, .sure = SURE, .sentence = "wait"};
	const struct spread *spread;
	const struct report_wait *meeting = find_longest(search, is_meeting);
	const struct report_wait *polling = find_longest(search, is_polling);
	const char *own = "";
	double lost;
	int is_few;

	if (!most)
		return;
	spread = &most->spread;
	if (spread->busiest_own_tid)
		own = alone_place(search, most, spread->busiest_own_tid);
	/* most of the loss is what those do not do that compute nothing */
	is_few = !spread->follow &&
		 (search->row->threads - spread->participants) * spread->busiest_ns >
			 spread->uneven_ns / 2;
	lost = fmin(spread_work_lost(search, SPREAD_FIGURE(uneven_ns)), sum_idle(search->left));
	add_idle_loss(search, lost, &found);
	if (polling && (wait_lost(search, polling) < lost / 2 ||
			(meeting && meeting->sum.total_ns > polling->sum.total_ns)))
		polling = NULL;
	say_meeting(search, polling ? polling : meeting, lost, &found);
	if (spread->follow)
		SAY(found.sentence, " for the last of the %s that were started with them",
		    spread->are_processes ? "processes" : "threads");
	else if (is_few)
		SAY(found.sentence, ": only %d of them compute%s", spread->participants,
		    spread->participants == 1 ? "s" : "");
	else
		SAY(found.sentence, ", because %s %d computes %.0f %% longer than the average%s%s",
		    participant_noun(most), spread->busiest_thread,
		    100 * (spread->busiest_ns / spread->mean_ns - 1), *own ? ", in " : "", own);
	if (!found.place)
		found.place = *own ? own : say_work_place(search, found.sentence);
	if (is_few)
		SAY(found.remedy, REMEDY_COUNT);
	SAY(found.remedy,
	    "divide the work more evenly,%s or hand it out in smaller pieces to free threads%s",
	    also_single(search),
	    polling ? "; if they poll for a lock, hold it for a shorter time" : "");
	claim(search, &found);
}

/* The time in which threads, participants or not, had no CPU because others of the program ran; all
 * of the row's time if that is not known. */
static double own_no_cpu_ns(const struct search *search)
{
	double sum_ns = 0;

	EACH_RUN_AT(run, search->report, search->row->threads)
		EACH_ROW(thread, run->run->threads, run->run->nthreads)
			sum_ns += thread->switch_own_ns < 0 ? search->row->account.wall_ns
							    : (double)thread->switch_own_ns;
	return sum_ns;
}

/* Two pools, of OpenMP and of a BLAS library that does not use OpenMP, have more threads than there
 * are CPUs: spinning threads of one take the CPUs of the other, whose calls take longer. */
static void find_pools(struct search *search)
{
	struct claim found = {.cause = CAUSE_POOLS_COMPETE, .sure = LIKELY};
	const struct report_row *row = search->row;
	const char *blas = report_fact(search->report, "blas");
	const char *layer = report_fact(search->report, "blas_layer");
	const char *pool = report_fact(search->report, "blas_threads");
	const struct report_function *loop = find_most_spinning(search, 0, all_samples);

	if (!row->workers_at_once || row->threads + row->workers_at_once <= row->cpus_available ||
	    (layer && !strcmp(layer, "OpenMP")) ||
	    !report_runs_openmp(search->report, row->threads) ||
	    report_pool_is_openmp(search->report, row->threads))
		return;
	found.lost[CAT_NO_CPU] = no_cpu_lost(search, NO_CPU_OWN);
	found.lost[CAT_SPIN] = search->left[CAT_SPIN];
	/* a pool that sleeps takes no CPU from the other */
	if (found.lost[CAT_NO_CPU] + found.lost[CAT_SPIN] < CAUSE_MIN ||
	    time_lost(search, own_no_cpu_ns(search)) < CAUSE_MIN * row->threads)
		return;
	search->pools_no_cpu = found.lost[CAT_NO_CPU];
	found.lost[CAT_BLAS] = search->left[CAT_BLAS];
	SAY(found.sentence, "lack a CPU or spin: OpenMP's %d threads and %s's %d compete for %s",
	    row->threads, blas ? blas : "BLAS", pool ? atoi(pool) : row->workers_at_once + 1,
	    human_noun(row->cpus_available, "CPU"));
	if (loop)
		found.place = loop_place(search, loop);
	if (!say_blas_spins(search, loop, &found))
		SAY(found.remedy, "set OMP_WAIT_POLICY=passive, or %s=1",
		    report_threads_variable(search->report));
	claim(search, &found);
}

static void say_own_threads(const struct search *search, struct claim *found)
{
	const struct report_row *row = search->row;
	const struct report_function *loop = find_most_spinning(search, 0, idle_samples)
						     ?: find_most_spinning(search, 0, all_samples);
	int fits = row->threads <= row->cpus_available;
	const char *bound = NULL;
	double spun_ns = 0; /* of all threads, participants or not */

	EACH_RUN_AT(run, search->report, row->threads) {
		bound = bound ?: run_fact(run->run, "bound_cpu");
		EACH_ROW(thread, run->run->threads, run->run->nthreads)
			spun_ns += fmax((double)thread->times.ns[CAT_SPIN], 0);
	}
	/* the N would all have a CPU if no others spun */
	if (loop && fits && spun_ns > row->no_cpu_ns[NO_CPU_OWN] / 2) {
		found->cause = CAUSE_SPIN;
		found->place = loop_place(search, loop);
		SAY(found->sentence, "have no CPU, while other threads of the program spin in %s",
		    found->place);
		if (!say_blas_spins(search, loop, found))
			SAY(found->remedy, "%s", REMEDY_SPIN);
		return;
	}
	found->cause = CAUSE_OVERSUBSCRIBED;
	if (fits && bound) {
		SAY(found->sentence,
		    "have no CPU: the program has bound several threads to CPU %s, which they "
		    "share",
		    bound);
		SAY(found->remedy, "let them run on all CPUs, or bind each to its own: "
				   "sched_setaffinity(), OMP_PROC_BIND, taskset");
		return;
	}
	SAY(found->sentence, "have no CPU: the program has more threads ready to run than %s",
	    human_noun(row->cpus_available, "CPU"));
	if (fits)
		SAY(found->sentence, ", counting those beyond the %d", row->threads);
	if (say_too_many_threads(search, found))
		;
	else if (!fits)
		SAY(found->remedy, "run fewer threads, at most %g",
		    fmax(floor(row->cpus_available), 1));
	else if (report_runs_openmp(search->report, row->threads))
		SAY(found->remedy, "give each of the %d a smaller OpenMP team: set OMP_NUM_THREADS",
		    row->threads);
	else
		SAY(found->remedy, "keep a CPU free for the other threads, or let those do less");
}

static const struct {
	enum cause cause;
	const char *reason, *remedy;
} no_cpu_causes[NO_CPU_COUNT] = {
	[NO_CPU_OTHERS] =
		{CAUSE_OTHER_PROGRAMS, "other programs use",
		 "end the other programs, or give them other CPUs (taskset), and record again"},
	[NO_CPU_STEAL] = {CAUSE_HOST_STEAL, "the host gave it to other machines",
			  "measure on a host that you do not share, or when it is idle"},
	[NO_CPU_QUOTA] = {CAUSE_CPU_QUOTA, "the control group's CPU quota is used up",
			  "raise the quota (cpu.max), or run fewer threads"},
};

static void say_no_cpu(const struct search *search, enum no_cpu who, struct claim *found)
{
	const char *programs = who == NO_CPU_OTHERS
				       ? report_other_programs(search->report, search->row->threads)
				       : "";

	if (who == NO_CPU_OWN) {
		say_own_threads(search, found);
		return;
	}
	found->cause = no_cpu_causes[who].cause;
	/* the loss may be that of threads that wait for one without a CPU, to a tenth or more */
	SAY(found->sentence, "have no CPU,%s because %s%s%.200s",
	    10 * sum_idle(found->lost) > found->lost[CAT_NO_CPU]
		    ? " or wait for a thread that has none,"
		    : "",
	    no_cpu_causes[who].reason, who == NO_CPU_OTHERS ? " " : "",
	    who == NO_CPU_OTHERS && !*programs ? "it" : programs);
	SAY(found->remedy, "%s",
	    strstr(programs, ": " RUN_PROFILER " ") /* the largest is first */
		    ? "sample less often (-F), or leave a CPU to the profiler"
		    : no_cpu_causes[who].remedy);
	if (found->lost[CAT_SPIN] > CAUSE_MIN * search->row->threads &&
	    report_runs_openmp(search->report, search->row->threads))
		SAY(found->remedy, "; until then, OMP_WAIT_POLICY=passive loses less");
}

/* Returns how many threads wait for others as they do with fewer threads, at a count that hardly
 * lacks CPUs: a lack of CPUs does not explain these waits. Excludes what is claimed already. */
static double usual_waits(const struct search *search)
{
	double usual = 0, all = 0;

	EACH_ROW(row, search->report->rows, search->report->nrows) {
		double waits = -(row->threads - 1) * account_share(&row->account, CAT_NO_CPU);

		EACH_CATEGORY(category)
			waits += is_idle(category) ? account_share(&row->account, category) : 0;
		if (row->threads > 1 && row->threads < search->row->threads &&
		    row->threads <= row->cpus_available)
			usual = fmax(usual, waits * search->row->threads);
	}
	EACH_CATEGORY(category)
		if (is_idle(category))
			all += search->row->threads *
			       account_share(&search->row->account, category);
	return fmax(usual - fmax(all - sum_idle(search->left), 0), 0);
}

/* Returns which part of the threads that lack a CPU would work; the others would spin, and nobody
 * waits for them. The part is that of work in work and spinning, where spinning for a thread that
 * lacks a CPU does not count: part = work / (work + spin - (N - 1) * part * no_cpu). */
static double working_part(const struct report_row *row)
{
	double work =
		account_share(&row->account, CAT_BLAS) + account_share(&row->account, CAT_OTHER);
	double busy = work + account_share(&row->account, CAT_SPIN);
	double waits = (row->threads - 1) * account_share(&row->account, CAT_NO_CPU);
	double root = busy * busy - 4 * waits * work;

	return root > 0 ? fmin(2 * work / (busy + sqrt(root)), 1) : 1;
}

/* Returns how many threads are lost because they spin until another one has a CPU again, at least:
 * two threads that meet often spin for each other when one of them has a CPU and the other has not,
 * also if that one lost its CPU while it was spinning itself. */
static double spun_for_cpu(const struct search *search)
{
	const struct account *account = &search->row->account;
	double spin = account_share(account, CAT_SPIN), no_cpu = account_share(account, CAT_NO_CPU);
	double served = account_share(account, CAT_BLAS) + account_share(account, CAT_OTHER) + spin;

	return spin > 0 ? search->left[CAT_SPIN] * fmin(served * no_cpu / spin, 1) : 0;
}

/* While one thread has no CPU, up to all others wait for it where they meet. That loss is divided
 * by who had the CPUs, without regard to who had them on one thread. */
static void find_no_cpu(struct search *search)
{
	const struct report_row *row = search->row;
	int meet = find_longest(search, is_meeting) || search->left[CAT_MPI] > 0;
	int spin = find_loop(search, 0) != NULL;
	double unserved_lost = spread_lost(search, SPREAD_FIGURE(unserved_ns));
	double working = working_part(row), all_ns = 0, all_waited = 0, fits;
	double own[NO_CPU_COUNT], waited[NO_CPU_COUNT];

	EACH_ROW(ns, row->no_cpu_ns, NO_CPU_COUNT)
		all_ns += *ns;
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		/* if each has a CPU, the program's own threads that take one are others than those
		 * that are waited for */
		int many = who != NO_CPU_OWN || row->threads > row->cpus_available;

		own[who] = no_cpu_lost(search, (enum no_cpu)who);
		if (who == NO_CPU_OWN)
			own[who] -= search->pools_no_cpu;
		if (who == NO_CPU_OTHERS || who == NO_CPU_STEAL)
			own[who] *= 1 - search->usual;
		waited[who] =
			fmax((unserved_lost + search->spun_unserved) * row->no_cpu_ns[who] / all_ns,
			     meet || (spin && many) ? (row->threads - 1) * own[who] * working : 0);
		if (spin && many)
			waited[who] = fmax(waited[who],
					   spun_for_cpu(search) * row->no_cpu_ns[who] / all_ns);
		all_waited += waited[who];
	}
	fits = fmax(fmin((sum_idle(search->left) - usual_waits(search)) / all_waited, 1), 0);
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		struct claim found = {.sure = SURE};

		found.lost[CAT_NO_CPU] = own[who];
		add_idle_loss(search, waited[who] * fits, &found);
		if (sum_idle(found.lost) > found.lost[CAT_NO_CPU])
			found.sure = LIKELY;
		if (who == NO_CPU_OWN && lacks_cpus_for_extra(search))
			add_extra_loss(search, &found);
		say_no_cpu(search, (enum no_cpu)who, &found);
		claim(search, &found);
	}
}

/* Threads that compute equally much in total wait where they meet: for a wake-up, up to WAKE_NS
 * each time (CAUSE_BARRIER), or because one of them is late each time (CAUSE_IMBALANCE). */
static void find_meetings(struct search *search, enum cause cause)
{
	const struct account *account = &search->row->account;
	double work_ns = account->category_ns[CAT_BLAS] + account->category_ns[CAT_OTHER];

	EACH_AT(wait, search->report, waits, search->row->threads) {
		double each_ns = (double)wait->sum.total_ns / (double)wait->sum.waits;
		double meetings = (double)wait->sum.waits / (account->threads - 1);
		/* nobody waits for more than all the work between two meetings */
		int is_uneven = each_ns > WAKE_NS && each_ns < work_ns / meetings;
		struct claim found = {.cause = cause, .sure = LIKELY, .sentence = "wait"};

		if (!is_meeting(wait, search->row) || is_uneven != (cause == CAUSE_IMBALANCE))
			continue;
		found.lost[CAT_WAITING] = wait_lost(search, wait);
		say_meeting(search, wait, wait_lost(search, wait), &found);
		if (cause == CAUSE_BARRIER) {
			found.lost[CAT_WAITING] *= fmin(WAKE_NS / each_ns, 1);
			found.lost[CAT_OTHER] = switching_lost(search, (double)wait->sum.waits, 0);
			SAY(found.sentence,
			    " to be woken, at most %s each time: the cost of the meeting itself",
			    human_time(fmin(each_ns, WAKE_NS)));
			SAY(found.remedy,
			    "let threads meet less often, with more work in between%s",
			    strcmp(wait->sum.kind, "barrier") != 0
				    ? "; if it is a lock, hold it for a shorter time"
				    : "");
		} else if (strcmp(wait->sum.kind, "barrier") != 0) {
			found.sure = POSSIBLE;
			SAY(found.sentence,
			    ", for %s each time: for other threads' results, for a lock, or for "
			    "new work",
			    human_time(each_ns));
			SAY(found.remedy, "queue work for each thread ahead, in smaller pieces; if "
					  "it is a lock, hold it for a shorter time");
		} else if (!say_small_tasks(wait->sum.function, &found)) {
			SAY(found.sentence, ", for %s%s", human_time(each_ns),
			    meetings > search->row->runs
				    ? " each time: it is not always the same thread that comes last"
				    : "");
			SAY(found.remedy, "divide the work between two meetings more evenly");
		}
		claim(search, &found);
	}
}

/* To start a thread and to wait for its end costs as much as a meeting, and one thread starts all
 * of them: if they compute for less than it takes to start N, all wait for that. */
static void find_starts(struct search *search)
{
	const struct report_row *row = search->row;
	const struct account *account = &row->account;
	struct claim found = {.cause = CAUSE_BARRIER, .sure = LIKELY};
	const struct report_wait *wait = find_longest(search, awaits_end);
	double all = 0, starts = 0, each_ns, waiting;

	EACH_RUN_AT(run, search->report, row->threads) {
		all += run->spread.participants;
		if (!run->spread.are_processes)
			starts += fmax(run->spread.participants - row->threads, 0);
	}
	each_ns = (account->category_ns[CAT_BLAS] + account->category_ns[CAT_OTHER]) / all;
	waiting = fmin(fmax(row->threads * WAKE_NS / each_ns, 1), row->threads);
	found.lost[CAT_WAITING] =
		time_lost(search, fmin(starts * waiting * WAKE_NS,
				       account->absent_ns + account->late_ns + account->ended_ns));
	SAY(found.sentence,
	    "have not started or have ended: threads are started again and again, "
	    "to compute for %s each",
	    human_time(each_ns));
	found.place = wait ? wait_place(wait) : "";
	if (*found.place)
		SAY(found.sentence, ", and awaited in %s", found.place);
	if (!wait && report_runs_openmp(search->report, row->threads)) {
		EACH_AT(function, search->report, functions, row->threads)
			if (!*found.place && is_openmp_call(function->sum.location.function))
				say_most_in(function_place(function), &found);
		SAY(found.remedy,
		    "let only the outer of nested regions have several threads, by "
		    "omp_set_max_active_levels(1), and give all regions the same thread count: "
		    "OpenMP keeps such threads");
	} else {
		SAY(found.remedy,
		    "keep the threads and hand them their work, as a pool does, in larger pieces");
	}
	claim(search, &found);
}

/* How many times as long the category takes for a unit of work as on one thread. */
static double growth(const struct search *search, enum category category)
{
	return account_per_work(&search->row->account, category) / base_per_work(search, category);
}

/* Returns the contributor to more than half of the category's loss; "" if there is none. Where the
 * kernel switches interrupts on again, a timer's delayed interrupt takes the samples of all that it
 * did before, so that such a function tells nothing. */
static const char *loss_place(const struct search *search, enum category category)
{
	double half = search->row->lost.lost[category] / 2, kernel = 0;

	EACH_AT(loss, search->report, losses, search->row->threads) {
		int is_kernel = strstr(loss->contributor, " ([kernel])") != NULL;

		if (loss->category != category)
			continue;
		kernel += is_kernel ? loss->lost : 0;
		if (loss->lost > half && *loss->contributor != '(' &&
		    strncmp(loss->contributor, "[unknown] ([anon]", 17) != 0 &&
		    !(is_kernel && strstr(loss->contributor, "irq")))
			return loss->contributor;
	}
	return kernel > half ? "the kernel" : "";
}

/* A call with fewer flops for each byte of its operands is limited by memory, if the operands come
 * from there: today's CPUs compute more than this for each byte that memory delivers. Products of
 * matrices have many times as many flops, level 1 and 2 of BLAS half a flop at most. */
#define FLOPS_PER_BYTE_LOW 1

/* 1 if calls with most of the row's time in BLAS are limited by memory. */
static int calls_are_memory_bound(const struct search *search)
{
	double bound_ns = 0, all_ns = 0;

	EACH_AT(shape, search->report, shapes, search->row->threads) {
		int is_bound = shape->bound && *shape->bound
				       ? !strcmp(shape->bound, "memory")
				       : shape->sum.flops < FLOPS_PER_BYTE_LOW * shape->sum.bytes;

		all_ns += (double)shape->sum.total_ns;
		bound_ns += is_bound ? (double)shape->sum.total_ns : 0;
	}
	return bound_ns > all_ns / 2;
}

static void say_queue(const struct search *search, struct claim *found)
{
	const struct scaling *scaling = &search->report->scaling;

	found->cause = CAUSE_BLAS_QUEUE;
	SAY(found->sentence, "wait for one another inside BLAS calls");
	if (scaling->units_from == UNITS_FROM_WHAT_IF)
		SAY(found->sentence, ": --what-if gives them %s",
		    human_noun(scaling->units.value, "unit"));
	else if (say_threads_of_blas(search, found))
		SAY(found->sentence, ", which share BLAS's own threads");
	else if (scaling->has_fit && scaling->fit.result == UNITS_FITTED && !scaling->fit.rejected)
		SAY(found->sentence, ": the machine %s", scaling_fit_text(scaling));
	if (!*found->remedy)
		SAY(found->remedy,
		    "let fewer threads call BLAS, or give each more work outside it");
}

/* The average number of threads that compute inside the calls of a single caller. The caller
 * computes all the time, so the samples in BLAS code of the caller and of the other threads tell.
 * Returns all threads if there are too few samples to tell. */
static double busy_inside(const struct report_row *row)
{
	double samples = row->account.worker_samples + row->account.samples_blas;
	double share = row->worker_share, chance = 2 * sqrt(share * (1 - share) / samples);

	return share + chance < 1 - 1.0 / row->threads ? 1 / (1 - share) : row->threads;
}

static void find_idle_inside(struct search *search)
{
	const struct report_row *row = search->row;
	double busy = busy_inside(row);
	struct claim found = {CAUSE_SERIAL_PART, LIKELY, .remedy = FEWER_BLAS_THREADS};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_BLAS] =
		time_lost(search, row->account.category_ns[CAT_BLAS]) * (1 - busy / row->threads);
	if (!search->base) /* this is known without a run on one thread */
		search->left[CAT_BLAS] = fmax(search->left[CAT_BLAS], found.lost[CAT_BLAS]);
	SAY(found.sentence, "have nothing to do inside BLAS calls, which keep %.1f thread%s busy",
	    busy, plural(busy));
	say_most_in(calls_place(search), &found);
	claim(search, &found);
}

/* A thread that shares its core takes twice as long at most, but for caches that are too small. */
#define SMT_MORE_MAX 1.2

/* Returns how many cores the threads share, as hardware threads (SMT), if that can explain how much
 * longer the category takes than on one thread: at most twice as long, and most of that not with as
 * many threads as cores. Returns 0 otherwise, and if it is not known. */
static int shared_cores(const struct search *search, enum category category)
{
	const struct report_row *row = search->row, *few = NULL;
	const char *fact = report_fact(search->report, "cores");
	int cores = fact ? atoi(fact) : 0;
	double more = growth(search, category) - 1;

	EACH_ROW(other, search->report->rows, search->report->nrows)
		if (other->threads <= cores)
			few = other;
	if (cores >= row->threads || cores >= row->cpus_available || !few || more > SMT_MORE_MAX ||
	    account_per_work(&few->account, category) / base_per_work(search, category) - 1 >
		    more / 2)
		return 0;
	return cores;
}

#define REMEDY_CORES "try %d, one for each core: more only help code that waits for memory"
#define ADD_COUNTERS "add -e cycles,instructions,cache-misses"

/* Samples by a clock mean that there are no counters, or that the user chose so. */
static int has_counters(const struct report *report)
{
	const char *event = report_fact(report, "sampler_event");

	return !event || !strstr(event, "clock");
}

/* Calls that have a smaller part of the flops of those on one thread are less efficient, but for
 * calls that memory limits, if they take longer than this. */
#define SMALLER		  0.7
#define SMALL_IF_BOUND_NS 100e3

static int are_smaller(const struct search *search)
{
	const struct account *account = &search->row->account;

	return search->base &&
	       report_flops_per_call(search->row) < SMALLER * report_flops_per_call(search->base) &&
	       (account->category_ns[CAT_BLAS] / account->calls < SMALL_IF_BOUND_NS ||
		!calls_are_memory_bound(search));
}

static void say_slower(const struct search *search, struct claim *found)
{
	int smaller = are_smaller(search); /* that makes all calls slower alike */
	int alike =
		!smaller && scaling_tail(search->report, search->row->threads) == TAIL_ALL_ALIKE;
	int is_inner = search->row->account.parallel == PARALLEL_INNER;
	/* threads of BLAS may wait for each other in the kernel and for locks */
	int is_alone = search->base && !is_inner && !threads_of_blas(search);
	int cores = shared_cores(search, CAT_BLAS);
	double times = growth(search, CAT_BLAS), half = search->left[CAT_BLAS] / 2;

	found->cause = CAUSE_BLAS_SLOWER;
	SAY(found->sentence, "are lost to BLAS calls that take ");
	if (is_inner && times > search->row->threads) {
		/* shared memory limits what threads gain, but makes no call longer */
		SAY(found->sentence,
		    "longer than on one thread: to divide them costs more than it gains");
		SAY(found->remedy, FEWER_BLAS_THREADS);
		return;
	}
	if (is_inner)
		times *= busy_inside(search->row) / search->row->threads;
	if (times < 3)
		SAY(found->sentence, "%.0f %% longer than", 100 * (times - 1));
	else
		SAY(found->sentence, "%.1f times as long as", times);
	SAY(found->sentence, " on one thread%s",
	    alike ? ", the fastest as well as the slowest" : "");
	if (is_alone && entered_lost(search, CAT_BLAS, CATEGORY_LOCKS) > half) {
		found->cause = CAUSE_LOCK;
		SAY(found->sentence, ": most of that is to take and to release a lock of the "
				     "library, as for its work space");
		SAY(found->remedy, "make fewer and larger calls; plain loops, or a library for "
				   "small matrices, need no lock");
		return;
	}
	if (is_alone && code_lost(search, CAT_BLAS, NULL) > half) {
		SAY(found->sentence,
		    ": most of that is in the kernel, as for page faults in new memory");
		SAY(found->remedy, "allocate the operands once, and use their memory again");
		return;
	}
	if (alike && calls_are_memory_bound(search)) {
		found->cause = CAUSE_BLAS_BANDWIDTH;
		SAY(found->sentence, ": their operands come from memory");
		SAY(found->remedy, "combine them into products of matrices, or reuse data while it "
				   "is in the caches");
		return;
	}
	found->sure = POSSIBLE;
	if (say_too_many_threads(search, found)) {
		SAY(found->sentence, "%s",
		    calls_wait(search) ? ": most of that is waiting for BLAS's own threads"
				       : ", while BLAS's own threads work for other callers");
		return;
	}
	if (cores) {
		found->sure = LIKELY;
		SAY(found->sentence, ": the threads share %s", human_noun(cores, "core"));
		SAY(found->remedy, REMEDY_CORES, cores);
		return;
	}
	if (smaller) {
		SAY(found->sentence,
		    " for the same work: they are smaller, of %s flops instead of %s",
		    human_count(report_flops_per_call(search->row)),
		    human_count(report_flops_per_call(search->base)));
		SAY(found->remedy, "divide the work so that each thread has larger matrices");
		return;
	}
	SAY(found->sentence, ": memory, caches or the clock rate");
	SAY(found->remedy, "to find out which, %stry --what-if=units=1",
	    has_counters(search->report) ? ADD_COUNTERS " or " : "");
}

/* Flops stand for the work, so where calls of other sizes do more or less of it in a run, it is not
 * known whether the time of that part of the work is lost. */
static void find_mix(struct search *search)
{
	const struct account *account = &search->row->account;
	struct claim found = {CAUSE_CALL_MIX, POSSIBLE, .place = loss_place(search, CAT_BLAS)};
	double ratio;

	if (!search->base || !(report_mix_change(search->base, search->row) > CALL_MIX_MAX))
		return;
	ratio = account->flops / search->row->runs /
		(search->base->account.flops / search->base->runs);
	for (int category = CAT_BLAS; category <= CAT_OTHER; category++)
		found.lost[category] = time_lost(search, account->category_ns[category]) *
				       (1 - fmin(ratio, 1 / ratio));
	SAY(found.sentence,
	    "may or may not be lost: calls have %.3g flops each, but %.3g on one thread",
	    report_flops_per_call(search->row), report_flops_per_call(search->base));
	SAY(found.remedy, "count the work by the program's own measure: --work");
	claim(search, &found);
}

/* 1 if most of what calls take longer is waiting for BLAS's own threads, which serve one call after
 * the other, although there are CPUs for all. */
static int share_threads_of_blas(const struct search *search)
{
	const struct report_row *row = search->row;
	int workers = threads_of_blas(search);

	return workers && row->threads + workers <= row->cpus_available &&
	       entered_lost(search, CAT_BLAS, CATEGORY_LOCKS) +
			       entered_lost(search, CAT_BLAS, CATEGORY_SPINNING) >
		       search->left[CAT_BLAS] / 2;
}

static void find_blas(struct search *search)
{
	struct claim found = {.sure = search->base ? LIKELY : POSSIBLE};

	found.lost[CAT_BLAS] = search->left[CAT_BLAS];
	if (scaling_queues(search->report, search->row->threads) || share_threads_of_blas(search))
		say_queue(search, &found);
	else
		say_slower(search, &found);
	say_most_in(loss_place(search, CAT_BLAS), &found);
	claim(search, &found);
}

/* What other code and the kernel counted for a unit of work; NAN if that was not counted. */
static double counted(const struct search *search, const struct report_row *row, const char *event)
{
	const struct report_counter *counter =
		row ? report_find_counter(search->report, row->threads, event) : NULL;

	return counter ? (counter->sum.other + counter->sum.kernel) / row->account.work : NAN;
}

static double counted_growth(const struct search *search, const char *event)
{
	return counted(search, search->row, event) / counted(search, search->base, event);
}

/* 1 if most of the time in code that hands out work, locks and wakes threads is in locks, outside
 * the kernel, where all wait in the same way. If no name outside the kernel tells, the longest wait
 * does. */
static int mostly_locks(const struct search *search)
{
	const struct report_wait *longest = find_longest(search, wait_is_waiting);
	double in = 0, all = 0;

	EACH_AT(function, search->report, functions, search->row->threads) {
		if (function->sum.code == RUN_CODE_SPIN ||
		    strcmp(function->category, CATEGORY_LOCKS) != 0 ||
		    !strcmp(object_name(function->sum.location.object), "[kernel]"))
			continue;
		all += own_samples(function);
		if (is_lock(function->sum.location.function))
			in += own_samples(function);
	}
	return all > 0 ? in > all / 2 : longest && wait_is_lock(&longest->sum);
}

/* Sets the cause for which other code takes longer, and returns how to say it; "" if it is not
 * known. Code that does not stream hardly uses more than half of the memory's bandwidth, so from
 * there on memory limits it. */
static const char *explain_other(const struct search *search, struct claim *found)
{
	const struct account *account = &search->row->account;
	double misses = counted(search, search->row, "cache-misses") * account->work;
	double bandwidth = search->report->ceilings.bytes_per_s[LEVEL_MEMORY].all;
	double more = growth(search, CAT_OTHER) - 1;
	double instructions = counted_growth(search, "instructions") - 1;
	double left = search->left[CAT_OTHER] / search->raised, contended = NAN;
	int cores = shared_cores(search, CAT_OTHER);

	/* the pieces of work are too small */
	if (unclaimed_locking(search) > left / 2) {
		found->place = calling_place(search, CATEGORY_LOCKS);
		if (mostly_locks(search)) {
			found->cause = CAUSE_LOCK;
			SAY(found->remedy, "take the lock less often, or give each thread its own "
					   "part of the data that it guards");
			return ": most of that is to take and to release locks";
		}
		found->cause = CAUSE_BARRIER;
		SAY(found->remedy,
		    "make each piece of work larger, so that threads meet less often");
		return ": it hands out work, locks and wakes threads";
	}
	if (entered_lost(search, CAT_OTHER, CATEGORY_MEMORY) > left / 2) {
		found->place = calling_place(search, CATEGORY_MEMORY);
		SAY(found->remedy, "allocate memory once and use it again, and copy less of it");
		return ": most of that is to allocate, to clear or to copy memory";
	}
	if (instructions > more / 2) {
		found->sure = SURE;
		return ": it executes more instructions";
	}
	/* with lines of 64 bytes */
	if (bandwidth > 0 && 64 * misses / (account->wall_ns * 1e-9) / bandwidth > 0.5) {
		found->cause = CAUSE_OTHER_BANDWIDTH;
		SAY(found->remedy, "work on blocks that fit in the caches");
		return ": the threads use most of the memory bandwidth that they share";
	}
	/* events that count loads of lines that another core had modified; the name says so */
	EACH_ROW(counter, search->report->counters, search->report->ncounters) {
		const char *event = counter->sum.event;

		if (strcasestr(event, "hitm") || strcasestr(event, "snp_fwd"))
			contended = fmax(contended, counted_growth(search, event));
	}
	if (contended > 1 + more) {
		found->cause = CAUSE_CACHE_LINES;
		return ": threads write to the same cache lines, as the counters of modified lines "
		       "show";
	}
	if (counted_growth(search, "cache-misses") > 2) {
		found->cause = CAUSE_CACHE_LINES;
		found->sure = POSSIBLE;
		return ": it has more than twice the cache misses for the same work";
	}
	if (cores) {
		SAY(found->remedy, REMEDY_CORES, cores);
		return string_printf(": the threads share %s", human_noun(cores, "core"));
	}
	return "";
}

/* Work that is counted in runs is the same with N threads and with one, also if each thread brings
 * its own. Other code then seems to take N times as long, within this. */
#define OWN_WORK_DISTANCE 0.1

/* How many threads compute or are ready to for each of those that were asked for; at least 1. The
 * row's times are shares of the latter. */
static double beyond_asked(const struct report_row *row)
{
	const struct account *account = &row->account;

	return fmax(account->claimed_ns / (account->threads * account->wall_ns), 1);
}

static void find_other(struct search *search)
{
	struct claim found = {.cause = CAUSE_OTHER_SLOWER,
			      .sure = search->base ? LIKELY : POSSIBLE};
	double times = growth(search, CAT_OTHER);
	const char *why = explain_other(search, &found);
	const struct report_function *code = NULL;
	const char *calling = "";
	int are_processes = 0, counts_runs = !strcmp(search->report->work_unit, "runs");

	EACH_RUN_AT(run, search->report, search->row->threads)
		are_processes |= run->spread.are_processes;
	found.lost[CAT_OTHER] = search->left[CAT_OTHER];
	if (!found.place || !*found.place)
		found.place = loss_place(search, CAT_OTHER);
	/* the first has most samples; the place is that of the losses */
	EACH_AT(function, search->report, functions, search->row->threads) {
		if (!code && !strcmp(found.place, function_contributor(function)))
			code = function;
	}
	if (code && (strstr(code->sum.location.object, ".so") ||
		     function_is_standard(outer_function(code))))
		calling = calling_place(search, code->category);
	else if (code ? !strcmp(code->category, CATEGORY_INTERPRETER) &&
				 !strstr(code->sum.location.object, ".py")
		      : !*found.place && code_lost(search, CAT_OTHER, CATEGORY_INTERPRETER) >
						 search->row->lost.lost[CAT_OTHER] / 2)
		calling = calling_place(search, CATEGORY_INTERPRETER);
	if (*calling)
		found.place = calling;
	else if (code && code->sum.location.line > 0)
		found.place = function_place(code);
	if (search->base &&
	    times * beyond_asked(search->row) / beyond_asked(search->base) - 1 < (times - 1) / 2) {
		found.sure = POSSIBLE;
		found.place = "";
		SAY(found.sentence,
		    "may or may not be lost: %.1f threads compute at once where 1 is asked for",
		    beyond_asked(search->base));
		SAY(found.remedy, "compare with a run in which a single thread computes");
	} else if (counts_runs && !*why &&
		   fabs(times / search->row->threads - 1) < OWN_WORK_DISTANCE) {
		found.sure = POSSIBLE;
		SAY(found.sentence, "may or may not be lost: perhaps each thread brings its own "
				    "work, since it computes as long as a single thread does");
	} else {
		SAY(found.sentence, "are lost to other code, which takes ");
		if (times < 3)
			SAY(found.sentence, "%.0f %% more CPU time for each unit of work than",
			    100 * (times - 1));
		else
			SAY(found.sentence, "%.1f times as much CPU time for each unit of work as",
			    times);
		SAY(found.sentence, " on one thread%s", why);
	}
	if (found.cause == CAUSE_OTHER_SLOWER && code && function_is_matrix(code)) {
		found.cause = CAUSE_OUTSIDE_BLAS;
		SAY(found.sentence, ": matrix work that is not called by a BLAS name");
	}
	say_most_in(found.place, &found);
	if (*calling && code && strcmp(code->category, CATEGORY_INTERPRETER) != 0 &&
	    strncmp(outer_function(code), "std::thread::", 13) != 0 && /* only starts threads */
	    !strstr(calling, outer_function(code)))
		SAY(found.sentence, " (%s)", short_name(outer_function(code), CAUSE_PLACE_MAX));
	if (!*found.remedy && found.sure == SURE) {
		SAY(found.remedy, "let threads share results that each of them computes");
	} else if (!*found.remedy) {
		/* without counters only the reader can tell */
		if (counts_runs)
			SAY(found.remedy,
			    "if more threads do more work, say what counts as work: --work; ");
		if (are_processes)
			SAY(found.remedy, "if each process imports or prepares the same, start "
					  "fewer, or prepare it "
					  "before they are forked; ");
		else if (code && code->sum.code == RUN_CODE_OTHER &&
			 found.cause != CAUSE_OUTSIDE_BLAS)
			SAY(found.remedy,
			    "if threads write to the same variables there, or to variables in the "
			    "same cache line, give each its own, 128 bytes apart; ");
		if (!has_counters(search->report))
			SAY(found.remedy, "%slook at how they share caches and memory",
			    *found.remedy ? "otherwise " : "");
		else
			SAY(found.remedy, "to find out why, " ADD_COUNTERS);
	}
	claim(search, &found);
}

/* Each claims what it finds evidence for: those with the plainest evidence first. */
static void find_all(struct search *search)
{
	find_pools(search);
	find_inner(search);
	find_starts(search);
	find_serial(search);
	find_spin_locks(search);
	find_imbalance(search);
	EACH_ROW(cause, wait_causes, COUNT(wait_causes))
		if (!cause->polls)
			find_waits(search, cause);
	find_extra(search);
	EACH_ROW(cause, wait_causes, COUNT(wait_causes))
		if (cause->polls)
			find_waits(search, cause);
	find_meetings(search, CAUSE_BARRIER);
	find_no_cpu(search);
	find_meetings(search, CAUSE_IMBALANCE);
	find_spin(search);
	find_mpi(search);
	find_idle_inside(search);
	find_mix(search);
	find_blas(search);
	find_other(search);
}

/* Says so if threads wait for most of the time, since f, a share of the work, matters little then.
 */
static void say_idle(const struct search *search, struct report_cause *none)
{
	const struct account *account = &search->row->account;
	double all_ns = account->threads * account->wall_ns,
	       spun_ns = account->category_ns[CAT_SPIN];
	double idle_ns = spun_ns + account->category_ns[CAT_WAITING];
	const struct report_function *loop = find_loop(search, 0);
	const struct report_wait *wait = find_longest(search, wait_is_waiting);

	if (account->parallel != PARALLEL_CALLERS || !(idle_ns > all_ns / 2))
		return;
	SAY(none->sentence, "; %.0f %% of the time %s", 100 * idle_ns / all_ns,
	    account->threads == 1 ? "it waits" : "they wait");
	if (spun_ns > idle_ns / 2) {
		if (loop)
			none->place = loop_place(search, loop);
		SAY(none->sentence, "%s, spinning",
		    loop && is_gpu_wait(&loop->sum.location) ? " for a GPU" : "");
		wait = NULL;
	}
	for (size_t i = 0; i < COUNT(wait_causes) && wait; i++)
		if (!strcmp(wait->sum.kind, wait_causes[i].kind)) {
			SAY(none->sentence, " for %s", wait_causes[i].what);
			none->place = wait_place(wait);
		}
	if (*none->place)
		SAY(none->sentence, ", most in %s", none->place);
}

/* Says what one thread count alone tells, and the command that would tell more. */
static void add_prospect(struct search *search)
{
	const struct report_row *row = search->row;
	const struct report *report = search->report;
	double share, estimate = report->scaling.f_estimated
					 ? row->throughput / report->scaling.base.throughput
					 : NAN;
	const struct report_way *samples = report_matrix_share(row) >= LOSS_MIN
						   ? report_way_samples(report, row->threads)
						   : NULL;
	const struct report_function *nameless = report_nameless(report, row->threads, &share);
	char command[CAUSE_SENTENCE_MAX];
	struct report_cause *none = add_cause(search, CAUSE_NONE, NAN);

	SAY(none->sentence, "%s: ", human_noun(row->threads, "thread"));
	if (samples) {
		SAY(none->sentence,
		    "%.0f %% of the work is matrix work, by samples: %.0f %% in BLAS calls, %.0f "
		    "%% by other names, most in %s",
		    100 * row->account.f_sampled, 100 * row->account.f_intercepted,
		    100 * report_matrix_share(row), samples->hottest);
		none->cause = cause_kinds[CAUSE_OUTSIDE_BLAS].name;
		none->place = samples->hottest;
	} else {
		if (isfinite(row->account.f_intercepted) && row->account.calls > 0)
			SAY(none->sentence, "%.0f %% of the work is in BLAS",
			    100 * row->account.f_intercepted);
		else if (isfinite(row->account.f_intercepted))
			SAY(none->sentence, "no BLAS call was seen");
		else
			SAY(none->sentence, "nothing computes for long enough to be measured");
		if (row->account.f_intercepted <= 0 && !(row->account.calls > 0) &&
		    row->account.f_sampled >= LOSS_MIN)
			SAY(none->sentence, ", but %.0f %% of the work is in BLAS, by samples",
			    100 * row->account.f_sampled);
		if (isfinite(estimate))
			SAY(none->sentence,
			    "; they give about %.2f of %d, estimated from their fastest calls",
			    estimate, row->threads);
	}
	if (nameless)
		SAY(none->sentence,
		    "; %.0f %% is in %s, which has no symbols, so matrix work in it cannot be "
		    "identified",
		    100 * share, object_name(nameless->sum.location.object));
	if (report_little_blas(report)) {
		SAY(none->sentence, ": BLAS's threads can make it at most %.2f times as fast",
		    1 / (1 - row->account.category_ns[CAT_BLAS] / row->account.wall_ns));
		SAY(none->remedy, "look at the other code");
		say_other_place(search, none->remedy);
		SAY(none->remedy, "%s", row->main_imports > (1 - row->f_on_cpu) / 2 ? IMPORTS : "");
	} else if (report_next_command(report, command, sizeof command)) {
		SAY(none->remedy, "for the speed-up, run: %s", command);
	} else if (!(row->account.work > 0)) {
		SAY(none->remedy, "for the speed-up, say what counts as work: --work");
	} else if (report_idle_pool(report) > 0 && !report_fact(report, "mpi.rank")) {
		SAY(none->remedy,
		    "BLAS has %d threads, but its calls keep only one busy: give it larger "
		    "matrices, or call it from several threads",
		    report_idle_pool(report) + 1);
	}
	if (!*none->place)
		say_idle(search, none);
}

/* Adds the loss that no cause explains, and where most of it waits, or how it is spent. */
static void add_unexplained(struct search *search, double lost)
{
	const struct report_wait *wait = find_longest(search, is_meeting);
	struct report_cause *none = add_cause(search, CAUSE_NONE, lost);
	enum category largest = CAT_BLAS;
	char command[512];

	EACH_CATEGORY(category)
		if (search->left[category] > search->left[largest])
			largest = category;
	SAY(none->sentence, "%.2f of %d threads are lost, and not explained", lost,
	    search->row->threads);
	if (!wait || search->left[CAT_WAITING] < lost / 2) {
		const char *contributor = loss_place(search, largest);

		SAY(none->sentence, ": mostly %s%s%s%s", time_categories[largest].label,
		    *contributor ? " (" : "", contributor, *contributor ? ")" : "");
		return;
	}
	none->place = wait_place(wait);
	SAY(none->sentence, ": most wait at the %s in %s, %s each time", wait->sum.kind,
	    none->place, human_time((double)wait->sum.total_ns / (double)wait->sum.waits));
	report_command(search->report, "--by=wait", command, sizeof command);
	SAY(none->remedy, "see what other threads wait for meanwhile: %s", command);
}

/* Returns 1 if the threads idle for a larger part of each run than of any run with one thread, by
 * LOSS_MIN. Each run measures that by itself, so it holds if the lengths of the runs differ. */
static int idles_in_each_run(const struct search *search)
{
	double most = 0, least = INFINITY;

	EACH_ROW(run, search->report->runs, search->report->nruns) {
		const struct account *account = &run->account;
		double idle =
			sum_idle(account->category_ns) / (account->threads * account->wall_ns);

		if (run->used && run->threads == 1)
			most = fmax(most, idle);
		if (run->used && run->threads == search->row->threads)
			least = fmin(least, idle);
	}
	return isfinite(least) && least >= most + LOSS_MIN;
}

static int whole_differs(const struct report_row *row)
{
	return fabs(row->whole_speedup / row->speedup - 1) > WHOLE_DISTANCE_MAX;
}

/* Others may take so much of one thread's time, and less of more threads', that no speed-up is
 * true. */
#define STARVED_MAX (1. / 3)

/* Returns what a speed-up is compared with: the ideal one, that of the whole runs if it says
 * otherwise, and how much time one thread lost to others if that is much. */
static const char *ideal_text(const struct report *report, const struct report_row *row)
{
	const struct report_row *base = report_find_row(report, 1);
	double starved = base ? account_share(&base->account, CAT_NO_CPU) : 0;
	char text[128] = "";

	SAY(text, "ideal: %.2f", row->lost.ideal);
	if (whole_differs(row))
		SAY(text, "; whole run: %s", human_number(row->whole_speedup));
	if (starved > (row->speedup > (1 + LOSS_MIN) * row->lost.ideal ? LOSS_MIN : STARVED_MAX))
		SAY(text, "; one thread had no CPU for %.0f %% of its time", 100 * starved);
	return string_pooled(text);
}

/* Adds a cause whose sentence begins with the speed-up. */
static struct report_cause *add_speedup(struct search *search, enum cause cause, double lost)
{
	const struct report_row *row = search->row;
	struct report_cause *added = add_cause(search, cause, lost);

	SAY(added->sentence, "%d threads give a speed-up of %.2f (%s)", row->threads, row->speedup,
	    ideal_text(search->report, row));
	return added;
}

/* what: "why", or the part of the loss that is meant. */
static void add_too_noisy(struct search *search, double lost, const char *what)
{
	const struct interval *range = &search->row->speedup_range;
	struct report_cause *noisy = add_speedup(search, CAUSE_TOO_NOISY, lost);

	SAY(noisy->sentence, ", but the 95 %% interval is %.2f to %.2f: too noisy to say %s",
	    fmax(range->low, 0), range->high, what);
	SAY(noisy->remedy, "run it for longer and more often (-r 10), while nothing else runs");
}

/* CPUs in use with one thread asked for, from which on other threads do work as well. */
#define BUSY_MIN 1.5

/* Returns how many threads compute with one asked for, if they are several, being BLAS's own or
 * keeping other CPUs busy as well, and if there are hardly more of them at this thread count, so
 * that the command does not obey it; else 0. */
static int threads_regardless(const struct search *search)
{
	const struct report_row *base = search->base;
	const struct account *row = &search->row->account, *one = base ? &base->account : row;
	int threads = one->participants + one->workers;
	int more = row->participants + row->workers - threads;

	if (!base || threads < 2 || 2 * more >= row->threads - 1)
		return 0;
	if (threads > base->cpus_available) /* one after the other, if not more than CPUs at once */
		threads = (int)ceil(base->on_cpu_ns / one->wall_ns);
	return one->workers || base->on_cpu_ns - one->category_ns[CAT_SPIN] >
				       BUSY_MIN * one->wall_ns
		       ? threads
		       : 0;
}

static void add_regardless(struct search *search, double lost, int threads)
{
	const struct report *report = search->report;
	const struct report_row *row = search->row;
	struct report_cause *none = add_cause(search, CAUSE_NONE, lost);

	SAY(none->sentence,
	    "%d threads compute, whether 1 or %d are asked for: the command does not obey the "
	    "thread count",
	    threads, row->threads);
	SAY(none->remedy,
	    "pass the count on, by {} in the command or by a variable: "
	    "--threads-env=%s",
	    report_runs_openmp(report, row->threads) ? "OMP_NUM_THREADS"
	    : row->account.workers		     ? report_threads_variable(report)
						     : "NAME");
}

static void find_causes(struct search *search)
{
	const struct report_row *row = search->row;
	struct report *report = search->report;
	size_t before = report->ncauses;
	double lost = row->lost.ideal - row->speedup, largest = 0, left = 0, unclear = 0;
	int is_noisy = row->speedup_range.high >= row->lost.ideal;
	int regardless = threads_regardless(search);
	struct report_cause *none;

	if (row->threads == 1) {
		if (report->nrows == 1)
			add_prospect(search);
		return;
	}
	if (lost <= LOSS_MIN * row->lost.ideal) {
		int gains = lost < -LOSS_MIN * row->lost.ideal;

		none = add_speedup(search, CAUSE_NONE, fmax(lost, 0));
		SAY(none->sentence, ": %s",
		    gains ? "more than threads alone can give" : "next to nothing is lost");
		return;
	}
	if (regardless) {
		add_regardless(search, lost, regardless);
		return;
	}
	if (is_noisy && !idles_in_each_run(search)) {
		add_too_noisy(search, lost, "why");
		return;
	}
	split_loss(search);
	EACH_CATEGORY(category)
		if (is_noisy && !is_idle(category)) {
			unclear += search->left[category];
			search->left[category] = 0;
		}
	find_all(search);
	for (size_t i = before; i < report->ncauses; i++) {
		struct report_cause *cause = &report->causes[i];
		const char *rest = string_pooled(cause->sentence);

		snprintf(cause->sentence, sizeof cause->sentence, "%.2f of %d threads %s",
			 cause->lost, row->threads, rest);
		largest = fmax(largest, cause->share);
	}
	if (is_noisy && largest < LOSS_MIN) {
		report->ncauses = before;
		add_too_noisy(search, lost, "why");
		return;
	}
	if (is_noisy)
		add_too_noisy(search, unclear, "why calls and other code lose the rest");
	if (largest < LOSS_MIN && lost <= 2 * LOSS_MIN * row->lost.ideal) {
		report->ncauses = before;
		none = add_speedup(search, CAUSE_NONE, lost);
		SAY(none->sentence, ": no single cause loses more than %.0f %%", 100 * LOSS_MIN);
		return;
	}
	/* without a run of one thread, only time without a CPU is known to be lost */
	EACH_CATEGORY(category)
		left += isfinite(row->speedup) || category == CAT_NO_CPU ? search->left[category]
									 : 0;
	if (left >= LOSS_MIN * row->threads)
		add_unexplained(search, left);
	if (!isfinite(row->speedup))
		add_prospect(search);
}

COMPARE(compare_causes, struct report_cause,
	ORDER(b->threads, a->threads) ?: ORDER(isnan(a->lost), isnan(b->lost)) ?:
	ORDER(b->lost, a->lost))

/* Returns which function of the program calls the library, or the function of a standard library,
 * that calls BLAS most; "" if that is not known, or only main(). */
static const char *find_blas_place(const struct search *search)
{
	EACH_AT(caller, search->report, callers, search->row->threads) {
		const struct code_location *at = &caller->sum.location;
		const char *name = "";

		if (strstr(at->object, ".so") || function_is_standard(at->function))
			name = build_caller(newest_run(search), at->object, at->function);
		return !*name || !strcmp(name, "main") || !strcmp(name, at->function)
			       ? ""
			       : string_printf("%s (%s)", named_place(search, name),
					       short_name(at->function, CAUSE_PLACE_MAX));
	}
	return "";
}

void build_causes(struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);
	struct run loaded = {0};

	EACH_ROW(row, report->rows, report->nrows) {
		struct search search = {report, row, base, .raised = 1, .loaded = &loaded};

		row->blas_place = find_blas_place(&search);
		find_causes(&search);
	}
	forget_stacks(&loaded);
	SORT(report->causes, report->ncauses, compare_causes);
}

const struct report_row *report_verdict_row(const struct report *report)
{
	return report->ncauses ? report_find_row(report, report->causes->threads) : NULL;
}

const struct report_row *report_failed(const struct report *report)
{
	const struct report_row *base = report_find_row(report, 1);
	const struct report_row *row = report_verdict_row(report);

	return row && row->failed ? row : base && base->failed ? base : NULL;
}

int report_cause_is_known(const struct report_cause *cause)
{
	return strcmp(cause->cause, cause_kinds[CAUSE_NONE].name) != 0 &&
	       strcmp(cause->cause, cause_kinds[CAUSE_TOO_NOISY].name) != 0;
}

const char *report_cause_text(const struct report_cause *cause)
{
	return report_cause_is_known(cause) ? string_printf("%s (%s)", cause->sentence, cause->sure)
					    : cause->sentence;
}

const char *report_finding(const struct report *report)
{
	const struct report_cause *first = report->causes;
	const struct report_row *row = report_verdict_row(report);
	const struct report_row *failed = report_failed(report);
	char text[2048] = "", begin[32];

	if (failed)
		SAY(text, "The command failed with %s. ", human_noun(failed->threads, "thread"));
	if (*report->what_if)
		SAY(text, "With --what-if=%s: ", report->what_if);
	if (!report->nruns) {
		SAY(text, "%zu cells, and no run", report->ncells);
	} else if (!first) {
		SAY(text, "no figures: the region of interest has no length");
	} else {
		/* some sentences begin with the speed-up themselves */
		snprintf(begin, sizeof begin, "%d threads give ", first->threads);
		if (row && row->threads > 1 && isfinite(row->speedup) &&
		    strncmp(first->sentence, begin, strlen(begin)) != 0) {
			double half = (row->speedup_range.high - row->speedup_range.low) / 2;

			SAY(text, "%sa speed-up of %s%s%s (%s). ", begin,
			    human_number(row->speedup), isfinite(half) ? " ± " : "",
			    isfinite(half) ? human_number(half) : "", ideal_text(report, row));
		}
		SAY(text, "%s", report_cause_text(first));
	}
	return string_pooled(text);
}

/* 1 for what takes the CPUs from outside the program. */
static int is_outside(const struct report_cause *cause)
{
	static const enum cause outside[] = {CAUSE_OTHER_PROGRAMS, CAUSE_HOST_STEAL,
					     CAUSE_CPU_QUOTA};

	EACH_ROW(kind, outside, COUNT(outside))
		if (!strcmp(cause->cause, cause_kinds[*kind].name))
			return 1;
	return 0;
}

/* Returns the first cause's remedy and, if that is not about the program, that of the program's own
 * largest cause. */
static const char *own_remedy(const struct report *report)
{
	const struct report_cause *first = report->causes;

	EACH_AT(cause, report, causes, is_outside(first) ? first->threads : -1)
		if (!is_outside(cause) && report_cause_is_known(cause) && *cause->remedy &&
		    cause->lost >= LOSS_MIN * cause->threads)
			return string_printf("%s; for %s: %s", first->remedy, cause->cause,
					     cause->remedy);
	return first->remedy;
}

const char *report_remedy(const struct report *report)
{
	const struct report_cause *first = report->causes;
	const struct report_row *row = report_verdict_row(report);

	if (report_failed(report))
		return warning_find("failed_runs")->remedy;
	if (row && row->speedup - row->whole_speedup > row->lost.ideal - row->speedup &&
	    whole_differs(row))
		return string_printf("the whole run loses more outside of the part that is "
				     "measured here: see it with --roi=process%s%s",
				     *first->remedy ? "; for the loss inside: " : "",
				     first->remedy);
	return first ? own_remedy(report) : "";
}

const char *report_verdict(const struct report *report)
{
	const char *remedy = report_remedy(report);

	return string_printf("%s%s%s.", report_finding(report), *remedy ? "; " : "", remedy);
}

#define SHOWN_MIN 0.005 /* less is printed as 0.00 */

struct waterfall_step *waterfall_make(const struct report *report, const struct report_row **row,
				      size_t *count)
{
	struct waterfall_step *steps;
	double at, speedup;

	*count = 0;
	*row = report_verdict_row(report);
	if (!*row || (*row)->threads < 2 || !isfinite((*row)->speedup))
		return NULL;
	steps = memory_rows(report->ncauses + 2, sizeof *steps);
	at = (*row)->threads;
	steps[(*count)++] = (struct waterfall_step){"ideal", STEP_WHOLE, 0, at, at};
	EACH_AT(cause, report, causes, (*row)->threads) {
		if (!(cause->lost >= SHOWN_MIN) ||
		    !strcmp(cause->cause, cause_kinds[CAUSE_NONE].name))
			continue;
		steps[(*count)++] = (struct waterfall_step){
			string_printf("%s%s%.80s", cause->cause, *cause->place ? ": " : "",
				      cause->place),
			STEP_LOST, at - cause->lost, at, -cause->lost};
		at -= cause->lost;
	}
	speedup = (*row)->speedup;
	if (fabs(at - speedup) >= SHOWN_MIN)
		steps[(*count)++] = (struct waterfall_step){
			at > speedup ? "not explained" : "gained", STEP_REST, fmin(at, speedup),
			fmax(at, speedup), speedup - at};
	steps[(*count)++] = (struct waterfall_step){"measured", STEP_WHOLE, 0, speedup, speedup};
	return steps;
}
