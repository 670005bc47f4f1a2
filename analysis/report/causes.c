/* causes.c: shares the lost speed-up out to causes for which there is evidence. */
/* SPDX-License-Identifier: MIT */
#include "report/causes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "report/build.h"
#include "report/scaling.h"
#include "report/warnings.h"

/* A loss of a smaller part of N is none: clocks, caches and what else runs move a speed-up by so
 * much between two runs. Nor is a loss up to twice as large that has several causes, all smaller.
 */
#define LOSS_MIN  0.05
/* A cause of a smaller part of N is not worth a row. */
#define CAUSE_MIN 0.01
/* To wake a blocked thread takes 5 to 50 us, the latter on virtual machines and from deep sleep of
 * a CPU; the last of several comes later by a part of that each. */
#define WAKE_NS	  100e3
/* And both threads' CPUs about as much together. */
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

/* The search for the causes at one thread count. */
struct inquiry {
	const struct run *runs;
	struct report *report;
	const struct report_row *row;
	const struct report_row *base; /* of one thread; NULL: there is none */
	double left[CAT_COUNT];	       /* lost to each category, and not claimed yet: of N threads,
					* so many */
	double per_work;	       /* so many threads are a ns for a unit of work */
	double factor;		       /* what is left of a loss when gains are taken off */
};

struct claim {
	enum cause cause;
	enum sure sure;
	double lost[CAT_COUNT]; /* threads, in each category */
	char place[CAUSE_PLACE_MAX];
	char sentence[CAUSE_SENTENCE_MAX];
	char remedy[CAUSE_SENTENCE_MAX];
};

static struct report_cause *add_cause(struct inquiry *inquiry, enum cause cause, enum sure sure,
				      double lost)
{
	struct report *report = inquiry->report;
	struct report_cause *row = memory_add(&report->causes, &report->ncauses, sizeof *row);

	row->threads = inquiry->row->threads;
	row->cause = cause_kinds[cause].name;
	row->lost = lost;
	row->share = lost / row->threads;
	row->sure = sure_names[sure];
	return row;
}

/* The row of this cause at this place; NULL: there is none yet. */
static struct report_cause *find_same(const struct inquiry *inquiry, const struct claim *claim)
{
	for (size_t i = 0; i < inquiry->report->ncauses; i++) {
		struct report_cause *row = &inquiry->report->causes[i];

		if (row->threads == inquiry->row->threads && *row->place &&
		    !strcmp(row->cause, cause_kinds[claim->cause].name) &&
		    !strcmp(row->place, claim->place))
			return row;
	}
	return NULL;
}

#define LOST_UNIT " threads "

/* So much of what its categories lost is the cause's, and no other's. Readers see one row of what
 * has one cause and one place, with the sentence of what lost more. */
static void claim(struct inquiry *inquiry, const struct claim *claim)
{
	int threads = inquiry->row->threads;
	char what[CAUSE_SENTENCE_MAX];
	struct report_cause *row;
	double lost = 0;

	EACH_CATEGORY(category)
		lost += fmin(claim->lost[category], inquiry->left[category]);
	if (!(lost >= CAUSE_MIN * threads))
		return;
	EACH_CATEGORY(category)
		inquiry->left[category] -= fmin(claim->lost[category], inquiry->left[category]);
	row = find_same(inquiry, claim);
	row = row ? row : add_cause(inquiry, claim->cause, claim->sure, 0);
	if (lost > row->lost) {
		row->sure = sure_names[claim->sure];
		memcpy(row->place, claim->place, sizeof row->place);
		memcpy(row->remedy, claim->remedy, sizeof row->remedy);
		memcpy(what, claim->sentence, sizeof what);
	} else {
		const char *text = strstr(row->sentence, LOST_UNIT);

		snprintf(what, sizeof what, "%s", text ? text + strlen(LOST_UNIT) : row->sentence);
	}
	row->lost += lost;
	row->share = row->lost / threads;
	*row->sentence = '\0';
	SAY(row->sentence, "%.2f of %d" LOST_UNIT "%s", row->lost, threads, what);
}

/* What the time for a unit of work, ns, comes to in threads lost, if one thread needs `base`. */
static double threads_lost(const struct inquiry *inquiry, double point, double base)
{
	double lost = inquiry->per_work * (point - base);

	return isfinite(lost) ? fmax(lost, 0) : 0;
}

/* The time for a unit of work on one thread; without such a run what was estimated, and none for
 * all that is not computing. */
static double base_per_work(const struct inquiry *inquiry, enum category category)
{
	const struct scaling *scaling = &inquiry->report->scaling;

	if (inquiry->base)
		return account_per_work(&inquiry->base->account, category);
	return category == CAT_BLAS    ? scaling->base.blas_per_work
	       : category == CAT_OTHER ? scaling->base.other_per_work
				       : 0;
}

/* What each category lost, where gains of others are taken off all alike: causes add up to the loss
 * at most. */
static void share_out(struct inquiry *inquiry)
{
	const struct account *account = &inquiry->row->account;
	double lost = 0, gained = 0, factor;

	inquiry->per_work = account->threads / account_all_per_work(account);
	EACH_CATEGORY(category) {
		double more = inquiry->per_work * (account_per_work(account, category) -
						   base_per_work(inquiry, category));

		more = isfinite(more) ? more : 0;
		inquiry->left[category] = fmax(more, 0);
		lost += fmax(more, 0);
		gained += fmax(-more, 0);
	}
	factor = lost > 0 ? fmax((lost - gained) / lost, 0) : 1;
	inquiry->per_work *= factor;
	inquiry->factor = factor;
	EACH_CATEGORY(category)
		inquiry->left[category] *= factor;
}

#define REMEDY_LOCK                                                                                \
	"hold it for a shorter time, or let each thread have its own part of what it guards"

#define REMEDY_GPU "give it work ahead, and fetch results later"

/* Waits whose kind is their cause. Who would wait for others' work anyway loses nothing by a lock,
 * a pipe or a sleep, and some that look like a lock are queues: unevenness comes first. */
static const struct wait_cause {
	const char *kind;
	enum cause cause;
	const char *what, *remedy;
} wait_causes[] = {
	{"gil", CAUSE_GIL, "Python's interpreter lock",
	 "use processes in place of threads, or calls that release the lock and take longer"},
	{"mutex", CAUSE_LOCK, "a mutex that another thread holds", REMEDY_LOCK},
	{"rwlock", CAUSE_LOCK, "a read-write lock that another thread holds", REMEDY_LOCK},
	{"I/O", CAUSE_IO, "a file, a device or the network",
	 "do it in another thread or less often, in larger pieces"},
	{"sleep", CAUSE_SLEEP, "a time to pass: they sleep",
	 "wait for what is to happen, by a condition, in place of a time"},
	{"GPU", CAUSE_GPU, "a GPU", REMEDY_GPU},
	{"MPI", CAUSE_MPI, "messages of other ranks",
	 "even out the ranks' work, or send less often and ahead"},
};

enum { NAME_LONG = 48 };

/* Of a long name without its template arguments, which may be hundreds of characters. */
static void shorten_name(const char *function, char *name, size_t size)
{
	size_t length = 0;
	int depth = 0;

	snprintf(name, size, "%s", function);
	if (strlen(function) <= NAME_LONG)
		return;
	for (const char *at = function; *at && length + 4 < size; at++) {
		depth -= *at == '>' && depth && at[-1] != '-';
		if (!depth)
			name[length++] = *at;
		if (*at == '<' && at > function && !depth++)
			length += (size_t)sprintf(name + length, "...");
	}
	name[length] = '\0';
}

/* "train.c:120 step()", as far as it is known. */
static void say_place(const char *file, int line, const char *function, char place[CAUSE_PLACE_MAX])
{
	char name[104];

	*place = '\0';
	shorten_name(function, name, sizeof name);
	if (line > 0)
		say(place, CAUSE_PLACE_MAX, "%.60s:%d ", object_name(file), line);
	/* an address in an object, or Python's "train.py:31 step" */
	say(place, CAUSE_PLACE_MAX, "%s%s", name, *name && !strpbrk(name, "+: ") ? "()" : "");
}

