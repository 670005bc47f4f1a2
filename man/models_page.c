/* models_page.c: makes blasprof-models(7) from its template: fills in every figure from the models
 * and the published tables, so that the page cannot say other than the program does. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit.h"
#include "model/models.h"
#include "model/replay.h"
#include "model/usl.h"

/* In the template, @WORD ARGUMENT...@ stands for a figure or a table; words[] has them all. Where a
 * share f is an argument, it can be LANGUAGE/PASS: the share published for that. */

enum { ROWS_MAX = 64, ARGUMENTS_MAX = 10, MEASURED_COUNTS = 2 };

static const int measured_counts[MEASURED_COUNTS] = {2, 4};

/* The published tables. */
static struct throughput {
	char language[16], pass[16];
	int threads;
	double per_second;
} throughputs[ROWS_MAX];
static struct share {
	char language[16], pass[16];
	double f;
} shares[ROWS_MAX];
static struct chip {
	char name[32];
	int units;
	double low, high;
	char basis[32];
} chips[ROWS_MAX];
static int nthroughputs, nshares, nchips;

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "models_page: %s '%s'\n", what, which);
	exit(EXIT_FAILURE);
}

static int take_throughput(const char *line)
{
	struct throughput *row = &throughputs[nthroughputs];

	return sscanf(line, "%15[^,],%15[^,],%d,%lf", row->language, row->pass, &row->threads,
		      &row->per_second) == 4
		       ? ++nthroughputs
		       : 0;
}

static int take_share(const char *line)
{
	struct share *row = &shares[nshares];

	return sscanf(line, "%15[^,],%15[^,],%lf", row->language, row->pass, &row->f) == 3
		       ? ++nshares
		       : 0;
}

static int take_chip(const char *line)
{
	struct chip *row = &chips[nchips];

	return sscanf(line, "%31[^,],%*d,%d,%lf,%lf,%31[a-z]", row->name, &row->units, &row->low,
		      &row->high, row->basis) == 5
		       ? ++nchips
		       : 0;
}

/* Reads DIRECTORY/NAME; the first line is a header. */
static void load(const char *directory, const char *name, int (*take)(const char *line))
{
	char path[1024], line[256];
	FILE *file;
	int rows = 0;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	file = fopen(path, "r");
	if (!file || !fgets(line, sizeof line, file))
		fail("cannot read", path);
	while (rows < ROWS_MAX - 1 && fgets(line, sizeof line, file))
		rows = take(line);
	fclose(file);
	if (!rows)
		fail("no rows in", path);
}

static double per_second(const char *language, const char *pass, int threads)
{
	for (int i = 0; i < nthroughputs; i++)
		if (!strcmp(throughputs[i].language, language) &&
		    !strcmp(throughputs[i].pass, pass) && throughputs[i].threads == threads)
			return throughputs[i].per_second;
	fail("no throughput is published for", language);
	return NAN;
}

static double measured(const struct share *share, int threads)
{
	return per_second(share->language, share->pass, threads) /
	       per_second(share->language, share->pass, 1);
}

static const struct share *find_share(const char *language, const char *pass)
{
	for (int i = 0; i < nshares; i++)
		if (!strcmp(shares[i].language, language) && !strcmp(shares[i].pass, pass))
			return &shares[i];
	fail("no share is published for", language);
	return NULL;
}

/* A number, or LANGUAGE/PASS. */
static double share_value(const char *text)
{
	const char *slash = strchr(text, '/');
	char language[16];

	if (!slash)
		return strtod(text, NULL);
	snprintf(language, sizeof language, "%.*s", (int)(slash - text), text);
	return find_share(language, slash + 1)->f;
}

static double queue_of_share(void *context, int n, double m)
{
	return model_queue(((const struct share *)context)->f, n, m);
}

static void set_points(const struct share *share, struct speedup_point *points)
{
	for (int i = 0; i < MEASURED_COUNTS; i++)
		points[i] = (struct speedup_point){measured_counts[i],
						   measured(share, measured_counts[i]), NAN};
}

static struct units_fit fit_share(const struct share *share)
{
	struct speedup_point points[MEASURED_COUNTS];
	struct units_fit fit;

	set_points(share, points);
	if (fit_units(points, MEASURED_COUNTS, queue_of_share, (void *)share, UNITS_TOLERANCE,
		      &fit))
		fail("no fit for", share->language);
	return fit;
}

/* --- what the words print --- */

static void print_given(char **arguments, FILE *out)
{
	fputs(arguments[0], out);
}

static void print_model(char **arguments, FILE *out)
{
	const struct model *model = model_find(arguments[0]);

	if (!model)
		fail("no model", arguments[0]);
	fprintf(out, "%.2f",
		model->speedup(share_value(arguments[1]), atoi(arguments[2]),
			       strtod(arguments[3], NULL)));
}

static void print_measured(char **arguments, FILE *out)
{
	fprintf(out, "%.2f", measured(find_share(arguments[0], arguments[1]), atoi(arguments[2])));
}

static void print_share(char **arguments, FILE *out)
{
	fprintf(out, "%.2f", share_value(arguments[0]));
}

static void print_replay(char **arguments, FILE *out)
{
	const struct replay_pair pair = {strtof(arguments[0], NULL), strtof(arguments[1], NULL)};

	fprintf(out, "%.2f",
		replay_speedup(&pair, 1, atoi(arguments[2]), strtod(arguments[3], NULL), 0));
}

/* Training in Go and Python is limited by more than BLAS: "rest" leaves it out. */
static int is_limited(const struct share *share)
{
	return !strcmp(share->pass, "train") &&
	       (!strcmp(share->language, "Go") || !strcmp(share->language, "Python"));
}

