/* regions.c: regions and progress that the program marks with blasprof.h. */
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

/* Returns the number of a name, or 0 if there is no room for a new one. Lock held. */
static uint64_t name_number(const char *name)
{
	struct row_list *names = &shim_process->names;
	struct row_cursor at = {0};
	struct region_name *row;
	uint64_t number = 1;

	for (; (row = row_list_next(names, &at, sizeof *row)); number++)
		if (!strncmp(row->text, name, REGION_NAME_BYTES - 1))
			return number;
	row = row_list_add(names, CHUNK_NAMES, sizeof *row);
	if (!row)
		return 0;
	strncpy(row->text, name, REGION_NAME_BYTES - 1);
	row_list_commit(names);
	return number;
}

/* Returns a new record of the thread for the region of that name, or NULL if there is no room. */
static struct region_record *new_record(const struct shim_thread *thread, const char *name)
{
	struct row_list *regions = &shim_process->regions;
	struct region_record *record = NULL;
	struct signal_guard guard;
	uint64_t region;

	process_lock_guarded(&guard);
	region = name_number(name);
	if (region)
		record = row_list_add(regions, CHUNK_REGIONS, sizeof *record);
	if (record) {
		record->serial = thread->record->serial;
		record->region = region;
		row_list_commit(regions);
	}
	process_unlock_guarded(&guard);
	return record;
}

void region_start(struct shim_thread *thread)
{
	thread->sums = &thread->record->sums;
	thread->region_bits = 0;
	thread->region_depth = thread->regions_ignored = thread->roi_depth = 0;
	thread->roi_entered = 0;
	thread->gap_ticks = 0;
	if (shim_session.roi == ROI_REGION)
		thread->state |= STATE_OUTSIDE;
	thread->own_regions = NULL;
	thread->record->mark_ticks = thread->record->mark_region = 0;
}

/* Replaces a full newest chunk; only the newest chunk has free rows. Returns the newest chunk, or
 * NULL if there is no room. */
static struct chunk_header *add_blocked_chunk(const struct chunk_header *full)
{
	struct shim_process *process = shim_process;
	struct chunk_header *chunk;
	struct signal_guard guard;

	process_lock_guarded(&guard);
	chunk = process->blocked_regions;
	if (chunk == full &&
	    __atomic_load_n(&process->nblocked_regions, __ATOMIC_RELAXED) < BLOCKED_REGIONS_MAX) {
		chunk = session_add_chunk(CHUNK_BLOCKED_REGIONS, BLOCKED_REGIONS_BYTES);
		if (chunk)
			__atomic_store_n(&process->blocked_regions, chunk, __ATOMIC_RELEASE);
	} else if (chunk == full) {
		chunk = NULL;
	}
	process_unlock_guarded(&guard);
	return chunk;
}

/* Notes that the thread was in its region from the last mark to `now`. The row counts as used at
 * once; readers skip rows that are not complete. */
static void note_blocked(const struct thread_record *record, uint64_t now)
{
	struct process_header *header = shim_process->header;
	struct chunk_header *chunk =
		__atomic_load_n(&shim_process->blocked_regions, __ATOMIC_ACQUIRE);
	struct blocked_region *row = NULL;

	while (!row && !header->blocked_regions_full_ticks) {
		uint32_t used = chunk ? __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) : 0;

		if (!chunk || used == chunk_rows(chunk, sizeof *row)) {
			chunk = add_blocked_chunk(chunk);
			if (!chunk)
				header->blocked_regions_full_ticks = record->mark_ticks;
		} else if (__atomic_compare_exchange_n(&chunk->used, &used, used + 1, 0,
						       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			row = (struct blocked_region *)(chunk + 1) + used;
		}
	}
	if (!row)
		return;
	__atomic_add_fetch(&shim_process->nblocked_regions, 1, __ATOMIC_RELAXED);
	row->region = record->mark_region;
	row->start = record->mark_ticks;
	row->end = now;
	__atomic_store_n(&row->serial, record->serial, __ATOMIC_RELEASE);
}

/* Returns the name of a region that exists. Needs no lock, since rows are only added. */
static const char *region_text(uint64_t region)
{
	const struct chunk_header *chunk = shim_process->names.first;
	unsigned rows;

	for (region--; region >= (rows = chunk_rows(chunk, sizeof(struct region_name)));
	     region -= rows)
		chunk = (const struct chunk_header *)(uintptr_t)__atomic_load_n(&chunk->next,
										__ATOMIC_ACQUIRE);
	return ((const struct region_name *)(chunk + 1))[region].text;
}

