/* cause_slower.c: the same work takes more CPU time, in BLAS calls or in other code. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/cause_place.h"
#include "report/cause_text.h"
#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"
#include "report/scaling.h"
#include "report/warnings.h"

/* A call with fewer flops for each byte of its operands is limited by memory, if the operands come
 * from there: today's CPUs compute more than this for each byte that memory delivers. Products of
 * matrices have many times as many flops, level 1 and 2 of BLAS half a flop at most. */
#define FLOPS_PER_BYTE_LOW 1

/* 1 if calls with most of the row's time in BLAS are limited by memory. */
static int calls_are_memory_bound(const struct search *search)
{
	double bound_ns = 0, all_ns = 0;

	EACH_HERE(shape, search, shapes) {
		int is_bound = shape->bound && *shape->bound
				       ? !strcmp(shape->bound, "memory")
				       : shape->sum.flops < FLOPS_PER_BYTE_LOW * shape->sum.bytes;

		all_ns += (double)shape->sum.total_ns;
		bound_ns += is_bound ? (double)shape->sum.total_ns : 0;
	}
	return bound_ns > all_ns / 2;
}

/* Why the same work takes longer, what to do about it, and what is said of it after "than on one
 * thread". */
struct reason {
	enum cause cause;
	enum sure sure;
	const char *text, *remedy; /* NULL: not known */
	const char *category; /* of the code whose caller is the place; NULL: that of the loss */
};

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
	    account_per_work(&few->account, category) /
				    account_per_work(&search->base->account, category) -
			    1 >
		    more / 2)
		return 0;
	return cores;
}

static struct reason share_cores(enum cause cause, int cores)
{
	return (struct reason){
		.cause = cause,
		.sure = LIKELY,
		.text = string_printf(": the threads share %s", human_noun(cores, "core")),
		.remedy = string_printf("try %d, one for each core: more only help code that waits "
					"for memory",
					cores)};
}

/* How much longer something takes is said in percent, or as a factor if it is much. */
#define TIMES_MANY 3

static double times_said(double times)
{
	return times < TIMES_MANY ? 100 * (times - 1) : times;
}

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

	return report_flops_per_call(search->row) < SMALLER * report_flops_per_call(search->base) &&
	       (account->category_ns[CAT_BLAS] / account->calls < SMALL_IF_BOUND_NS ||
		!calls_are_memory_bound(search));
}

/* Why BLAS calls take longer. `alike` is 1 if the fastest do, too. */
static struct reason why_blas(const struct search *search, int smaller, int alike)
{
	const struct report *report = search->report;
	double half = search->left[CAT_BLAS] / 2;
	int cores = shared_cores(search, CAT_BLAS);
	/* threads of BLAS may wait for each other in the kernel and for locks */
	int is_alone = search->row->account.parallel != PARALLEL_INNER && !threads_of_blas(search);

	if (is_alone && entered_lost(search, CAT_BLAS, CATEGORY_LOCKS) > half)
		return (struct reason){CAUSE_LOCK, LIKELY,
				       ": most of that is to take and to release a lock of the "
				       "library, as for its work space",
				       "make fewer and larger calls; plain loops, or a library for "
				       "small matrices, need no lock"};
	if (is_alone && code_lost(search, CAT_BLAS, NULL) > half)
		return (struct reason){
			CAUSE_BLAS_SLOWER, LIKELY,
			": most of that is in the kernel, as for page faults in new memory",
			"allocate the operands once, and use their memory again"};
	if (alike && calls_are_memory_bound(search))
		return (struct reason){CAUSE_BLAS_BANDWIDTH, LIKELY,
				       ": their operands come from memory",
				       "combine them into products of matrices, or reuse data "
				       "while it is in the caches"};
	if (has_too_many_threads(search))
		return (struct reason){
			CAUSE_BLAS_SLOWER, POSSIBLE,
			calls_wait(search) ? ": most of that is waiting for BLAS's own threads"
					   : ", while BLAS's own threads work for other callers",
			one_thread_remedy(report)};
	if (cores)
		return share_cores(CAUSE_BLAS_SLOWER, cores);
	if (smaller)
		return (struct reason){
			CAUSE_BLAS_SLOWER, POSSIBLE,
			string_printf(" for the same work: they are smaller, of %s flops instead "
				      "of %s",
				      human_count(report_flops_per_call(search->row)),
				      human_count(report_flops_per_call(search->base))),
			"divide the work so that each thread has larger matrices"};
	return (struct reason){CAUSE_BLAS_SLOWER, POSSIBLE, ": memory, caches or the clock rate",
			       has_counters(report) ? "to find out which, " ADD_COUNTERS
						      " or try --what-if=units=1"
						    : "to find out which, try --what-if=units=1"};
}

