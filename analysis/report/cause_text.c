/* cause_text.c: how causes are said: their places in the program, and what several of them have in
 * common. */
/* SPDX-License-Identifier: MIT */
#include "report/cause_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/string_pool.h"
#include "report/warnings.h"

const struct wait_cause wait_causes[] = {
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
const size_t wait_causes_count = COUNT(wait_causes);

#define NAME_LONG 48

const char *short_name(const char *function, size_t size)
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

const char *code_place(const char *file, int line, const char *function)
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

const char *wait_place(const struct report_wait *wait)
{
	const char *name = *wait->sum.caller		     ? wait->sum.caller
			   : strcmp(wait->sum.kind, "futex") ? wait->sum.function
							     : "";

	return *name ? code_place(wait->sum.file, wait->sum.line, name) : "";
}

const char *function_place(const struct report_function *function)
{
	const struct code_location *location = &function->sum.location;

	return code_place(location->file, location->line, location->function);
}

void say_most_in(const char *place, struct claim *found)
{
	found->place = place;
	if (place && *place)
		SAY(found->sentence, ", most in %s", place);
}

const char *calls_place(const struct search *search)
{
	const struct report *report = search->report;
	const char *routine = NULL;
	double most_ns = 0;

	EACH_HERE(caller, search, callers) {
		double ns = 0;

		EACH_HERE(other, search, callers)
			if (!strcmp(other->sum.shape.routine, caller->sum.shape.routine))
				ns += (double)other->sum.total_ns;
		if (ns > most_ns) {
			routine = caller->sum.shape.routine;
			most_ns = ns;
		}
	}
	EACH_HERE(shape, search, shapes)
		if (!routine || !strcmp(shape->sum.shape.routine, routine))
			return (double)shape->sum.total_ns > most_ns / 2
				       ? shape_name(&shape->sum.shape)
				       : string_printf("%.31s()", routine);
	return "";
}

const char *mpi_place(const struct search *search)
{
	const char *file = "", *routine = NULL;
	int line = 0;

	EACH_HERE(row, search, mpi)
		routine = routine ?: row->sum.routine;
	if (!routine)
		return NULL;
	EACH_HERE(function, search, functions)
		if (!line && function->sum.code == RUN_CODE_SPIN &&
		    strcasestr(function->sum.location.function, routine)) {
			file = function->sum.location.file;
			line = function->sum.location.line;
		}
	EACH_HERE(wait, search, waits)
		if (!line && wait->is_caller && strcasestr(wait->sum.function, routine)) {
			file = wait->sum.file;
			line = wait->sum.line;
		}
	return code_place(file, line, routine);
}

const char *named_place(const struct search *search, const char *name)
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

const char *alone_place(const struct search *search, const struct report_run *run, int64_t tid)
{
	const char *name = build_alone(with_stacks(search, run), tid);

	return name ? named_place(search, name) : calls_place(search);
}

const char *calling_place(const struct search *search, const char *category)
{
	return named_place(search, build_calling(newest_run(search),
						 search->report->options.categories, category));
}

const char *caller_place(const struct search *search, const struct report_function *function,
			 int any)
{
	const struct code_location *location = &function->sum.location;
	const char *caller =
		build_caller(newest_run(search), location->object, any ? NULL : location->function);

	return *caller && strcmp(caller, location->function) != 0 ? named_place(search, caller)
								  : "";
}

const char *loop_place(const struct search *search, const struct report_function *loop)
{
	const char *caller = function_is_standard(loop->sum.location.function)
				     ? caller_place(search, loop, 0)
				     : "";

	return *caller ? caller : function_place(loop);
}

const char *loss_place(const struct search *search, enum category category)
{
	double half = search->row->lost.lost[category] / 2, kernel = 0;

	EACH_HERE(loss, search, losses) {
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

const char *find_blas_place(const struct search *search)
{
	EACH_HERE(caller, search, callers) {
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

	EACH_HERE(function, search, functions) {
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

const char *say_other_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX])
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

const char *say_work_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX])
{
	const double *ns = search->row->account.category_ns;
	const char *place;

	if (!(ns[CAT_BLAS] > ns[CAT_OTHER]))
		return say_other_place(search, sentence);
	EACH_HERE(caller, search, callers) {
		const struct code_location *location = &caller->sum.location;

		place = *search->row->blas_place
				? search->row->blas_place
				: code_place(location->file, location->line, location->function);
		say(sentence, CAUSE_SENTENCE_MAX, ", most in %s", place);
		return place;
	}
	return "";
}

const char *participant_noun(const struct report_run *run)
{
	return run->spread.are_processes ? "process" : "thread";
}

int say_threads_of_blas(const struct search *search, struct claim *found)
{
	int workers = threads_of_blas(search);

	if (workers)
		SAY(found->remedy,
		    "let BLAS run on the caller's thread: set %s=1 (a call in the program "
		    "overrides that)",
		    report_threads_variable(search->report));
	return workers;
}

int say_too_many_threads(const struct search *search, struct claim *found)
{
	return search->row->threads + threads_of_blas(search) > search->row->cpus_available &&
	       say_threads_of_blas(search, found);
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
