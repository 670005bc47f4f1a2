/* thread_times_test.c: a thread's times add up and stay inside the region of interest, even if its
 * record is damaged. */
/* SPDX-License-Identifier: MIT */

#include "calls/records.h"
#include "tests/unit.h"

#define RECORDS 20000

static uint64_t state;

static uint64_t random_word(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33 ^ state << 31;
}

/* Returns a number below `most`, or, if the record is damaged, sometimes any number. */
static uint64_t any(uint64_t most, int damaged)
{
	static const uint64_t extremes[] = {0, 1, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX};

	if (!damaged || random_word() % 3)
		return random_word() % most;
	if (random_word() % 2)
		return random_word();
	return extremes[random_word() % (sizeof extremes / sizeof *extremes)];
}

static struct call_sums any_sums(uint64_t span, int damaged)
{
	struct call_sums sums = {
		.calls = any(1000, damaged),
		.in[IN_BLAS].ticks = any(span + 1, damaged),
		.in[IN_BLAS].waiting_ns = (int64_t)any(span + 1, damaged),
		.in[IN_BLAS].preempted_ns = (int64_t)any(span + 1, damaged),
		.in[IN_OTHER].waiting_ns = (int64_t)any(span + 1, damaged),
		.in[IN_OTHER].preempted_ns = (int64_t)any(span + 1, damaged),
		.queue_ticks = any(span + 1, damaged),
	};

	sums.in[IN_OTHER].ticks = damaged ? any(span + 1, damaged) : span - sums.in[IN_BLAS].ticks;
	return sums;
}

static struct thread_record any_record(int damaged)
{
	struct thread_record record = {
		.first_ticks = 5000 + any(100000, damaged),
		.first_cpu_ns = (int64_t)any(50000, damaged),
		.first_run_delay_ns = (int64_t)any(50000, damaged),
		.end_cpu_ns = (int64_t)any(500000, damaged),
		.end_run_delay_ns = (int64_t)any(500000, damaged),
		.read_cpu_ns = (int64_t)any(250000, damaged),
		.read_run_delay_ns = (int64_t)any(250000, damaged),
		.attach_ticks = any(10000, damaged),
		.own_ticks = any(10000, damaged),
	};

	record.last_ticks = damaged ? any(200000, 1) : record.first_ticks + any(100000, 0);
	record.read_ticks = damaged ? any(200000, 1) : record.last_ticks - any(5000, 0);
	if (random_word() % 4)
		record.end_ticks = damaged ? any(300000, 1) : record.last_ticks + any(100000, 0);
	return record;
}

static struct gap_record any_gap(const struct thread_record *record, const struct call_sums *sums,
				 int damaged)
{
	uint64_t length = record->last_ticks - record->first_ticks;
	struct gap_record gap = {.serial = 1, .sums = *sums};

	gap.start = record->first_ticks + any(length + 1, 0);
	gap.end = gap.start + any(record->first_ticks + length - gap.start + 1, 0);
	gap.waiting_ns = (int64_t)any(gap.end - gap.start + 1, damaged);
	gap.preempted_ns = (int64_t)any(gap.end - gap.start + 1, damaged);
	gap.own_ticks = any(10000, damaged);
	return gap;
}

static void check_times(const struct run_thread *thread, int64_t roi_ns)
{
	const int64_t parts[] = {thread->times.ns[CAT_BLAS], thread->times.ns[CAT_OTHER],
				 thread->times.ns[CAT_WAITING], thread->times.ns[CAT_NO_CPU],
				 thread->own_ns};
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		ck_assert_int_ge(parts[i], 0);
		sum += parts[i];
	}
	ck_assert_int_eq(sum, thread->end_ns - thread->start_ns);
	ck_assert_int_ge(thread->times.blas_waiting_ns, 0);
	ck_assert_int_le(thread->times.blas_waiting_ns, thread->times.ns[CAT_BLAS]);
	ck_assert_int_ge(thread->start_ns, 0);
	ck_assert_int_ge(thread->end_ns, thread->start_ns);
	ck_assert_int_le(thread->end_ns, roi_ns);
}

