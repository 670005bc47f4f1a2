/* timeline_test.c: replays artificial perf records: order, address spaces, tasks, bounded log. */
/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "sampling/timeline.h"
#include "tests/unit.h"

#define SAMPLER_ID    7 /* event id of the sampling event */

#define OUT	      PERF_RECORD_MISC_SWITCH_OUT
#define OUT_PREEMPTED (OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)

static struct timeline timeline;
static struct merge merge;

/* Appends a record of these words to the buffer of the merge. */
static void put_words(uint32_t type, uint16_t misc, const uint64_t *words, size_t count)
{
	struct perf_event_header header = {type, misc, (uint16_t)(8 + 8 * count)};

	ring_buffer_add(&merge.waiting, &header, sizeof header);
	ring_buffer_add(&merge.waiting, words, 8 * count);
}
#define PUT(type, misc, ...)                                                                       \
	do {                                                                                       \
		const uint64_t words_[] = {__VA_ARGS__};                                           \
		put_words(type, misc, words_, sizeof words_ / 8);                                  \
	} while (0)
#define PAIR(low, high)	     ((uint64_t)(high) << 32 | (low))
/* The end of every record but samples. */
#define TAIL(pid, tid, time) PAIR(pid, tid), time, 0, SAMPLER_ID

/* Adds a sample of the event with this id, with a period if the event is counted. */
static void put_sample_of(uint64_t id, uint64_t period, uint32_t pid, uint32_t tid, uint64_t time,
			  uint64_t ip)
{
	if (period)
		PUT(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, id, ip, PAIR(pid, tid), time, 0,
		    period);
	else
		PUT(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, id, ip, PAIR(pid, tid), time, 0);
}

static void put_sample(uint32_t pid, uint32_t tid, uint64_t time, uint64_t ip)
{
	put_sample_of(SAMPLER_ID, 0, pid, tid, time, ip);
}

static void put_switch(uint32_t pid, uint32_t tid, uint64_t time, uint16_t misc)
{
	PUT(PERF_RECORD_SWITCH, misc, TAIL(pid, tid, time));
}

/* The path has up to 15 characters. */
static void put_mmap(uint32_t pid, uint64_t time, uint64_t address, uint64_t length,
		     const char *path)
{
	uint64_t text[2] = {0};

	memcpy(text, path, strlen(path));
	/* offset, device, inode, generation, protection and flags are 0 */
	PUT(PERF_RECORD_MMAP2, 0, PAIR(pid, pid), address, length, 0, 0, 0, 0, 0, text[0], text[1],
	    TAIL(pid, pid, time));
}

static void put_comm(uint32_t pid, uint32_t tid, uint64_t time, uint16_t misc, const char *name)
{
	uint64_t text[2] = {0};

	memcpy(text, name, strlen(name));
	PUT(PERF_RECORD_COMM, misc, PAIR(pid, tid), text[0], text[1], TAIL(pid, tid, time));
}

static void put_task(uint32_t type, uint32_t pid, uint32_t tid, uint32_t parent, uint64_t time)
{
	PUT(type, 0, PAIR(pid, parent), PAIR(tid, parent), time, TAIL(pid, tid, time));
}

static void put_lost(uint64_t time)
{
	PUT(PERF_RECORD_LOST, 0, 1, 77, TAIL(10, 10, time));
}

static void setup(void)
{
	timeline_init(&timeline, 10, 1);
	memset(&merge, 0, sizeof merge);
}

static void teardown(void)
{
	merge_free(&merge);
	timeline_free(&timeline);
}

static void feed_all(void)
{
	merge_feed(&merge, &timeline, INT64_MAX);
}

/* Returns the path of the object of the n-th log entry. */
static const char *entry_path(size_t n)
{
	uint64_t key = timeline.addresses.keys[timeline.log.entries[n].address];

	ck_assert_uint_lt(n, timeline.log.count);
	return timeline.addresses.objects[address_object(key)].path;
}

/* Checks that the n-th log entry is a time off the CPU of this length. */
static void expect_off_cpu(size_t n, uint32_t address, uint64_t ns)
{
	ck_assert_uint_lt(n, timeline.log.count);
	ck_assert_uint_eq(timeline.log.entries[n].address, address);
	ck_assert_uint_eq(timeline.log.entries[n].count, ns);
}

FIXTURE(setup, teardown)

/* The mapping comes last in the buffer, as if from the ring of another CPU, but is first in time.
 */
