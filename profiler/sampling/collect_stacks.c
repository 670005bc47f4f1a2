/* collect_stacks.c: makes stacks of functions from stacks of addresses; finds places of waits and
 * spins. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "model/accounting.h"

void stacks_mark_used(struct collection *c, uint64_t *counts)
{
	const struct stack_node *nodes = c->stacks->nodes;
	char *used = c->stack_used;

	for (size_t i = c->stacks->count; i-- > STACK_ROOTS;) {
		used[i] |= c->stack_samples[i][0] || c->stack_samples[i][1];
		used[nodes[i].parent] |= used[i];
		if (used[i] && !counts[nodes[i].address])
			counts[nodes[i].address] = 1;
	}
}

/* Rows under construction. */
struct stack_job {
	const struct collection *c;
	const struct address_table *addresses;
	const struct stack_node *nodes;
	struct run *run;
	struct idmap frames; /* function name and object to run->frames */
	struct idmap rows;   /* parent and frame to run->stacks */
	struct idmap waits;  /* hash of thread, stack and region to run->waits */
	struct idmap places; /* hash of their place to run->functions */
	int64_t *row_of;     /* of each node: its row of run->stacks, -1 for a root */
	/* What a thread in the stack of each node waits for; the kind is NULL until it is known.
	 * They are kept, because thousands of threads wait in the same stack. */
	struct wait_reason *reasons;
	struct wait_code *codes; /* of each row of run->frames */
	struct wait_frame *path; /* the frames of one stack, innermost first */
};

/* Returns the row of run->frames, which is added if it is new. Equal function names are equal
 * pointers. In a script each line is a row of its own, "forward (train.py:31)". */
static int64_t find_frame(struct stack_job *job, const struct symbol_frame *frame, uint32_t address)
{
	uint64_t object = address_object(job->addresses->keys[address]);
	const struct object *in = object_of(job->addresses, address);
	uint64_t key = in->is_script ? UINT64_MAX - address
				     : (uint64_t)(uintptr_t)frame->function << 17 | object << 1 |
					       (frame->inlined != 0);
	size_t next = job->run->nframes;
	uint32_t number = idmap_number(&job->frames, key, next);
	struct run_frame *row;

	if (number < next)
		return number;
	row = table_add(&run_tables[RUN_PART_FRAMES], job->run);
	row->function = frame->function;
	if (in->is_script && frame->file)
		row->function = string_printf("%s (%s:%d)", frame->function, basename(frame->file),
					      frame->line);
	row->object = in->path;
	row->code = job->c->code[address];
	row->inlined = frame->inlined != 0;
	return number;
}

/* Returns the row of run->stacks, which is added if it is new. */
static int64_t find_row(struct stack_job *job, int64_t parent, int64_t frame, int whole)
{
	uint64_t key =
		(uint64_t)(parent < 0 ? !whole : parent + STACK_ROOTS) << 32 | (uint64_t)frame;
	size_t next = job->run->nstacks;
	uint32_t number = idmap_number(&job->rows, key, next);
	struct run_stack *row;

	if (number < next)
		return number;
	row = table_add(&run_tables[RUN_PART_STACKS], job->run);
	row->parent = parent;
	row->frame = frame;
	row->whole = whole;
	return number;
}

/* Gives the node its rows: one for each function that was inlined into another at its address. A
 * stack below STACK_CUT counts as whole if its outermost function starts a thread. A function
 * without a name of its own gets the name by which its caller in another object calls it; the
 * function that was called may have ended with a jump to this one. */