static void try_record(int region, int damaged)
{
	static const double scales[] = {1, 0.357, 3.7};
	struct thread_frame frame = {
		.region = region,
		.line = {{1000, 70000}, scales[random_word() % 3]},
		.roi_start_ns = 71000 + (int64_t)any(random_word() % 2 ? 1000 : 100000, 0),
		.roi_end_ns = 71000 + (random_word() % 2 ? 1500000 : 150000),
		.call_inside_ns = (double)any(100, 0),
		.call_outside_ns = (double)any(100, 0),
	};
	struct thread_record record = any_record(damaged);
	struct call_sums sums =
		any_sums(damaged ? 200000 : record.last_ticks - record.first_ticks, damaged);
	struct task_start task = {1, (int64_t)any(50000, damaged), (int64_t)any(50000, damaged)};
	struct gap_record gaps[2];
	struct thread_source source = {
		.frame = &frame,
		.record = &record,
		.sums = &sums,
		.task = random_word() % 2 ? &task : NULL,
		.gaps = gaps,
		.ngaps = random_word() % 3,
		.pid = (int64_t)(random_word() % 2),
		.process_ns = frame.roi_start_ns + (int64_t)any(10000, 0) - 5000,
	};
	struct run_thread thread = {0};

	for (size_t i = 0; i < source.ngaps; i++)
		gaps[i] = any_gap(&record, &sums, damaged);
	if (source.ngaps == 2 && gaps[0].end > gaps[1].start)
		source.ngaps = 1;
	thread_times(&source, &thread);
	check_times(&thread, region ? INT64_MAX : frame.roi_end_ns - frame.roi_start_ns);
}

TEST_EACH(parts_add_up, 4)
{
	state = (uint64_t)_i;
	for (int i = 0; i < RECORDS; i++)
		try_record(_i & 1, _i >> 1);
}

/* 7000 of 10000 ns in MPI are off the CPU, but all 10000 count as MPI. The other categories keep
 * their own time off the CPU. */
TEST(mpi_off_the_cpu_is_mpi)
{
	struct raw_times raw = {
		.span_ns = 20000,
		.in[CAT_MPI] = {.ns = 10000, .waiting_ns = 3000, .preempted_ns = 4000},
		.in[CAT_BLAS] = {.ns = 6000, .preempted_ns = 500},
		.in[CAT_OTHER] = {.preempted_ns = 700},
	};
	struct time_split split = {0};

	ck_assert_int_eq(time_split_add_raw(&split, &raw), 0);
	ck_assert_int_eq(split.ns[CAT_MPI], 10000);
	ck_assert_int_eq(split.ns[CAT_BLAS], 5500);
	ck_assert_int_eq(split.ns[CAT_NO_CPU], 1200);
	ck_assert_int_eq(split.ns[CAT_OTHER], 3300);
	ck_assert_int_eq(time_split_total(&split), 20000);
}

/* 10000 ns in the ROI: 1000 before the first call, 600 of them on the CPU; 6000 in calls and gaps;
 * 3000 after the last call. */
TEST(known_record)
{
	struct thread_frame frame = {
		.line = {{0, 0}, 2}, .roi_start_ns = 1000, .roi_end_ns = 11000};
	struct thread_record record = {.first_ticks = 1000,
				       .first_cpu_ns = 700,
				       .last_ticks = 4000,
				       .read_ticks = 4000,
				       .end_ticks = 6000,
				       .read_cpu_ns = 5000,
				       .end_cpu_ns = 7000,
				       .end_run_delay_ns = 300};
	struct call_sums sums = {
		.calls = 1, .in[IN_BLAS].ticks = 2000, .in[IN_OTHER].waiting_ns = 500};
	struct task_start task = {.cpu_ns = 100};
	struct thread_source source = {
		.frame = &frame, .record = &record, .sums = &sums, .task = &task};
	struct run_thread thread = {0};

	thread_times(&source, &thread);
	check_times(&thread, 10000);
	ck_assert_int_eq(thread.end_ns, 10000);
	ck_assert_int_eq(thread.times.ns[CAT_BLAS], 4000);
	ck_assert_int_eq(thread.times.ns[CAT_OTHER], 600 + 1500 + 2000);
	ck_assert_int_eq(thread.times.ns[CAT_WAITING], 400 + 500 + 700);
	ck_assert_int_eq(thread.times.ns[CAT_NO_CPU], 300);
}

/* A stray call at 1000 ns, and later 5000 ns of computing in 9000 ns: there is room for 4000 of
 * them before and after the ROI. */
