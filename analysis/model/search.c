/* search.c: finds the fastest of many settings in few runs. */
/* SPDX-License-Identifier: MIT */
#include "model/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/memory.h"

#define CONTENDERS_MAX	 4 /* settings that are run repeatedly to tell them apart */
/* The spread that is assumed before any run was repeated, and its weight in degrees of freedom. */
#define SPREAD_PRIOR	 0.03
#define SPREAD_PRIOR_DOF 2

void search_start(struct search *search, const struct search_knob *knobs, int nknobs, int cpus)
{
	*search = (struct search){.knobs = knobs, .nknobs = nknobs, .cpus = cpus};
}

void search_free(struct search *search)
{
	free(search->settings);
	*search = (struct search){0};
}

double search_space(const struct search *search)
{
	double settings = 1;

	for (int i = 0; i < search->nknobs; i++)
		settings *= search->knobs[i].count;
	return settings;
}

static struct search_setting *find(const struct search *search, const unsigned char *values)
{
	EACH_ROW(setting, search->settings, search->count)
		if (!memcmp(setting->values, values, (size_t)search->nknobs))
			return setting;
	return NULL;
}

void search_add(struct search *search, const unsigned char *values, double seconds)
{
	struct search_setting *setting = find(search, values);

	if (!setting) {
		setting = memory_add(&search->settings, &search->count, sizeof *setting);
		memcpy(setting->values, values, (size_t)search->nknobs);
	}
	if (setting->runs < SEARCH_RUNS_MAX)
		setting->seconds[setting->runs++] = seconds;
}

static double typical(const struct search_setting *setting)
{
	return stats_median(setting->seconds, (size_t)setting->runs);
}

static size_t fastest(const struct search *search)
{
	size_t best = 0;

	for (size_t i = 1; i < search->count; i++)
		if (typical(&search->settings[i]) < typical(&search->settings[best]))
			best = i;
	return best;
}

static int count_changes(const struct search *search, const struct search_setting *setting)
{
	const unsigned char *value = setting->values;
	int changes = 0;

	EACH_ROW(knob, search->knobs, search->nknobs)
		changes += *value++ != knob->usual;
	return changes;
}

size_t search_best(const struct search *search)
{
	const struct search_setting *settings = search->settings;
	double least = typical(&settings[fastest(search)]);
	size_t best = fastest(search);

	if (typical(&settings[0]) * (1 - SEARCH_ENOUGH) <= least)
		return 0;
	for (size_t i = 0; i < search->count; i++)
		if (settings[i].runs >= SEARCH_RUNS_MIN &&
		    typical(&settings[i]) < least * (1 + SEARCH_EQUAL) &&
		    count_changes(search, &settings[i]) < count_changes(search, &settings[best]))
			best = i;
	return best;
}

static double threads_of(const struct search *search, const unsigned char *values)
{
	double threads = 1;

	for (int i = 0; i < search->nknobs; i++)
		if (search->knobs[i].threads)
			threads *= search->knobs[i].threads[values[i]];
	return threads;
}

/* Step 1: the next setting of the pools' sizes that was not run. */
static int next_of_sizes(const struct search *search, unsigned char *values)
{
	const struct search_knob *knobs = search->knobs;

	for (int i = 0; i < search->nknobs; i++)
		values[i] = (unsigned char)knobs[i].usual;
	if (!find(search, values))
		return 1;
	for (int i = 0; i < search->nknobs; i++)
		values[i] = knobs[i].threads ? 0 : values[i];
	for (;;) {
		int i = 0;

		if (threads_of(search, values) <= search->cpus && !find(search, values))
			return 1;
		for (; i < search->nknobs; i++) {
			if (!knobs[i].threads)
				continue;
			if (++values[i] < knobs[i].count)
				break;
			values[i] = 0;
		}
		if (i == search->nknobs)
			return 0;
	}
}

