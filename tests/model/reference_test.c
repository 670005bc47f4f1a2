/* reference_test.c: tests the models against the published tables, and prints every point. */
/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit.h"
#include "model/models.h"
#include "model/replay.h"
#include "tests/unit.h"

enum { SERIES = 8, THREADS = 2, CHIPS = 4 };

/* The BLAS shares published with the table. */
static struct published_share {
	char language[16], pass[16];
	double f;
} shares[SERIES];
/* And what was published for training on other chips. */
static struct chip {
	char name[32], basis[32];
	int units;
	double low, high;
} chips[CHIPS];
static const int thread_counts[THREADS] = {2, 4};

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "r");

	ck_assert_msg(file, "cannot open %s", path);
	return file;
}

static void load_tables(void)
{
	FILE *file = open_file(TEST_SRCDIR "/model/reference/m1-shares.csv");
	char line[128];
	int count = 0;

	while (count < SERIES && fgets(line, sizeof line, file))
		count += sscanf(line, "%15[^,],%15[^,],%lf", shares[count].language,
				shares[count].pass, &shares[count].f) == 3;
	fclose(file);
	ck_assert_int_eq(count, SERIES);
	file = open_file(TEST_SRCDIR "/model/reference/m1-chips.csv");
	count = 0;
	while (count < CHIPS && fgets(line, sizeof line, file))
		count += sscanf(line, "%31[^,],%*d,%d,%lf,%lf,%31[a-z]", chips[count].name,
				&chips[count].units, &chips[count].low, &chips[count].high,
				chips[count].basis) == 5;
	fclose(file);
	ck_assert_int_eq(count, CHIPS);
}

/* The table's throughput for the row "language,pass,threads,"; fails the test without it. */
static double published(const struct published_share *share, int threads)
{
	FILE *file = open_file(TEST_SRCDIR "/model/reference/m1-moe-throughput.csv");
	char line[128], key[64];
	double found = 0;

	snprintf(key, sizeof key, "%s,%s,%d,", share->language, share->pass, threads);
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, key, strlen(key)))
			found = strtod(line + strlen(key), NULL);
	fclose(file);
	ck_assert_msg(found > 0, "the reference table lacks %s", key);
	return found;
}

static const struct published_share *find_share(const char *language, const char *pass)
{
	for (int i = 0; i < SERIES; i++)
		if (!strcmp(shares[i].language, language) && !strcmp(shares[i].pass, pass))
			return &shares[i];
	ck_abort_msg("no share is published for %s, %s", language, pass);
	return NULL;
}

static double measured_speedup(const struct published_share *share, int threads)
{
	return published(share, threads) / published(share, 1);
}

/* BLAS is not what limits these two: see the manual page on the models. */
static int limited_by_other(const struct published_share *share)
{
	return !strcmp(share->pass, "train") && share->f < 0.5;
}

/* Mean absolute error of the model's prediction. */
static double mean_error(double (*speedup)(double f, int n, double m), int with_limited)
{
	double sum = 0;
	int points = 0;

	for (int i = 0; i < SERIES; i++)
		for (int t = 0; t < THREADS; t++) {
			if (!with_limited && limited_by_other(&shares[i]))
				continue;
			sum += fabs(speedup(shares[i].f, thread_counts[t], 1) -
				    measured_speedup(&shares[i], thread_counts[t]));
			points++;
		}
	ck_assert_int_eq(points, with_limited ? 16 : 12);
	return sum / points;
}

FIXTURE(load_tables, NULL)

TEST(queue_beats_amdahl)
{
	static const double at_most[2] = {1.0 / 3, 1.0 / 2};

	printf("language pass   threads  f     measured amdahl queue\n");
	for (int i = 0; i < SERIES; i++)
		for (int t = 0; t < THREADS; t++)
			printf("%-8s %-6s %7d  %.2f  %8.2f %6.2f %5.2f\n", shares[i].language,
			       shares[i].pass, thread_counts[t], shares[i].f,
			       measured_speedup(&shares[i], thread_counts[t]),
			       model_amdahl(shares[i].f, thread_counts[t], 1),
			       model_queue(shares[i].f, thread_counts[t], 1));
	for (int all = 1; all >= 0; all--) {
		double amdahl = mean_error(model_amdahl, all), queue = mean_error(model_queue, all);

		printf("mean error over %d points: amdahl %.3f, queue %.3f (ratio %.3f)\n",
		       all ? 16 : 12, amdahl, queue, queue / amdahl);
		ck_assert_double_le(queue, at_most[all] * amdahl);
	}
}

