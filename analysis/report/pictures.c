/* pictures.c: writes what gnuplot needs to draw the speed-ups, the split of time, the latencies and
 * the roofline.
 */
/* SPDX-License-Identifier: MIT */
#include "report/pictures.h"

#include <math.h>
#include <string.h>

#include "report/build.h"
#include "report/escape.h"
#include "report/text.h"

/* Shapes whose histograms one picture can hold apart. */
#define SHAPES_DRAWN 6

/* In gnuplot's single quotes only the quote itself means something. */
static void quote(const char *text, FILE *out)
{
	char one[ESCAPE_MAX];

	fputc('\'', out);
	while (*text) {
		if (*text == '\'')
			fputc('\'', out);
		text += escape_character(text, "", one);
		fputs(one, out);
	}
	fputc('\'', out);
}

/* A heading in a block of data: on one line, or it would end the block, and what follows would be a
 * command. */
static void heading(const char *text, FILE *out)
{
	char one[ESCAPE_MAX];

	fputc('"', out);
	while (*text) {
		text += escape_character(text, "", one);
		fputs(*one == '"' ? "'" : one, out);
	}
	fputs("\"\n", out);
}

static void begin(const struct report *report, const char *title, FILE *out)
{
	char whole[160];

	snprintf(whole, sizeof whole, "%s: %.120s", title, report->experiment);
	fputs("set termoption noenhanced\nset grid\nset key outside right\nset title ", out);
	quote(whole, out);
	fputs("\n", out);
}

/* gnuplot takes "NaN" for a missing figure. */
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
	return error_set(err, "record a program that calls BLAS: blasprof -- command",
			 "there is nothing to draw: no BLAS call in the region of interest");
}

static int needs_shapes(const struct report *report, struct error *err)
{
	if (report->nlatencies)
		return 0;
	return needs_rows(report, err) ? -1
				       : error_set(err, "record the program again",
						   "there is nothing to draw: no shape was stored");
}

/* Can the shape stand in the roofline, where both axes are logarithmic? */
static int has_point(const struct report_shape *shape)
{
	return shape->roofline.bound != BOUND_UNKNOWN && shape->roofline.intensity > 0 &&
	       isfinite(shape->roofline.intensity) && shape->gflops > 0 && isfinite(shape->gflops);
}

static void write_speedups(const struct report *report, FILE *out)
{
	static const size_t drawn[] = {0, 2, PREDICTED_REPLAY};

	fputs("$rows << END\n", out);
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];

		fprintf(out, "%d", row->threads);
		number(row->speedup, out);
		number(isfinite(row->speedup_range.low) ? row->speedup_range.low : row->speedup,
		       out);
		number(isfinite(row->speedup_range.high) ? row->speedup_range.high : row->speedup,
		       out);
		for (size_t j = 0; j < sizeof drawn / sizeof *drawn; j++)
			number(row->predicted[drawn[j]], out);
		fputs("\n", out);
	}
	fputs("END\n", out);
}

static void script_speedup(const struct report *report, FILE *out)
{
	int most = report->rows[report->nrows - 1].threads;

	begin(report, "Speed-up over one thread", out);
	write_speedups(report, out);
	fprintf(out,
		"set xlabel 'threads'\nset ylabel 'speed-up'\n"
		"set xrange [0:%d.5]\nset yrange [0:*]\nset xtics 1\n",
		most);
	fputs("plot x with lines lc rgb 'gray' title 'ideal', "
	      "$rows using 1:2:3:4 with yerrorlines pt 7 lw 2 lc rgb '#1b6ca8' title 'measured (95 "
	      "%)', "
	      "$rows using 1:5 with linespoints lc rgb '#c0392b' dt 2 title 'amdahl', "
	      "$rows using 1:6 with linespoints lc rgb '#27865a' dt 3 title 'queue', "
	      "$rows using 1:7 with linespoints lc rgb '#8e44ad' dt 4 title 'replay'\n",
	      out);
}

