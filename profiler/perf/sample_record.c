/* sample_record.c: parses a sample record without trusting its lengths. */
/* SPDX-License-Identifier: MIT */
#include "perf/sample_record.h"

#include <string.h>

/* The rest of a record, in words. */
struct words {
	const uint64_t *next;
	size_t left;
};

static const uint64_t *next_words(struct words *words, uint64_t count)
{
	const uint64_t *start = words->next;

	if (count > words->left)
		return NULL;
	words->next += count;
	words->left -= count;
	return start;
}

/* The kernel writes a part for each bit of sample_type, in the order of the bits. */
int sample_record_read(const struct perf_event_header *record, uint64_t sample_type,
		       struct sample_record *sample)
{
	struct words words = {(const uint64_t *)record, record->size / sizeof(uint64_t)};
	size_t nregs = sample_type == PROBE_ENTRY_TYPE ? PROBE_ENTRY_REGS : SAMPLE_REGS;
	const uint64_t *word;

	*sample = (struct sample_record){.head = (const struct sample_head *)record};
	if (!next_words(&words, sizeof *sample->head / sizeof(uint64_t)))
		return -1;
	if (sample_type & PERF_SAMPLE_PERIOD) {
		if (!(word = next_words(&words, 1)))
			return -1;
		sample->period = *word;
	}
	if (sample_type & PERF_SAMPLE_CALLCHAIN) {
		if (!(word = next_words(&words, 1)) || !(sample->chain = next_words(&words, *word)))
			return -1;
		sample->nchain = *word;
	}
	if (sample_type & PERF_SAMPLE_REGS_USER) {
		/* there are no registers if the ABI is 0, as in a thread of the kernel */
		if (!(word = next_words(&words, 1)) ||
		    (*word && !(sample->regs = next_words(&words, nregs))))
			return -1;
		if (*word == PERF_SAMPLE_REGS_ABI_32)
			sample->regs = NULL;
	}
	if (sample_type & PERF_SAMPLE_STACK_USER) {
		/* the size asked for, that many bytes and, if it is not 0, how many of them were
		 * copied */
		const uint64_t *asked = next_words(&words, 1), *bytes;

		if (!asked)
			return -1;
		if (!*asked)
			return 0;
		bytes = next_words(&words, *asked / sizeof *bytes);
		word = bytes ? next_words(&words, 1) : NULL;
		if (!word || *word > *asked)
			return -1;
		sample->stack = (const char *)bytes;
		sample->stack_bytes = *word;
	}
	return 0;
}
