/* gaps.c: keeps each thread's longest times without a call, and its sums at the end of each. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include "shim/signal_guard.h"
#include "wire/clock.h"

/* Shorter gaps do not separate phases of the program. */
#define GAP_MIN_NS	    1000000
/* The kernel adds up all threads for a process's CPU time. With thousands that takes too long. */
#define PROCESS_CPU_THREADS 64

static int64_t process_cpu_ns(void)
{
	return __atomic_load_n(&shim_process->threads_made, __ATOMIC_RELAXED) <= PROCESS_CPU_THREADS
		       ? clock_ns(CLOCK_PROCESS_CPUTIME_ID)
		       : -1;
}

void gaps_start(struct shim_thread *thread)
{
	thread->record->process_cpu_ns = process_cpu_ns();
	thread->ngaps = 0;
	thread->gap_after = shim_session.roi == ROI_REGION ? UINT64_MAX : ticks_of(GAP_MIN_NS);
}

static struct gap_record *shortest_gap(const struct shim_thread *thread)
{
	struct gap_record *shortest = thread->gaps[0];

	for (int i = 1; i < GAPS_MAX; i++)
		if (thread->gaps[i]->end - thread->gaps[i]->start < shortest->end - shortest->start)
			shortest = thread->gaps[i];
	return shortest;
}

void gaps_note(struct shim_thread *thread, const struct gap_record *gap)
{
	const struct region_record *region = thread->own_regions;
	struct gap_record *row;

	if (thread->ngaps == GAPS_MAX) {
		row = shortest_gap(thread);
	} else {
		LOCK_PROCESS;
		row = row_list_add(CHUNK_GAPS, sizeof *row);
		if (row) {
			row_list_commit(CHUNK_GAPS);
			thread->gaps[thread->ngaps++] = row;
		}
	}
	if (!row) {
		thread->gap_after = UINT64_MAX;
		return;
	}
	__atomic_store_n(&row->serial, 0, __ATOMIC_RELEASE);
	*row = *gap;
	row->process_cpu_ns = process_cpu_ns();
	row->own_ticks = thread->record->own_ticks;
	row->sums = thread->record->sums;
	for (; region; region = (const struct region_record *)(uintptr_t)region->next)
		call_sums_add(&row->sums, &region->sums);
	__atomic_store_n(&row->serial, thread->record->serial, __ATOMIC_RELEASE);
	if (thread->ngaps == GAPS_MAX) {
		row = shortest_gap(thread);
		thread->gap_after = row->end - row->start;
	}
}