/* Returns the thread's record of the region of that name, or NULL if there is no room. Moves it to
 * the front of the thread's list, which only the thread itself uses. */
static struct region_record *region_find(struct shim_thread *thread, const char *name)
{
	struct region_record *record = thread->own_regions, *before = NULL;

	for (; record; before = record, record = (struct region_record *)(uintptr_t)record->next)
		if (!strncmp(region_text(record->region), name, REGION_NAME_BYTES - 1))
			break;
	if (record && !before)
		return record;
	if (record)
		before->next = record->next;
	else if (!(record = new_record(thread, name)))
		return NULL;
	record->next = (uintptr_t)thread->own_regions;
	thread->own_regions = record;
	return record;
}

/* Returns 1 if a mark of this thread can be booked now: not in a signal handler that interrupted a
 * slow path, and not inside BLAS. */
static int mark_counts(struct shim_thread *thread, const void *frame)
{
	if (thread->owner != process_token() && thread_attach())
		return 0;
	return !thread->busy && !call_is_nested(thread, frame);
}

/* Ends the gap before a mark, which belongs to the region before it, and returns the clock. Books
 * nothing outside the ROI's region. The sampler knows when and where threads wait, but not in which
 * region. So a mark leaves a row if the thread may have been switched since the last mark, which is
 * always possible without a perf page. */
static uint64_t end_gap(struct shim_thread *thread)
{
	/* read before the clock, so that a switch in between counts on both sides of the mark */
	uint32_t lock = *thread->lock;
	uint64_t now;

	thread->busy = 1;
	now = thread->state & STATE_OUTSIDE ? clock_ticks(shim_session.clock)
					    : call_end_gap(thread);
	if (thread->record->mark_region && (!thread->page || thread->page != thread->mark_page ||
					    *thread->lock != thread->mark_lock))
		note_blocked(thread->record, now);
	thread->record->mark_ticks = now;
	thread->mark_lock = lock;
	thread->mark_page = thread->page;
	return now;
}

/* Starts the gap after a mark. The mark's own time is blasprof's own cost. */
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
	struct float_guard floats;
	int saved = errno, counted;
	uint64_t ended;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)))
		return;
	if (thread->region_depth == REGION_DEPTH) {
		thread->regions_ignored++;
		return;
	}
	float_guard_begin(&floats);
	counted = !(thread->state & STATE_OUTSIDE);
	ended = end_gap(thread);
	record = region_find(thread, name);
	thread->region_since[thread->region_depth] = ended;
	thread->regions[thread->region_depth++] = record;
	use_region(thread, record);
	if (is_roi(name) && !thread->roi_depth++)
		thread->state &= ~(unsigned)STATE_OUTSIDE;
	if (record && !(thread->state & STATE_OUTSIDE))
		record->entries++;
	start_gap(thread, ended, counted);
	float_guard_end(&floats);
	errno = saved;
}

/* Ends the innermost open region of that name, and those inside it. */
void blasprof_shim_region_end(const char *name)
{
	struct shim_thread *thread = &shim_self;
	struct float_guard floats;
	int saved = errno, at, counted;
	uint64_t ended;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)))
		return;
	if (thread->regions_ignored) {
		thread->regions_ignored--;
		return;
	}
	for (at = (int)thread->region_depth - 1; at >= 0; at--)
		if (thread->regions[at] &&
		    !strncmp(region_text(thread->regions[at]->region), name, REGION_NAME_BYTES - 1))
			break;
	if (at < 0)
		return;
	float_guard_begin(&floats);
	counted = !(thread->state & STATE_OUTSIDE);
	ended = end_gap(thread);
	while (thread->region_depth > (unsigned)at)
		spans_add_region(thread, --thread->region_depth, ended);
	use_region(thread, at ? thread->regions[at - 1] : NULL);
	if (is_roi(name) && thread->roi_depth && !--thread->roi_depth)
		thread->state |= STATE_OUTSIDE;
	start_gap(thread, ended, counted);
	float_guard_end(&floats);
	errno = saved;
}

void blasprof_shim_progress(double amount)
{
	struct shim_thread *thread = &shim_self;
	struct float_guard floats;
	int saved = errno;

	if (mark_counts(thread, __builtin_frame_address(0)) && !(thread->state & STATE_OUTSIDE)) {
		float_guard_begin(&floats);
		thread->record->progress += amount;
		float_guard_end(&floats);
	}
	errno = saved;
}
