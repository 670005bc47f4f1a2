/* stretches.c: in which region a thread was when it left the CPU. */
/* SPDX-License-Identifier: MIT
 *
 * The sampler knows when and where threads wait, but not in which region. So each mark that ends a
 * region's time leaves a row, where the thread was switched meanwhile: those without a switch have
 * nothing to tell.
 */
#include "shim/stretches.h"

#include "shim/calm.h"

#define STRETCHES_BYTES (4 * LAYOUT_PAGE - sizeof(struct chunk_header))

void stretch_start(struct shim_thread *thread)
{
	thread->record->mark_ticks = thread->record->mark_region = 0;
}

uint32_t stretch_lock(const struct shim_thread *thread)
{
	return *thread->lock;
}

/* Without a page nobody knows. */
static int may_have_switched(const struct shim_thread *thread)
{
	return !thread->page || thread->page != thread->mark_page ||
	       *thread->lock != thread->mark_lock;
}

/* Who finds the newest chunk full makes the next one. Rows of all chunks but the newest are taken.
 */
static struct chunk_header *add_chunk(const struct chunk_header *full)
{
	struct shim_process *process = shim_process;
	struct chunk_header *chunk;
	struct calm calm;

	calm_begin(&calm);
	process_lock();
	chunk = process->stretches;
	if (chunk == full && process->nstretches < STRETCHES_MAX) {
		chunk = session_add_chunk(CHUNK_STRETCHES, STRETCHES_BYTES);
		if (chunk)
			__atomic_store_n(&process->stretches, chunk, __ATOMIC_RELEASE);
	} else if (chunk == full) {
		chunk = NULL;
	}
	process_unlock();
	calm_end(&calm);
	return chunk;
}

/* A row of one's own, which counts as used at once: a reader passes over those that are not
 * complete. NULL: there is no room. */
static struct region_stretch *take_row(void)
{
	struct chunk_header *chunk = __atomic_load_n(&shim_process->stretches, __ATOMIC_ACQUIRE);

	for (;;) {
		uint32_t used = chunk ? __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) : 0;

		if (!chunk || used == chunk_rows(chunk, sizeof(struct region_stretch))) {
			chunk = add_chunk(chunk);
			if (!chunk)
				return NULL;
		} else if (__atomic_compare_exchange_n(&chunk->used, &used, used + 1, 0,
						       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			return (struct region_stretch *)(chunk + 1) + used;
		}
	}
}

static void keep(const struct thread_record *record, uint64_t now)
{
	struct region_stretch *row;

	if (shim_process->header->stretches_full_ticks)
		return;
	row = take_row();
	if (!row) {
		shim_process->header->stretches_full_ticks = record->mark_ticks;
		return;
	}
	__atomic_add_fetch(&shim_process->nstretches, 1, __ATOMIC_RELAXED);
	row->region = record->mark_region;
	row->start = record->mark_ticks;
	row->end = now;
	__atomic_store_n(&row->serial, record->serial, __ATOMIC_RELEASE);
}

void stretch_end(struct shim_thread *thread, uint32_t lock, uint64_t now)
{
	if (thread->record->mark_region && may_have_switched(thread))
		keep(thread->record, now);
	thread->record->mark_ticks = now;
	thread->mark_lock = lock;
	thread->mark_page = thread->page;
}

void stretch_begin(struct shim_thread *thread, uint64_t region)
{
	thread->record->mark_region = region;
}
