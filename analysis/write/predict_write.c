/* predict_write.c: writes predictions as text or as rows. */
/* SPDX-License-Identifier: MIT */
#include "report/predict.h"

#include <math.h>
#include <stddef.h>

#include "base/array.h"
#include "report/columns.h"
#include "report/scaling.h"
#include "write/format.h"
#include "base/human.h"
#include "write/text_line.h"
#include "write/text_table.h"

#define C(...) REPORT_COLUMN(prediction_row, __VA_ARGS__)
#define R(name, member, unit, doc)                                                                 \
	C(name "_low", member.low, FIELD_REAL, unit, "lower end of its 95 % interval" doc),        \
		C(name "_high", member.high, FIELD_REAL, unit, "upper end")
/* The interval of a fitted model comes right after its speed-up; those of the others come later,
 * since columns keep their places. */
#define NO_ENDS(...)
#define OWN_ENDS(...)  R(__VA_ARGS__, "", ""),
#define ENDS_OF_F(...) R(__VA_ARGS__, "", ", for one more run"),
#define PREDICTED(id, name, ends, says, column, prediction, ...)                                   \
	C("speedup_" name, predicted[MODEL_##id].value, FIELD_REAL, "", prediction),               \
		BESIDE_##ends("speedup_" name, predicted[MODEL_##id])
#define BESIDE_OF_F			     NO_ENDS
#define BESIDE_OF_FIT			     OWN_ENDS
#define PREDICTED_RANGE(id, name, ends, ...) AFTER_##ends("speedup_" name, predicted[MODEL_##id])
#define AFTER_OF_F			     ENDS_OF_F
#define AFTER_OF_FIT			     NO_ENDS
static const struct field columns[] = {
	C("experiment", experiment, FIELD_STRING, "",
	  "the command with the thread count replaced by {}; empty: f was given"),
	C("threads", threads, FIELD_INT, "threads", "thread count N"),
	C("cpus_available", cpus_available, FIELD_REAL, "CPUs",
	  "CPUs that the recorded runs could use; 0: f was given"),
	C("units", units.value, FIELD_REAL, "units",
	  "matrix units m that all threads share; empty: none"),
	C("units_fitted", units_fitted, FIELD_INT, "",
	  "1: units was fitted to the measured speed-ups"),
	C("f", f.value, FIELD_REAL, "", "BLAS share of the work at one thread"),
	C("f_estimated", f_estimated, FIELD_INT, "threads",
	  "not 0: f, and so every speed-up, is an estimate from runs at this thread count"),
	C("speedup", measured.value, FIELD_REAL, "", "measured speed-up over one thread"),
	R("speedup", measured, "", ""),
	MODELS_FIRST(PREDICTED) R("f", f, "", "; empty: too few runs for one"),
	R("units", units, "units", "; empty: not fitted, or not known"),
	MODELS_FIRST(PREDICTED_RANGE) MODELS_NEW(PREDICTED) MODELS_NEW(PREDICTED_RANGE)
		C("d", d.value, FIELD_REAL, "",
		  "BLAS share of one thread's time, blocked time included; the models use it"),
	R("d", d, "", "; empty: too few runs for one")};
#undef R
#undef C

/* Where f comes from, how the threads meet, and the fitted units. */
static void write_source(const struct prediction *prediction, FILE *out)
{
	const struct report *report = &prediction->report;
	const struct scaling *scaling = &report->scaling;

	if (!report->nruns) {
		fprintf(out, "f        %.3f at one thread, as given\n", scaling->f.value);
		return;
	}
	text_say(out, "from     ", "%s of %s", human_noun(report->nruns, "run"),
		 report->experiment);
	text_what_if(report->what_if, out);
	if (scaling->f_estimated) {
		text_say(
			out, "f        ",
			"about %.3f at one thread, estimated from the fastest calls at %d threads; "
			"so are all figures marked ~; a run with one thread is more accurate",
			scaling->f.value, scaling->f_estimated);
	} else {
		fprintf(out, "f        %.3f", scaling->f.value);
		if (isfinite(scaling->f.high - scaling->f.low))
			fprintf(out, " ± %.3f", (scaling->f.high - scaling->f.low) / 2);
		fputs(" at one thread, measured\n", out);
		if (fabs(scaling->input.d.value - scaling->f.value) >= 0.0005)
			fprintf(out,
				"d        %.3f, with the time blocked outside BLAS; the models use "
				"it\n",
				scaling->input.d.value);
	}
	text_wrap("threads  ", scaling_meeting_text(scaling), out);
	text_wrap("units    ", scaling_fit_text(scaling), out);
	if (model_chosen(&scaling->input))
		text_say(out, "model    ", "%s is the model for this program",
			 model_chosen(&scaling->input)->name);
	if (*scaling_check_text(scaling))
		text_wrap("checked  ", scaling_check_text(scaling), out);
	if (scaling_fit_is_doubtful(scaling))
		text_say(out, "warning  ",
			 "only %.2f of the lost speed-up of %.2f is in BLAS, so the units also "
			 "stand for other causes; without --units, nothing is predicted from "
			 "them; see blasprof report",
			 fmax(scaling->lost_blas, 0), scaling->lost);
}

/* The text shows the interval of the model that fits the program, and that of a fitted model. */
TEXT_FUNCTION(predicted_text)
{
	const struct prediction_row *row = data;
	const struct model *model = &models[column->index];
	const struct interval *predicted = &row->predicted[column->index];
	int has_ends = model->ends == OF_FIT || model == table->data;

	return estimate_text(row->f_estimated, AS_NUMBER, predicted->value,
			     has_ends ? predicted->low : NAN, predicted->high);
}

static int is_over(const struct prediction_row *row)
{
	return row->cpus_available && row->threads > row->cpus_available;
}

TEXT_CELL(threads_text, prediction_row, "%d%s", row->threads, is_over(row) ? "*" : "")

TEXT_CELL(units_text, prediction_row,
	  row->units_fitted	       ? "%.2f fitted"
	  : isfinite(row->units.value) ? "%g"
				       : "none",
	  row->units.value)

static void write_text(const void *data, FILE *out)
{
	static const struct text_column first[] = {
		RIGHT("threads", threads_text, 0),
		RIGHT("units", units_text, 0),
		{"speedup", "measured", AS_NUMBER, .with_range = 1, .with_mark = 1},
	};
	const struct prediction *prediction = data;
	const struct model_input *input = &prediction->report.scaling.input;
	struct text_table table = {
		.from = columns, .nfrom = COUNT(columns), .data = model_chosen(input)};
	int over = 0, intervals = 0;

	text_table_add(&table, first, 2 + (prediction->report.scaling.npoints > 0));
	for (size_t i = 0; i < MODELS; i++)
		if (model_is_known(&models[i], input))
			text_table_add(
				&table,
				&(struct text_column)RIGHT(models[i].name, predicted_text, i), 1);
	write_source(prediction, out);
	fputs("\nSpeed-up over one thread, by the number of matrix units that the threads share.\n",
	      out);
	text_table_print_array(&table, prediction->rows, sizeof *prediction->rows,
			       prediction->nrows, out);
	EACH_ROW(row, prediction->rows, prediction->nrows) {
		over |= is_over(row);
		intervals |= isfinite(row->measured.high) || isfinite(row->f.high) ||
			     isfinite(row->predicted[MODEL_USL].high);
	}
	if (over)
		fprintf(out, "* more threads than the %g CPUs available to the runs\n",
			prediction->rows->cpus_available);
	if (intervals)
		fputs("± half the width of the 95 % interval; for a prediction, that of one more "
		      "run\n",
		      out);
}

const struct table prediction_table = {"predict", "one row for each number of units and of threads",
				       columns, COUNT(columns),
				       TABLE_ROWS(prediction, rows, nrows)};

void prediction_write(const void *data, enum table_format format, FILE *out)
{
	table_write(&prediction_table, write_text, data, format, out);
}
