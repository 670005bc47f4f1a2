/* pictures.c: draws pictures of the report by gnuplot: speed-ups, the split of time, latencies. */
/* SPDX-License-Identifier: MIT */
#include "write/pictures.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/human.h"
#include "base/nearest.h"
#include "report/build.h"
#include "report/causes.h"
#include "write/escape.h"
#include "write/format.h"
#include "write/text_line.h"

#define SHAPES_DRAWN  6	  /* most shapes in one histogram */
#define COMMAND_WIDTH 100 /* characters of the command above a picture */
#define TICKS_MAX     16  /* most thread counts with a tick for each */

/* Writes a heading in a data block. Line breaks are escaped, since a line could end the block and
 * the next one be run as a command. */
static void heading(const char *text, FILE *out)
{
	escape_quoted(text, '"', "'", out);
	fputs("\n", out);
}

/* Writes a label in single quotes, where only the quote itself has a meaning. As its first
 * character, gnuplot would not understand it. */
static void label(const char *text, double height, FILE *out)
{
	fputs("set label ", out);
	escape_quoted(string_printf(" %s", text), '\'', "''", out);
	fprintf(out, " at screen 0.5, screen %g center\n", height);
}

void picture_begin(const struct report *report, const char *title, FILE *out)
{
	char command[512];

	fputs("set termoption noenhanced\nset grid\nset key outside right\nset tmargin 4.5\n", out);
	/* not as a title, which is centred over the axes and may be cut off */
	label(title, 0.96, out);
	escape_text(escape_skip_directory(report->experiment), COMMAND_WIDTH, command,
		    sizeof command);
	label(command, 0.92, out);
}

/* Writes a number; "NaN" stands for a missing one. */
static void number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, " %.15g", value);
	else
		fputs(" NaN", out);
}

static int needs_rows(const struct report *report, struct error *err)
{
	if (report->nrows)
		return 0;
	return error_set(err, "record the program again: blasprof -- command",
			 "there is nothing to draw: the region of interest has no length");
}

static int needs_shapes(const struct report *report, struct error *err)
{
	if (report->nlatencies)
		return 0;
	return needs_rows(report, err)
		       ? -1
		       : error_set(err, "record a program that calls BLAS",
				   "there is nothing to draw: no BLAS call was stored");
}

static int is_over(const struct report_row *row)
{
	return row->threads > row->cpus_available;
}

/* Explains the mark of thread counts over the CPUs, which is the same as in tables. */
static void thread_axis(const struct report *report, FILE *out)
{
	int over = 0;

	EACH_ROW(row, report->rows, report->nrows)
		over |= is_over(row);
	fprintf(out, "set xlabel 'threads%s'\n", over ? " (* more than CPUs available)" : "");
}

static int needs_speedup(const struct report *report, struct error *err)
{
	const struct report_row *row;
	size_t count;
	struct waterfall_step *steps = waterfall_make(report, &row, &count);

	free(steps);
	if (steps)
		return 0;
	return needs_rows(report, err)
		       ? -1
		       : error_set(err, "record the command with 1 thread and with more",
				   "there is no speed-up to draw");
}

static void script_waterfall(const struct report *report, FILE *out)
{
	static const unsigned colours[] = {
		[STEP_WHOLE] = 0x1b6ca8, [STEP_LOST] = 0xc0392b, [STEP_REST] = 0x95a5a6};
	const struct report_row *row;
	size_t count;
	struct waterfall_step *steps = waterfall_make(report, &row, &count);
	char title[64];

	if (!steps)
		return;
	snprintf(title, sizeof title, "What the speed-up at %d threads was lost to", row->threads);
	picture_begin(report, title, out);
	fputs("$steps << END\n", out);
	EACH_ROW(step, steps, count) {
		fprintf(out, "%.15g %.15g %u \"%.2f\" ", step->from, step->to, colours[step->kind],
			step->value);
		heading(step->name, out);
	}
	fprintf(out,
		"END\nset key off\nset style fill solid\nset yrange [%zu.5:-0.5]\n"
		"set xrange [0:%.15g]\nset xlabel 'speed-up'\nset ytics nomirror\n"
		"plot $steps using 1:0:1:2:($0-0.35):($0+0.35):3:ytic(5) with boxxyerror lc rgb "
		"variable, $steps using 2:0:4 with labels left offset 0.5,0\n",
		count - 1, 1.15 * fmax(row->threads, row->speedup));
	free(steps);
}

