/* top_lines.c: what the threads of a running program do, one line each. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "cli/top.h"
#include "write/escape.h"
#include "base/human.h"

const char top_heading[] =
	" thread name             f   BLAS  stall  other waiting no CPU  calls/s  GFLOP/s";

static void print_line(const char *thread, const char *name, const struct live_rates *rates,
		       char text[TOP_LINE_MAX])
{
	char f[HUMAN_MAX] = "-", parts[5][HUMAN_MAX], calls[HUMAN_MAX], flops[HUMAN_MAX];
	const double shares[] = {rates->share[CAT_BLAS], rates->stalled, rates->share[CAT_OTHER],
				 rates->share[CAT_WAITING], rates->share[CAT_NO_CPU]};

	if (isfinite(rates->f))
		snprintf(f, sizeof f, "%.3f", rates->f);
	for (size_t i = 0; i < 5; i++)
		human_share(shares[i], parts[i]);
	snprintf(text, TOP_LINE_MAX,
		 "%7.10s %-12.24s %5.8s %6.8s %6.8s %6.8s %7.8s %6.8s %8.12s %8.12s", thread, name,
		 f, parts[0], parts[1], parts[2], parts[3], parts[4],
		 human_count(rates->calls_per_s, calls),
		 human_figures(rates->flops_per_s / 1e9, flops));
}

static const struct live_thread *nth_running(const struct live *live, size_t index)
{
	for (size_t i = 0; i < live->count; i++)
		if (!live->threads[i].ended && !index--)
			return &live->threads[i];
	return NULL;
}

const char *top_line(const struct live *before, const struct live *now, size_t index,
		     char text[TOP_LINE_MAX])
{
	const struct live_thread *thread = index ? nth_running(now, index - 1) : NULL;
	struct live_rates rates;
	char number[24], name[32];

	if (!index) {
		rates = live_sum_rates(before, now);
		print_line("all", "", &rates, text);
		return text;
	}
	if (!thread)
		return NULL;
	rates = live_thread_rates(live_thread_find(before, thread), thread,
				  (double)(now->at_ns - before->at_ns) / 1e9);
	snprintf(number, sizeof number, "%lld", (long long)thread->tid);
	escape_text(thread->name, 12, name, sizeof name);
	print_line(number, name, &rates, text);
	return text;
}