static void wait_place(const struct report_wait *wait, char place[CAUSE_PLACE_MAX])
{
	say_place(wait->sum.file, wait->sum.line,
		  *wait->sum.caller ? wait->sum.caller : wait->sum.function, place);
}

/* Threads lost at that place: its time for a unit of work less what one thread waits there. */
static double wait_lost(const struct inquiry *inquiry, const struct report_wait *wait)
{
	struct table_order keys = table_order_by(&run_tables[RUN_PART_WAITS], WAIT_KEYS);
	double one = 0;

	for (size_t i = 0; i < inquiry->report->nwaits && inquiry->base; i++) {
		const struct report_wait *other = &inquiry->report->waits[i];

		if (other->threads == inquiry->base->threads && other->is_caller &&
		    !table_compare(&keys, &wait->sum, &other->sum))
			one += (double)other->sum.total_ns / inquiry->base->account.work;
	}
	return threads_lost(inquiry, (double)wait->sum.total_ns / inquiry->row->account.work, one);
}

/* Its samples of threads that take part. */
static double own_samples(const struct report_function *function)
{
	return (double)function->sum.samples - (double)function->sum.samples_workers;
}

/* The time of a category of other code, and of the kernel, for a unit of work. */
static double code_per_work(const struct inquiry *inquiry, const struct report_row *row,
			    const char *category)
{
	double in = 0, all = 0;

	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		if (function->threads != row->threads ||
		    (function->sum.code != RUN_CODE_OTHER && function->sum.code != RUN_CODE_KERNEL))
			continue;
		all += own_samples(function);
		if (!strcmp(function->category, category))
			in += own_samples(function);
	}
	return in / all * account_per_work(&row->account, CAT_OTHER);
}

static double code_lost(const struct inquiry *inquiry, const char *category)
{
	return inquiry->base ? threads_lost(inquiry, code_per_work(inquiry, inquiry->row, category),
					    code_per_work(inquiry, inquiry->base, category))
			     : 0;
}

/* 1: a caller's wait at this thread count, outside BLAS, for anything but a CPU. */
static int is_wait(const struct inquiry *inquiry, const struct report_wait *wait)
{
	return wait->threads == inquiry->row->threads && wait->is_caller && !wait->sum.in_blas &&
	       strcmp(wait->sum.kind, "run queue") != 0;
}

static double all_waits(const struct inquiry *inquiry)
{
	double waits = 0;

	EACH_ROW(wait, inquiry->report->waits, inquiry->report->nwaits)
		if (is_wait(inquiry, wait))
			waits += (double)wait->sum.waits;
	return waits;
}

/* To lock, to block and to be woken takes CPU time too: where that has grown, these waits have
 * their part of it, at most so much each. */
static double switching_lost(const struct inquiry *inquiry, double waits)
{
	double grown = code_lost(inquiry, CATEGORY_LOCKS) + code_lost(inquiry, CATEGORY_KERNEL);

	return fmin(grown * waits / all_waits(inquiry),
		    threads_lost(inquiry, waits * SWITCH_NS / inquiry->row->account.work, 0));
}

/* The time without a CPU that nobody had, for a unit of work: until a thread that was woken runs.
 */
static double waking_per_work(const struct report_row *row)
{
	double ns = row->account.category_ns[CAT_NO_CPU];

	EACH_ROW(part_ns, row->no_cpu_ns, NO_CPU_COUNT)
		ns -= *part_ns;
	return ns / row->account.work;
}

static double time_share(const struct report_row *row, enum category category)
{
	return row->account.category_ns[category] / (row->account.threads * row->account.wall_ns);
}

/* All waits of a kind are one loss, and its place is where most of it is. */
static void claim_waits(struct inquiry *inquiry, const struct wait_cause *cause)
{
	const struct report_wait *most = NULL;
	struct claim found = {.cause = cause->cause, .sure = SURE};
	double waits = 0, most_lost = -1;
	double idle = inquiry->base ? time_share(inquiry->base, CAT_WAITING) : 0;
	int places = 0;

	EACH_ROW(wait, inquiry->report->waits, inquiry->report->nwaits) {
		double lost;

		if (!is_wait(inquiry, wait) || strcmp(wait->sum.kind, cause->kind) != 0)
			continue;
		lost = wait_lost(inquiry, wait);
		found.lost[CAT_WAITING] += lost;
		waits += (double)wait->sum.waits;
		places++;
		if (lost > most_lost) {
			most = wait;
			most_lost = lost;
		}
	}
	if (!most)
		return;
	found.lost[CAT_OTHER] = switching_lost(inquiry, waits);
	found.lost[CAT_NO_CPU] = waits / all_waits(inquiry) *
				 threads_lost(inquiry, waking_per_work(inquiry->row),
					      inquiry->base ? waking_per_work(inquiry->base) : 0);
	wait_place(most, found.place);
	SAY(found.sentence, "wait for %s", cause->what);
	if (*found.place)
		SAY(found.sentence, ", %s %s", places > 1 ? "most in" : "in", found.place);
	/* the place is what the script runs meanwhile: as a rule that holds the lock */
	if (cause->cause == CAUSE_GIL && *inquiry->row->script_place &&
	    strcmp(found.place, inquiry->row->script_place) != 0) {
		memcpy(found.place, inquiry->row->script_place, sizeof found.place);
		SAY(found.sentence, ", while others run %s", found.place);
	}
	if (idle > 0.5) {
		SAY(found.sentence, ", as one does for %.0f %% of its time", 100 * idle);
		if (found.cause == CAUSE_IO)
			SAY(found.remedy, "if no more work comes, one thread is enough; else ");
	}
	SAY(found.remedy, "%s", cause->remedy);
	claim(inquiry, &found);
}

static void find_waits(struct inquiry *inquiry)
{
	EACH_ROW(cause, wait_causes, COUNT(wait_causes))
		claim_waits(inquiry, cause);
}

static void find_mpi(struct inquiry *inquiry)
{
	const struct report_mpi *most = NULL;
	struct claim found = {.cause = CAUSE_MPI, .sure = SURE};

	EACH_ROW(routine, inquiry->report->mpi, inquiry->report->nmpi)
		if (routine->threads == inquiry->row->threads &&
		    (!most || routine->sum.total_ns > most->sum.total_ns))
			most = routine;
	if (!most)
		return;
	found.lost[CAT_MPI] = inquiry->left[CAT_MPI];
	SAY(found.place, "%.31s()", most->sum.routine);
	SAY(found.sentence, "are in MPI, most in %s", found.place);
	SAY(found.remedy, "even out the ranks' work, or send less often and ahead");
	claim(inquiry, &found);
}

/* A figure of the spreads of the row's runs, summed, as threads lost. */
static double spread_lost(const struct inquiry *inquiry,
			  double (*figure)(const struct spread *spread))
{
	double sum_ns = 0;

	EACH_ROW(run, inquiry->report->runs, inquiry->report->nruns) {
		if (run->used && run->threads == inquiry->row->threads && run->spread.known)
			sum_ns += figure(&run->spread);
	}
	return threads_lost(inquiry, sum_ns / inquiry->row->account.work, 0);
}

/* The function that only this thread of the spread's run ran most. */
static void alone_place(const struct inquiry *inquiry, const struct spread *spread, int64_t tid,
			char place[CAUSE_PLACE_MAX])
{
	for (size_t i = 0; i < inquiry->report->nruns; i++)
		if (&inquiry->report->runs[i].spread == spread)
			say_place("", 0, build_alone(&inquiry->runs[i], tid), place);
}

/* The spread of the row's run with the largest figure, or NULL. */
static const struct spread *spread_most(const struct inquiry *inquiry,
					double (*figure)(const struct spread *spread))
{
	const struct spread *most = NULL;

	EACH_ROW(run, inquiry->report->runs, inquiry->report->nruns) {
		if (run->used && run->threads == inquiry->row->threads && run->spread.known &&
		    (!most || figure(&run->spread) > figure(most)))
			most = &run->spread;
	}
	return most;
}

/* What its participants are. */
static const char *noun(const struct spread *spread)
{
	return spread->are_processes ? "process" : "thread";
}

static double uneven(const struct spread *spread)
{
	return spread->uneven_ns;
}

