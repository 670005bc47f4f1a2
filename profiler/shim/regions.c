/* regions.c: regions and progress that the program marks by blasprof.h. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <errno.h>
#include <string.h>

#include "shim/signal_guard.h"
#include "shim/spans.h"

#define BLOCKED_REGIONS_BYTES (4 * LAYOUT_PAGE - sizeof(struct chunk_header))

void blasprof_shim_region_begin(const char *name) __attribute__((visibility("default")));
void blasprof_shim_region_end(const char *name) __attribute__((visibility("default")));
void blasprof_shim_progress(double amount) __attribute__((visibility("default")));

/* The number of a name; 0 when there is no room for one more. Lock held. */
static uint64_t name_number(const char *name)
{
	struct shim_process *process = shim_process;
	const struct chunk_header *chunk = process->first_names;
	struct region_name *row;
	uint64_t number = 0;

	for (; chunk; chunk = (const struct chunk_header *)(uintptr_t)chunk->next)
		for (uint32_t i = 0; i < chunk->used; i++) {
			number++;
			row = (struct region_name *)(chunk + 1) + i;
			if (!strncmp(row->text, name, REGION_NAME_BYTES - 1))
				return number;
		}
	row = session_last_row(&process->first_names, &process->names, CHUNK_NAMES, sizeof *row);
	if (!row)
		return 0;
	strncpy(row->text, name, REGION_NAME_BYTES - 1);
	process->names->used++;
	return number + 1;
}

/* A record of the thread's for a region; NULL when there is no room. Lock held. */
static struct region_record *new_record(uint64_t serial, uint64_t region)
{
	struct shim_process *process = shim_process;
	struct region_record *record = session_last_row(&process->first_regions, &process->regions,
							CHUNK_REGIONS, sizeof *record);

	if (!record)
		return NULL;
	record->serial = serial;
	record->region = region;
	process->regions->used++;
	return record;
}

void region_start(struct shim_thread *thread)
{
	thread->sums = &thread->record->sums;
	thread->region_bits = 0;
	thread->region_depth = thread->roi_depth = 0;
	thread->roi_entered = 0;
	thread->gap_ticks = 0;
	if (shim_session.roi == ROI_REGION)
		thread->state |= STATE_OUTSIDE;
	thread->own_regions = NULL;
	thread->record->mark_ticks = thread->record->mark_region = 0;
}

/* The sampler knows when and where threads wait, but not in which region. So each mark that ends a
 * region's time leaves a row, where the thread was switched meanwhile: those without a switch have
 * nothing to tell. Without a page nobody knows. */
static int may_have_switched(const struct shim_thread *thread)
{
	return !thread->page || thread->page != thread->mark_page ||
	       *thread->lock != thread->mark_lock;
}

/* Who finds the newest chunk full makes the next one. Rows of all chunks but the newest are taken.
 */
static struct chunk_header *add_blocked_chunk(const struct chunk_header *full)
{
	struct shim_process *process = shim_process;
	struct chunk_header *chunk;
	struct signal_guard guard;

	signal_guard_begin(&guard);
	process_lock();
	chunk = process->blocked_regions;
	if (chunk == full &&
	    __atomic_load_n(&process->nblocked_regions, __ATOMIC_RELAXED) < BLOCKED_REGIONS_MAX) {
		chunk = session_add_chunk(CHUNK_BLOCKED_REGIONS, BLOCKED_REGIONS_BYTES);
		if (chunk)
			__atomic_store_n(&process->blocked_regions, chunk, __ATOMIC_RELEASE);
	} else if (chunk == full) {
		chunk = NULL;
	}
	process_unlock();
	signal_guard_end(&guard);
	return chunk;
}

/* A row of one's own, which counts as used at once: a reader passes over those that are not
 * complete. NULL: there is no room. */
static struct blocked_region *new_blocked_row(void)
{
	struct chunk_header *chunk =
		__atomic_load_n(&shim_process->blocked_regions, __ATOMIC_ACQUIRE);

	for (;;) {
		uint32_t used = chunk ? __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) : 0;

		if (!chunk || used == chunk_rows(chunk, sizeof(struct blocked_region))) {
			chunk = add_blocked_chunk(chunk);
			if (!chunk)
				return NULL;
		} else if (__atomic_compare_exchange_n(&chunk->used, &used, used + 1, 0,
						       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			return (struct blocked_region *)(chunk + 1) + used;
		}
	}
}

static void note_blocked(const struct thread_record *record, uint64_t now)
{
	struct blocked_region *row;

	if (shim_process->header->blocked_regions_full_ticks)
		return;
	row = new_blocked_row();
	if (!row) {
		shim_process->header->blocked_regions_full_ticks = record->mark_ticks;
		return;
	}
	__atomic_add_fetch(&shim_process->nblocked_regions, 1, __ATOMIC_RELAXED);
	row->region = record->mark_region;
	row->start = record->mark_ticks;
	row->end = now;
	__atomic_store_n(&row->serial, record->serial, __ATOMIC_RELEASE);
}

/* A mark at `now` ends what the thread was in, which is noted where it left the CPU in there.
 * `lock` is the switch counter before the mark's time was taken, so that a switch around it counts
 * on both sides. */
static void end_marked(struct shim_thread *thread, uint32_t lock, uint64_t now)
{
	if (thread->record->mark_region && may_have_switched(thread))
		note_blocked(thread->record, now);
	thread->record->mark_ticks = now;
	thread->mark_lock = lock;
	thread->mark_page = thread->page;
}

