/* spread_test.c: how evenly threads worked, against figures worked out by hand. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "report/spread.h"
#include "tests/unit.h"

enum { PID = 10, MEMBERS = 8, LATER = 100 };

/* A participant; times in ns. */
struct member {
	int64_t pid, tid, start, end, blas, stalled, other, no_cpu, spun, waiting;
	int64_t samples; /* half of them in BLAS */
	int64_t outside; /* samples outside OpenMP's parallel regions */
	int64_t spins;	 /* samples */
	int64_t own;	 /* samples of a function that only this thread runs */
};

/* What a number before a letter is. */
#define AT(name) offsetof(struct member, name)
static const struct {
	char letter;
	size_t at;
} letters[] = {
	{'p', AT(pid)},	  {'t', AT(tid)},     {'s', AT(start)},	  {'e', AT(end)},
	{'B', AT(blas)},  {'b', AT(stalled)}, {'C', AT(other)},	  {'P', AT(no_cpu)},
	{'S', AT(spun)},  {'O', AT(waiting)}, {'n', AT(samples)}, {'a', AT(outside)},
	{'w', AT(spins)}, {'f', AT(own)},
};

/* Reads participants in words, separated by commas: "11t 20e 8B 2b 4C". Returns how many. */
static size_t read_members(const char *text, struct member *members)
{
	size_t count = 0;

	for (char *end; *text; count++) {
		struct member *member = &members[count];

		ck_assert_uint_lt(count, MEMBERS);
		*member = (struct member){.pid = PID};
		for (; *text && *text != ','; text = end + 1) {
			int64_t number = strtoll(text, &end, 10);

			EACH_ROW(row, letters, COUNT(letters))
				if (row->letter == *end)
					*(int64_t *)((char *)member + row->at) = number;
		}
		text += *text == ',';
	}
	return count;
}

enum { BLAS = RUN_CODE_BLAS, OTHER = RUN_CODE_OTHER, SPIN = RUN_CODE_SPIN };