static void say_slower(const struct search *search, struct claim *found)
{
	int smaller = are_smaller(search); /* that makes all calls slower alike */
	int alike =
		!smaller && scaling_tail(search->report, search->row->threads) == TAIL_ALL_ALIKE;
	int is_inner = search->row->account.parallel == PARALLEL_INNER;
	double times = growth(search, CAT_BLAS);
	struct reason why = why_blas(search, smaller, alike);

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
	found->cause = why.cause;
	found->sure = why.sure;
	SAY(found->sentence, times < TIMES_MANY ? "%.0f %% longer than" : "%.1f times as long as",
	    times_said(times));
	SAY(found->sentence, " on one thread%s%s",
	    alike ? ", the fastest as well as the slowest" : "", why.text);
	SAY(found->remedy, "%s", why.remedy);
}

/* Flops stand for the work, so where calls of other sizes do more or less of it in a run, it is not
 * known whether the time of that part of the work is lost. */
void find_mix(struct search *search)
{
	const struct account *account = &search->row->account;
	struct claim found = {CAUSE_CALL_MIX, POSSIBLE, .place = loss_place(search, CAT_BLAS)};
	double ratio;

	if (!(report_mix_change(search->base, search->row) > CALL_MIX_MAX))
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

static void say_queue(const struct search *search, struct claim *found)
{
	const struct scaling *scaling = &search->report->scaling;

	found->cause = CAUSE_BLAS_QUEUE;
	SAY(found->sentence, "wait for one another inside BLAS calls");
	if (scaling->units_from == UNITS_FROM_WHAT_IF)
		SAY(found->sentence, ": --what-if gives them %s",
		    human_noun(scaling->units.value, "unit"));
	else if (threads_of_blas(search))
		SAY(found->sentence, ", which share BLAS's own threads");
	else if (scaling->has_fit && scaling->fit.result == UNITS_FITTED && !scaling->fit.rejected)
		SAY(found->sentence, ": the machine %s", scaling_fit_text(scaling));
	SAY(found->remedy, "%s",
	    scaling->units_from != UNITS_FROM_WHAT_IF && threads_of_blas(search)
		    ? one_thread_remedy(search->report)
		    : "let fewer threads call BLAS, or give each more work outside it");
}

/* 1 if most of what calls take longer is waiting for BLAS's own threads, which serve one call after
 * the other, although there are CPUs for all. */
static int share_threads_of_blas(const struct search *search)
{
	return threads_of_blas(search) && !has_too_many_threads(search) &&
	       entered_lost(search, CAT_BLAS, CATEGORY_LOCKS) +
			       entered_lost(search, CAT_BLAS, CATEGORY_SPINNING) >
		       search->left[CAT_BLAS] / 2;
}

void find_blas(struct search *search)
{
	struct claim found = {.sure = search->is_measured ? LIKELY : POSSIBLE};

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
		report_find_counter(search->report, row->threads, event);

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

	EACH_HERE(function, search, functions) {
		if (strcmp(function->category, CATEGORY_LOCKS) != 0 ||
		    !strcmp(object_name(function->sum.location.object), "[kernel]"))
			continue;
		all += own_samples(function);
		if (is_lock(function->sum.location.function))
			in += own_samples(function);
	}
	return all > 0 ? in > all / 2 : longest && wait_is_lock(&longest->sum);
}

/* The growth of the events that count loads of lines that another core had modified, as their names
 * say; NAN if there are none. */
static double contention_growth(const struct search *search)
{
	double most = NAN;

	EACH_HERE(counter, search, counters)
		if (strcasestr(counter->sum.event, "hitm") ||
		    strcasestr(counter->sum.event, "snp_fwd"))
			most = fmax(most, counted_growth(search, counter->sum.event));
	return most;
}

/* The share of the memory's bandwidth that other code uses, with lines of 64 bytes. */
static double bandwidth_share(const struct search *search)
{
	const struct account *account = &search->row->account;
	double bytes = 64 * counted(search, search->row, "cache-misses") * account->work;

	return bytes / (account->wall_ns * 1e-9) /
	       search->report->ceilings.bytes_per_s[LEVEL_MEMORY].all;
}

/* Why other code takes so many times as long. Code that does not stream hardly uses more than half
 * of the memory's bandwidth, so from there on memory limits it. */
static struct reason why_other(const struct search *search, double times)
{
	double half = search->left[CAT_OTHER] / search->raised / 2;
	double bandwidth = bandwidth_share(search);
	int cores = shared_cores(search, CAT_OTHER);

	if (unclaimed_locking(search) > half && mostly_locks(search))
		return (struct reason){CAUSE_LOCK, LIKELY,
				       ": most of that is to take and to release locks",
				       "take the lock less often, or give each thread its own part "
				       "of the data that it guards",
				       CATEGORY_LOCKS};
	if (unclaimed_locking(search) > half)
		return (struct reason){
			CAUSE_BARRIER, LIKELY, ": it hands out work, locks and wakes threads",
			"make each piece of work larger, so that threads meet less often",
			CATEGORY_LOCKS};
	if (entered_lost(search, CAT_OTHER, CATEGORY_MEMORY) > half)
		return (struct reason){CAUSE_OTHER_SLOWER, LIKELY,
				       ": most of that is to allocate, to clear or to copy memory",
				       "allocate memory once and use it again, and copy less of it",
				       CATEGORY_MEMORY};
	if (counted_growth(search, "instructions") - 1 > (times - 1) / 2)
		return (struct reason){CAUSE_OTHER_SLOWER, SURE, ": it executes more instructions",
				       "let threads share results that each of them computes"};
	if (isfinite(bandwidth) && bandwidth > 0.5)
		return (struct reason){
			CAUSE_OTHER_BANDWIDTH, LIKELY,
			": the threads use most of the memory bandwidth that they share",
			"work on blocks that fit in the caches"};
	if (contention_growth(search) > times)
		return (struct reason){CAUSE_CACHE_LINES, LIKELY,
				       ": threads write to the same cache lines, as the counters "
				       "of modified lines show"};
	if (counted_growth(search, "cache-misses") > 2)
		return (struct reason){
			CAUSE_CACHE_LINES, POSSIBLE,
			": it has more than twice the cache misses for the same work"};
	if (cores)
		return share_cores(CAUSE_OTHER_SLOWER, cores);
	return (struct reason){CAUSE_OTHER_SLOWER, LIKELY};
}

/* Work that is counted in runs is the same with N threads and with one, also if each thread brings
 * its own. Other code then seems to take N times as long, within this. */
#define OWN_WORK_DISTANCE 0.1

static int counts_runs(const struct search *search)
{
	return !strcmp(search->report->work_unit, "runs");
}

/* How many threads compute or are ready to for each of those that were asked for; at least 1. The
 * row's times are shares of the latter. */
static double beyond_asked(const struct report_row *row)
{
	const struct account *account = &row->account;

	return fmax(account->claimed_ns / (account->threads * account->wall_ns), 1);
}

/* The function with most samples that has this place in the table of losses, or NULL. */
static const struct report_function *find_contributor(const struct search *search,
						      const char *place)
{
	EACH_HERE(function, search, functions)
		if (!strcmp(place, function_contributor(function)))
			return function;
	return NULL;
}

/* Returns from where the program calls what has the loss, if that is code of a library, inlined or
 * not, or an interpreter; else "". */
static const char *loss_caller(const struct search *search, const struct report_function *code,
			       int has_place)
{
	double half = search->row->lost.lost[CAT_OTHER] / 2;
	int is_interpreter =
		code ? !strcmp(code->category, CATEGORY_INTERPRETER)
		     : !has_place && code_lost(search, CAT_OTHER, CATEGORY_INTERPRETER) > half;

	if (code && is_called(code->sum.location.object, outer_function(code)))
		return calling_place(search, code->category);
	if (code && function_is_standard(code->sum.location.function))
		return named_place(search, outer_function(code));
	return is_interpreter ? calling_place(search, CATEGORY_INTERPRETER) : "";
}

/* Without counters only the reader can tell why. */
static void say_what_to_look_at(const struct search *search, const struct report_function *code,
				struct claim *found)
{
	int are_processes = 0;

	EACH_RUN_HERE(run, search)
		are_processes |= run->spread.are_processes;
	if (counts_runs(search))
		SAY(found->remedy,
		    "if more threads do more work, say what counts as work: --work; ");
	if (are_processes)
		SAY(found->remedy, "if each process imports or prepares the same, start fewer, or "
				   "prepare it before they are forked; ");
	else if (code && code->sum.code == RUN_CODE_OTHER && found->cause != CAUSE_OUTSIDE_BLAS)
		SAY(found->remedy,
		    "if threads write to the same variables there, or to variables in the same "
		    "cache line, give each its own, 128 bytes apart; ");
	if (has_counters(search->report))
		SAY(found->remedy, "to find out why, " ADD_COUNTERS);
	else
		SAY(found->remedy, "%slook at how they share caches and memory",
		    *found->remedy ? "otherwise " : "");
}

void find_other(struct search *search)
{
	double times = growth(search, CAT_OTHER);
	double asked = beyond_asked(search->row), base_asked = beyond_asked(search->base);
	struct reason why = why_other(search, times);
	struct claim found = {.cause = why.cause,
			      .sure = search->is_measured ? why.sure : POSSIBLE};
	const struct report_function *code;
	const char *caller, *function;

	found.lost[CAT_OTHER] = search->left[CAT_OTHER];
	found.place = why.category ? calling_place(search, why.category) : "";
	if (!*found.place)
		found.place = loss_place(search, CAT_OTHER);
	code = find_contributor(search, found.place);
	function = code ? outer_function(code) : "";
	caller = loss_caller(search, code, *found.place);
	if (*caller)
		found.place = caller;
	else if (code && code->sum.location.line > 0)
		found.place = location_place(&code->sum.location);
	if (times * asked / base_asked - 1 < (times - 1) / 2) {
		found.sure = POSSIBLE;
		found.place = "";
		SAY(found.sentence,
		    "may or may not be lost: %.1f threads compute at once where 1 is asked for",
		    base_asked);
		why.remedy = "compare with a run in which a single thread computes";
	} else if (counts_runs(search) && !why.text &&
		   fabs(times / search->row->threads - 1) < OWN_WORK_DISTANCE) {
		found.sure = POSSIBLE;
		SAY(found.sentence, "may or may not be lost: perhaps each thread brings its own "
				    "work, since it computes as long as a single thread does");
	} else {
		SAY(found.sentence, "are lost to other code, which takes ");
		SAY(found.sentence,
		    times < TIMES_MANY ? "%.0f %% more CPU time for each unit of work than"
				       : "%.1f times as much CPU time for each unit of work as",
		    times_said(times));
		SAY(found.sentence, " on one thread%s", why.text ?: "");
	}
	if (found.cause == CAUSE_OTHER_SLOWER && code && function_is_matrix(code)) {
		found.cause = CAUSE_OUTSIDE_BLAS;
		SAY(found.sentence, ": matrix work that is not called by a BLAS name");
	}
	say_most_in(found.place, &found);
	if (*caller && code && strcmp(code->category, CATEGORY_INTERPRETER) != 0 &&
	    strncmp(function, "std::thread::", 13) != 0 && /* only starts threads */
	    !strstr(caller, function))
		SAY(found.sentence, " (%s)", short_name(function, CAUSE_PLACE_MAX));
	if (why.remedy)
		SAY(found.remedy, "%s", why.remedy);
	else
		say_what_to_look_at(search, code, &found);
	claim(search, &found);
}