TEST_EACH(all_calls_before_the_roi, 3)
{
	static const struct {
		int64_t start_ns, end_ns;
	} rois[] = {{2000, 7000}, {3000, 8000}, {5000, 10000}};
	struct thread_frame frame = {.line = {{0, 0}, 1},
				     .roi_start_ns = rois[_i].start_ns,
				     .roi_end_ns = rois[_i].end_ns};
	struct thread_record record = {.first_ticks = 1000,
				       .last_ticks = 1000,
				       .read_ticks = 1000,
				       .end_ticks = 10000,
				       .end_cpu_ns = 5000};
	struct call_sums sums = {.calls = 1};
	struct thread_source source = {.frame = &frame, .record = &record, .sums = &sums};
	struct run_thread thread = {0};

	thread_times(&source, &thread);
	check_times(&thread, 5000);
	ck_assert_int_eq(thread.times.ns[CAT_OTHER], 1000);
	ck_assert_int_eq(thread.times.ns[CAT_WAITING], 4000);
}

/* A stray call at 1000 ns, 3000 ns of computing and 6000 ns of waiting, then the ROI with 10000 ns
 * of calls, half of them in BLAS. */
TEST(stray_call_before_the_roi)
{
	struct thread_frame frame = {
		.line = {{0, 0}, 1}, .roi_start_ns = 10100, .roi_end_ns = 25000};
	struct thread_record record = {.tid = 1,
				       .first_ticks = 1000,
				       .last_ticks = 20100,
				       .read_ticks = 20100,
				       .end_ticks = 25000};
	struct call_sums sums = {
		.calls = 11,
		.in[IN_BLAS].ticks = 5100,
		.in[IN_OTHER] = {.ticks = 14000, .waiting_ns = 6000},
	};
	struct gap_record gap = {
		.serial = 1,
		.start = 1100,
		.end = 10100,
		.region = 1,
		.waiting_ns = 6000,
		.sums = {.calls = 1,
			 .in[IN_BLAS].ticks = 100,
			 .in[IN_OTHER] = {.ticks = 9000, .waiting_ns = 6000}},
	};
	struct thread_source source = {.frame = &frame,
				       .record = &record,
				       .sums = &sums,
				       .gaps = &gap,
				       .ngaps = 1,
				       .pid = 1};
	struct region_record region = {.region = 1, .sums = sums}, other = {.region = 2};
	struct run_thread thread = {0};
	struct time_split split;

	thread_times(&source, &thread);
	check_times(&thread, 14900);
	ck_assert_int_eq(thread.start_ns, 0);
	ck_assert_int_eq(thread.times.ns[CAT_BLAS], 5000);
	ck_assert_int_eq(thread.times.ns[CAT_OTHER], 5000);
	ck_assert_int_eq(thread.times.ns[CAT_WAITING], 4900);
	split = region_times(&source, &region);
	ck_assert_int_eq(split.ns[CAT_BLAS], 5000);
	ck_assert_int_eq(split.ns[CAT_OTHER], 5000);
	ck_assert_int_eq(split.ns[CAT_WAITING], 0);
	/* the ROI begins inside the gap, where computing comes before waiting */
	frame.roi_start_ns = 3100;
	thread = (struct run_thread){0};
	thread_times(&source, &thread);
	check_times(&thread, 21900);
	ck_assert_int_eq(thread.times.ns[CAT_BLAS], 5000);
	ck_assert_int_eq(thread.times.ns[CAT_OTHER], 5000 + 1000);
	ck_assert_int_eq(thread.times.ns[CAT_WAITING], 6000 + 4900);
	split = region_times(&source, &region);
	ck_assert_int_eq(split.ns[CAT_OTHER], 5000 + 1000);
	ck_assert_int_eq(split.ns[CAT_WAITING], 6000);
	/* another region has 500 in short gaps, as long as those that end before the ROI: no record
	 * tells which, so that 5000 of 5500 are inside */
	frame.roi_start_ns = 10100;
	other.sums.in[IN_OTHER].ticks = 500;
	sums.in[IN_OTHER].ticks += 500;
	gap.sums.in[IN_OTHER].ticks += 500;
	split = region_times(&source, &other);
	ck_assert_int_eq(split.ns[CAT_OTHER], 454);
}