static const struct {
	int threads; /* N */
	const char *members;
	/* the figures that are not 0, but "known" if it is, and "participants" if not all are */
	const char *wanted;
	struct {
		int tid, code, samples;
	} functions[3]; /* others, that only this thread runs */
	enum parallel_case parallel;
	struct {
		const char *kind, *function;
		int64_t tid, ns;
		int in_blas;
	} waits[3];
} rows[] = {
	/* 10, 6 and 4: the others lack 4 + 6, of which 3 were without a CPU */
	{3, "12t 20e 8B 2b 4C, 11t 20e 6B, 13t 20e 4C 3P",
	 "busiest_thread=1 busiest_ns=10 mean_ns=6.66667 uneven_ns=7"},
	/* the busiest also lacked a CPU for 5, and one of 4 threads does not compute */
	{4, "1p 13t 20e 8B 2b 4C 5P, 2p 12t 20e 6B, 3p 11t 20e 1b 4C",
	 "are_processes=1 busiest_ns=10 mean_ns=5 unserved_ns=15 uneven_ns=20",
	 .parallel = PARALLEL_BOTH},
	/* numbers began again after 11: the first thread, then 11, then 9 */
	{3, "9t 5s 20e 10B, 11t 2s 20e 4B, 10t 20e 4B 2O",
	 "busiest_thread=2 busiest_ns=10 mean_ns=6 uneven_ns=12"},
	/* they start at once: by their numbers, but for the first thread of the process */
	{3, "9t 20e 4B, 11t 20e 10B, 10t 20e 4B",
	 "busiest_thread=2 busiest_ns=10 mean_ns=6 uneven_ns=12"},
	{3, "9t 20e 10B, 11t 20e 4B, 10t 20e 4B",
	 "busiest_thread=1 busiest_ns=10 mean_ns=6 uneven_ns=12"},
	/* two of one process; less than a twentieth of the busiest is left out */
	{2, "11t 200e 100B, 12t 200e 5B, 13t 200e 4B",
	 "participants=2 busiest_ns=100 mean_ns=52.5 uneven_ns=95"},
	/* but not if those have a twentieth together: a thread starts others, one after the other
	 */
	{2, "11t 200e 100B, 12t 100e 4B, 13t 100s 200e 4B", "follow=1 serial_tid=11 uneven_ns=100"},
	/* of 7 threads 5 are besides the 2: the extras are those of them that compute least */
	{2,
	 "11t 20e 3B, 12t 20e 9B, 13t 20e 7B 10n, 14t 20e 10B, 15t 20e 4B, 16t 20e 5B, 17t 20e 7B",
	 "extras=4 extra_ns=26 extra_thread=6 extra_tid=17 busiest_thread=3 busiest_ns=10 "
	 "mean_ns=9.5 uneven_ns=1 extra=10:11 extra=10:15 extra=10:16 extra=10:17"},
	/* the one beyond the 2 is the one that runs a function of its own, for 4 of its 10; or, if
	 * the others have such functions for most of their time, the one that computes least */
	{2, "11t 20e 8B 100n, 12t 20e 10B 100n 40f, 13t 20e 7B 100n",
	 "extras=1 extra_ns=10 extra_thread=1 extra_tid=12 busiest_ns=8 mean_ns=7.5 uneven_ns=1 "
	 "extra=10:12"},
	{2, "11t 20e 8B 100n 60f, 12t 20e 10B 100n 70f, 13t 20e 7B 100n 60f",
	 "extras=1 extra_ns=7 extra_thread=2 extra_tid=13 busiest_thread=1 busiest_ns=10 "
	 "busiest_own_tid=12 mean_ns=9 uneven_ns=2 extra=10:13"},
	/* two threads of another process than the 2; the one that computes more is named */
	{2,
	 "1p 11t 20e 8B 100n 40f, 1p 12t 20e 5B 100n 20f, 2p 13t 20e 10B 100n, 3p 14t 20e 9B 100n",
	 "extras=2 extra_ns=13 extra_tid=11 extra_is_apart=1 busiest_thread=2 busiest_ns=10 "
	 "mean_ns=9.5 uneven_ns=1 extra=1:11 extra=1:12"},
	/* the main thread, in a process of its own; not that of a process that it forked */
	{2, "10p 10t 20e 10B 100n 40f, 20p 20t 1s 20e 2B",
	 "are_processes=1 serial_ns=8 serial_first_ns=1 serial_is_main=1 serial_tid=10 "
	 "busiest_ns=2 mean_ns=2"},
	{2, "10p 10t 20e 2B, 20p 20t 1s 20e 10B 100n 40f",
	 "are_processes=1 serial_ns=8 serial_thread=1 serial_tid=20 busiest_ns=2 mean_ns=2"},
	/* a process was forked with another, which ended late, so that it waited, or was started
	 * and ended before */
	{2, "10p 10t 200e, 20p 20t 100e 4B, 30p 30t 200e 100B 100n 60f",
	 "participants=1 serial_ns=100 serial_tid=30"},
	{2, "10p 10t 200e, 20p 20t 9e 4B, 30p 30t 9s 200e 100B 100n 60f",
	 "participants=1 serial_ns=100 serial_tid=30"},
	{2, "10p 10t 200e 100B 100n 60f, 10p 20t 9e 4B",
	 "participants=1 serial_ns=100 serial_is_main=1 serial_tid=10"},
	/* one works 6 beyond the mean of the others, and at least half of that alone */
	{3, "10t 20e 10B 100n 30f, 11t 20e 3B, 12t 20e 5B",
	 "serial_ns=6 serial_is_main=1 serial_tid=10 busiest_thread=2 busiest_ns=5 mean_ns=4 "
	 "uneven_ns=3"},
	/* the other, too, runs a function of its own, for more than half of its time or less */
	{2, "11t 20e 10B 100n 60f, 12t 20e 4B 40n 21f",
	 "busiest_ns=10 busiest_own_tid=11 mean_ns=7 uneven_ns=6"},
	{2, "11t 20e 10B 100n 60f, 12t 20e 4B 40n 19f",
	 "serial_ns=6 serial_tid=11 busiest_ns=4 mean_ns=4"},
	/* less than half of it alone; another's functions and spinning do not count */
	{3, "10t 20e 10B 100n, 11t 20e 3B, 12t 20e 5B", "busiest_ns=10 mean_ns=6 uneven_ns=12",
	 .functions = {{10, OTHER, 29}, {10, SPIN, 30}}},
	/* of 15 it computes 10: 11 samples of one function are all of it by a chance of 1.2 %, 12
	 * by 0.8 %; its samples are more than its time */
	{2, "11t 20e 5B, 12t 20e 10B 12n 11f",
	 "busiest_thread=1 busiest_ns=10 mean_ns=7.5 uneven_ns=5"},
	{2, "11t 20e 5B, 12t 20e 10B 12n",
	 "serial_ns=5 serial_thread=1 serial_tid=12 busiest_ns=5 mean_ns=5",
	 .functions = {{12, OTHER, 12}, {12, OTHER, 12}}},
	/* two functions of 6 samples count together, but not if another thread ran the object */
	{2, "11t 20e 5B, 12t 20e 10B 12n",
	 "serial_ns=5 serial_thread=1 serial_tid=12 busiest_ns=5 mean_ns=5",
	 .functions = {{12, OTHER, 6}, {12, BLAS, 6}, {11, SPIN, 6}}},
	{2, "11t 20e 5B, 12t 20e 10B 12n", "busiest_thread=1 busiest_ns=10 mean_ns=7.5 uneven_ns=5",
	 .functions = {{12, OTHER, 6}, {12, BLAS, 6}, {11, OTHER, 1}}},
	/* 6 of its 10 are outside OpenMP's regions, in which the other computes 4 more; or 3 of 10,
	 * in which the other computes less */
	{2, "11t 20e 10B 100n 60a, 12t 20e 8B",
	 "serial_ns=6 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=6 uneven_ns=4"},
	{2, "11t 20e 10B 100n 30a, 12t 20e 5B", "serial_ns=5 serial_tid=11 busiest_ns=5 mean_ns=5"},
	/* besides the two all that it computes is serial, and it has nothing left */
	{2, "11t 20e 8B 100n 20f, 12t 20e 8B, 13t 20e 6B 100n 50f",
	 "extras=1 extra_thread=2 extra_tid=13 serial_ns=6 serial_thread=2 serial_tid=13 "
	 "busiest_ns=8 mean_ns=8 extra=10:13"},
	/* it is there 4 before any other; at 3, that is half of what it computes beyond them */
	{2, "11t 20e 8B, 12t 4s 20e 1B 1C, 13t 7s 20e 2B",
	 "extras=1 extra_tid=11 serial_ns=8 serial_first_ns=4 serial_tid=11 busiest_thread=1 "
	 "busiest_ns=2 mean_ns=2 extra=10:11"},
	/* likewise the main thread, but not that of a process that it forked */
	{2, "10p 10t 20e 2B 100n, 10p 11t 20e 8B, 10p 12t 20e 8B",
	 "extras=1 extra_ns=2 extra_tid=10 extra_is_main=1 busiest_thread=1 busiest_ns=8 mean_ns=8 "
	 "extra=10:10"},
	{2, "10p 10t 20e 8B, 10p 11t 20e 8B, 20p 20t 1s 20e 2B 100n",
	 "extras=1 extra_ns=2 extra_thread=2 extra_tid=20 extra_is_apart=1 busiest_ns=8 mean_ns=8 "
	 "extra=20:20"},
	{2, "11t 20e 8B, 12t 4s 20e 2B",
	 "serial_ns=6 serial_first_ns=4 serial_tid=11 busiest_ns=2 mean_ns=2"},
	/* for half of its life, and so for half of these 5, it had no CPU */
	{2, "11t 20e 6B 10P, 12t 5s 20e 2B",
	 "serial_ns=4 serial_first_ns=2.5 serial_tid=11 busiest_ns=2 mean_ns=2 unserved_ns=10"},
	/* it is there 4 before another, which computes as much; or as long, but for a wait of 3,
	 * outside BLAS or inside */
	{2, "11t 20e 8B, 12t 4s 20e 8B",
	 "serial_ns=4 serial_first_ns=4 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=6 "
	 "uneven_ns=4"},
	{2, "11t 20e 8B 3O, 12t 4s 20e 8B",
	 "serial_ns=1 serial_first_ns=1 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=7.5 "
	 "uneven_ns=1"},
	{2, "11t 20e 11B 3b, 12t 4s 20e 8B",
	 "serial_ns=1 serial_first_ns=1 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=7.5 "
	 "uneven_ns=1"},
	/* of 8 it waited 7 for other threads outside BLAS, so none while it was alone; in BLAS, a
	 * thread of the library may end the wait */
	{2, "11t 20e 8B 8O, 12t 4s 20e 8B",
	 "serial_ns=3 serial_first_ns=3 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=6.5 "
	 "uneven_ns=3",
	 .waits = {{"condition", "", 11, 4}, {"barrier", "", 11, 2}, {"join", "", 11, 1}}},
	{2, "11t 20e 8B 3O, 12t 4s 20e 8B",
	 "serial_ns=2 serial_first_ns=2 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=7 "
	 "uneven_ns=2",
	 .waits = {{"futex", "", 11, 1}, {"futex", "", 11, 1, 1}, {"sleep", "", 11, 1}}},
	/* it waited longer for a lock than its own times say; it computed 3 in all */
	{2, "11t 20e 3B 1O, 12t 4s 20e 8B",
	 "serial_ns=3 serial_first_ns=3 serial_tid=11 busiest_thread=1 busiest_ns=8 mean_ns=4 "
	 "uneven_ns=6",
	 .waits = {{"mutex", "", 11, 2}}},
	/* all that it computes is serial; of its time on a CPU it spins for a sixth */
	{2, "11t 20e 5B 12P 1S 12n 12f", "serial_ns=5 serial_tid=11 unserved_ns=10"},
	/* two work 4 beyond the mean of the others, and as long alone: the first of them does */
	{3, "11t 20e 10B 100n 40f, 12t 20e 10B 100n 40f, 13t 20e 2B",
	 "serial_ns=4 serial_tid=11 busiest_thread=1 busiest_ns=10 mean_ns=6 uneven_ns=12"},
	/* nothing is computed, and one lacked a CPU */
	{2, "11t 20e 5P, 12t 20e", "unserved_ns=5"},
	/* with one thread all parts are its own */
	{1, "11t 20e 8B 100n 100f", "busiest_ns=8 mean_ns=8"},
	/* BLAS alone is parallel */
	{2, "11t 20e 8B", "known=0", .parallel = PARALLEL_INNER},
	/* two are started together, twice, beside one that is there all the time */
	{2, "11t 100e 40B, 12t 1s 40e 30B, 13t 1s 50e 30B, 14t 50s 100e 30B, 15t 51s 90e 30B",
	 "follow=1 serial_ns=1 serial_tid=11 uneven_ns=21"},
	/* the same, and that one works beside the others as one of three; it had 1 to itself */
	{3, "10t 100e 40B, 12t 1s 40e 30B, 13t 1s 50e 30B, 14t 50s 100e 30B, 15t 51s 90e 30B",
	 "follow=1 serial_ns=1 serial_is_main=1 serial_tid=10 uneven_ns=81"},
	/* one is started twice, for a half of the time; the first works all the time */
	{2, "10t 100e 90B, 11t 10s 30e 20B, 12t 50s 80e 30B",
	 "follow=1 serial_ns=50 serial_is_main=1 serial_tid=10 uneven_ns=10"},
	/* the same, and it works in functions that the others run, too, so its part is larger; but
	 * not if half of what it does alone is in functions of its own, or it waits for the others,
	 * or there are few samples */
	{2, "10t 100e 90B 20n, 11t 10s 30e 20B, 12t 50s 80e 30B", "follow=1 uneven_ns=60"},
	{2, "10t 100e 90B 19n, 11t 10s 30e 20B, 12t 50s 80e 30B",
	 "follow=1 serial_ns=50 serial_is_main=1 serial_tid=10 uneven_ns=10"},
	{2, "10t 100e 90B 36n 13f, 11t 10s 30e 20B, 12t 50s 80e 30B",
	 "follow=1 serial_ns=50 serial_is_main=1 serial_tid=10 uneven_ns=10"},
	{2, "10t 100e 75B 20n, 11t 10s 30e 20B, 12t 50s 80e 30B",
	 "follow=1 serial_ns=50 serial_is_main=1 serial_tid=10 uneven_ns=25"},
	/* each is started when the one before has ended */
	{3, "11t 40e 30B, 12t 40s 80e 30B, 13t 80s 90e 5B", "follow=1 serial_ns=90"},
	/* none is; the first two end before the others start */
	{2, "11t 50e 30B, 12t 1s 40e 30B, 13t 50s 100e 30B, 14t 60s 99e 30B",
	 "follow=1 uneven_ns=22"},
	/* the first is done 20 before it ends, without a CPU, when two others have started; or it
	 * has no CPU for all its time */
	{2, "11t 60e 40B 20P, 12t 1s 30e 29B, 13t 55s 100e 45B, 14t 56s 90e 34B",
	 "follow=1 unserved_ns=20 uneven_ns=22"},
	{2, "11t 60e 40B 90P, 12t 70s 90e 20B, 13t 71s 91e 20B",
	 "follow=1 unserved_ns=60 uneven_ns=2"},
	/* three at once are more than two */
	{2, "11t 50e 30B, 12t 1s 40e 30B, 13t 2s 51e 30B, 14t 60s 90e 30B, 15t 61s 99e 30B",
	 "known=0"},
	/* each is started when another has ended; the last are alive for 69, together for 19. The
	 * first two were alone. */
	{2, "8t 10e 10B, 9t 10s 20e 9B, 11t 20s 60e 30B, 12t 20s 40e 15B, 13t 41s 110e 60B",
	 "follow=1 uneven_ns=50"},
	{3, "11t 40e 30B, 12t 20e 15B, 13t 30e 20B, 14t 21s 90e 60B", "follow=1 uneven_ns=110"},
	{2, "8t 10e 6B 4P, 9t 1s 10e 9B, 11t 20s 60e 30B, 12t 20s 40e 15B, 13t 41s 110e 60B",
	 "follow=1 uneven_ns=50"},
	/* a third that computes next to nothing does not count */
	{2,
	 "8t 10e 10B, 9t 10s 20e 9B, 11t 20s 60e 30B, 12t 20s 40e 15B, 13t 41s 110e 60B, 14t 50s "
	 "55e 2B",
	 "follow=1 participants=5 uneven_ns=50"},
	/* but one is there all the time */
	{3, "11t 100e 30B, 12t 40e 30B, 13t 1s 20e 15B, 14t 21s 60e 30B, 15t 41s 80e 30B",
	 "known=0"},
	/* the others wait for locks, without which they would lack 2; or the busiest one does. A
	 * read is no lock, nor is what BLAS waits for. */
	{3, "11t 20e 10B, 12t 20e 4B, 13t 20e 4B", "busiest_ns=10 mean_ns=6 uneven_ns=2",
	 .waits = {{"file lock", "", 12, 5}, {"gil", "", 13, 5}, {"I/O", "read", 13, 1}}},
	{3, "11t 20e 10B, 12t 20e 4B, 13t 20e 4B",
	 "busiest_ns=10 mean_ns=6 locked_ns=10 uneven_ns=12",
	 .waits = {{"mutex", "", 11, 2}, {"rwlock", "", 11, 3}, {"mutex", "", 12, 1, 1}}},
	/* one that takes no part waits for locks, for more than a twentieth of what the others
	 * compute on average, or not; or no more are wanted */
	{3, "11t 200e 100B, 12t 200e 100B",
	 "busiest_ns=100 mean_ns=66.6667 locked_ns=6 uneven_ns=94", .waits = {{"mutex", "", 0, 6}}},
	{3, "11t 200e 100B, 12t 200e 100B", "busiest_ns=100 mean_ns=66.6667 uneven_ns=100",
	 .waits = {{"mutex", "", 0, 5}}},
	{2, "11t 200e 100B, 12t 200e 100B", "busiest_ns=100 mean_ns=100",
	 .waits = {{"mutex", "", 0, 6}}},
	/* 14 of 40 samples spin: of 20, 7 do, with a standard error of 2.13, so 1.78 is by chance;
	 * the busiest seems to compute 3 beyond the mean, or 1 */
	{2, "11t 20e 16B 16n 4w, 12t 20e 10B 10n 10w",
	 "busiest_ns=15.4179 mean_ns=13 uneven_ns=4.83578"},
	{2, "11t 20e 12B 12n 8w, 12t 20e 10B 10n 10w", "busiest_ns=11 mean_ns=11"},
	/* one after the other are one thread; beside BLAS's own threads it is not known */
	{1, "11t 50e 30B, 12t 50s 90e 30B", "known=0"},
	{2, "11t 50e 30B, 12t 50s 90e 30B", "known=0", .parallel = PARALLEL_BOTH},
};