static void script_decomposition(const struct report *report, FILE *out)
{
	static const struct {
		const char *title, *colour;
		enum category category;
	} parts[] = {{"BLAS", "#1b6ca8", CAT_BLAS},
		     {"other code", "#27865a", CAT_OTHER},
		     {"waiting", "#d68910", CAT_WAITING},
		     {"no CPU", "#95a5a6", CAT_NO_CPU}};

	begin(report, "Where the threads' time goes", out);
	fputs("$rows << END\n", out);
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];
		double sum = 0;

		for (int j = 0; j < CAT_COUNT; j++)
			sum += row->account.category_ns[j];
		fprintf(out, "%d", row->threads);
		for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
			number(100 * row->account.category_ns[parts[j].category] / sum, out);
		fputs("\n", out);
	}
	fputs("END\nset style data histograms\nset style histogram rowstacked\n"
	      "set style fill solid\nset boxwidth 0.7\nset xlabel 'threads'\n"
	      "set ylabel '% of threads x wall time'\nset yrange [0:100]\nplot ",
	      out);
	for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
		fprintf(out, "%s$rows using %zu%s lc rgb '%s' title '%s'", j ? ", " : "", j + 2,
			j ? "" : ":xtic(1)", parts[j].colour, parts[j].title);
	fputs("\n", out);
}

/* A block of data for each of the top shapes at the thread count that the text shows; returns how
 * many. */
static size_t write_latencies(const struct report *report, FILE *out)
{
	const struct report_row *focus = text_focus(report);
	const char *shape = "";
	size_t shapes = 0;

	fputs("$calls << END\n", out);
	for (size_t i = 0; i < report->nlatencies; i++) {
		const struct report_latency *row = &report->latencies[i];

		if (row->threads != focus->threads)
			continue;
		if (strcmp(row->shape, shape)) {
			if (shapes == SHAPES_DRAWN)
				break;
			shape = row->shape;
			fputs(shapes++ ? "\n\n" : "", out);
			heading(shape, out);
		}
		fprintf(out, "%.15g %.15g\n", sqrt(fmax(row->low_ns, 0.5) * row->high_ns) / 1e3,
			row->calls);
	}
	fputs("END\n", out);
	return shapes;
}

static void script_histogram(const struct report *report, FILE *out)
{
	size_t shapes;

	begin(report, "How long calls take", out);
	shapes = write_latencies(report, out);
	fputs("set logscale xy\nset xlabel 'time of a call, microseconds'\nset ylabel 'calls'\n"
	      "set key below\n",
	      out);
	fprintf(out,
		"plot for [i=0:%zu] $calls index i using 1:2 with linespoints pt 7 ps 0.5 "
		"title columnheader(1)\n",
		shapes - 1);
}

static int needs_ceilings(const struct report *report, struct error *err)
{
	const struct report_row *focus = text_focus(report);

	if (needs_shapes(report, err))
		return -1;
	if (!report->nceiling_rows)
		return error_set(err, "run 'blasprof doctor --measure', then the report again",
				 "there is no roofline to draw: this machine's peak and bandwidth "
				 "are not measured");
	for (size_t i = 0; i < report->nshapes; i++)
		if (report->shapes[i].threads == focus->threads && has_point(&report->shapes[i]))
			return 0;
	return error_set(err, "record a program that makes other calls",
			 "there is no roofline to draw: no call has flops and bytes");
}

/* A block of data for each of what holds shapes back, so that each has a colour; drawn[] says which
 * have points. Returns the least and the greatest intensity. */
static struct report_range write_points(const struct report *report, int threads,
					int drawn[BOUND_LATENCY + 1], FILE *out)
{
	struct report_range range = {INFINITY, 0};

	for (int bound = BOUND_COMPUTE; bound <= BOUND_LATENCY; bound++) {
		fprintf(out, "$%s << END\n", bound_names[bound]);
		for (size_t i = 0; i < report->nshapes; i++) {
			const struct report_shape *shape = &report->shapes[i];
			double intensity = shape->roofline.intensity;

			if (shape->threads != threads || !has_point(shape) ||
			    shape->roofline.bound != (enum bound)bound)
				continue;
			fprintf(out, "%.15g %.15g\n", intensity, shape->gflops);
			range.low = fmin(range.low, intensity);
			range.high = fmax(range.high, intensity);
			drawn[bound] = 1;
		}
		fputs("END\n", out);
	}
	return range;
}