static void script_speedup(const struct report *report, FILE *out)
{
	const struct model_input *input = &report->scaling.input;
	const char *estimated = report->scaling.f_estimated ? " (estimate)" : "";
	int most = report->rows[report->nrows - 1].threads, column = 5, dashes = 2;

	picture_begin(report, "Speed-up over one thread", out);
	fputs("$rows << END\n", out);
	EACH_ROW(row, report->rows, report->nrows) {
		fprintf(out, "%d", row->threads);
		number(row->speedup, out);
		number(isfinite(row->speedup_range.low) ? row->speedup_range.low : row->speedup,
		       out);
		number(isfinite(row->speedup_range.high) ? row->speedup_range.high : row->speedup,
		       out);
		for (size_t j = 0; j < MODELS; j++)
			if (model_colour(&models[j], input))
				number(row->predicted[j].value, out);
		fputs("\n", out);
	}
	fputs("END\n", out);
	if (most <= TICKS_MAX)
		fputs("set xtics 1\n", out);
	EACH_ROW(row, report->rows, report->nrows)
		if (is_over(row)) /* always has a tick, with its mark */
			fprintf(out, "set xtics add ('%d*' %d)\n", row->threads, row->threads);
	fprintf(out, "set xrange [0:%d.5]\n", most);
	thread_axis(report, out);
	fputs("set ylabel 'speed-up'\nset yrange [0:*]\n"
	      "plot x with lines lc rgb 'gray' title 'ideal', $rows using 1:2:3:4 with yerrorlines "
	      "pt 7 lw 2 lc rgb '#1b6ca8' title 'measured (95 %)'",
	      out);
	EACH_ROW(model, models, MODELS)
		if (model_colour(model, input))
			fprintf(out,
				", $rows using 1:%d with linespoints lc rgb '#%06x' dt %d title "
				"'%s%s'",
				column++, model_colour(model, input), dashes++, model->name,
				estimated);
	fputs("\n", out);
}

static void script_decomposition(const struct report *report, FILE *out)
{
	const char *before = "plot ";
	int column = 2;

	picture_begin(report, "Where the threads' time goes", out);
	fputs("$rows << END\n", out);
	EACH_ROW(row, report->rows, report->nrows) {
		double sum = 0;

		EACH_CATEGORY(category)
			sum += row->account.category_ns[category];
		fprintf(out, "%d%s", row->threads, is_over(row) ? "*" : "");
		EACH_CATEGORY(category)
			number(100 * row->account.category_ns[category] / sum, out);
		fputs("\n", out);
	}
	fputs("END\n", out);
	thread_axis(report, out);
	fputs("set style data histograms\nset style histogram rowstacked\n"
	      "set style fill solid\nset boxwidth 0.7\n"
	      "set ylabel '% of threads x wall time'\nset yrange [0:100]\n",
	      out);
	EACH_CATEGORY(category) {
		fprintf(out, "%s$rows using %d%s lc rgb '#%06x' title '%s'", before, column,
			column == 2 ? ":xtic(1)" : "", time_categories[category].colour,
			time_categories[category].label);
		before = ", ";
		column++;
	}
	fputs("\n", out);
}

/* Writes the histograms of the top shapes at a thread count, and returns how many. An empty line
 * interrupts the curve where no call falls between two buckets. */