static double unserved(const struct spread *spread)
{
	return spread->unserved_ns;
}

/* All others wait while it works. */
static double serial(const struct spread *spread)
{
	return spread->serial_ns;
}

/* All wait for it, too. */
static double besides(const struct spread *spread)
{
	return spread->besides_ns;
}

/* Kinds of waits in which threads meet. A condition may also be a queue that is empty. */
static int is_meeting(const struct inquiry *inquiry, const struct report_wait *wait)
{
	return is_wait(inquiry, wait) &&
	       (!strcmp(wait->sum.kind, "barrier") || !strcmp(wait->sum.kind, "condition") ||
		!strcmp(wait->sum.kind, "futex"));
}

/* Of the waits that the question is true of the longest, or NULL; they are in that order. */
static const struct report_wait *longest(const struct inquiry *inquiry,
					 int (*is)(const struct inquiry *inquiry,
						   const struct report_wait *wait))
{
	EACH_ROW(wait, inquiry->report->waits, inquiry->report->nwaits)
		if (is(inquiry, wait))
			return wait;
	return NULL;
}

/* Where the row's threads wait for each other longest, or NULL. */
static const struct report_wait *meeting(const struct inquiry *inquiry)
{
	return longest(inquiry, is_meeting);
}

/* What is known by name: spin locks and what spins before it blocks. */
static int is_lock(const char *function)
{
	static const char *const words[] = {"_lock", "::lock", "mutex", "critical", "ordered"};
	int found = 0;

	EACH_ROW(word, words, COUNT(words))
		found |= strstr(function, *word) != NULL;
	return found;
}

static int spins(const struct inquiry *inquiry, const struct report_function *function, int in_lock)
{
	return function->threads == inquiry->row->threads && function->sum.code == RUN_CODE_SPIN &&
	       is_lock(function->sum.location.function) == in_lock;
}

static double all_samples(const struct report_function *function)
{
	return (double)function->sum.samples;
}

/* Where most samples spin, for a lock or elsewhere, or NULL. Of one library what has a name tells
 * more: its own threads wait for the same. What the kernel does in sched_yield() is named only
 * where nothing else is. */
static const struct report_function *
most_spinning(const struct inquiry *inquiry, int in_lock,
	      double (*samples)(const struct report_function *function))
{
	const struct report_function *most = NULL, *in_kernel = NULL, *named = NULL;

	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		int is_kernel = !strcmp(function->sum.location.object, "[kernel]");
		const struct report_function **place = is_kernel ? &in_kernel : &most;

		if (spins(inquiry, function, in_lock) &&
		    samples(function) > (*place ? samples(*place) : 0))
			*place = function;
	}
	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		if (most && spins(inquiry, function, in_lock) &&
		    !strcmp(function->sum.location.object, most->sum.location.object) &&
		    !strchr(function->sum.location.function, '+') &&
		    samples(function) > (named ? samples(named) : 0))
			named = function;
	}
	return named ? named : most ? most : in_kernel;
}

/* The loop of threads that take part, or that of others where they spin in none. */
static const struct report_function *spinning(const struct inquiry *inquiry, int in_lock)
{
	const struct report_function *own = most_spinning(inquiry, in_lock, own_samples);

	return own ? own : most_spinning(inquiry, in_lock, all_samples);
}

static void function_place(const struct report_function *function, char place[CAUSE_PLACE_MAX])
{
	const struct code_location *location = &function->sum.location;

	say_place(location->file, location->line, location->function, place);
}

/* "at the barrier in step()", or where they spin, if that is what most do; nothing where neither is
 * half of the loss, as of threads that end early. */
static void say_meeting(const struct inquiry *inquiry, const struct report_wait *wait, double lost,
			struct claim *found)
{
	const struct report_function *loop = spinning(inquiry, 0);
	double waited = wait ? wait_lost(inquiry, wait) : 0, spun = inquiry->left[CAT_SPIN];

	if (fmax(waited, spun) < lost / 2)
		return;
	if (loop && spun > waited) {
		function_place(loop, found->place);
		SAY(found->sentence, ", spinning in %s", found->place);
		return;
	}
	if (!wait)
		return;
	wait_place(wait, found->place);
	SAY(found->sentence, " at the %s", wait->sum.kind);
	if (*found->place)
		SAY(found->sentence, " in %s", found->place);
}

static void find_spin_locks(struct inquiry *inquiry)
{
	const struct report_function *loop = spinning(inquiry, 1);
	struct claim found = {.cause = CAUSE_LOCK, .sure = LIKELY};
	double in_locks = 0, all = 0;

	if (!loop)
		return;
	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		double samples = all_samples(function);

		in_locks += spins(inquiry, function, 1) ? samples : 0;
		all += spins(inquiry, function, 0) || spins(inquiry, function, 1) ? samples : 0;
	}
	found.lost[CAT_SPIN] = inquiry->left[CAT_SPIN] * in_locks / all;
	function_place(loop, found.place);
	SAY(found.sentence, "spin for a lock that another thread holds, in %s", found.place);
	SAY(found.remedy, "%s", REMEDY_LOCK);
	claim(inquiry, &found);
}

/* 1 where the loop lies in the BLAS library. */
static int is_pool(const struct inquiry *inquiry, const struct report_function *loop)
{
	const char *path = report_fact(inquiry->report, "blas_path");

	return loop && path && !strcmp(object_name(path), object_name(loop->sum.location.object));
}

/* Several threads call a BLAS that has threads of its own, which work or spin, and all are more
 * than the CPUs: the remedy, whatever else is wrong. 0: it is not so. */
static int say_many(const struct inquiry *inquiry, struct claim *found)
{
	const struct report_row *row = inquiry->row;
	const char *pool = report_fact(inquiry->report, "blas_threads");
	int workers = row->workers_at_once, has_spun = is_pool(inquiry, spinning(inquiry, 0));

	if (row->account.parallel == PARALLEL_INNER || (!workers && !has_spun))
		return 0;
	if (pool && !report_fact(inquiry->report, "blas_2"))
		workers = (int)fmax(workers, atoi(pool) - 1); /* not all may have been sampled */
	if (!workers || row->threads + workers <= row->cpus_available)
		return 0;
	SAY(found->remedy, "let BLAS run on the caller's thread: set %s=1",
	    report_threads_variable(inquiry->report));
	return 1;
}

/* How BLAS's own threads are kept from spinning, where the loop lies in its library. 0: it does
 * not.
 */
static int say_pool(const struct inquiry *inquiry, const struct report_function *loop,
		    struct claim *found)
{
	if (!is_pool(inquiry, loop))
		return 0;
	SAY(found->remedy, "set %s=1, or to fewer than now: the library's own threads spin",
	    report_threads_variable(inquiry->report));
	return 1;
}

/* What a program calls to wait for a GPU, which burns a CPU. */
static int is_gpu_wait(const struct code_location *location)
{
	const char *object = object_name(location->object);

	return !strncmp(object, "libcuda", 7) || !strncmp(object, "libamdhip", 9) ||
	       (strstr(location->function, "Synchronize") &&
		(!strncmp(location->function, "cu", 2) || !strncmp(location->function, "hip", 3)));
}

/* Spinning that no unevenness explains. */
static void find_spin(struct inquiry *inquiry)
{
	const struct report_function *loop = spinning(inquiry, 0);
	struct claim found = {.cause = CAUSE_SPIN, .sure = LIKELY};

	if (!loop)
		return;
	found.lost[CAT_SPIN] = inquiry->left[CAT_SPIN];
	function_place(loop, found.place);
	if (is_gpu_wait(&loop->sum.location)) {
		found.cause = CAUSE_GPU;
		found.sure = SURE;
		SAY(found.sentence, "wait for a GPU, spinning in %s", found.place);
		SAY(found.remedy, "%s", REMEDY_GPU);
		claim(inquiry, &found);
		return;
	}
	SAY(found.sentence, "spin, most in %s", found.place);
	if (say_pool(inquiry, loop, &found))
		;
	else if (inquiry->row->threads > inquiry->row->cpus_available)
		SAY(found.remedy, "let them block where they wait: OMP_WAIT_POLICY=passive, or a "
				  "condition in place of the loop");
	else
		SAY(found.remedy, "share out the work between two meetings more evenly, and meet "
				  "less often; if it is a lock, hold it for a shorter time");
	claim(inquiry, &found);
}

