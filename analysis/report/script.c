/* script.c: where the script of an interpreted program spends its time. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/stacks.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"

/* Samples of callers at each line of the program's script (amounts[0]), such as "forward
 * (train.py:31)", and the time of BLAS calls there (amounts[1]). */
struct script {
	struct tally lines;
	double samples, blas_ns; /* of callers, at any line or none */
	double imports;		 /* the samples that are inside an import */
};

/* What a frame, or a stack up to it, says of the program's script. */
struct script_line {
	const char *name; /* the innermost line of the program's own script; NULL: none */
	/* 1 for code of a script outside all functions, which only its main thread runs; but 0 in a
	 * parallel region of OpenMP, where others run, too */
	int is_main;
	int is_openmp;
	int is_import;
	int spins;
};

static void add_script_line(struct script *script, const struct script_line *line, double samples)
{
	script->samples += samples;
	script->imports += line->is_import ? samples : 0;
	if (line->name)
		tally_add(&script->lines, 0, line->name, samples);
}

/* Calls are of no use if no sample has a line of a script. */
static void add_script_calls(struct script *script, const struct run *run)
{
	for (size_t i = 0; script->lines.count && i < run->ncallers; i++) {
		const struct code_location *at = &run->callers[i].location;
		double ns = (double)run->callers[i].total_ns;

		script->blas_ns += ns;
		tally_add(&script->lines, 1,
			  string_printf("%.200s (%.200s:%d)", at->function,
					at->file ? object_name(at->file) : "", at->line),
			  ns);
	}
}

/* Marks the functions in which most samples spin. */
static void find_spinning(const struct run *run, struct script_line *frames)
{
	EACH_ROW(loop, run->functions, run->nfunctions) {
		double spins = 0;

		EACH_ROW(row, run->functions, loop->code == RUN_CODE_SPIN ? run->nfunctions : 0)
			if (!strcmp(row->location.function, loop->location.function) &&
			    !strcmp(row->location.object, loop->location.object))
				spins += row->code == RUN_CODE_SPIN ? (double)row->samples
								    : -(double)row->samples;
		for (size_t i = 0; spins > 0 && i < run->nframes; i++)
			frames[i].spins |=
				!strcmp(run->frames[i].function, loop->location.function) &&
				!strcmp(run->frames[i].object, loop->location.object);
	}
}

/* Adds a run to what is known of all callers and of the main thread alone. Code made at run time
 * whose callers are not known, as Numba's, is in a parallel region if other threads run it, too. */
static void add_script(struct script *all, struct script *in_main, const struct run *run)
{
	FREED struct script_line *frames = memory_rows(run->nframes + 1, sizeof *frames);
	FREED struct script_line *lines = memory_rows(run->nstacks + 1, sizeof *lines);
	FREED double *others = memory_rows(run->nframes + 1, sizeof *others);
	int use_others = lacks_callers(run);

	EACH_ROW(stack, run->stacks, use_others ? 0 : run->nstacks)
		if (find_frame(run, stack))
			others[stack->frame] +=
				(double)stack->samples_others - (double)stack->samples_callers / 2;
	for (size_t i = 0; i < run->nframes; i++) {
		const struct run_frame *frame = &run->frames[i];

		frames[i].is_openmp = object_runs_openmp(frame->object) ||
				      (!strcmp(frame->object, "[anon]") && others[i] > 0);
		frames[i].is_main = !strncmp(frame->function, "<module> (", 10);
		frames[i].is_import = !strncmp(frame->function, "_find_and_load (", 16);
		if (!python_is_library(frame->object) && is_script(frame))
			frames[i].name = frame->function;
	}
	find_spinning(run, frames);
	EACH_ROW(stack, run->stacks, run->nstacks) {
		const struct run_stack *caller = find_parent(run, stack);
		const struct run_frame *frame = find_frame(run, stack);
		struct script_line *line = &lines[stack - run->stacks];
		double samples =
			(double)(use_others ? stack->samples_others : stack->samples_callers);

		if (caller)
			*line = lines[caller - run->stacks];
		if (frame) {
			const struct script_line *own = &frames[frame - run->frames];

			line->name = own->name ? own->name : line->name;
			line->is_main = !own->is_openmp && (own->is_main || line->is_main);
			line->is_import = own->is_import || line->is_import;
			samples = own->spins ? 0 : samples;
		}
		add_script_line(all, line, samples);
		if (line->is_main)
			add_script_line(in_main, line, samples);
	}
	add_script_calls(all, run);
	add_script_calls(in_main, run);
}

/* The length of the line's name without its number. */
static size_t name_part(const struct tally_entry *line)
{
	const char *number = strrchr(line->name, ':');

	return number ? (size_t)(number - line->name) : 0;
}

/* Returns the script's function with most samples outside BLAS, and its line with most, if most of
 * the `other` samples are in such functions, or else "". A sample has the line that was read last
 * before it, which is right on average but not for each sample, so the part in BLAS is taken from
 * the calls from each line, which are exact. Lines of one function follow each other. */
static const char *script_place(const struct script *script, double other,
				const struct report_row *row)
{
	double in_blas = isfinite(row->f_on_cpu) ? row->f_on_cpu * script->samples : 0;
	double most = 0, in_lines = 0;
	const struct tally_entry *best = NULL, *end = script->lines.entries;

	if (script->lines.count)
		end += script->lines.count;
	for (const struct tally_entry *line = script->lines.entries; line < end;) {
		const struct tally_entry *hottest = line, *first = line;
		double sum = 0, most_here = 0;

		for (; line < end && name_part(line) == name_part(first) &&
		       !strncmp(line->name, first->name, name_part(first));
		     line++) {
			double blas = script->blas_ns > 0 ? line->amounts[1] / script->blas_ns : 0;
			double outside = fmax(line->amounts[0] - in_blas * blas, 0);

			sum += outside;
			hottest = outside > most_here ? line : hottest;
			most_here = fmax(most_here, outside);
		}
		in_lines += sum;
		best = sum > most ? hottest : best;
		most = fmax(sum, most);
	}
	if (!best || !(in_lines > other / 2))
		return "";
	return script_line_place(best->name);
}

static void find_places(const struct report *report, struct report_row *row)
{
	struct script all = {0}, in_main = {0};
	double other = 0;

	EACH_AT(function, report, functions, row->threads)
		if (function->sum.code == RUN_CODE_OTHER || function->sum.code == RUN_CODE_KERNEL)
			other += (double)function->sum.samples -
				 (double)function->sum.samples_workers;
	EACH_RUN_AT(run, report, row->threads)
		add_script(&all, &in_main, run->run);
	tally_merge(&all.lines);
	tally_merge(&in_main.lines);
	row->script_place = script_place(&all, other, row);
	row->main_place = script_place(&in_main, 0, row);
	row->main_imports = in_main.samples > 0 ? in_main.imports / in_main.samples : 0;
	free(all.lines.entries);
	free(in_main.lines.entries);
}

void build_scripts(struct report *report)
{
	EACH_ROW(row, report->rows, report->nrows)
		find_places(report, row);
}