TEST(rings_are_merged_by_time)
{
	put_sample(10, 10, 300, 0x1010);
	put_sample(10, 10, 100, 0x1020);
	put_mmap(10, 200, 0x1000, 0x1000, "/lib/a.so");
	merge_feed(&merge, &timeline, 250);
	ck_assert_uint_eq(timeline.log.count, 1);
	feed_all();
	ck_assert_uint_eq(timeline.log.count, 2);
	ck_assert_str_eq(entry_path(0), "[unknown]");
	ck_assert_str_eq(entry_path(1), "/lib/a.so");
	ck_assert_uint_eq(address_offset(timeline.addresses.keys[timeline.log.entries[1].address]),
			  0x10);
}

/* Records wait for as many rounds as necessary, and each is fed once. */
TEST(rounds_are_merged_by_time)
{
	static const uint64_t times[][2] = {{500, 100}, {300, 700}, {250, 900}};
	static const int64_t horizons[] = {50, 200, 400, 600};
	static const size_t fed[] = {0, 1, 3, 4};
	static const int64_t order[] = {100, 250, 300, 500, 700, 900};

	for (size_t round = 0; round < 4; round++) {
		for (size_t i = 0; i < 2 && round < 3; i++)
			put_sample(10, 10, times[round][i], 0x1010);
		merge_feed(&merge, &timeline, horizons[round]);
		ck_assert_uint_eq(timeline.log.count, fed[round]);
	}
	feed_all();
	feed_all();
	ck_assert_uint_eq(timeline.log.count, 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_eq(timeline.log.entries[i].time_ns, order[i]);
}

TEST(forks_copy_and_execs_clear)
{
	put_mmap(10, 10, 0x1000, 0x1000, "/lib/a.so");
	put_task(PERF_RECORD_FORK, 20, 20, 10, 20);
	put_sample(20, 20, 30, 0x1010);
	put_mmap(20, 40, 0x1000, 0x1000, "/lib/b.so");
	put_sample(20, 20, 50, 0x1010);
	put_sample(10, 10, 60, 0x1010);
	put_comm(10, 10, 70, PERF_RECORD_MISC_COMM_EXEC, "new");
	put_sample(10, 10, 80, 0x1010);
	feed_all();
	ck_assert_str_eq(entry_path(0), "/lib/a.so");
	ck_assert_str_eq(entry_path(1), "/lib/b.so");
	ck_assert_str_eq(entry_path(2), "/lib/a.so");
	ck_assert_str_eq(entry_path(3), "[unknown]");
	ck_assert_str_eq(timeline.tasks[0].name, "new");
}

/* Thread 11 calls exec and becomes thread 10; the old threads 10 and 12 end. */
TEST(exec_by_another_thread)
{
	put_task(PERF_RECORD_FORK, 10, 11, 10, 10);
	put_task(PERF_RECORD_FORK, 10, 12, 10, 20);
	put_task(PERF_RECORD_EXIT, 10, 12, 10, 30);
	put_task(PERF_RECORD_EXIT, 10, 10, 10, 40);
	put_comm(10, 10, 50, PERF_RECORD_MISC_COMM_EXEC, "new");
	put_mmap(10, 60, 0x1000, 0x1000, "/lib/a.so");
	put_sample(10, 10, 70, 0x1010);
	feed_all();
	timeline_end(&timeline, 100);
	ck_assert_uint_eq(timeline.ntasks, 4);
	ck_assert_int_eq(timeline.tasks[0].end_ns, 40);
	ck_assert_int_eq(timeline.tasks[1].end_ns, 50);
	ck_assert_int_eq(timeline.tasks[2].end_ns, 30);
	ck_assert_int_eq(timeline.tasks[3].end_ns, 100);
	ck_assert_str_eq(entry_path(timeline.log.count - 1), "/lib/a.so");
}

TEST(numbers_are_used_again)
{
	put_task(PERF_RECORD_FORK, 10, 11, 10, 10);
	put_sample(10, 11, 15, 0x1010);
	put_task(PERF_RECORD_EXIT, 10, 11, 10, 20);
	put_task(PERF_RECORD_FORK, 10, 11, 10, 30);
	put_sample(10, 11, 35, 0x1010);
	feed_all();
	ck_assert_uint_eq(timeline.ntasks, 3);
	ck_assert_int_eq(timeline.tasks[1].end_ns, 20);
	ck_assert_int_eq(timeline.tasks[2].start_ns, 30);
	ck_assert_uint_eq(timeline.log.entries[timeline.log.count - 1].task, 2);
}

/* 300 threads are many for 2 CPUs, and a pool for 100 CPUs; threads that start slowly do not count.
 */
static const struct {
	uint32_t count;
	uint64_t pace_ns;
	int cpus, is_too_fast;
} starts[] = {{250, 100000, 2, 0}, {300, 100000, 2, 1}, {300, 100000, 100, 0}, {300, 300000, 2, 0}};

TEST_EACH(threads_started_too_fast, COUNT(starts))
{
	for (uint32_t i = 1; i <= starts[_i].count; i++)
		put_task(PERF_RECORD_FORK, 10, 10 + i, 10, 10 + i * starts[_i].pace_ns);
	feed_all();
	ck_assert_int_eq(timeline_starts_too_fast(&timeline, starts[_i].cpus),
			 starts[_i].is_too_fast);
}

TEST(switches_become_time_off_the_cpu)
{
	put_switch(10, 10, 100, OUT);
	put_switch(10, 10, 150, 0);
	put_switch(10, 10, 200, OUT_PREEMPTED);
	put_switch(10, 10, 230, 0);
	put_switch(10, 10, 300, OUT);
	feed_all();
	timeline_end(&timeline, 310);
	ck_assert_uint_eq(timeline.log.count, 3);
	expect_off_cpu(0, LOG_WAITING, 50);
	expect_off_cpu(1, LOG_PREEMPTED, 30);
	ck_assert_uint_eq(timeline.log.entries[2].count, 10);
}

/* Two threads run on one CPU, then on two, one of which another program uses: only on one CPU do
 * they wait for each other. A third thread, which sleeps, does not matter. */
TEST(threads_wait_for_each_other)
{
	timeline.runnable.cpus = 1;
	put_task(PERF_RECORD_FORK, 10, 11, 10, 10);
	put_task(PERF_RECORD_FORK, 10, 12, 10, 10);
	put_switch(10, 12, 20, 0);
	put_switch(10, 12, 30, OUT);
	put_switch(10, 10, 100, OUT_PREEMPTED);
	put_switch(10, 11, 100, 0);
	put_switch(10, 11, 200, OUT_PREEMPTED);
	put_switch(10, 10, 200, 0);
	feed_all();
	ck_assert_uint_eq(timeline.log.count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_float_eq_tol(timeline.log.entries[i].own, 1, 1e-6f);
	timeline.runnable.cpus = 2;
	put_switch(10, 11, 300, 0);
	put_switch(10, 11, 400, OUT_PREEMPTED);
	put_switch(10, 11, 500, 0);
	feed_all();
	expect_off_cpu(3, LOG_PREEMPTED, 100);
	ck_assert_float_eq_tol(timeline.log.entries[3].own, 0, 1e-6f);
	expect_off_cpu(4, LOG_PREEMPTED, 100);
	ck_assert_float_eq_tol(timeline.log.entries[4].own, 0, 1e-6f);
}

/* Both may run only on CPU 3 of four. */
TEST(pinned_threads_wait_for_each_other)
{
	timeline.runnable.cpus = 4;
	timeline_pin(&timeline, &timeline.tasks[0], 3);
	put_task(PERF_RECORD_FORK, 10, 11, 10, 10); /* inherits the binding */
	put_switch(10, 11, 110, 0);
	feed_all();
	expect_off_cpu(0, LOG_PREEMPTED, 100);
	ck_assert_float_eq_tol(timeline.log.entries[0].own, 1, 1e-6f);
	timeline_pin(&timeline, &timeline.tasks[1], -1);
	put_switch(10, 11, 200, OUT_PREEMPTED);
	put_switch(10, 11, 300, 0);
	feed_all();
	ck_assert_float_eq_tol(timeline.log.entries[1].own, 0, 1e-6f);
}

/* A thread is active while it runs or is ready to, also if it is not switched for long. One that
 * sleeps is not, nor one of which nothing is known. */
TEST(active_threads)
{
	put_task(PERF_RECORD_FORK, 10, 11, 10, 10);
	feed_all();
	ck_assert(task_was_active(&timeline.tasks[1]));
	ck_assert(!task_was_active(&timeline.tasks[1]));
	put_switch(10, 11, 100, OUT_PREEMPTED);
	put_switch(10, 11, 200, 0);
	feed_all();
	ck_assert(task_was_active(&timeline.tasks[1]));
	ck_assert(task_was_active(&timeline.tasks[1]));
	put_switch(10, 11, 300, OUT_PREEMPTED);
	feed_all();
	ck_assert(task_was_active(&timeline.tasks[1]));
	put_switch(10, 11, 400, 0);
	put_switch(10, 11, 500, OUT);
	feed_all();
	ck_assert(task_was_active(&timeline.tasks[1]));
	ck_assert(!task_was_active(&timeline.tasks[1]));
}

/* Samples of counted events go to their own logs, by object, and do not count as samples of the
 * program. */
TEST(counted_events_have_their_own_logs)
{
	const struct log_entry *entry;

	idmap_put(&timeline.counted_ids, 8, 1);
	idmap_put(&timeline.counted_ids, 9, 1);
	put_mmap(10, 5, 0x1000, 0x1000, "/lib/a.so");
	put_sample_of(8, 500, 10, 10, 10, 0x1010);
	put_sample(10, 10, 20, 0x1010);
	put_sample_of(9, 700, 10, 10, 30, 0x1020);
	feed_all();
	ck_assert_uint_eq(timeline.ncounted, 2);
	ck_assert_uint_eq(timeline.log.count, 1);
	ck_assert_uint_eq(timeline.log.entries[0].count, 1);
	ck_assert_uint_eq(timeline.counted_logs[0].count, 0);
	ck_assert_uint_eq(timeline.counted_logs[1].count, 2);
	entry = timeline.counted_logs[1].entries;
	ck_assert_uint_eq(entry[0].count, 500);
	ck_assert_uint_eq(entry[1].count, 700);
	ck_assert_uint_eq(entry[0].address, entry[1].address);
	ck_assert_str_eq(timeline.addresses
				 .objects[address_object(timeline.addresses.keys[entry[0].address])]
				 .path,
			 "/lib/a.so");
}

/* A sample of a task that is off the CPU shows that its switch in was among the records lost
 * before. */
TEST(lost_switches)
{
	put_switch(10, 10, 100, OUT);
	put_lost(150);
	put_sample(10, 10, 200, 0x1010);
	put_switch(10, 10, 300, OUT);
	put_sample(10, 10, 301, 0x1010);
	put_switch(10, 10, 400, 0);
	feed_all();
	ck_assert_uint_eq(timeline.log.count, 4);
	expect_off_cpu(0, LOG_WAITING, 50);
	expect_off_cpu(3, LOG_WAITING, 100);
}

TEST(lost_and_throttled)
{
	put_lost(5);
	PUT(PERF_RECORD_THROTTLE, 0, 0, 0, 0, TAIL(10, 10, 6));
	feed_all();
	ck_assert_uint_eq(timeline.lost_records, 77);
	ck_assert_uint_eq(timeline.throttled, 1);
}

/* Compares with an array that has the object of each address. */
TEST(mappings_against_brute_force)
{
	enum { ADDRESSES = 64 };
	uint32_t truth[ADDRESSES];
	uint64_t from[ADDRESSES] = {0};
	struct address_space *space = address_space_copy(NULL);
	uint32_t seed = 1;

	memset(truth, 0xff, sizeof truth);
	for (uint32_t object = 0; object < 500; object++) {
		struct mapping map = {.object = object, .offset = 1000};

		seed = seed * 1664525 + 1013904223;
		map.start = seed >> 26;
		map.end = map.start + 1 + (seed >> 8) % 20;
		map.end = map.end < ADDRESSES ? map.end : ADDRESSES;
		address_space_map(space, &map);
		for (uint64_t at = map.start; at < map.end; at++) {
			truth[at] = object;
			from[at] = map.start;
		}
		for (uint64_t at = 0; at < ADDRESSES; at++) {
			const struct mapping *found = address_space_find(space, at);

			ck_assert_uint_eq(found ? found->object : UINT32_MAX, truth[at]);
			if (found)
				ck_assert_uint_eq(at - found->start + found->offset,
						  at - from[at] + 1000);
		}
	}
	address_space_free(space);
}

/* Adds a record of the event that tells where threads leave the CPU. */
static void put_wait(uint32_t pid, uint32_t tid, uint64_t time, uint64_t ip)
{
	PUT(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 77, ip, PAIR(pid, tid), time, 0, 2,
	    (uint64_t)PERF_CONTEXT_USER, ip);
}

/* A wait has the stack of the record before it, unless the thread was preempted. */
TEST(waits_have_stacks)
{
	const struct log_entry *entries;

	timeline.wait_sample_type = TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN;
	idmap_put(&timeline.wait_ids, 77, 0);
	put_mmap(10, 50, 0x1000, 0x1000, "/a");
	put_wait(10, 10, 99, 0x1010);
	put_switch(10, 10, 100, OUT);
	put_switch(10, 10, 150, 0);
	put_wait(10, 10, 199, 0x1020);
	put_switch(10, 10, 200, OUT_PREEMPTED);
	put_switch(10, 10, 210, 0);
	put_switch(10, 10, 300, OUT); /* the record of its stack was lost */
	put_switch(10, 10, 330, 0);
	feed_all();
	ck_assert_uint_eq(timeline.log.count, 3);
	entries = timeline.log.entries;
	expect_off_cpu(0, LOG_WAITING, 50);
	ck_assert_uint_lt(entries[0].stack, timeline.stacks.count);
	ck_assert_uint_eq(
		address_offset(
			timeline.addresses.keys[timeline.stacks.nodes[entries[0].stack].address]),
		0x10);
	expect_off_cpu(1, LOG_PREEMPTED, 10);
	ck_assert_uint_eq(entries[1].stack, STACK_NONE);
	expect_off_cpu(2, LOG_WAITING, 30);
	ck_assert_uint_eq(entries[2].stack, STACK_NONE);
}

/* The log stays within its bound and loses no count. */
TEST(log_is_bounded)
{
	enum { ENTRIES = 200000, BOUND = 1000 };
	struct sample_log log = {.max = BOUND};
	struct address_table addresses;
	uint64_t samples = 0, waiting_ns = 0;

	address_table_init(&addresses);
	for (int i = 0; i < ENTRIES; i++) {
		uint32_t place =
			address_table_number(&addresses, 2 + i % 3, (uint64_t)i * 7919 % 5000);
		struct log_entry entry = {.time_ns = i * INT64_C(100000),
					  .task = i % 4,
					  .address = place,
					  .stack = STACK_NONE,
					  .count = 1};

		if (i % 5 == 0)
			entry.address = LOG_WAITING;
		sample_log_add(&log, &addresses, &entry);
		ck_assert_uint_le(log.count, BOUND);
	}
	for (size_t i = 0; i < log.count; i++)
		*(log.entries[i].address == LOG_WAITING ? &waiting_ns : &samples) +=
			log.entries[i].count;
	ck_assert_uint_eq(samples, ENTRIES / 5 * 4);
	ck_assert_uint_eq(waiting_ns, ENTRIES / 5);
	sample_log_free(&log);
	address_table_free(&addresses);
}

/* However many entries one slice has, it stays as long as it is, and they keep their stack. */
TEST(a_log_keeps_its_slices)
{
	enum { ENTRIES = 200000, BOUND = 1000 };
	struct sample_log log = {.max = BOUND};
	struct address_table addresses;

	address_table_init(&addresses);
	for (int i = 0; i < ENTRIES; i++) {
		struct log_entry entry = {.time_ns = i,
					  .task = i % 4,
					  .address = LOG_WAITING,
					  .stack = STACK_ROOTS,
					  .count = 1};

		sample_log_add(&log, &addresses, &entry);
	}
	ck_assert_int_eq(log.slice_ns, 1000000);
	for (size_t i = 0; i < log.count; i++)
		ck_assert_uint_eq(log.entries[i].stack, STACK_ROOTS);
	sample_log_free(&log);
	address_table_free(&addresses);
}

TEST(places_are_bounded)
{
	struct address_table addresses;
	uint32_t last;

	address_table_init(&addresses);
	for (uint64_t i = 0; i < 2 * ADDRESSES_MAX; i++)
		ck_assert_uint_ne(address_table_number(&addresses, 2, i), IDMAP_NONE);
	last = address_table_number(&addresses, 2, 3 * ADDRESSES_MAX);
	ck_assert_uint_le(addresses.nkeys, ADDRESSES_MAX + 1);
	ck_assert_uint_eq(address_offset(addresses.keys[last]), ADDRESS_OFFSET_ANY);
	ck_assert_uint_eq(address_table_number(&addresses, 2, 5), 5);
	address_table_free(&addresses);
}