/* Threads that wait for each other are blocked, not there yet or any more, in MPI, or spin. */
static const enum category meeting_categories[] = {CAT_WAITING, CAT_MPI, CAT_SPIN};
#define MEETING_CATEGORIES COUNT(meeting_categories)

static double meeting_left(const struct inquiry *inquiry)
{
	double left = 0;

	EACH_ROW(category, meeting_categories, MEETING_CATEGORIES)
		left += inquiry->left[*category];
	return left;
}

/* Adds the loss to the claim, by what is left of each of these categories. */
static void lose_meeting(const struct inquiry *inquiry, double lost, struct claim *found)
{
	double left = meeting_left(inquiry);

	EACH_ROW(category, meeting_categories, MEETING_CATEGORIES)
		found->lost[*category] += inquiry->left[*category] / left * lost;
}

static void find_serial(struct inquiry *inquiry)
{
	const struct spread *most = spread_most(inquiry, serial);
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (!most)
		return;
	lose_meeting(inquiry, (inquiry->row->threads - 1) * spread_lost(inquiry, serial), &found);
	SAY(found.sentence, "wait while %s %d works alone%s", noun(most), most->serial_thread,
	    most->serial_is_first ? " before the others are there" : "");
	if (most->serial_is_main && *inquiry->row->main_place)
		SAY(found.place, "%s", inquiry->row->main_place);
	else
		alone_place(inquiry, most, most->serial_tid, found.place);
	if (*found.place)
		SAY(found.sentence, ", most in %s", found.place);
	SAY(found.remedy, "let all threads share that work, or let it overlap with theirs");
	claim(inquiry, &found);
}

/* Threads beyond the N: what they compute is on no account where there is one thread. */
static void lose_besides(const struct inquiry *inquiry, struct claim *found)
{
	const struct account *base = &inquiry->base->account;

	for (int category = CAT_BLAS; category <= CAT_OTHER; category++) {
		double one = account_per_work(base, category);

		found->lost[category] =
			threads_lost(inquiry, one * base->claimed_ns / base->wall_ns, one);
	}
}

/* 1 where the row has threads besides the N, of teams that they have, say, as there are with one
 * thread, and all do the same: their CPUs are too few. */
static int is_full(const struct inquiry *inquiry)
{
	const struct spread *most = spread_most(inquiry, besides);
	const struct account *account = &inquiry->row->account;

	return inquiry->base && most && most->participants > inquiry->row->threads &&
	       most->besides_alike && !most->are_processes &&
	       account->claimed_ns > inquiry->row->cpus_available * account->wall_ns;
}

/* One that hands out the work, say: the N wait for it. */
static void find_besides(struct inquiry *inquiry)
{
	const struct spread *most = spread_most(inquiry, besides);
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (!most || most->participants <= inquiry->row->threads || !inquiry->base ||
	    is_full(inquiry))
		return;
	found.lost[CAT_WAITING] = (inquiry->row->threads - 1) * spread_lost(inquiry, besides);
	lose_besides(inquiry, &found);
	SAY(found.sentence, "go to %s %d, which works besides them, or wait for it", noun(most),
	    most->besides_thread);
	alone_place(inquiry, most, most->besides_tid, found.place);
	if (*found.place)
		SAY(found.sentence, ", most in %s", found.place);
	SAY(found.remedy, "let several threads share that work, or do less of it");
	claim(inquiry, &found);
}

static double other_samples(const struct inquiry *inquiry, const struct report_function *function,
			    const char *object)
{
	return function->threads == inquiry->row->threads && function->sum.code == RUN_CODE_OTHER &&
			       !strcmp(function->sum.location.object, object)
		       ? own_samples(function)
		       : 0;
}

/* Of the object in which callers compute most outside BLAS the function with most, or NULL: what an
 * interpreter calls of the C library says nothing. A function of less than 1 % is not looked at. */
static const struct report_function *other_most(const struct inquiry *inquiry)
{
	const struct report_function *most = NULL;
	double most_all = 0;

	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		const char *object = function->sum.location.object;
		double own = function->share < 0.01 ? 0 : other_samples(inquiry, function, object);
		double all = 0;

		EACH_ROW(other, inquiry->report->functions,
			 own > 0 ? inquiry->report->nfunctions : 0)
			all += other_samples(inquiry, other, object);
		if (all > most_all) {
			most = function;
			most_all = all;
		}
	}
	return most;
}

/* Where callers compute most outside BLAS, as ", most in train.py:31 step() (add_kernel)"; the
 * place is "" where that is not known. A function of the interpreter's own says nothing beside a
 * line. */
static void say_other_place(const struct inquiry *inquiry, char place[CAUSE_PLACE_MAX],
			    char sentence[CAUSE_SENTENCE_MAX])
{
	const struct report_function *most = other_most(inquiry);
	char name[CAUSE_PLACE_MAX];

	*place = '\0';
	if (*inquiry->row->script_place)
		memcpy(place, inquiry->row->script_place, CAUSE_PLACE_MAX);
	else if (most)
		function_place(most, place);
	if (*place)
		say(sentence, CAUSE_SENTENCE_MAX, ", most in %s", place);
	if (!*inquiry->row->script_place || !most || strstr(most->sum.location.function, "+0x") ||
	    !strcmp(most->category, CATEGORY_INTERPRETER))
		return;
	shorten_name(most->sum.location.function, name, sizeof name);
	say(sentence, CAUSE_SENTENCE_MAX, " (%s)", name);
}

/* Where BLAS alone is parallel, its threads have nothing to do while the caller computes. */
static void find_inner(struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	double waiting_ns = row->account.category_ns[CAT_WAITING];
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = SURE};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_WAITING] =
		inquiry->left[CAT_WAITING] * fmax(waiting_ns - row->blocked_ns, 0) / waiting_ns;
	SAY(found.sentence, "have nothing to do while the caller works outside BLAS");
	say_other_place(inquiry, found.place, found.sentence);
	SAY(found.remedy, "make that part parallel too, or call BLAS for more of the work");
	claim(inquiry, &found);
}

static void find_imbalance(struct inquiry *inquiry)
{
	const struct spread *most = spread_most(inquiry, uneven);
	struct claim found = {.cause = CAUSE_IMBALANCE, .sure = SURE};
	int threads = inquiry->row->threads;
	double lost;

	if (!most)
		return;
	lost = fmin(spread_lost(inquiry, uneven), meeting_left(inquiry));
	lose_meeting(inquiry, lost, &found);
	SAY(found.sentence, "wait");
	say_meeting(inquiry, meeting(inquiry), lost, &found);
	if (most->follow)
		SAY(found.sentence, " for the last of the %s that were started with them",
		    most->are_processes ? "processes" : "threads");
	else if (most->participants < threads)
		SAY(found.sentence, ": only %d of them compute%s", most->participants,
		    most->participants == 1 ? "s" : "");
	else
		SAY(found.sentence, ", since %s %d computes %.0f %% longer than all on average",
		    noun(most), most->busiest_thread, 100 * (most->busiest_ns / most->mean_ns - 1));
	SAY(found.remedy,
	    "share the work out more evenly, or in smaller pieces to whoever is free");
	claim(inquiry, &found);
}

/* What else had the program's CPUs, by name; "" where that is not known. */
static const char *other_programs(const struct inquiry *inquiry)
{
	for (size_t i = inquiry->report->nruns; i--;) {
		const struct report_run *run = &inquiry->report->runs[i];

		if (run->used && run->threads == inquiry->row->threads && *run->other_programs)
			return run->other_programs;
	}
	return "";
}

/* 1 where code of an OpenMP runtime that BLAS does not use ran beside BLAS's own threads, and both
 * have more threads than there are CPUs. */
static int pools_compete(const struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	const char *layer = report_fact(inquiry->report, "blas_layer");

	return row->workers_at_once && row->threads + row->workers_at_once > row->cpus_available &&
	       !(layer && !strcmp(layer, "OpenMP")) &&
	       report_runs_openmp(inquiry->report, row->threads);
}