/* Needs no lock: the name is there, and rows are only added. */
static const char *region_text(uint64_t region)
{
	const struct chunk_header *chunk = shim_process->first_names;
	unsigned rows;

	for (region--; region >= (rows = chunk_rows(chunk, sizeof(struct region_name)));
	     region -= rows)
		chunk = (const struct chunk_header *)(uintptr_t)__atomic_load_n(&chunk->next,
										__ATOMIC_ACQUIRE);
	return ((const struct region_name *)(chunk + 1))[region].text;
}

/* The thread's record of the region of that name; NULL when there is no room. Only the thread
 * itself looks at its list, which begins with the last one that was looked up. */
static struct region_record *region_find(struct shim_thread *thread, const char *name)
{
	struct region_record *record = thread->own_regions, *before = NULL;
	struct signal_guard guard;
	uint64_t region;

	for (; record; before = record, record = (struct region_record *)(uintptr_t)record->next)
		if (!strncmp(region_text(record->region), name, REGION_NAME_BYTES - 1))
			break;
	if (record && !before)
		return record;
	if (record) {
		before->next = record->next;
	} else {
		signal_guard_begin(&guard);
		process_lock();
		region = name_number(name);
		if (region)
			record = new_record(thread->record->serial, region);
		process_unlock();
		signal_guard_end(&guard);
		if (!record)
			return NULL;
	}
	record->next = (uintptr_t)thread->own_regions;
	thread->own_regions = record;
	return record;
}

/* 1 when marks of this thread can be booked now: not from a signal handler inside a slow path, not
 * from inside BLAS. */
static int mark_counts(struct shim_thread *thread, const void *frame)
{
	if (thread->owner != process_token() && thread_attach())
		return 0;
	return !thread->busy && !call_is_nested(thread, frame);
}

/* A mark ends a gap, which belongs to the region before it; what the mark itself takes is the
 * profiler's own. Outside the ROI's region nothing is booked. */
static uint64_t end_gap(struct shim_thread *thread)
{
	thread->busy = 1;
	if (!(thread->state & STATE_OUTSIDE))
		return call_end_gap(thread);
	return clock_ticks(shim_session.clock);
}

static void start_gap(struct shim_thread *thread, uint64_t ended, int counted)
{
	uint64_t now;

	if (!counted)
		offcpu_start(thread);
	now = clock_ticks(shim_session.clock);
	if (counted)
		thread->record->own_ticks += now - ended;
	if (counted || !(thread->state & STATE_OUTSIDE))
		thread->record->last_ticks = now;
	if (!counted && !thread->roi_entered && !(thread->state & STATE_OUTSIDE)) {
		thread->record->first_ticks = now;
		thread->roi_entered = 1;
	}
	thread->busy = 0;
}

static void use_region(struct shim_thread *thread, struct region_record *record)
{
	thread->region_bits = record ? record->region << 32 : 0;
	thread->sums = record ? &record->sums : &thread->record->sums;
	thread->record->mark_region = record ? record->region : 0;
}

static int is_roi(const char *name)
{
	return shim_session.roi == ROI_REGION &&
	       !strncmp(name, shim_session.roi_region, REGION_NAME_BYTES - 1);
}

void blasprof_shim_region_begin(const char *name)
{
	struct shim_thread *thread = &shim_self;
	struct region_record *record;
	int saved = errno, counted;
	uint32_t lock;
	uint64_t ended;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)) ||
	    thread->region_depth == REGION_DEPTH)
		return;
	counted = !(thread->state & STATE_OUTSIDE);
	lock = *thread->lock;
	ended = end_gap(thread);
	end_marked(thread, lock, ended);
	record = region_find(thread, name);
	thread->region_since[thread->region_depth] = ended;
	thread->regions[thread->region_depth++] = record;
	use_region(thread, record);
	if (is_roi(name) && !thread->roi_depth++)
		thread->state &= ~(unsigned)STATE_OUTSIDE;
	if (record && !(thread->state & STATE_OUTSIDE))
		record->entries++;
	start_gap(thread, ended, counted);
	errno = saved;
}

/* The innermost open region of that name; the open ones inside it end with it. -1: there is none.
 */
static int find_open(const struct shim_thread *thread, const char *name)
{
	int at = (int)thread->region_depth - 1;

	for (; at >= 0; at--)
		if (thread->regions[at] &&
		    !strncmp(region_text(thread->regions[at]->region), name, REGION_NAME_BYTES - 1))
			break;
	return at;
}

void blasprof_shim_region_end(const char *name)
{
	struct shim_thread *thread = &shim_self;
	int saved = errno, at, counted;
	uint32_t lock;
	uint64_t ended;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)) ||
	    (at = find_open(thread, name)) < 0)
		return;
	counted = !(thread->state & STATE_OUTSIDE);
	lock = *thread->lock;
	ended = end_gap(thread);
	end_marked(thread, lock, ended);
	while (thread->region_depth > (unsigned)at)
		spans_add_region(thread, --thread->region_depth, ended);
	use_region(thread, at ? thread->regions[at - 1] : NULL);
	if (is_roi(name) && thread->roi_depth && !--thread->roi_depth)
		thread->state |= STATE_OUTSIDE;
	start_gap(thread, ended, counted);
	errno = saved;
}

void blasprof_shim_progress(double amount)
{
	struct shim_thread *thread = &shim_self;
	int saved = errno;

	if (mark_counts(thread, __builtin_frame_address(0)) && !(thread->state & STATE_OUTSIDE))
		thread->record->progress += amount;
	errno = saved;
}