static void add_node(struct stack_job *job, uint32_t number)
{
	const struct stack_node *node = &job->nodes[number];
	uint32_t caller = job->nodes[node->parent].address;
	const struct object *object = object_of(job->addresses, node->address);
	const char *called = NULL, *name = basename(object->path);
	const struct symbol_frame *frames;
	int64_t row = job->row_of[node->parent];
	size_t count;
	int whole;

	if (node->parent >= STACK_ROOTS && object_of(job->addresses, caller) != object) {
		naming_frames(job->c->naming, caller, &frames);
		called = frames->called;
	}
	count = naming_frames(job->c->naming, node->address, &frames);
	whole = row >= 0 ? job->run->stacks[row].whole
			 : node->parent == STACK_WHOLE ||
				   wait_function_is_start(frames[count - 1].function);
	while (count-- > 0) {
		struct symbol_frame shown = frames[count];

		if (called && !strncmp(shown.function, name, strlen(name)) &&
		    shown.function[strlen(name)] == '+')
			shown.function = called;
		row = find_row(job, row, find_frame(job, &shown, node->address), whole);
	}
	job->row_of[number] = row;
}

/* Returns why a thread waits in the stack of the node. It waits in BLAS if the stack goes through a
 * BLAS library, or through the preload library, which makes a call wait for its unit, but not for
 * MPI, whose calls the preload library passes on too. */
static const struct wait_reason *find_reason(struct stack_job *job, uint32_t number)
{
	const struct run *run = job->run;
	struct wait_reason *known = &job->reasons[number];
	size_t count = 0;
	int in_blas = 0;

	if (known->kind)
		return known;
	for (; number >= STACK_ROOTS; number = job->nodes[number].parent) {
		const struct stack_node *node = &job->nodes[number];
		int is_script = object_of(job->addresses, node->address)->is_script;
		int64_t row = job->row_of[number], end = job->row_of[node->parent];
		const struct symbol_frame *symbol;

		for (naming_frames(job->c->naming, node->address, &symbol); row != end;
		     row = run->stacks[row].parent, symbol++) {
			int64_t seq = run->stacks[row].frame;
			const struct run_frame *frame = &run->frames[seq];

			job->path[count++] =
				(struct wait_frame){frame, symbol, is_script, &job->codes[seq]};
			in_blas |= frame->code == RUN_CODE_BLAS ||
				   strstr(frame->object, "/libblasprof.so") != NULL;
		}
	}
	*known = wait_reason_find(job->path, count);
	known->in_blas = in_blas && strcmp(known->kind, "MPI") != 0;
	return known;
}

/* 1 for a sample that computes. In OpenMP's library threads hand out work or wait for it, in more
 * code than what is known to spin: with many threads, a few percent of each would be all the time.
 */
static int computes(const struct collection *c, const struct log_entry *entry)
{
	return !log_is_off_cpu(entry) && !(spins_flags(&c->spins, entry) & SPIN_OWN) &&
	       !spins_outside_blas(c, entry) &&
	       !object_runs_openmp(object_of(c->addresses, entry->address)->path);
}

/* Returns a fresh array with the time before each entry of the log in which threads computed, by
 * samples, or were ready to but had no CPU; in ns. A task that takes no part may be what the others
 * wait for, such as the process at the other end of a pipe. */
static double *sum_computing(const struct collection *c)
{
	double *before = memory_rows(c->log->count + 1, sizeof *before);
	double sample_ns = 1e9 / c->run->sample_rate_hz;

	for (size_t i = 0; i < c->log->count; i++) {
		const struct log_entry *entry = &c->log->entries[i];

		before[i + 1] = before[i];
		if (!takes_part(c, entry->task))
			continue;
		if (entry->address == LOG_PREEMPTED)
			before[i + 1] += entry->count;
		else if (computes(c, entry))
			before[i + 1] += entry->count * sample_ns;
	}
	return before;
}

/* Returns the time of threads that computed while the thread waited: if entries of the log were
 * merged, all of that in the same slices of time. */
static double sum_meanwhile(const struct sample_log *log, const double *before,
			    const struct log_entry *wait)
{
	int64_t slice_ns = log->slice_ns ? log->slice_ns : 1, end = wait->time_ns / slice_ns;
	int64_t start = (wait->time_ns - (int64_t)wait->count) / slice_ns;

	return before[ARRAY_BOUND(log->count, i, log->entries[i].time_ns / slice_ns <= end)] -
	       before[ARRAY_BOUND(log->count, i, log->entries[i].time_ns / slice_ns < start)];
}

