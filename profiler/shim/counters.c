/* counters.c: exact counts of events in calls and between them, read from the hardware counters. */
/* SPDX-License-Identifier: MIT
 *
 * Each thread opens the session's events for itself and maps their pages, in which the kernel says
 * which counter counts an event. If the kernel lets users read counters, that takes no system call.
 * perf_event_open(2) describes the page.
 */
#include "shim/shim.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__aarch64__)
/* clang-format off */
#define EACH_COUNTER(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)
/* clang-format on */
#define READ_COUNTER(number)                                                                       \
	case number:                                                                               \
		__asm__ volatile("mrs %0, pmevcntr" #number "_el0" : "=r"(value));                 \
		break;

static uint64_t read_hardware(uint32_t counter)
{
	uint64_t value = 0;

	switch (counter) {
		EACH_COUNTER(READ_COUNTER)
	case 31:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}
#elif defined(__x86_64__)
static uint64_t read_hardware(uint32_t counter)
{
	return __builtin_ia32_rdpmc((int)counter);
}
#endif

/* Returns the event's count. Sets *missed to 1 if it has no counter that users may read. */
static uint64_t read_count(const volatile struct perf_event_mmap_page *page, int *missed)
{
	uint64_t count;
	uint32_t sequence, index;

	do {
		sequence = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index;
		count = (uint64_t)page->offset;
		if (index && page->cap_user_rdpmc) {
			int unused = 64 - page->pmc_width;

			count +=
				(uint64_t)((int64_t)(read_hardware(index - 1) << unused) >> unused);
		} else {
			*missed = 1;
		}
		__asm__ volatile("" : : : "memory");
	} while (page->lock != sequence);
	return count;
}

void counters_add(struct shim_thread *thread, uint64_t *sums)
{
	int missed = 0;

	for (uint32_t i = 0; i < thread->ncounts; i++) {
		uint64_t now = read_count(thread->count_pages[i], &missed);

		if (sums)
			sums[i] += now - thread->counts_last[i];
		thread->counts_last[i] = now;
	}
	if (missed)
		__atomic_add_fetch(&shim_process->header->counts_missed, 1, __ATOMIC_RELAXED);
}

void counters_open(struct shim_thread *thread)
{
	uint32_t wanted = shim_session.nexact < EXACT_EVENTS ? shim_session.nexact : EXACT_EVENTS;

	thread->ncounts = 0;
	for (uint32_t i = 0; i < wanted; i++) {
		const struct exact_event *event = &shim_session.exact[i];
		struct perf_event_attr attr = {
			.type = event->type,
			.config = event->config,
			.config1 = event->config1,
			.config2 = event->config2,
			.pinned = 1,
		};

		thread->count_pages[i] = offcpu_map_event(&attr);
		if (!thread->count_pages[i])
			break;
		thread->ncounts++;
	}
	if (thread->ncounts == wanted)
		return;
	counters_close(thread);
	__atomic_add_fetch(&shim_process->header->counts_missed, 1, __ATOMIC_RELAXED);
}

void counters_close(struct shim_thread *thread)
{
	while (thread->ncounts)
		munmap(thread->count_pages[--thread->ncounts], (size_t)sysconf(_SC_PAGESIZE));
}