/* Spinning threads of one pool take the CPUs of the other, whose calls take longer. */
static void find_pools(struct inquiry *inquiry)
{
	static const enum category lost[] = {CAT_NO_CPU, CAT_SPIN, CAT_BLAS};
	struct claim found = {.cause = CAUSE_POOLS_COMPETE, .sure = LIKELY};
	const char *blas = report_fact(inquiry->report, "blas");
	const struct report_function *loop = most_spinning(inquiry, 0, all_samples);

	/* a pool that sleeps takes no CPU from the other */
	if (!pools_compete(inquiry) ||
	    inquiry->left[CAT_NO_CPU] + inquiry->left[CAT_SPIN] < CAUSE_MIN)
		return;
	EACH_ROW(category, lost, COUNT(lost))
		found.lost[*category] = inquiry->left[*category];
	SAY(found.sentence,
	    "lack a CPU or spin: OpenMP's %d threads and %s's %d compete for %g CPU%s",
	    inquiry->row->threads, blas ? blas : "BLAS", inquiry->row->workers_at_once + 1,
	    inquiry->row->cpus_available, plural(inquiry->row->cpus_available));
	if (loop)
		function_place(loop, found.place);
	SAY(found.remedy, "set OMP_WAIT_POLICY=passive, or %s=1",
	    report_threads_variable(inquiry->report));
	claim(inquiry, &found);
}

/* The time that threads of the program spun, whether they take part or not. */
static double spun_ns(const struct inquiry *inquiry)
{
	double ns = 0;

	for (size_t i = 0; i < inquiry->report->nruns; i++) {
		const struct report_run *row = &inquiry->report->runs[i];
		const struct run *run = &inquiry->runs[i];

		for (size_t j = 0; j < run->nthreads && row->used; j++)
			if (row->threads == inquiry->row->threads)
				ns += fmax((double)run->threads[j].times.ns[CAT_SPIN], 0);
	}
	return ns;
}

/* Threads that would all have a CPU lack one, for as long as others of the program spin. */
static void say_own(const struct inquiry *inquiry, struct claim *found)
{
	const struct report_row *row = inquiry->row;
	const struct report_function *loop = most_spinning(inquiry, 0, all_samples);

	if (loop && row->threads <= row->cpus_available &&
	    spun_ns(inquiry) > row->no_cpu_ns[NO_CPU_OWN] / 2) {
		found->cause = CAUSE_SPIN;
		function_place(loop, found->place);
		SAY(found->sentence, "have no CPU, while other threads of the program spin in %s",
		    found->place);
		if (!say_pool(inquiry, loop, found))
			SAY(found->remedy, "let those block where they wait");
		return;
	}
	found->cause = CAUSE_OVERSUBSCRIBED;
	SAY(found->sentence,
	    "have no CPU: %smore of the program's threads are ready than its %g CPU%s can run",
	    row->threads > row->cpus_available ? "" : "with those besides them, ",
	    row->cpus_available, plural(row->cpus_available));
	if (say_many(inquiry, found))
		;
	else if (row->threads <= row->cpus_available &&
		 report_runs_openmp(inquiry->report, row->threads))
		SAY(found->remedy,
		    "let each of the %d have a smaller OpenMP team: set "
		    "OMP_NUM_THREADS",
		    row->threads);
	else if (row->threads > row->cpus_available)
		SAY(found->remedy, "run fewer threads, %g at most",
		    fmax(floor(row->cpus_available), 1));
	else
		SAY(found->remedy, "keep a CPU for the threads besides them, or let those do less");
}

static void say_no_cpu(const struct inquiry *inquiry, enum no_cpu who, struct claim *found)
{
	const char *others = other_programs(inquiry);

	switch (who) {
	case NO_CPU_OWN:
		say_own(inquiry, found);
		break;
	case NO_CPU_OTHERS:
		found->cause = CAUSE_OTHER_PROGRAMS;
		SAY(found->sentence, "have no CPU, for other programs have it%s%.200s",
		    *others ? ": " : "", others);
		SAY(found->remedy, "stop them, or keep CPUs apart for this one: taskset -c");
		break;
	case NO_CPU_STEAL:
		found->cause = CAUSE_HOST_STEAL;
		SAY(found->sentence, "have no CPU, for the host gave it to other machines");
		SAY(found->remedy, "measure on a host of your own, or when it is idle");
		break;
	default:
		found->cause = CAUSE_CPU_QUOTA;
		SAY(found->sentence, "have no CPU, for the control group's quota is used up");
		SAY(found->remedy, "raise the quota (cpu.max), or run fewer threads");
	}
}

/* While one thread has no CPU, up to all others wait where they meet: for what it then lacked, who
 * had the CPU on one thread does not matter. */
static void find_no_cpu(struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	int many_spin = row->threads > row->cpus_available && spinning(inquiry, 0);
	int meet = meeting(inquiry) || inquiry->left[CAT_MPI] > 0 || many_spin;
	double unserved_lost = spread_lost(inquiry, unserved), all_ns = 0, all_waited = 0, fits;
	double own[NO_CPU_COUNT], waited[NO_CPU_COUNT];

	EACH_ROW(ns, row->no_cpu_ns, NO_CPU_COUNT)
		all_ns += *ns;
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		own[who] = threads_lost(inquiry, row->no_cpu_ns[who] / row->account.work,
					inquiry->base ? inquiry->base->no_cpu_ns[who] /
								inquiry->base->account.work
						      : 0);
		waited[who] = fmax(unserved_lost * row->no_cpu_ns[who] / all_ns,
				   meet ? (row->threads - 1) * own[who] : 0);
		all_waited += waited[who];
	}
	fits = fmin(meeting_left(inquiry) / all_waited, 1);
	for (int who = 0; who < NO_CPU_COUNT; who++) {
		struct claim found = {.sure = SURE};

		found.lost[CAT_NO_CPU] = own[who];
		lose_meeting(inquiry, waited[who] * fits, &found);
		if (found.lost[CAT_WAITING] > found.lost[CAT_NO_CPU])
			found.sure = LIKELY;
		if (who == NO_CPU_OWN && is_full(inquiry))
			lose_besides(inquiry, &found);
		say_no_cpu(inquiry, (enum no_cpu)who, &found);
		claim(inquiry, &found);
	}
}

/* Nobody waits for more work than is done between two meetings, by all. */
static int is_uneven(const struct inquiry *inquiry, const struct report_wait *wait)
{
	const struct account *account = &inquiry->row->account;
	double each_ns = (double)wait->sum.total_ns / (double)wait->sum.waits;
	double meetings = (double)wait->sum.waits / (account->threads - 1);
	double work_ns = account->category_ns[CAT_BLAS] + account->category_ns[CAT_OTHER];

	return each_ns > WAKE_NS && each_ns < work_ns / meetings;
}

/* Threads that compute as much as each other wait where they meet: for each other's wake-up, which
 * takes so long at most each time, or for one after the other. */
static void find_meetings(struct inquiry *inquiry, enum cause cause)
{
	EACH_ROW(wait, inquiry->report->waits, inquiry->report->nwaits) {
		double each_ns = (double)wait->sum.total_ns / (double)wait->sum.waits;
		struct claim found = {.cause = cause, .sure = LIKELY};
		char each[HUMAN_MAX];

		if (!is_meeting(inquiry, wait) ||
		    is_uneven(inquiry, wait) != (cause == CAUSE_IMBALANCE))
			continue;
		found.lost[CAT_WAITING] = wait_lost(inquiry, wait);
		SAY(found.sentence, "wait");
		say_meeting(inquiry, wait, wait_lost(inquiry, wait), &found);
		if (cause == CAUSE_BARRIER) {
			found.lost[CAT_WAITING] *= fmin(WAKE_NS / each_ns, 1);
			found.lost[CAT_OTHER] = switching_lost(inquiry, (double)wait->sum.waits);
			SAY(found.sentence, " to be woken, %s each time at most, which is no work",
			    human_time(fmin(each_ns, WAKE_NS), each));
			SAY(found.remedy, "let threads meet less often, with more work in between");
		} else if (strcmp(wait->sum.kind, "barrier") != 0) {
			found.sure = POSSIBLE;
			SAY(found.sentence,
			    ", for %s each time: for others' work, for what they hold, or to be "
			    "given some",
			    human_time(each_ns, each));
			SAY(found.remedy, "give each thread work ahead, in smaller pieces; if it "
					  "is a lock, hold it for a shorter time");
		} else {
			SAY(found.sentence,
			    ", for %s each time: now one thread comes last, now another",
			    human_time(each_ns, each));
			SAY(found.remedy, "share out the work between two meetings more evenly");
		}
		claim(inquiry, &found);
	}
}