/* The published speed-up of training on 4 threads, measured on one chip and projected by the
 * benchmark's author for the others. Queue with the same f and the chip's units is within 10 % of
 * each band (and above that of the chips with two units: 3.25 against 2.5 to 3.0). */
TEST(chips_with_more_units)
{
	for (int i = 0; i < CHIPS; i++) {
		const struct chip *chip = &chips[i];
		double queue = model_queue(0.55, 4, chip->units);

		printf("%-8s %d units: %.2f to %.2f %s, queue %.2f\n", chip->name, chip->units,
		       chip->low, chip->high, chip->basis, queue);
		ck_assert_double_ge(queue, 0.9 * chip->low);
		ck_assert_double_le(queue, 1.1 * chip->high);
	}
}

static double queue_at(void *context, int n, double m)
{
	return model_queue(*(const double *)context, n, m);
}

static void set_points(const struct published_share *share, struct speedup_point *points)
{
	for (int t = 0; t < THREADS; t++)
		points[t] = (struct speedup_point){thread_counts[t],
						   measured_speedup(share, thread_counts[t]), NAN};
}

static struct units_fit fit_share(const struct published_share *share)
{
	struct speedup_point points[THREADS];
	struct units_fit fit;
	double f = share->f;

	set_points(share, points);
	ck_assert_int_eq(fit_units(points, THREADS, queue_at, &f, UNITS_TOLERANCE, &fit), 0);
	return fit;
}

TEST(published_training_shows_one_unit)
{
	for (int i = 0; i < SERIES; i++) {
		struct units_fit fit = fit_share(&shares[i]);
		double f = shares[i].f;

		printf("%-8s %s: behaves like %.2f units (%.2f to %.2f)\n", shares[i].language,
		       shares[i].pass, fit.units, fit.low, fit.high);
		ck_assert_int_eq(fit.result, UNITS_FITTED);
		if (f > 0.5)
			ck_assert_double_eq_tol(fit.units, 1, 0.1);
	}
}

/* The text of blasprof-models(7), and how far its figures have been checked. */
static char page[32768];
static const char *page_at;

static int is_figure(const char *at)
{
	return isdigit((unsigned char)at[-1]) && *at == '.' && isdigit((unsigned char)at[1]);
}

static void open_page(void)
{
	FILE *file = open_file(TEST_SRCDIR "/../man/blasprof-models.7.in");
	size_t length = fread(page, 1, sizeof page - 1, file);

	fclose(file);
	ck_assert_uint_gt(length, 0);
	ck_assert_uint_lt(length, sizeof page - 1);
	page_at = page + 1;
}

/* Goes to the next figure with a decimal point. Returns where it begins, or the text after `end'
 * before it. */
static const char *next_figure(char end)
{
	const char *from;

	while (*page_at && !is_figure(page_at))
		page_at++;
	ck_assert_msg(*page_at, "the page has fewer figures than are checked");
	for (from = page_at; end ? from[-1] != end : isdigit((unsigned char)from[-1]);)
		from--;
	return from;
}

/* The page's next figure is this one. */
static void page_says(const char *format, double value)
{
	const char *from = next_figure('\0');
	char wanted[32];

	snprintf(wanted, sizeof wanted, format, value);
	page_at += 1 + strspn(page_at + 1, "0123456789");
	ck_assert_msg(!strncmp(from, wanted, strlen(wanted)) && page_at == from + strlen(wanted),
		      "the page says %.*s where %s is right: %.60s", (int)(page_at - from), from,
		      wanted, from);
}

/* The page's next figures are these. */
#define PAGE_SAYS(format, ...)                                                                     \
	do {                                                                                       \
		const double values_[] = {__VA_ARGS__};                                            \
                                                                                                   \
		for (int i_ = 0; i_ < COUNT(values_); i_++)                                        \
			page_says(format, values_[i_]);                                            \
	} while (0)

/* The next line of a table is this one. */
static void page_has_row(const char *format, ...)
{
	const char *from = next_figure('\n');
	char wanted[128];
	va_list values;

	va_start(values, format);
	vsnprintf(wanted, sizeof wanted, format, values);
	va_end(values);
	page_at = strchr(from, '\n');
	ck_assert_msg(!strncmp(from, wanted, strlen(wanted)) && page_at == from + strlen(wanted),
		      "the page has the row '%.*s' where '%s' is right", (int)(page_at - from),
		      from, wanted);
}

