/* event.c: event names by libpfm4, and what makes a sampling event of one. */
/* SPDX-License-Identifier: MIT */
#include "record/event.h"

#include <ctype.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "record/sample_record.h"

enum { NEAREST = 3, NAME_MAX_LENGTH = 63 };

struct candidate {
	int distance;
	char name[NAME_MAX_LENGTH + 1];
};

static int smallest(int a, int b, int c)
{
	int least = a < b ? a : b;

	return least < c ? least : c;
}

static int same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b) ||
	       (strchr("-_", a) && strchr("-_", b));
}

/* Levenshtein's distance, upper case and lower case alike, of names cut at NAME_MAX_LENGTH. */
static int name_distance(const char *a, const char *b)
{
	int row[NAME_MAX_LENGTH + 1];
	int length = (int)strnlen(b, NAME_MAX_LENGTH);

	for (int j = 0; j <= length; j++)
		row[j] = j;
	for (int i = 0; i < NAME_MAX_LENGTH && a[i]; i++) {
		int diagonal = row[0];

		row[0] = i + 1;
		for (int j = 0; j < length; j++) {
			int replaced = diagonal + !same_letter(a[i], b[j]);

			diagonal = row[j + 1];
			row[j + 1] = smallest(replaced, row[j] + 1, diagonal + 1);
		}
	}
	return row[length];
}

static void keep_nearest(struct candidate best[NEAREST], const char *name, int distance)
{
	int at = NEAREST;

	for (int i = 0; i < NEAREST; i++)
		if (!strcmp(best[i].name, name))
			return;
	while (at > 0 && distance < best[at - 1].distance)
		at--;
	if (at == NEAREST)
		return;
	memmove(best + at + 1, best + at, (size_t)(NEAREST - 1 - at) * sizeof *best);
	best[at].distance = distance;
	snprintf(best[at].name, sizeof best[at].name, "%s", name);
}

static void search_pmu(pfm_pmu_t pmu, const char *name, struct candidate best[NEAREST])
{
	pfm_pmu_info_t unit = {.size = sizeof unit};

	if (pfm_get_pmu_info(pmu, &unit) != PFM_SUCCESS || !unit.is_present)
		return;
	for (int i = unit.first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
			keep_nearest(best, event.name, name_distance(name, event.name));
	}
}

/* Writes up to `size` bytes of the known names nearest to `name`, separated by ", ". */
static void list_nearest(const char *name, char *text, size_t size)
{
	struct candidate best[NEAREST];
	pfm_pmu_t pmu;
	size_t used = 0;

	for (int i = 0; i < NEAREST; i++)
		best[i] = (struct candidate){.distance = NAME_MAX_LENGTH};
	pfm_for_all_pmus(pmu) search_pmu(pmu, name, best);
	text[0] = '\0';
	for (int i = 0; i < NEAREST && best[i].name[0] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 best[i].name);
}

static int encoding_error(struct error *err, const char *name, int code)
{
	char nearest[NEAREST * (NAME_MAX_LENGTH + 3)];
	char remedy[sizeof err->remedy];

	list_nearest(name, nearest, sizeof nearest);
	snprintf(remedy, sizeof remedy, "choose a name that libpfm4 knows; the nearest are %s",
		 nearest);
	return error_set(err, remedy, "unknown event '%s': %s", name, pfm_strerror(code));
}

int event_encode(const char *name, struct perf_event_attr *attr, struct error *err)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};
	int code = pfm_initialize();

	if (code != PFM_SUCCESS)
		return error_set(err, "install a libpfm4 that knows this machine",
				 "libpfm4 does not start: %s", pfm_strerror(code));
	memset(attr, 0, sizeof *attr);
	attr->size = sizeof *attr;
	code = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	return code == PFM_SUCCESS ? 0 : encoding_error(err, name, code);
}

/* A clock event has a period in ns, which is exact; others are steered to the rate by the kernel.
 */
static void set_rate(struct perf_event_attr *attr, int rate_hz)
{
	int is_clock =
		attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						     attr->config == PERF_COUNT_SW_TASK_CLOCK);

	if (attr->sample_period)
		return;
	attr->freq = !is_clock;
	if (is_clock)
		attr->sample_period = UINT64_C(1000000000) / (uint64_t)rate_hz;
	else
		attr->sample_freq = (uint64_t)rate_hz;
}

void event_set_sampling(struct perf_event_attr *attr, int rate_hz)
{
	set_rate(attr, rate_hz);
	attr->sample_type = TIMELINE_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->enable_on_exec = 1;
	attr->inherit = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->context_switch = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}