static void find_barriers(struct inquiry *inquiry)
{
	find_meetings(inquiry, CAUSE_BARRIER);
}

static void find_late(struct inquiry *inquiry)
{
	find_meetings(inquiry, CAUSE_IMBALANCE);
}

/* How many times as long a category's work takes as on one thread. */
static double growth(const struct inquiry *inquiry, enum category category)
{
	return account_per_work(&inquiry->row->account, category) /
	       base_per_work(inquiry, category);
}

/* What lost most of the category's time, if it is at least half; "" where that is not known. */
static void loss_place(const struct inquiry *inquiry, enum category category,
		       char place[CAUSE_PLACE_MAX])
{
	double half = inquiry->row->lost.lost[category] / 2, kernel = 0;

	EACH_ROW(loss, inquiry->report->losses, inquiry->report->nlosses) {
		if (loss->threads != inquiry->row->threads || loss->category != category)
			continue;
		kernel += strstr(loss->contributor, " ([kernel])") ? loss->lost : 0;
		if (loss->lost > half && *loss->contributor != '(') {
			say(place, CAUSE_PLACE_MAX, "%s", loss->contributor);
			return;
		}
	}
	if (kernel > half)
		say(place, CAUSE_PLACE_MAX, "the kernel");
}

/* A call of fewer flops for each byte of its operands takes as long as these take to come from
 * memory: CPUs of today compute more than that for each byte that memory gives. Products of
 * matrices have many times as many, the other levels of BLAS half a flop at most. */
#define FLOPS_A_BYTE_LOW 1

/* 1 where the row's calls, as far as their time goes, come from memory. */
static int blas_streams(const struct inquiry *inquiry)
{
	double streams = 0, all = 0;

	EACH_ROW(shape, inquiry->report->shapes, inquiry->report->nshapes) {
		double ns = (double)shape->sum.total_ns;
		int is_low = shape->sum.flops < FLOPS_A_BYTE_LOW * shape->sum.bytes;

		if (shape->threads != inquiry->row->threads)
			continue;
		all += ns;
		streams +=
			(shape->bound && *shape->bound ? !strcmp(shape->bound, "memory") : is_low)
				? ns
				: 0;
	}
	return streams > all / 2;
}

static void say_mix(const struct inquiry *inquiry, struct claim *found)
{
	const struct account *row = &inquiry->row->account, *base = &inquiry->base->account;

	found->cause = CAUSE_CALL_MIX;
	found->sure = POSSIBLE;
	SAY(found->sentence,
	    "may be lost, or are not: calls have %.3g flops each, and %.3g on one thread",
	    row->flops / row->calls, base->flops / base->calls);
	SAY(found->remedy, "count the work by the program's own measure: --work");
}

static void say_queue(const struct inquiry *inquiry, struct claim *found)
{
	const struct scaling *scaling = &inquiry->report->scaling;
	char fit[256];

	found->cause = CAUSE_BLAS_QUEUE;
	SAY(found->sentence, "wait for one another inside BLAS calls");
	if (scaling->units_from == UNITS_FROM_WHAT_IF)
		SAY(found->sentence, ": --what-if gives them %g unit%s", scaling->units.value,
		    plural(scaling->units.value));
	else if (say_many(inquiry, found))
		SAY(found->sentence, ", which share BLAS's own threads");
	else if (scaling->has_fit && scaling->fit.result == UNITS_FITTED && !scaling->fit.rejected)
		SAY(found->sentence, ": the machine %s",
		    scaling_fit_text(scaling, fit, sizeof fit));
	if (!*found->remedy)
		SAY(found->remedy,
		    "let fewer threads call BLAS, or give each more work outside it");
}

/* Threads that compute inside the calls of one caller, on average: by the samples in BLAS code of
 * the caller, which computes all the time, and of the others. All, where samples do not tell, or
 * chance may be what they tell. */
static double busy_inside(const struct report_row *row)
{
	double samples = row->account.worker_samples + row->account.samples_blas;
	double share = row->worker_share, chance = 2 * sqrt(share * (1 - share) / samples);

	return share + chance < 1 - 1.0 / row->threads ? 1 / (1 - share) : row->threads;
}

/* What shape of calls takes most of their time, which shapes are in order of; "" for none. */
static void shape_place(const struct inquiry *inquiry, char place[CAUSE_PLACE_MAX])
{
	char name[SHAPE_NAME_MAX];

	EACH_ROW(shape, inquiry->report->shapes, inquiry->report->nshapes)
		if (shape->threads == inquiry->row->threads) {
			say(place, CAUSE_PLACE_MAX, "%s", shape_name(&shape->sum.shape, name));
			return;
		}
}

static void find_idle_inside(struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	double busy = busy_inside(row);
	struct claim found = {.cause = CAUSE_SERIAL_PART, .sure = LIKELY};

	if (row->account.parallel != PARALLEL_INNER)
		return;
	found.lost[CAT_BLAS] = threads_lost(inquiry, account_per_work(&row->account, CAT_BLAS), 0) *
			       (1 - busy / row->threads);
	if (!inquiry->base) /* it is known without one */
		inquiry->left[CAT_BLAS] = fmax(inquiry->left[CAT_BLAS], found.lost[CAT_BLAS]);
	SAY(found.sentence, "have nothing to do inside BLAS calls, which keep %.1f thread%s busy",
	    busy, plural(busy));
	shape_place(inquiry, found.place);
	if (*found.place)
		SAY(found.sentence, ", most in %s", found.place);
	SAY(found.remedy, "give BLAS fewer threads, or larger matrices");
	claim(inquiry, &found);
}

static void say_slower(const struct inquiry *inquiry, struct claim *found)
{
	int alike = scaling_tail(inquiry->report, inquiry->row->threads) == TAIL_ALL_ALIKE;
	int is_inner = inquiry->row->account.parallel == PARALLEL_INNER;
	double times = growth(inquiry, CAT_BLAS);

	if (is_inner && times > inquiry->row->threads) {
		/* shared memory limits what threads gain; no call lasts longer for it */
		found->cause = CAUSE_BLAS_SLOWER;
		SAY(found->sentence,
		    "go to BLAS calls that last longer than on one thread: to share them out costs "
		    "more than it gains");
		SAY(found->remedy, "give BLAS fewer threads, or larger matrices");
		return;
	}
	if (is_inner)
		times *= busy_inside(inquiry->row) / inquiry->row->threads;
	SAY(found->sentence, "go to BLAS calls that take ");
	if (times < 3)
		SAY(found->sentence, "%.0f %% longer than", 100 * (times - 1));
	else
		SAY(found->sentence, "%.1f times as long as", times);
	SAY(found->sentence, " on one thread%s",
	    alike ? ", the fastest as well as the slowest" : "");
	if (alike && blas_streams(inquiry)) {
		found->cause = CAUSE_BLAS_BANDWIDTH;
		SAY(found->sentence, ": their operands come from memory");
		SAY(found->remedy, "make products of matrices of them, or reuse what is in caches");
		return;
	}
	found->cause = CAUSE_BLAS_SLOWER;
	found->sure = POSSIBLE;
	if (say_many(inquiry, found)) {
		SAY(found->sentence, ", while BLAS's own threads work for others");
		return;
	}
	SAY(found->sentence, ": memory, caches or the clock rate");
	SAY(found->remedy, "to tell which: blasprof -e cycles,instructions,cache-misses; or try "
			   "--what-if units=1");
}