static void print_figure(FILE *out, const char *name, double value)
{
	if (value != 0)
		fprintf(out, " %s=%.6g", name, value);
}

#define PRINT(member) print_figure(out, #member, (double)spread->member)

static void print_spread(const struct spread *spread, size_t members, FILE *out)
{
	if (!spread->known)
		fputs(" known=0", out);
	PRINT(follow);
	if (spread->participants != (int)members)
		fprintf(out, " participants=%d", spread->participants);
	PRINT(are_processes);
	PRINT(extras);
	PRINT(extra_ns);
	PRINT(extra_thread);
	PRINT(extra_tid);
	PRINT(extra_is_main);
	PRINT(extra_is_apart);
	PRINT(serial_ns);
	PRINT(serial_thread);
	PRINT(serial_first_ns);
	PRINT(serial_is_main);
	PRINT(serial_tid);
	PRINT(busiest_thread);
	PRINT(busiest_ns);
	PRINT(busiest_own_tid);
	PRINT(mean_ns);
	PRINT(unserved_ns);
	PRINT(locked_ns);
	if (spread->known)
		PRINT(uneven_ns);
	for (int i = 0; i < SPREAD_EXTRA; i++)
		if (spread->extra[i].pid || spread->extra[i].tid)
			fprintf(out, " extra=%d:%d", (int)spread->extra[i].pid,
				(int)spread->extra[i].tid);
}