/* Returns the region that the thread waited in. A merged entry stands for several waits in one
 * slice of time. */
static const char *find_region(const struct collection *c, const struct log_entry *entry)
{
	const struct task *task = &c->timeline->tasks[entry->task];
	int64_t slice_ns = c->log->slice_ns, length_ns = (int64_t)entry->count;
	struct region_visit wait = {
		.pid = task->pid,
		.tid = task->tid,
		.start_ns = entry->time_ns - (slice_ns > length_ns ? slice_ns : length_ns),
		.end_ns = entry->time_ns,
	};

	return wait_regions_find(&c->calls->regions, &wait, !slice_ns);
}

/* Returns the row of run->waits for waits of the thread in this stack and region, which is added if
 * it is new. */
static struct run_wait *find_wait(struct stack_job *job, const struct log_entry *entry,
				  const char *region)
{
	int preempted = entry->address == LOG_PREEMPTED;
	const struct task *task = &job->c->timeline->tasks[entry->task];
	const struct wait_reason unknown = {
		preempted ? WAIT_RUN_QUEUE : WAIT_UNKNOWN, "", "", "", 0, "", 0};
	const struct wait_reason *reason = &unknown;
	const uint64_t key[] = {(uint64_t)entry->task << 32 | entry->stack, entry->address,
				(uintptr_t)region};
	size_t next = job->run->nwaits;
	uint32_t number =
		idmap_number(&job->waits, string_hash((const char *)key, sizeof key), next);
	struct run_wait *wait;

	if (number < next)
		return &job->run->waits[number];
	wait = table_add(&run_tables[RUN_PART_WAITS], job->run);
	wait->stack = entry->stack == STACK_NONE ? -1 : job->row_of[entry->stack];
	if (wait->stack >= 0)
		reason = find_reason(job, entry->stack);
	snprintf(wait->kind, sizeof wait->kind, "%s", reason->kind);
	wait->function = string_pooled(reason->function);
	wait->caller = string_pooled(reason->caller);
	wait->file = string_pooled(reason->file);
	wait->line = reason->line;
	snprintf(wait->region, sizeof wait->region, "%s", region);
	wait->pid = task->pid;
	wait->tid = task->tid;
	wait->in_blas = reason->in_blas;
	return wait;
}

/* Returns 1 if the thread would work, but others keep it from that. Otherwise it waits for work, or
 * for the results of others. */
static int is_at_work(const struct task_sum *sum, const struct wait_reason *reason)
{
	const char *kind = reason->kind;

	if (reason->in_blas)
		return sum->calls_blas;
	return run_wait_is_for_lock(kind) || !strcmp(kind, "barrier") || !strcmp(kind, "MPI") ||
	       !strcmp(kind, "GPU");
}

static void add_edges(int64_t start_ns, int64_t end_ns, int awake, int doing_io,
		      struct edge **edges, size_t *count)
{
	struct edge *edge;

	if (start_ns >= end_ns)
		return;
	edge = memory_add(edges, count, sizeof *edge);
	*edge = (struct edge){start_ns, awake, doing_io};
	edge = memory_add(edges, count, sizeof *edge);
	*edge = (struct edge){end_ns, -awake, -doing_io};
}

/* Sets how many threads work at once, unless it is not known why they wait most of the time. If
 * entries of the log were merged, the waits of one thread may overlap. */