static void find_blas(struct inquiry *inquiry)
{
	struct claim found = {.sure = inquiry->base ? LIKELY : POSSIBLE};

	found.lost[CAT_BLAS] = inquiry->left[CAT_BLAS];
	if (inquiry->base && report_mix_change(inquiry->base, inquiry->row) > CALL_MIX_MAX) {
		found.lost[CAT_OTHER] = inquiry->left[CAT_OTHER];
		say_mix(inquiry, &found);
	} else if (scaling_queues(inquiry->report, inquiry->row->threads)) {
		say_queue(inquiry, &found);
	} else {
		say_slower(inquiry, &found);
	}
	loss_place(inquiry, CAT_BLAS, found.place);
	if (*found.place && found.cause != CAUSE_CALL_MIX)
		SAY(found.sentence, ", most in %s", found.place);
	claim(inquiry, &found);
}

/* What other code and the kernel counted for a unit of work; NAN where that was not counted. */
static double counted(const struct inquiry *inquiry, const struct report_row *row,
		      const char *event)
{
	const struct report_counter *counter =
		row ? report_find_counter(inquiry->report, row->threads, event) : NULL;

	return counter ? (counter->sum.other + counter->sum.kernel) / row->account.work : NAN;
}

static double counted_growth(const struct inquiry *inquiry, const char *event)
{
	return counted(inquiry, inquiry->row, event) / counted(inquiry, inquiry->base, event);
}

/* Loads that found their line changed by another core; the name says so. */
static double contended_growth(const struct inquiry *inquiry)
{
	double most = NAN;

	EACH_ROW(counter, inquiry->report->counters, inquiry->report->ncounters) {
		const char *event = counter->sum.event;

		if (strcasestr(event, "hitm") || strcasestr(event, "snp_fwd"))
			most = fmax(most, counted_growth(inquiry, event));
	}
	return most;
}

/* The part of the memory's bandwidth that cache misses of other code take, by lines of 64 bytes;
 * NAN where that is not known. */
static double bandwidth_share(const struct inquiry *inquiry)
{
	const struct account *account = &inquiry->row->account;
	double misses = counted(inquiry, inquiry->row, "cache-misses") * account->work;
	double most = inquiry->report->ceilings.bytes_per_s[LEVEL_MEMORY].all;

	return most > 0 ? 64 * misses / (account->wall_ns * 1e-9) / most : NAN;
}

/* Which of the causes it is that other code takes longer, and why. Memory is what limits it from
 * half of its bandwidth on, which code that does not stream hardly exceeds. */
static const char *why_slower(const struct inquiry *inquiry, struct claim *found)
{
	double more = growth(inquiry, CAT_OTHER) - 1;
	double instructions = counted_growth(inquiry, "instructions") - 1;
	double left = inquiry->left[CAT_OTHER];
	double claimed = inquiry->factor * inquiry->row->lost.lost[CAT_OTHER] - left;

	/* the pieces of work are too small */
	if (code_lost(inquiry, CATEGORY_LOCKS) - claimed > left / 2) {
		found->cause = CAUSE_BARRIER;
		SAY(found->remedy,
		    "let each piece of work be larger, so that threads meet less often");
		return " to hand out work, lock and wake threads";
	}
	if (instructions > more / 2) {
		found->sure = SURE;
		return ": it executes more instructions";
	}
	if (bandwidth_share(inquiry) > 0.5) {
		found->cause = CAUSE_OTHER_BANDWIDTH;
		SAY(found->remedy, "work on pieces that stay in the caches");
		return ": all threads share the memory's bandwidth, of which they use most";
	}
	if (contended_growth(inquiry) > 1 + more) {
		found->cause = CAUSE_CACHE_LINES;
		return ": threads write to the same cache lines, by the counters of changed lines";
	}
	if (counted_growth(inquiry, "cache-misses") > 2) {
		found->cause = CAUSE_CACHE_LINES;
		found->sure = POSSIBLE;
		return ": it has over twice the cache misses, for the same work";
	}
	return "";
}

/* The code of the place, "outer function (object)", with most samples; NULL: none is known. */
static const struct report_function *code_at(const struct inquiry *inquiry, const char *place)
{
	EACH_ROW(function, inquiry->report->functions, inquiry->report->nfunctions) {
		const char *outer = outer_function(function);

		if (function->threads == inquiry->row->threads &&
		    !strncmp(place, outer, strlen(outer)) && place[strlen(outer)] == ' ')
			return function;
	}
	return NULL;
}

static void find_other(struct inquiry *inquiry)
{
	struct claim found = {.cause = CAUSE_OTHER_SLOWER,
			      .sure = inquiry->base ? LIKELY : POSSIBLE};
	double times = growth(inquiry, CAT_OTHER);
	const char *why = why_slower(inquiry, &found);
	const char *event = report_fact(inquiry->report, "sampler_event");
	const struct report_function *code;

	found.lost[CAT_OTHER] = inquiry->left[CAT_OTHER];
	loss_place(inquiry, CAT_OTHER, found.place);
	code = code_at(inquiry, found.place);
	if (code && code->sum.location.line > 0) {
		*found.place = '\0';
		function_place(code, found.place);
	}
	SAY(found.sentence, "go to other code, which takes ");
	if (times < 3)
		SAY(found.sentence,
		    "%.0f %% more CPU time for each unit of work than on one thread%s",
		    100 * (times - 1), why);
	else
		SAY(found.sentence, "%.1f times the CPU time for each unit of work of one thread%s",
		    times, why);
	if (found.cause == CAUSE_OTHER_SLOWER && code && function_is_matrix(code)) {
		found.cause = CAUSE_OUTSIDE_BLAS;
		SAY(found.sentence, ": matrix work that is called by no BLAS name");
	}
	if (*found.place)
		SAY(found.sentence, ", most in %s", found.place);
	if (!*found.remedy && found.sure == SURE)
		SAY(found.remedy, "let threads share what each of them computes");
	else if (!*found.remedy) {
		/* without counters only the reader can tell */
		if (code && code->sum.code == RUN_CODE_OTHER && found.cause != CAUSE_OUTSIDE_BLAS)
			SAY(found.remedy,
			    "if threads write to the same variables there, or to neighbours in a "
			    "cache line, give each its own, 128 bytes apart; ");
		if (event && strstr(event, "clock"))
			SAY(found.remedy, "%slook at what they share of caches and memory",
			    code ? "else " : "");
		else
			SAY(found.remedy,
			    "to tell why: blasprof -e cycles,instructions,cache-misses -- ...");
	}
	claim(inquiry, &found);
}

/* In this order they claim what is lost: the plainest evidence first. */
static void (*const finders[])(struct inquiry *inquiry) = {
	find_pools, find_inner,	   find_serial,	     find_spin_locks, find_imbalance,
	find_waits, find_barriers, find_no_cpu,	     find_besides,    find_late,
	find_spin,  find_mpi,	   find_idle_inside, find_blas,	      find_other,
};

