/* regions.c: regions and progress that the program marks with blasprof.h. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <string.h>

#include "shim/signal_guard.h"

#define BLOCKED_REGIONS_BYTES (4 * LAYOUT_PAGE - sizeof(struct chunk_header))

void blasprof_shim_region_begin(const char *name) __attribute__((visibility("default")));
void blasprof_shim_region_end(const char *name) __attribute__((visibility("default")));
void blasprof_shim_progress(double amount) __attribute__((visibility("default")));

/* Returns what stands for a name. That any two of a million names have the same hash is less likely
 * than 1 in 30 million. */
static uint64_t name_hash(const char *name)
{
	uint64_t words[REGION_NAME_BYTES / sizeof(uint64_t)] = {0}, hash = 0;

	strncpy((char *)words, name, REGION_NAME_BYTES - 1);
	for (size_t i = 0; i < sizeof words / sizeof *words && words[i]; i++) {
		__extension__ unsigned __int128 product = hash ^ words[i];

		product *= 0x9e3779b97f4a7c15ull;
		hash = (uint64_t)product ^ (uint64_t)(product >> 64);
	}
	return hash;
}

/* Returns where in a tree the address of the node is, or belongs. */
static uint64_t *find_node(uint64_t *at, uint64_t hash)
{
	struct name_node *node;

	for (uint64_t bits = hash; (node = (struct name_node *)(uintptr_t)*at); bits <<= 2) {
		if (node->hash == hash)
			break;
		at = &node->below[bits >> 62];
	}
	return at;
}

/* Returns the number of a name, or 0 if there is no room for a new one. Lock held. */
static uint64_t name_number(const char *name, uint64_t hash)
{
	struct shim_process *process = shim_process;
	uint64_t *at = find_node(&process->name_tree, hash);
	struct region_name *row = (struct region_name *)(uintptr_t)*at;

	if (row)
		return row->number;
	row = row_list_add(CHUNK_NAMES, sizeof *row);
	if (!row)
		return 0;
	strncpy(row->text, name, REGION_NAME_BYTES - 1);
	row->node.hash = hash;
	row->number = ++process->nnames;
	row_list_commit(CHUNK_NAMES);
	*at = (uintptr_t)row;
	return row->number;
}

/* Returns the thread's record of the region of that name, or NULL if there is no room. */
static struct region_record *region_find(struct shim_thread *thread, const char *name,
					 uint64_t hash)
{
	uint64_t region, *at = find_node(&thread->region_tree, hash);
	struct region_record *record = (struct region_record *)(uintptr_t)*at;

	if (record || __atomic_load_n(&shim_process->regions_full, __ATOMIC_RELAXED))
		return record;
	LOCK_PROCESS;
	region = name_number(name, hash);
	if (region)
		record = row_list_add(CHUNK_REGIONS, sizeof *record);
	if (record) {
		record->node.hash = hash;
		record->serial = thread->record->serial;
		record->region = region;
		record->next = (uintptr_t)thread->own_regions;
		row_list_commit(CHUNK_REGIONS);
		thread->own_regions = record;
		*at = (uintptr_t)record;
	} else {
		__atomic_store_n(&shim_process->regions_full, 1, __ATOMIC_RELAXED);
	}
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
	thread->region_tree = 0;
	thread->record->mark_ticks = thread->record->mark_region = 0;
}

/* Replaces a full newest chunk; only the newest chunk has free rows. Returns the newest chunk, or
 * NULL if there is no room. */
static struct chunk_header *add_blocked_chunk(const struct chunk_header *full)
{
	struct shim_process *process = shim_process;
	struct chunk_header *chunk;