static void count_awake(struct stack_job *job)
{
	const struct collection *c = job->c;
	FREED int64_t *until = memory_rows(c->timeline->ntasks, sizeof *until);
	FREED struct edge *edges = NULL;
	int64_t waiting_ns = 0, unknown_ns = 0;
	size_t count = 0;

	for (size_t i = 0; i < c->timeline->ntasks; i++) {
		const struct task *task = &c->timeline->tasks[i];

		until[i] = larger(task->start_ns, c->start_ns);
		add_edges(until[i], smaller(task->end_ns, c->end_ns), 1, 0, &edges, &count);
	}
	EACH_ROW(entry, c->log->entries, c->log->count) {
		const struct task_sum *sum = &c->sums[entry->task];
		int64_t start_ns =
			larger(until[entry->task], entry->time_ns - (int64_t)entry->count);
		int64_t end_ns = smaller(entry->time_ns, sum->end_ns);
		const struct wait_reason *reason = NULL;

		if (entry->address != LOG_WAITING || off_cpu_inside_ns(c, entry) <= 0 ||
		    start_ns >= end_ns)
			continue;
		waiting_ns += end_ns - start_ns;
		if (entry->stack == STACK_NONE)
			unknown_ns += end_ns - start_ns;
		else
			reason = find_reason(job, entry->stack);
		if (reason && is_at_work(sum, reason))
			continue;
		add_edges(start_ns, end_ns, -1, reason && !strcmp(reason->kind, "I/O"), &edges,
			  &count);
		until[entry->task] = end_ns;
	}
	if (unknown_ns <= waiting_ns / 2)
		job->run->threads_awake = threads_awake(edges, count);
}

/* Adds the waits. In their alone_ns they first have the time in which others computed. */
static void add_waits(struct stack_job *job)
{
	const struct collection *c = job->c;
	FREED double *before = sum_computing(c);
	struct run *run = job->run;
	int is_lost = 0;

	EACH_ROW(entry, c->log->entries, c->log->count) {
		int64_t inside_ns = log_is_off_cpu(entry) ? off_cpu_inside_ns(c, entry) : 0;
		const char *region;
		struct run_wait *wait;

		if (inside_ns <= 0)
			continue;
		region = find_region(c, entry);
		is_lost |= region == region_unknown;
		wait = find_wait(job, entry, region);
		wait->waits += entry->waits;
		wait->total_ns += inside_ns;
		wait->longest_ns = larger(wait->longest_ns, inside_ns);
		wait->alone_ns += entry->address == LOG_PREEMPTED
					  ? inside_ns
					  : (int64_t)sum_meanwhile(c->log, before, entry);
	}
	EACH_ROW(wait, run->waits, run->nwaits)
		wait->alone_ns = larger(wait->total_ns - wait->alone_ns, 0);
	if (is_lost)
		run_add_note(run, "wait_regions_lost", "the times of %zu regions were kept",
			     c->calls->regions.nvisits);
}

/* Where a thread waits for others while it holds a lock, as in receiver.lock().recv(), those that
 * wait for the lock wait for the same: gives their waits in this line its kind. */
static void follow_holders(struct run *run)
{
	FREED struct holder {
		int64_t ns;
		const char *kind;
	} *holders = memory_rows(run->nwaits, sizeof *holders);
	OWN_IDMAP lines = {0};

	for (int is_lock = 0; is_lock <= 1; is_lock++)
		EACH_ROW(wait, run->waits, run->nwaits) {
			const uint64_t key[] = {(uintptr_t)wait->file, (uint64_t)wait->line};
			struct holder *holder;

			if (wait->line <= 0 || (is_lock ? strcmp(wait->kind, "mutex") != 0
							: strcmp(wait->kind, "condition") != 0 &&
								  strcmp(wait->kind, "futex") != 0))
				continue;
			holder = &holders[idmap_number(
				&lines, string_hash((const char *)key, sizeof key), lines.count)];
			if (!is_lock) {
				holder->ns += wait->total_ns;
				holder->kind = wait->kind;
			} else if (holder->ns > run->roi_ns / 2) {
				strcpy(wait->kind, holder->kind);
			}
		}
}

/* Returns the row of run->functions for a sample that spins, which is added if it is new: the
 * function that the program called, if that is known to wait; otherwise the function that spins, or
 * that calls the one that spins; not one of the system, such as sched_yield(), if it is known what
 * called that. For a lock of the kernel, or the program's own, the name says so. */
