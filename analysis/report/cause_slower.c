/* cause_slower.c: the same work takes more CPU time, in BLAS calls or in other code. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
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

	return report_flops_per_call(search->row) < SMALLER * report_flops_per_call(search->base) &&
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
	int is_alone = !is_inner && !threads_of_blas(search);
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

	EACH_HERE(function, search, functions) {
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

void find_other(struct search *search)
{
	struct claim found = {.cause = CAUSE_OTHER_SLOWER,
			      .sure = search->is_measured ? LIKELY : POSSIBLE};
	double times = growth(search, CAT_OTHER);
	const char *why = explain_other(search, &found);
	const struct report_function *code = NULL;
	const char *calling = "";
	int are_processes = 0, counts_runs = !strcmp(search->report->work_unit, "runs");

	EACH_RUN_HERE(run, search)
		are_processes |= run->spread.are_processes;
	found.lost[CAT_OTHER] = search->left[CAT_OTHER];
	if (!found.place || !*found.place)
		found.place = loss_place(search, CAT_OTHER);
	/* the first has most samples; the place is that of the losses */
	EACH_HERE(function, search, functions) {
		if (!code && !strcmp(found.place, function_contributor(function)))
			code = function;
	}
	if (code && is_called(code->sum.location.object, outer_function(code)))
		calling = calling_place(search, code->category);
	else if (code ? !strcmp(code->category, CATEGORY_INTERPRETER) &&
				 !strstr(code->sum.location.object, ".py")
		      : !*found.place && code_lost(search, CAT_OTHER, CATEGORY_INTERPRETER) >
						 search->row->lost.lost[CAT_OTHER] / 2)
		calling = calling_place(search, CATEGORY_INTERPRETER);
	if (*calling)
		found.place = calling;
	else if (code && code->sum.location.line > 0)
		found.place = location_place(&code->sum.location);
	if (times * beyond_asked(search->row) / beyond_asked(search->base) - 1 < (times - 1) / 2) {
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