static void add_none(struct inquiry *inquiry, enum sure sure, double lost, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add_none(struct inquiry *inquiry, enum sure sure, double lost, const char *fmt, ...)
{
	struct report_cause *row = add_cause(inquiry, CAUSE_NONE, sure, lost);
	va_list args;

	va_start(args, fmt);
	vsnprintf(row->sentence, sizeof row->sentence, fmt, args);
	va_end(args);
}

/* Threads that wait for most of the time make f, of the work, a small matter. */
static void say_idle(const struct inquiry *inquiry, struct report_cause *none)
{
	const struct account *account = &inquiry->row->account;
	double all_ns = account->threads * account->wall_ns,
	       spun_ns = account->category_ns[CAT_SPIN];
	double idle_ns = spun_ns + account->category_ns[CAT_WAITING];
	const struct report_function *loop = spinning(inquiry, 0);
	const struct report_wait *wait = longest(inquiry, is_wait);

	if (account->parallel != PARALLEL_CALLERS || !(idle_ns > all_ns / 2))
		return;
	SAY(none->sentence, "; %.0f %% of the time %s", 100 * idle_ns / all_ns,
	    account->threads == 1 ? "it waits" : "they wait");
	if (spun_ns > idle_ns / 2) {
		if (loop)
			function_place(loop, none->place);
		SAY(none->sentence, "%s, spinning",
		    loop && is_gpu_wait(&loop->sum.location) ? " for a GPU" : "");
		wait = NULL;
	}
	for (size_t i = 0; i < COUNT(wait_causes) && wait; i++)
		if (!strcmp(wait->sum.kind, wait_causes[i].kind)) {
			SAY(none->sentence, " for %s", wait_causes[i].what);
			wait_place(wait, none->place);
		}
	if (*none->place)
		SAY(none->sentence, ", most in %s", none->place);
}

/* What is said of one thread count alone, with the command that would tell more. */
static void add_prospect(struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	struct report *report = inquiry->report;
	double estimate = report->scaling.f_estimated
				  ? row->throughput / report->scaling.base.throughput
				  : NAN;
	char command[CAUSE_SENTENCE_MAX], about[128] = "";
	const struct report_way *samples = report_matrix_share(row) >= LOSS_MIN
						   ? report_way_samples(report, row->threads)
						   : NULL;
	double share;
	const struct report_function *nameless = report_nameless(report, row->threads, &share);
	char place[CAUSE_PLACE_MAX];
	struct report_cause *none;

	if (isfinite(estimate))
		snprintf(about, sizeof about,
			 "; they give about %.2f of %d, an estimate from their fastest calls",
			 estimate, row->threads);
	if (samples) {
		add_none(inquiry, SURE, NAN,
			 "%d thread%s: %.0f %% of the work is matrix work, by samples: %.0f %% in "
			 "BLAS calls, %.0f %% by other names, most in %s",
			 row->threads, plural(row->threads), 100 * row->account.f_sampled,
			 100 * row->account.f_intercepted, 100 * report_matrix_share(row),
			 samples->hottest);
	} else {
		add_none(inquiry, SURE, NAN, "%d thread%s: %.0f %% of the work is in BLAS%s",
			 row->threads, plural(row->threads), 100 * row->account.f_intercepted,
			 about);
	}
	none = &report->causes[report->ncauses - 1];
	if (nameless)
		SAY(none->sentence,
		    "; %.0f %% is in %s, which has no symbols, so that matrix work in it cannot be "
		    "told",
		    100 * share, object_name(nameless->sum.location.object));
	if (samples) {
		none->cause = cause_kinds[CAUSE_OUTSIDE_BLAS].name;
		SAY(none->place, "%s", samples->hottest);
	}
	if (report_little_blas(report)) {
		SAY(none->sentence, ": BLAS's threads can make it %.2f times as fast at most",
		    1 / (1 - row->account.category_ns[CAT_BLAS] / row->account.wall_ns));
		SAY(none->remedy, "look at the other code");
		say_other_place(inquiry, place, none->remedy);
	} else if (!(row->account.work > 0))
		SAY(none->remedy, "for the speed-up say what counts as work: --work");
	else if (report_next_command(report, command, sizeof command))
		SAY(none->remedy, "for the speed-up run: %s", command);
	if (!*none->place)
		say_idle(inquiry, none);
}

/* The runs differ so much that there may be no loss. */
static void add_noisy(struct inquiry *inquiry, double lost)
{
	const struct report_row *row = inquiry->row;
	struct report_cause *cause = add_cause(inquiry, CAUSE_TOO_NOISY, SURE, lost);

	SAY(cause->sentence,
	    "%d threads give %.2f of %d, but from %.2f to %.2f by 95 %%: too noisy to say why",
	    row->threads, row->speedup, row->threads, row->speedup_range.low,
	    row->speedup_range.high);
	SAY(cause->remedy, "run it longer and more often (-r 10), while nothing else runs");
}

/* Of what has no cause, where most of it waits. */
static void add_unexplained(struct inquiry *inquiry, double lost)
{
	const struct report_wait *wait = meeting(inquiry);
	struct report_cause *none;
	char each[HUMAN_MAX];

	add_none(inquiry, SURE, lost, "%.2f of %d threads are lost, and not explained", lost,
		 inquiry->row->threads);
	if (!wait || inquiry->left[CAT_WAITING] < lost / 2)
		return;
	none = &inquiry->report->causes[inquiry->report->ncauses - 1];
	wait_place(wait, none->place);
	SAY(none->sentence, ": most wait at the %s in %s, %s each time", wait->sum.kind,
	    none->place, human_time((double)wait->sum.total_ns / (double)wait->sum.waits, each));
	SAY(none->remedy, "see what other threads wait for meanwhile: blasprof report --by=wait");
}

/* Adds the causes of one thread count. */
static void inquire(struct inquiry *inquiry)
{
	const struct report_row *row = inquiry->row;
	size_t before = inquiry->report->ncauses;
	double lost = row->lost.ideal - row->speedup, largest = 0, starved;
	char text[128] = "next to nothing is lost";

	if (row->threads == 1) {
		if (inquiry->report->nrows == 1)
			add_prospect(inquiry);
		return;
	}
	if (lost <= LOSS_MIN * row->lost.ideal) {
		starved = inquiry->base ? time_share(inquiry->base, CAT_NO_CPU) : 0;
		if (lost < -LOSS_MIN * row->lost.ideal)
			snprintf(text, sizeof text,
				 starved > LOSS_MIN ? "more than so many can give by themselves, "
						      "but one thread had no "
						      "CPU for %.0f %% of its time"
						    : "more than so many can give by themselves",
				 100 * starved);
		add_none(inquiry, SURE, fmax(lost, 0), "%d threads give %.2f of %d: %s",
			 row->threads, row->speedup, row->threads, text);
		return;
	}
	if (row->speedup_range.high >= row->lost.ideal) {
		add_noisy(inquiry, lost);
		return;
	}
	share_out(inquiry);
	EACH_ROW(finder, finders, COUNT(finders))
		(*finder)(inquiry);
	for (size_t i = before; i < inquiry->report->ncauses; i++)
		largest = fmax(largest, inquiry->report->causes[i].share);
	if (largest < LOSS_MIN && lost <= 2 * LOSS_MIN * row->lost.ideal) {
		inquiry->report->ncauses = before;
		add_none(inquiry, SURE, lost,
			 "%d threads give %.2f of %d: no single cause loses more than %.0f %%",
			 row->threads, row->speedup, row->threads, 100 * LOSS_MIN);
		return;
	}
	lost = 0;
	EACH_CATEGORY(category)
		lost += inquiry->left[category];
	if (lost >= LOSS_MIN * row->threads && isfinite(row->speedup))
		add_unexplained(inquiry, lost);
	else if (!isfinite(row->speedup))
		add_prospect(inquiry);
}

COMPARE(compare_causes, struct report_cause,
	ORDER(b->threads, a->threads) ?: ORDER(isnan(a->lost), isnan(b->lost)) ?:
	ORDER(b->lost, a->lost))

void build_causes(const struct run *runs, struct report *report)
{
	struct inquiry inquiry = {
		.runs = runs, .report = report, .base = report_find_row(report, 1)};

	for (size_t i = 0; i < report->nrows; i++) {
		inquiry.row = &report->rows[i];
		inquire(&inquiry);
	}
	if (report->ncauses)
		qsort(report->causes, report->ncauses, sizeof *report->causes, compare_causes);
}

/* No thread count has figures: why. */
static const char *why_nothing(const struct report *report)
{
	const struct report_run *newest = &report->runs[report->nruns - 1];

	return newest->calls > 0 ? "no figures: the region of interest has no length"
				 : "no figures: no BLAS call in the region of interest";
}

const char *report_verdict(const struct report *report, char text[REPORT_VERDICT_MAX])
{
	const struct report_cause *first = report->causes;

	*text = '\0';
	if (*report->what_if)
		say(text, REPORT_VERDICT_MAX,
		    "under what-if %s, which is not real: ", report->what_if);
	if (!report->nruns)
		say(text, REPORT_VERDICT_MAX, "%zu cells, and no run", report->ncells);
	else
		say(text, REPORT_VERDICT_MAX, "%s", first ? first->sentence : why_nothing(report));
	if (first && strcmp(first->sure, sure_names[SURE]) != 0)
		say(text, REPORT_VERDICT_MAX, " (%s)", first->sure);
	if (first && *first->remedy)
		say(text, REPORT_VERDICT_MAX, "; %s", first->remedy);
	say(text, REPORT_VERDICT_MAX, ".");
	return text;
}
