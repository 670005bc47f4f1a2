/* cause_place.c: the place in the program that a cause names. */
/* SPDX-License-Identifier: MIT */
#include "report/cause_place.h"

#include <stdio.h>
#include <string.h>

#include "base/human.h"
#include "base/string_pool.h"

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

const char *wait_place(const struct report_wait *wait)
{
	const char *name = *wait->sum.caller		     ? wait->sum.caller
			   : strcmp(wait->sum.kind, "futex") ? wait->sum.function
							     : "";

	return *name ? code_place(wait->sum.file, wait->sum.line, name) : "";
}

const char *location_place(const struct code_location *location)
{
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
			    !(inlined && function_is_standard(at->function)) &&
			    (!most || own_samples(function) > own_samples(most)))
				most = function;
		}
	return most ? location_place(&most->sum.location) : code_place("", 0, name);
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

const char *loop_place(const struct search *search, const struct report_function *loop)
{
	const struct code_location *at = &loop->sum.location;
	int is_openmp = object_runs_openmp(at->object) && at->line <= 0;
	const char *caller = is_openmp || function_is_standard(at->function)
				     ? caller_place(search, loop, is_openmp)
				     : "";

	return *caller ? caller : location_place(&loop->sum.location);
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

int is_called(const char *object, const char *function)
{
	return strstr(object, ".so") || function_is_standard(function);
}

const char *find_blas_place(const struct search *search)
{
	EACH_HERE(caller, search, callers) {
		const struct code_location *at = &caller->sum.location;
		const char *name = "";

		if (is_called(at->object, at->function))
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
	const char *place = search->row->script_place, *outer;

	if (!*place) {
		outer = build_outside(newest_run(search));
		place = named_place(search, outer);
		if (*outer && most &&
		    !build_is_inside(newest_run(search), outer, &most->sum.location))
			most = NULL;
	}
	if (!*place && most) {
		const struct code_location *at = &most->sum.location;
		int is_made = !strcmp(at->object, "[anon]") && !strcmp(at->function, "[unknown]");
		int any = share < FUNCTION_MIN || strstr(at->function, "+0x") || is_made;
		const char *caller =
			is_called(at->object, at->function) ? caller_place(search, most, any) : "";

		place = *caller	  ? caller
			: is_made ? "code made at run time"
			: any	  ? object_name(at->object)
				  : location_place(at);
		if (any || !*caller)
			most = NULL;
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

const char *find_other_place(const struct search *search)
{
	char sentence[CAUSE_SENTENCE_MAX] = "";
	double share;
	const struct report_function *most = find_most_other(search, &share);

	return *search->row->script_place || (most && is_called(most->sum.location.object,
								most->sum.location.function))
		       ? say_other_place(search, sentence)
		       : "";
}

const char *say_work_place(const struct search *search, char sentence[CAUSE_SENTENCE_MAX])
{
	const double *ns = search->row->account.category_ns;
	const char *place;

	if (!(ns[CAT_BLAS] > ns[CAT_OTHER]))
		return say_other_place(search, sentence);
	EACH_HERE(caller, search, callers) {
		place = *search->row->blas_place ? search->row->blas_place
						 : location_place(&caller->sum.location);
		say(sentence, CAUSE_SENTENCE_MAX, ", most in %s", place);
		return place;
	}
	return "";
}