/* The next setting that was not run and differs from `base` in one knob, a size by one step. */
static int next_neighbour(const struct search *search, const struct search_setting *base,
			  int with_sizes, unsigned char *values)
{
	for (int i = 0; i < search->nknobs; i++)
		for (int value = 0; value < search->knobs[i].count; value++) {
			if (search->knobs[i].threads &&
			    (!with_sizes || abs(value - base->values[i]) != 1))
				continue;
			if (search->knobs[i].is_for_threads && threads_of(search, base->values) < 2)
				continue;
			memcpy(values, base->values, (size_t)search->nknobs);
			values[i] = (unsigned char)value;
			if (!find(search, values))
				return 1;
		}
	return 0;
}

/* The relative standard deviation of one run. */
static double spread(const struct search *search)
{
	double squares = SPREAD_PRIOR_DOF * SPREAD_PRIOR * SPREAD_PRIOR, dof = SPREAD_PRIOR_DOF;

	EACH_ROW(setting, search->settings, search->count) {
		double mean = stats_mean(setting->seconds, (size_t)setting->runs);

		if (!isfinite(mean))
			continue;
		for (int j = 0; j < setting->runs; j++)
			squares += pow(setting->seconds[j] / mean - 1, 2);
		dof += setting->runs - 1;
	}
	return sqrt(squares / dof);
}

/* How many more runs the setting needs for an interval. */
static int missing_runs(const struct search_setting *setting)
{
	return MAX(SEARCH_RUNS_MIN - setting->runs, 0);
}

/* Step 3: of the fastest, the first and those that may be the fastest, the one with the fewest
 * runs; -1: they are told apart. Two standard errors to each side, and what is no worse than enough
 * needs no more runs than an interval takes. Where all runs together would be more than there are
 * settings, a third of what three of each would be, only the first two are run. Where the first is
 * the fastest beyond doubt there is nothing to recommend, and no interval to find. */
static long next_contender(const struct search *search)
{
	const struct search_setting *settings = search->settings;
	size_t best = fastest(search), fewest = best;
	double best_s = typical(&settings[best]), error = 2 * spread(search);
	int has_contenders = 0, has_rivals = 0, runs = 0;

	EACH_ROW(setting, settings, search->count)
		runs += setting->runs;
	runs += missing_runs(&settings[0]) + SEARCH_RUNS_MIN - 1; /* the latter for a new best */
	for (size_t i = 0; i < search->count; i++) {
		double mean = typical(&settings[i]);
		size_t faster = 0;
		int is_near, wanted;

		EACH_ROW(setting, settings, search->count)
			faster += typical(setting) < mean;
		is_near = faster < CONTENDERS_MAX && isfinite(mean) &&
			  mean * (1 - error / sqrt(settings[i].runs)) <
				  best_s * (1 + error / sqrt(settings[best].runs));
		has_rivals |= is_near && i != best;
		wanted = is_near && runs < search_space(search);
		if (wanted && i != best && !missing_runs(&settings[i]) &&
		    !missing_runs(&settings[best]) && mean < best_s * (1 + SEARCH_ENOUGH))
			wanted = 0;
		if ((i == 0 || i == best) && isfinite(mean) && missing_runs(&settings[i]))
			wanted = 1;
		has_contenders |= wanted && i != best;
		if (wanted && (settings[i].runs < settings[fewest].runs ||
			       (fewest == best && settings[i].runs == settings[best].runs)))
			fewest = i;
	}
	if (!isfinite(best_s) || settings[fewest].runs == SEARCH_RUNS_MAX ||
	    (!has_contenders && ((!best && !has_rivals) || !missing_runs(&settings[best]))))
		return -1;
	return (long)fewest;
}

int search_next(const struct search *search, unsigned char *values)
{
	long contender;

	if (next_of_sizes(search, values) ||
	    next_neighbour(search, &search->settings[0], 0, values) ||
	    next_neighbour(search, &search->settings[fastest(search)], 1, values))
		return 1;
	contender = next_contender(search);
	if (contender >= 0)
		memcpy(values, search->settings[contender].values, (size_t)search->nknobs);
	return contender >= 0;
}