static void print_mean_error(char **arguments, FILE *out)
{
	const struct model *model = model_find(arguments[0]);
	int rest = !strcmp(arguments[1], "rest"), points = 0;
	double sum = 0;

	if (!model)
		fail("no model", arguments[0]);
	for (int i = 0; i < nshares; i++)
		for (int j = 0; j < MEASURED_COUNTS; j++) {
			if (rest && is_limited(&shares[i]))
				continue;
			sum += fabs(model->speedup(shares[i].f, measured_counts[j], 1) -
				    measured(&shares[i], measured_counts[j]));
			points++;
		}
	fprintf(out, "%.2f", sum / points);
}

static void print_usl(char **arguments, FILE *out)
{
	struct speedup_point points[MEASURED_COUNTS];
	struct usl_fit fit;

	set_points(find_share(arguments[0], arguments[1]), points);
	if (usl_fit(points, MEASURED_COUNTS, &fit))
		fail("no law for", arguments[0]);
	if (!strcmp(arguments[2], "peak"))
		fprintf(out, "%.1f", usl_peak(&fit));
	else
		fprintf(out, "%.3f", *arguments[2] == 'a' ? fit.a.value : fit.b.value);
}

static void print_throughput_table(char **arguments, FILE *out)
{
	(void)arguments;
	fputs(".TS\nl l r r r r r r.\nlanguage\tpass\tf\tN\tmeasured\tamdahl\tbound\tqueue\n", out);
	for (int i = 0; i < nshares; i++)
		for (int j = 0; j < MEASURED_COUNTS; j++) {
			const struct share *share = &shares[i];
			int n = measured_counts[j];

			fprintf(out, "%s\t%s\t%.2f\t%d\t%.2f\t%.2f\t%.2f\t%.2f\n", share->language,
				share->pass, share->f, n, measured(share, n),
				model_amdahl(share->f, n, 1), model_bound(share->f, n, 1),
				model_queue(share->f, n, 1));
		}
	fputs(".TE", out);
}

static void print_chips_table(char **arguments, FILE *out)
{
	double f = share_value(arguments[0]);

	fputs(".TS\nl r r l r l.\nchip\tunits\tpublished\tbasis\tqueue\tqueue is\n", out);
	for (int i = 0; i < nchips; i++) {
		const struct chip *chip = &chips[i];
		double queue = model_queue(f, 4, chip->units);

		fprintf(out, "%s\t%d\t%.2f to %.2f\t%s\t%.2f\t%s\n", chip->name, chip->units,
			chip->low, chip->high, chip->basis, queue,
			queue > chip->high  ? "above"
			: queue < chip->low ? "below"
					    : "within");
	}
	fputs(".TE", out);
}

static void print_fit_table(char **arguments, FILE *out)
{
	(void)arguments;
	fputs(".TS\nl l r r r l.\nlanguage\tpass\tf\tunits\tfrom\tto\n", out);
	for (int i = 0; i < nshares; i++) {
		struct units_fit fit = fit_share(&shares[i]);

		fprintf(out, "%s\t%s\t%.2f\t%.2f\t%.2f\t", shares[i].language, shares[i].pass,
			shares[i].f, fit.units, fit.low);
		if (isfinite(fit.high))
			fprintf(out, "%.2f\n", fit.high);
		else
			fputs("no end\n", out);
	}
	fputs(".TE", out);
}

static const struct word {
	const char *name;
	int arguments;
	void (*print)(char **arguments, FILE *out);
} words[] = {
	{"given", 1, print_given},
	{"model", 4, print_model},
	{"measured", 3, print_measured},
	{"share", 1, print_share},
	{"replay", 4, print_replay},
	{"mean_error", 2, print_mean_error},
	{"usl", 3, print_usl},
	{"throughput_table", 0, print_throughput_table},
	{"chips_table", 1, print_chips_table},
	{"fit_table", 0, print_fit_table},
};

/* Prints what stands between two @. */
static void print_place(char *place, FILE *out)
{
	char *arguments[ARGUMENTS_MAX + 1] = {NULL}, *name = strtok(place, " ");
	int count = 0;

	while (count < ARGUMENTS_MAX && (arguments[count] = strtok(NULL, " ")))
		count++;
	for (size_t i = 0; name && i < sizeof words / sizeof words[0]; i++)
		if (!strcmp(words[i].name, name) && words[i].arguments == count) {
			words[i].print(arguments, out);
			return;
		}
	fail("no such word, or not so many arguments:", name ? name : "@@");
}

static void print_line(char *line, FILE *out)
{
	char *from, *to;

	for (; (from = strchr(line, '@')); line = to + 1) {
		to = strchr(from + 1, '@');
		if (!to)
			fail("an @ without another in", line);
		fprintf(out, "%.*s", (int)(from - line), line);
		*to = '\0';
		print_place(from + 1, out);
	}
	fputs(line, out);
}

/* models_page TEMPLATE DIRECTORY: prints the page; the tables are in DIRECTORY. */
int main(int argc, char **argv)
{
	char line[1024];
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;

	if (!file)
		fail("cannot read", argc == 3 ? argv[1] : "TEMPLATE DIRECTORY");
	load(argv[2], "m1-moe-throughput.csv", take_throughput);
	load(argv[2], "m1-shares.csv", take_share);
	load(argv[2], "m1-chips.csv", take_chip);
	while (fgets(line, sizeof line, file))
		print_line(line, stdout);
	fclose(file);
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