static void add_function(struct run *run, int tid, int code, int samples)
{
	struct run_function *function = &run->functions[run->nfunctions++];

	snprintf(function->thread, sizeof function->thread, "%d", tid);
	function->code = (enum run_code)code;
	function->location.object = (char *)"program";
	function->samples = (uint64_t)samples;
}

TEST_EACH(test_spread, COUNT(rows))
{
	struct run_thread threads[MEMBERS + 2] = {0};
	struct run_function functions[MEMBERS] = {0};
	struct run_wait waits[3] = {0};
	struct thread_time times[MEMBERS + 2] = {0};
	enum thread_role roles[MEMBERS + 2] = {0};
	struct account account = {.threads = rows[_i].threads, .parallel = rows[_i].parallel};
	struct run run = {.threads = threads, .functions = functions, .waits = waits};
	struct member members[MEMBERS];
	size_t count = read_members(rows[_i].members, members);
	struct spread got;
	char *text;
	size_t size;
	FILE *out;

	EACH_ROW(member, members, count) {
		size_t i = run.nthreads;

		threads[i].pid = member->pid;
		threads[i].tid = member->tid;
		threads[i].start_ns = times[i].start_ns = LATER + member->start;
		threads[i].end_ns = times[i].end_ns = LATER + member->end;
		times[i].times.ns[CAT_BLAS] = member->blas;
		times[i].times.ns[CAT_OTHER] = member->other;
		times[i].times.ns[CAT_NO_CPU] = member->no_cpu;
		times[i].times.ns[CAT_SPIN] = member->spun;
		times[i].times.ns[CAT_WAITING] = member->waiting;
		times[i].times.blas_waiting_ns = member->stalled;
		times[i].samples_blas = times[i].samples_other = (uint64_t)member->samples / 2;
		threads[i].samples_alone = (uint64_t)member->outside;
		threads[i].samples_spin = (uint64_t)member->spins;
		roles[i] = ROLE_PARTICIPANT;
		if (member->own)
			add_function(&run, (int)member->tid, OTHER, (int)member->own);
		run.nthreads++;
	}
	/* a thread that takes no part */
	times[run.nthreads] = (struct thread_time){.end_ns = 1000, .times.ns = {900}};
	strcpy(threads[run.nthreads].name, "idle");
	threads[run.nthreads++].end_ns = 1000;
	for (int i = 0; i < COUNT(rows[_i].functions) && rows[_i].functions[i].tid; i++)
		add_function(&run, rows[_i].functions[i].tid, rows[_i].functions[i].code,
			     rows[_i].functions[i].samples);
	for (; run.nwaits < 3 && rows[_i].waits[run.nwaits].kind; run.nwaits++) {
		struct run_wait *wait = &waits[run.nwaits];

		snprintf(wait->kind, sizeof wait->kind, "%s", rows[_i].waits[run.nwaits].kind);
		wait->function = (char *)rows[_i].waits[run.nwaits].function;
		wait->tid = rows[_i].waits[run.nwaits].tid;
		wait->pid = wait->tid ? PID : 0;
		wait->total_ns = rows[_i].waits[run.nwaits].ns;
		wait->in_blas = rows[_i].waits[run.nwaits].in_blas;
	}
	/* what comes after the last one is not looked at */
	times[run.nthreads] = times[run.nthreads - 1];
	roles[run.nthreads] = run.nwaits ? ROLE_IDLE : ROLE_PARTICIPANT;
	got = spread_find(&run, times, roles, &account);
	out = open_memstream(&text, &size);
	print_spread(&got, count, out);
	fclose(out);
	ck_assert_str_eq(text + (*text == ' '), rows[_i].wanted);
	free(text);
}
