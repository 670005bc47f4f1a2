/* event.c: event names by libpfm4, and what makes a sampling event of one. */
/* SPDX-License-Identifier: MIT */
#include "perf/event.h"

#include <perfmon/pfmlib_perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "perf/sample_record.h"
#include "base/nearest.h"

static void search_pmu(pfm_pmu_t pmu, struct nearest *nearest)
{
	pfm_pmu_info_t unit = {.size = sizeof unit};

	if (pfm_get_pmu_info(pmu, &unit) != PFM_SUCCESS || !unit.is_present)
		return;
	for (int i = unit.first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof event};

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) == PFM_SUCCESS)
			nearest_offer(nearest, event.name);
	}
}

static int encoding_error(struct error *err, const char *name, int code)
{
	struct nearest nearest = {.wanted = name};
	char names[384], remedy[sizeof err->remedy];
	pfm_pmu_t pmu;

	pfm_for_all_pmus(pmu) search_pmu(pmu, &nearest);
	nearest_list(&nearest, ", ", names, sizeof names);
	snprintf(remedy, sizeof remedy, "choose a name that libpfm4 knows; the nearest are %s",
		 names);
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

int event_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* A clock event has a period in ns, which is exact; others are steered to the rate by the kernel.
 */
static void set_rate(struct perf_event_attr *attr, int rate_hz)
{
	int is_clock = event_is_clock(attr);

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

void event_set_counting(struct perf_event_attr *attr, int rate_hz, int member)
{
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = !member;
	attr->enable_on_exec = !member;
	attr->inherit = 1;
	if (rate_hz <= 0)
		return;
	set_rate(attr, rate_hz);
	attr->sample_type = TIMELINE_COUNTED_TYPE;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}