static void page_has_throughputs(void)
{
	for (int i = 0; i < SERIES; i++)
		for (int t = 0; t < THREADS; t++) {
			int n = thread_counts[t];
			double f = shares[i].f;

			page_has_row("%s\t%s\t%.2f\t%d\t%.2f\t%.2f\t%.2f\t%.2f", shares[i].language,
				     shares[i].pass, f, n, measured_speedup(&shares[i], n),
				     model_amdahl(f, n, 1), model_bound(f, n, 1),
				     model_queue(f, n, 1));
		}
}

static void page_has_fits(void)
{
	for (int i = 0; i < SERIES; i++) {
		struct units_fit fit = fit_share(&shares[i]);

		page_has_row("%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f", shares[i].language, shares[i].pass,
			     shares[i].f, fit.units, fit.low, fit.high);
	}
}

/* Every figure of the manual page that has a decimal point, in the order of the page. */
TEST(figures_of_the_manual)
{
	const struct published_share *julia = find_share("Julia", "train"),
				     *rust = find_share("Rust", "train"),
				     *go = find_share("Go", "train"),
				     *python = find_share("Python", "train"),
				     *julia_infer = find_share("Julia", "infer"),
				     *rust_infer = find_share("Rust", "infer");
	const struct replay_pair clockwork = {45, 55};
	struct speedup_point points[THREADS];
	struct usl_fit law;

	open_page();
	/* amdahl; of Go what the benchmark's author says, where it is 2.29 */
	PAGE_SAYS("%.2f", julia->f, model_amdahl(julia->f, 4, 1), measured_speedup(julia, 4),
		  measured_speedup(rust, 4), rust_infer->f, model_amdahl(rust_infer->f, 4, 1),
		  measured_speedup(rust_infer, 4), go->f, 2.13, model_amdahl(go->f, 4, 1));
	/* queue */
	PAGE_SAYS("%.2f", julia->f, model_queue(julia->f, 2, 1), model_queue(julia->f, 4, 1),
		  rust_infer->f, model_queue(rust_infer->f, 4, 1));
	/* replay */
	PAGE_SAYS("%.2f", replay_scaled(&clockwork, 1, 1, 0, 0, 2, 1, 0), model_bound(0.55, 2, 1),
		  model_queue(0.55, 2, 1));
	/* usl */
	set_points(julia, points);
	ck_assert_int_eq(usl_fit(points, THREADS, &law), 0);
	PAGE_SAYS("%.3f", law.a.value, law.b.value);
	PAGE_SAYS("%.1f", sqrt((1 - law.a.value) / law.b.value));
	/* outliers, and errors of simulated runs */
	PAGE_SAYS("%.4f", 1.4826);
	PAGE_SAYS("%.1f", 0.2);
	/* an example of a fit, and one of --what-if=blas */
	PAGE_SAYS("%.1f", 1.1, 1.0, 1.3, 1.6, 1.6);
	/* the published benchmark */
	page_has_throughputs();
	PAGE_SAYS("%.2f", mean_error(model_queue, 1), mean_error(model_amdahl, 1),
		  mean_error(model_queue, 0), mean_error(model_amdahl, 0),
		  measured_speedup(python, 4), model_queue(python->f, 4, 1),
		  model_amdahl(python->f, 4, 1), measured_speedup(go, 4), model_queue(go->f, 4, 1),
		  measured_speedup(julia_infer, 4), model_bound(julia_infer->f, 4, 1));
	page_has_fits();
	PAGE_SAYS("%.2f", julia->f);
	for (int i = 0; i < CHIPS; i++) {
		const struct chip *chip = &chips[i];
		double queue = model_queue(julia->f, 4, chip->units);

		page_has_row("%s\t%d\t%.2f to %.2f\t%s\t%.2f\t%s", chip->name, chip->units,
			     chip->low, chip->high, chip->basis, queue,
			     queue > chip->high	 ? "above"
			     : queue < chip->low ? "below"
						 : "within");
	}
	PAGE_SAYS("%.2f", model_queue(julia->f, 4, 2), model_queue(julia->f, 4, 1));
	while (*page_at && !is_figure(page_at))
		page_at++;
	ck_assert_msg(!*page_at, "the page has a figure that is not checked: %.60s", page_at - 1);
}