static size_t write_latencies(const struct report *report, int threads, FILE *out)
{
	const char *shape = "";
	double reached_ns = 0;
	size_t shapes = 0;

	fputs("$calls << END\n", out);
	EACH_AT(row, report, latencies, threads) {
		if (strcmp(row->shape, shape)) {
			if (shapes == SHAPES_DRAWN)
				break;
			shape = row->shape;
			fputs(shapes++ ? "\n\n" : "", out);
			heading(shape, out);
		} else if (row->low_ns > reached_ns)
			fputs("\n", out);
		reached_ns = row->high_ns;
		fprintf(out, "%.15g %.15g\n", sqrt(fmax(row->low_ns, 0.5) * row->high_ns) / 1e3,
			row->calls);
	}
	fputs("END\n", out);
	return shapes;
}

static void script_histogram(const struct report *report, FILE *out)
{
	int threads = text_threads(report);
	char title[64];
	size_t shapes;

	snprintf(title, sizeof title, "How long calls take at %s", human_noun(threads, "thread"));
	picture_begin(report, title, out);
	shapes = write_latencies(report, threads, out);
	fputs("set logscale xy\nset xlabel 'time of a call, microseconds'\nset ylabel 'calls'\n"
	      "set key below height 1\nset rmargin 4\n",
	      out);
	fprintf(out,
		"plot for [i=0:%zu] $calls index i using 1:2 with linespoints pt 7 ps 0.5 lc rgb "
		"word('#1b6ca8 #c0392b #27865a #8e44ad #d68910 #148f97', i + 1) title "
		"columnheader(1)\n",
		shapes - 1);
}

const struct picture pictures[] = {
	{"waterfall", "the causes of the lost speed-up", needs_speedup, 1, script_waterfall},
	{"speed-up", "measured and predicted speed-ups by thread count", needs_rows, 0,
	 script_speedup},
	{"decomposition", "where the threads' time goes, by thread count", needs_rows, 0,
	 script_decomposition},
	{"histogram", "how long calls take, for the top shapes", needs_shapes, 0, script_histogram},
	{"roofline", "the speed of each shape and cell, and the limits of the machine",
	 roofline_check, 1, roofline_script, 1},
};
const size_t pictures_count = COUNT(pictures);

const struct picture *picture_of_cells(void)
{
	const struct picture *picture = pictures;

	while (!picture->takes_cells)
		picture++;
	return picture;
}

/* Runs gnuplot. Its exit status is 0 even if a command failed, so the file is checked too. SIGPIPE
 * is ignored meanwhile, in case gnuplot ends early. */
static int draw(const struct report *report, const char *part, const char *terminal,
		const char *path, const char *folder, struct error *err)
{
	/* the waterfall, or the speed-ups if no speed-up is known */
	const struct picture *picture = part ? nearest_find(pictures, pictures_count,
							    sizeof *pictures, part, "picture", err)
					     : &pictures[pictures[0].check(report, err) ? 1 : 0];
	void (*before)(int) = SIG_DFL;
	struct stat status;
	FILE *gnuplot;
	int ended;

	if (!picture || picture->check(report, err))
		return -1;
	before = signal(SIGPIPE, SIG_IGN);
	gnuplot = popen("exec gnuplot 2>/dev/null", "we");
	if (gnuplot) {
		fprintf(gnuplot, "set terminal %s\nset output '", terminal);
		for (const char *at = path; *at; at++) /* a quote is doubled */
			fprintf(gnuplot, *at == '\'' ? "%c%c" : "%c", *at, *at);
		fputs("'\n", gnuplot);
		picture->script(report, gnuplot);
		ended = pclose(gnuplot);
	}
	signal(SIGPIPE, before);
	if (!gnuplot || ended || stat(path, &status) || !status.st_size)
		return error_set(err, "install gnuplot (Debian: gnuplot-nox)",
				 "gnuplot has not drawn the %s picture", terminal);
	return 0;
}

int svg_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, "svg size 800,480 dynamic background 'white'", draw, out,
			     err);
}

int png_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, "pngcairo size 1200,720 fontscale 1.3", draw, out, err);
}
