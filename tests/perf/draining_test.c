/* draining_test.c: when the rings are read (as they fill, or by the clock while threads end fast),
 * and how large they are. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/sampling/launcher.h"
#include "tests/unit.h"

enum { MOST_ROUNDS = 20000, THREADS = 3000, END_BYTES_A_MS = 256 << 10 };

/* Linked with --wrap=poll,mmap,geteuid: the profiler's calls come here. */
int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
void *__real_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset);
uid_t __wrap_geteuid(void);

/* A round of the draining thread. */
struct round {
	int by_clock; /* 1 if it polls no ring */
	int timeout_ms;
	int64_t start_ns; /* CLOCK_MONOTONIC */
};

static struct round rounds[MOST_ROUNDS];
static size_t nrounds;
static size_t ring_bytes; /* size of the ring mapped last, with its first page */
static size_t most_bytes; /* larger rings are refused; 0 for no limit */
static uid_t user;

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ck_assert_uint_lt(nrounds, MOST_ROUNDS);
	rounds[nrounds++] = (struct round){count == 1, timeout_ms,
					   (int64_t)now.tv_sec * 1000000000 + now.tv_nsec};
	return __real_poll(fds, count, timeout_ms);
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	if (!(protection & PROT_WRITE) || fd < 0)
		return __real_mmap(address, length, protection, flags, fd, offset);
	if (most_bytes && length > most_bytes) {
		errno = EPERM;
		return MAP_FAILED;
	}
	ring_bytes = length;
	return __real_mmap(address, length, protection, flags, fd, offset);
}

uid_t __wrap_geteuid(void)
{
	return user;
}

/* Returns the number of rounds of one kind that began before the mark of the program. */
static size_t rounds_before_mark(const struct launch *launch, int by_clock)
{
	int64_t mark_ns = launch_truth(launch, "mark");
	size_t count = 0;

	for (size_t i = 0; i < nrounds; i++)
		count += rounds[i].start_ns < mark_ns && rounds[i].by_clock == by_clock;
	return count;
}

REQUIRE((user = getuid(), launch_possible()))

/* Without ends of threads, the draining thread waits until a ring is half full, for ever longer
 * times. */
TEST(program_without_ends_of_threads)
{
	struct launch l;

	launch(&l, BURN, LIBBURN, "burn_exe:1500 mark", 100, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_eq(rounds_before_mark(&l, 1), 0);
	ck_assert_uint_ge(rounds_before_mark(&l, 0), 1);
	ck_assert_int_gt(rounds[nrounds - 1].timeout_ms, rounds[0].timeout_ms);
	launch_free(&l);
}

static size_t count_tasks(const struct launch *launch, uint32_t pid)
{
	const struct timeline *timeline = &launch->sampler->timeline;
	size_t count = 0;

	for (size_t i = 0; i < timeline->ntasks; i++)
		count += timeline->tasks[i].pid == pid;
	return count;
}

/* Returns 1 if each round by the clock came before a ring can be full; on a busy machine it may
 * come later. */
static int were_in_time(void)
{
	for (size_t i = 0; i + 1 < nrounds; i++) {
		int64_t ms = (rounds[i + 1].start_ns - rounds[i].start_ns + 999999) / 1000000;

		if (rounds[i].by_clock && (size_t)ms * END_BYTES_A_MS > ring_bytes)
			return 0;
	}
	return 1;
}

/* The end of each thread wakes a poll. Then the rings are read by the clock, before they can be
 * full, and as they fill again after the last end. */
TEST_EACH(threads_that_end_fast, 2)
{
	struct launch l;

	user = _i ? 65534 : 0;
	launch(&l, BURN, LIBBURN, "threads:3000 mark burn_exe:900", 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_gt(rounds_before_mark(&l, 1), rounds_before_mark(&l, 0));
	for (size_t i = 0; i < nrounds; i++)
		if (rounds[i].by_clock && rounds[i].timeout_ms != 1)
			ck_assert_uint_le((size_t)rounds[i].timeout_ms * END_BYTES_A_MS,
					  ring_bytes);
	ck_assert_int_eq(rounds[nrounds - 1].by_clock, 0);
	if (were_in_time())
		ck_assert_uint_eq(l.run.samples_lost, 0);
	if (!l.run.samples_lost)
		ck_assert_uint_eq(count_tasks(&l, (uint32_t)l.truth[0].pid), THREADS + 1);
	launch_free(&l);
}

/* Returns the size of a ring, without its first page, for this user. */
static size_t map_for(uid_t euid, size_t most)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct launch l;

	user = euid;
	most_bytes = most;
	launch(&l, BURN, LIBBURN, "burn_exe:50", 1000, NULL);
	launch_collect(&l, 0, 0, NULL);
	ck_assert_uint_ge(l.run.samples, 20);
	for (size_t i = 0; i < l.run.nnotes; i++)
		ck_assert_str_ne(l.run.notes[i].code, "rings_shrunk");
	launch_free(&l);
	return ring_bytes - page_bytes;
}

/* Rings of root are larger if the kernel allows it; otherwise they are as those of other users,
 * without a note. */
TEST(rings_of_root)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), plain = map_for(65534, 0);

	if (!getuid())
		ck_assert_uint_ge(map_for(0, 0), 2 * plain);
	ck_assert_uint_eq(map_for(0, plain + page_bytes), plain);
}