/* Is it the peak of a precision that no call has, or of other threads? */
static int is_drawn(const struct report *report, const struct report_ceiling *ceiling, int threads)
{
	if (ceiling->threads != threads)
		return 0;
	for (size_t i = 0; i < report->nshapes; i++)
		if (report->shapes[i].threads == threads &&
		    (ceiling->bytes_per_s > 0 ||
		     !strcmp(ceiling->name, precision_names[report->shapes[i].precision])))
			return 1;
	return 0;
}

/* The highest peak that is drawn, in GFLOP/s, and, as *ridge, the intensity at which the fastest
 * memory feeds it. */
static double find_top(const struct report *report, int threads, double *ridge)
{
	double top = 0, fastest = 0;

	for (size_t i = 0; i < report->nceiling_rows; i++) {
		const struct report_ceiling *row = &report->ceiling_rows[i];

		if (!is_drawn(report, row, threads))
			continue;
		top = fmax(top, row->flops_per_s / 1e9);
		fastest = fmax(fastest, row->bytes_per_s / 1e9);
	}
	*ridge = fastest > 0 ? top / fastest : INFINITY;
	return top;
}

/* The lines of the ceilings: level for a peak, rising up to the highest peak for a memory. */
static void plot_ceilings(const struct report *report, int threads, double top, FILE *out)
{
	static const char *const colours[] = {"#34495e", "#d68910", "#8e44ad",
					      "#148f97", "#b03a6b", "#7f8c8d"};
	size_t shown = 0;

	for (size_t i = 0; i < report->nceiling_rows; i++) {
		const struct report_ceiling *row = &report->ceiling_rows[i];
		int is_peak = row->flops_per_s > 0;
		double giga = (is_peak ? row->flops_per_s : row->bytes_per_s) / 1e9;

		if (!is_drawn(report, row, threads))
			continue;
		if (is_peak)
			fprintf(out, "%.15g", giga);
		else
			fprintf(out, "x * %.15g < %.15g ? x * %.15g : NaN", giga, top, giga);
		fprintf(out, " with lines lw 1.5 lc rgb '%s' title '%s: %.4g %s', ",
			colours[shown++ % (sizeof colours / sizeof *colours)], row->name, giga,
			is_peak ? "GFLOP/s" : "GB/s");
	}
}

static void script_roofline(const struct report *report, FILE *out)
{
	static const char *const colours[] = {[BOUND_COMPUTE] = "#1b6ca8",
					      [BOUND_MEMORY] = "#c0392b",
					      [BOUND_LATENCY] = "#27865a"};
	const struct report_row *focus = text_focus(report);
	int drawn[BOUND_LATENCY + 1] = {0};
	struct report_range range;
	double ridge, top = find_top(report, focus->threads, &ridge);

	begin(report, "Roofline: a point for each shape of call", out);
	range = write_points(report, focus->threads, drawn, out);
	fprintf(out,
		"set logscale xy\nset samples 1000\nset xrange [%.15g:%.15g]\n"
		"set xlabel 'arithmetic intensity, flops/byte'\n"
		"set ylabel 'GFLOP/s of one call, with %d threads at work'\nplot ",
		fmin(range.low, ridge) / 3, range.high * 3, focus->threads);
	plot_ceilings(report, focus->threads, top, out);
	for (int bound = BOUND_COMPUTE, first = 1; bound <= BOUND_LATENCY; bound++) {
		if (!drawn[bound])
			continue;
		fprintf(out, "%s$%s using 1:2 with points pt 7 ps 1 lc rgb '%s' title '%s-bound'",
			first ? "" : ", ", bound_names[bound], colours[bound], bound_names[bound]);
		first = 0;
	}
	fputs("\n", out);
}

const struct picture pictures[] = {
	{"speed-up", "measured and predicted speed-ups by thread count", needs_rows, 0,
	 script_speedup},
	{"decomposition", "where the threads' time goes, by thread count", needs_rows, 0,
	 script_decomposition},
	{"histogram", "how long calls take, for the top shapes", needs_shapes, 0, script_histogram},
	{"roofline", "each shape's speed beside what the machine can do at most", needs_ceilings, 1,
	 script_roofline},
};
const size_t pictures_count = sizeof pictures / sizeof *pictures;

const struct picture *picture_find(const char *name)
{
	if (!name)
		return &pictures[0];
	for (size_t i = 0; i < pictures_count; i++)
		if (!strcmp(pictures[i].name, name))
			return &pictures[i];
	return NULL;
}
