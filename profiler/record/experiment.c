/* experiment.c: names a run's experiment: the command with its thread count replaced by {}. */
/* SPDX-License-Identifier: MIT */
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "model/accounting.h"

/* Joins argv; {} replaces the last `replaced` characters of word `at`. */
static const char *join(char *const argv[], int at, size_t replaced)
{
	struct memory_file memory;
	FILE *out = memory_file_begin(&memory);
	const char *text;

	for (int i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		if (i == at)
			fprintf(out, "%.*s{}", (int)(strlen(argv[i]) - replaced), argv[i]);
		else
			fputs(human_word(argv[i]), out);
	}
	memory_file_end(&memory);
	text = string_pooled(memory.text);
	free(memory.text);
	return text;
}

const char *command_join(char *const argv[])
{
	return join(argv, -1, 0);
}

static int is_about_threads(const char *word)
{
	static const char *const words[] = {"thread", "worker", "job", "proc",
					    "core",   "cpu",	"pool"};

	for (size_t i = 0; i < COUNT(words); i++)
		if (strcasestr(word, words[i]))
			return 1;
	return 0;
}

static int is_short_option(const char *word)
{
	return word[0] == '-' && word[1] && strchr("tTjnp@", word[1]);
}

enum { RANK_ALONE = 2, RANK_OPTION };

/* Rates how likely the end of word i is the thread count: 0 (it is not, as the value of another
 * option), 1 (a variable says so), 2 (it stands alone) or 3 (its option says so). */
static int rank_word(char *const argv[], int i, const char *number)
{
	const char *word = argv[i], *before = argv[i - 1];
	size_t length = strlen(word), digits = strlen(number);

	if (length < digits || strcmp(word + length - digits, number) != 0)
		return 0;
	if (length == digits) {
		if (before[0] == '-' &&
		    (is_about_threads(before) || (is_short_option(before) && !before[2])))
			return RANK_OPTION;
		return RANK_ALONE * (i == 1 || before[0] != '-' || strchr(before, '='));
	}
	if (is_short_option(word) && length == digits + 2)
		return RANK_OPTION;
	if (word[length - digits - 1] != '=' || !is_about_threads(word))
		return 0;
	return word[0] == '-' ? RANK_OPTION : 1;
}

/* Returns the word at the end of which the count is, of those that rank highest, or -1. */
static int find_count(char *const argv[], int threads, int rank_min)
{
	const char *number = string_printf("%d", threads);
	int best = -1, best_rank = rank_min - 1;

	for (int i = 1; argv[0] && argv[i]; i++) {
		int rank = rank_word(argv, i, number);

		if (rank > best_rank) {
			best_rank = rank;
			best = i;
		}
	}
	return best;
}

const char *experiment_name(char *const argv[], int threads)
{
	return join(argv, find_count(argv, threads, 1), strlen(string_printf("%d", threads)));
}

int experiment_threads(char *const argv[], struct run *run)
{
	FREED struct thread_time *times = run_thread_times(run);
	FREED enum thread_role *roles = memory_rows(run->nthreads, sizeof *roles);
	struct account account;

	if (account_run(times, run->nthreads, run->roi_ns, 0, run->threads_awake, 0, &account,
			roles) ||
	    !account.participants)
		return 0;
	if (run->threads_awake <= 0 || account.parallel != PARALLEL_CALLERS)
		return account.threads;
	/* the count in the command, unless more threads than that work most of the time */
	for (int threads = account.threads; threads <= account.taking_turns; threads++)
		if (find_count(argv, threads, 1) >= 0)
			return run->threads_awake = threads;
	for (int threads = account.threads;
	     threads > 0 && account.claimed_ns < (threads + 0.5) * account.wall_ns; threads--) {
		/* one may be the main thread, which works a little beside a pool */
		int rank = threads == account.threads - 1 ? RANK_ALONE : RANK_OPTION;

		if (find_count(argv, threads, rank) >= 0)
			return run->threads_awake = threads;
	}
	return account.threads;
}
