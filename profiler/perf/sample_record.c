/* sample_record.c: takes a sample record apart, trusting none of its lengths. */
/* SPDX-License-Identifier: MIT */
#include "perf/sample_record.h"

#include <string.h>

/* The words of a record that are not read yet. */
struct words {
	const uint64_t *next;
	size_t left;
};

static const uint64_t *take(struct words *words, uint64_t count)
{
	const uint64_t *taken = words->next;

	if (count > words->left)
		return NULL;
	words->next += count;
	words->left -= count;
	return taken;
}

static int read_period(struct words *words, struct sample_record *sample)
{
	const uint64_t *period = take(words, 1);

	sample->period = period ? *period : 0;
	return period ? 0 : -1;
}

static int read_chain(struct words *words, struct sample_record *sample)
{
	const uint64_t *count = take(words, 1);

	sample->chain = count ? take(words, *count) : NULL;
	sample->nchain = sample->chain ? *count : 0;
	return sample->chain ? 0 : -1;
}

/* The ABI of 0 says that there are none: a thread of the kernel. */
static int read_regs(struct words *words, size_t count, struct sample_record *sample)
{
	const uint64_t *abi = take(words, 1);

	if (!abi || (*abi && !(sample->regs = take(words, count))))
		return -1;
	if (*abi == PERF_SAMPLE_REGS_ABI_32)
		sample->regs = NULL;
	return 0;
}

/* The size asked for, so many bytes, and, unless that is 0, how many of them were there. */
static int read_stack(struct words *words, struct sample_record *sample)
{
	const uint64_t *asked = take(words, 1), *bytes, *there;

	if (!asked)
		return -1;
	if (!*asked)
		return 0;
	bytes = take(words, *asked / sizeof *bytes);
	there = bytes ? take(words, 1) : NULL;
	if (!there || *there > *asked)
		return -1;
	sample->stack = (const char *)bytes;
	sample->stack_bytes = *there;
	return 0;
}

static int read_parts(const struct perf_event_header *record, uint64_t sample_type, size_t nregs,
		      struct sample_record *sample)
{
	struct words words = {(const uint64_t *)record, record->size / sizeof(uint64_t)};

	memset(sample, 0, sizeof *sample);
	sample->head = (const struct sample_head *)record;
	if (!take(&words, sizeof *sample->head / sizeof(uint64_t)) ||
	    ((sample_type & PERF_SAMPLE_PERIOD) && read_period(&words, sample)) ||
	    ((sample_type & PERF_SAMPLE_CALLCHAIN) && read_chain(&words, sample)) ||
	    ((sample_type & PERF_SAMPLE_REGS_USER) && read_regs(&words, nregs, sample)) ||
	    ((sample_type & PERF_SAMPLE_STACK_USER) && read_stack(&words, sample)))
		return -1;
	return 0;
}

int sample_record_read(const struct perf_event_header *record, uint64_t sample_type,
		       struct sample_record *sample)
{
	return read_parts(record, sample_type, SAMPLE_REGS, sample);
}

int sample_record_read_entry(const struct perf_event_header *record, struct sample_record *sample)
{
	return read_parts(record, PROBE_ENTRY_TYPE, PROBE_ENTRY_REGS, sample);
}