static struct run_function *find_spin(struct stack_job *job, const struct log_entry *entry)
{
	struct wait_reason place = {0};
	int is_kernel = address_object(job->addresses->keys[entry->address]) == OBJECT_KERNEL,
	    is_own = 0;
	struct run_function *row;
	uint32_t number;

	if (entry->stack != STACK_NONE && job->row_of[entry->stack] >= 0)
		place = *find_reason(job, entry->stack);
	if (place.caller && *place.caller) {
		is_own = !*place.function || !strcmp(place.kind, WAIT_OTHER);
		if (is_own)
			place.function = place.caller;
	} else {
		const struct symbol_frame *frames;
		uint32_t address = entry->address, node = entry->stack;

		while (node != STACK_NONE && node >= STACK_ROOTS &&
		       spins_is_system(object_of(job->addresses, job->nodes[node].address)))
			node = job->nodes[node].parent;
		if (node != STACK_NONE && node >= STACK_ROOTS &&
		    spins_is_system(object_of(job->addresses, address)))
			address = job->nodes[node].address;
		naming_frames(job->c->naming, address, &frames);
		place.function = frames->function;
		place.object = object_of(job->addresses, address)->path;
		place.file = frames->file ? frames->file : "";
		place.line = frames->line;
	}
	if (spins_for_lock(&job->c->spins, entry->address) && (is_kernel || is_own))
		place.function = string_printf("%s lock in %s", is_kernel ? "kernel" : "spin",
					       place.function);
	const uint64_t key[] = {(uintptr_t)string_pooled(place.function),
				(uintptr_t)string_pooled(place.object),
				(uintptr_t)string_pooled(place.file), (uint64_t)place.line};
	number = idmap_number(&job->places, string_hash((const char *)key, sizeof key),
			      job->run->nfunctions);
	if (number < job->run->nfunctions)
		return &job->run->functions[number];
	row = table_add(&run_tables[RUN_PART_FUNCTIONS], job->run);
	code_location_set(&row->location, place.function, place.object, "", place.file, place.line);
	row->code = RUN_CODE_SPIN;
	return row;
}

static void add_spins(struct stack_job *job)
{
	const struct collection *c = job->c;

	EACH_ROW(entry, c->log->entries, c->log->count) {
		struct run_function *row;

		if (!is_counted(c, entry) || !spins_outside_blas(c, entry))
			continue;
		row = find_spin(job, entry);
		row->samples += entry->count;
		row->samples_workers += c->sums[entry->task].only_helps ? entry->count : 0;
	}
}

void stacks_add(struct collection *c)
{
	const struct stack_tree *tree = c->stacks;
	struct stack_job job = {
		.c = c, .addresses = c->addresses, .nodes = tree->nodes, .run = c->run};

	job.row_of = memory_rows(tree->count + STACK_ROOTS, sizeof *job.row_of);
	for (size_t i = 0; i < STACK_ROOTS; i++)
		job.row_of[i] = -1;
	for (size_t i = STACK_ROOTS; i < tree->count; i++) {
		struct run_stack *row;

		if (!c->stack_used[i])
			continue;
		add_node(&job, (uint32_t)i);
		row = &c->run->stacks[job.row_of[i]];
		row->samples_callers += c->stack_samples[i][0];
		row->samples_others += c->stack_samples[i][1];
	}
	job.reasons = memory_rows(tree->count, sizeof *job.reasons);
	job.codes = memory_rows(c->run->nframes, sizeof *job.codes);
	job.path = memory_rows(c->run->nstacks, sizeof *job.path);
	add_waits(&job);
	follow_holders(job.run);
	/* in a marked region, it is not known when threads were in it */
	if (!c->calls->records.frame.region)
		count_awake(&job);
	add_spins(&job);
	idmap_free(&job.frames);
	idmap_free(&job.rows);
	idmap_free(&job.waits);
	idmap_free(&job.places);
	free(job.row_of);
	free(job.path);
	free(job.reasons);
	free(job.codes);
}