	LOCK_PROCESS;
	chunk = process->blocked_regions;
	if (chunk == full &&
	    __atomic_load_n(&process->nblocked_regions, __ATOMIC_RELAXED) < BLOCKED_REGIONS_MAX) {
		chunk = session_add_chunk(CHUNK_BLOCKED_REGIONS, BLOCKED_REGIONS_BYTES);
		if (chunk)
			__atomic_store_n(&process->blocked_regions, chunk, __ATOMIC_RELEASE);
	} else if (chunk == full) {
		chunk = NULL;
	}
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

/* Returns 1 if a mark of this thread can be booked now: not in a signal handler that interrupted a
 * slow path, and not inside BLAS. */
static int mark_counts(struct shim_thread *thread, const void *frame)
{
	if (thread->owner != process_token() && thread_attach(1))
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
	int counts = !(thread->state & STATE_OUTSIDE);
	uint64_t now;

	if (!counted && counts)
		offcpu_start(thread);
	now = clock_ticks(shim_session.clock);
	if (counted)
		thread->record->own_ticks += now - ended;
	if (counted || counts)
		thread->record->last_ticks = now;
	if (!counted && counts && !thread->roi_entered) {
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

/* Returns the innermost open region of that name, or NULL. */
static struct open_region *find_open(struct shim_thread *thread, uint64_t hash)
{
	for (unsigned depth = thread->region_depth; depth; depth--)
		if (thread->open[depth - 1].hash == hash)
			return &thread->open[depth - 1];
	return NULL;
}

/* A region that is too deep is only counted, and only if its end could be taken for that of an open
 * one of its name. */
void blasprof_shim_region_begin(const char *name)
{
	struct shim_thread *thread = &shim_self;
	struct region_record *record;
	struct open_region *open;
	int counted;
	KEEP_ERRNO;
	uint64_t ended, hash;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)))
		return;
	hash = name_hash(name);
	if (thread->region_depth >= REGION_DEPTH) {
		open = find_open(thread, hash);
		if (open)
			open->again++;
		if (open || !is_roi(name))
			return;
	}
	GUARD_FLOATS;
	counted = !(thread->state & STATE_OUTSIDE);
	ended = end_gap(thread);
	record = region_find(thread, name, hash);
	thread->open[thread->region_depth++] =
		(struct open_region){.hash = hash, .record = record, .since = ended};
	use_region(thread, record);
	if (!thread->roi_depth && is_roi(name)) {
		thread->roi_depth = thread->region_depth;
		thread->state &= ~(unsigned)STATE_OUTSIDE;
	}
	if (record && !(thread->state & STATE_OUTSIDE))
		record->entries++;
	start_gap(thread, ended, counted);
}

/* Ends the innermost open region of that name, and those inside it. */
void blasprof_shim_region_end(const char *name)
{
	struct shim_thread *thread = &shim_self;
	struct open_region *open;
	int counted;
	KEEP_ERRNO;
	uint64_t ended;

	if (!name || !mark_counts(thread, __builtin_frame_address(0)))
		return;
	open = find_open(thread, name_hash(name));
	if (!open)
		return;
	if (open->again) {
		open->again--;
		return;
	}
	GUARD_FLOATS;
	counted = !(thread->state & STATE_OUTSIDE);
	ended = end_gap(thread);
	while (thread->open + thread->region_depth > open)
		spans_add_region(thread, --thread->region_depth, ended);
	use_region(thread, open > thread->open ? open[-1].record : NULL);
	for (unsigned i = 0; i < thread->region_depth && thread->region_depth < REGION_DEPTH; i++)
		thread->open[i].again = 0; /* they were inside */
	if (thread->region_depth < thread->roi_depth) {
		thread->roi_depth = 0;
		thread->state |= STATE_OUTSIDE;
	}
	start_gap(thread, ended, counted);
}

void blasprof_shim_progress(double amount)
{
	struct shim_thread *thread = &shim_self;
	KEEP_ERRNO;

	if (mark_counts(thread, __builtin_frame_address(0)) && !(thread->state & STATE_OUTSIDE)) {
		GUARD_FLOATS;
		thread->record->progress += amount;
	}
}
