/* collect_stacks.c: merges stacks of addresses into stacks of functions. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect_stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/wait_kinds.h"
#include "base/array.h"

int stack_sums_init(struct stack_sums *sums, size_t nodes)
{
	memset(sums, 0, sizeof *sums);
	sums->samples = calloc(nodes + 1, sizeof *sums->samples);
	return sums->samples ? 0 : -1;
}

void stack_sums_free(struct stack_sums *sums)
{
	free(sums->samples);
	free(sums->waits);
	idmap_free(&sums->index);
	idmap_free(&sums->pairs);
}

/* The number of the key in the map, which is `next` when it is new; IDMAP_NONE when memory is out.
 */
static uint32_t number_key(struct idmap *map, uint64_t key, size_t next)
{
	uint32_t number = idmap_find(map, key);

	if (number == IDMAP_NONE && !idmap_put(map, key, (uint32_t)next))
		number = (uint32_t)next;
	return number;
}

int stack_sums_add_wait(struct stack_sums *sums, const struct log_entry *entry, uint32_t region,
			int64_t wait_ns)
{
	uint32_t stack = entry->address == LOG_PREEMPTED ? STACK_NONE - 1 : entry->stack;
	uint32_t pair, number;
	struct wait_sum *sum;

	if (wait_ns <= 0)
		return 0;
	pair = number_key(&sums->pairs, (uint64_t)entry->task << 32 | region, sums->pairs.count);
	number = number_key(&sums->index, (uint64_t)pair << 32 | stack, sums->nwaits);
	if (pair == IDMAP_NONE || number == IDMAP_NONE)
		return -1;
	if (number == sums->nwaits) {
		sum = array_add(&sums->waits, &sums->nwaits, sizeof *sum);
		if (!sum)
			return -1;
		sum->task = entry->task;
		sum->region = region;
		sum->preempted = entry->address == LOG_PREEMPTED;
		sum->stack = sum->preempted ? STACK_NONE : stack;
	}
	sum = &sums->waits[number];
	sum->waits++;
	sum->total_ns += wait_ns;
	if (wait_ns > sum->longest_ns)
		sum->longest_ns = wait_ns;
	return 0;
}

/* Which nodes have samples or waits, or are on the way to one that has. NULL: memory is out. */
static char *find_used(const struct stack_tree *tree, const struct stack_sums *sums)
{
	char *used = calloc(tree->count + 1, 1);

	for (size_t i = 0; used && i < sums->nwaits; i++)
		if (sums->waits[i].stack < tree->count)
			used[sums->waits[i].stack] = 1;
	for (size_t i = tree->count; used && i-- > 0;) {
		used[i] |= sums->samples[i][0] || sums->samples[i][1];
		used[tree->nodes[i].parent] |= used[i];
	}
	return used;
}

void stacks_mark_places(const struct timeline *timeline, const struct stack_sums *sums,
			uint64_t *counts)
{
	const struct stack_tree *tree = &timeline->stacks;
	char *used = find_used(tree, sums);

	for (size_t i = STACK_ROOTS; used && i < tree->count; i++)
		if (used[i] && !counts[tree->nodes[i].address])
			counts[tree->nodes[i].address] = 1;
	free(used);
}

/* What a thread in this stack waits for: thousands of threads wait in the same. */
struct stack_reason {
	int is_known, in_blas;
	struct wait_reason reason;
};

/* Rows under construction. Each is known by what it consists of. */
struct stack_job {
	const struct timeline *timeline;
	const struct stack_names *names;
	struct run *run;
	struct idmap frames;	       /* function's text and object to run->frames */
	struct idmap rows;	       /* parent and frame to run->stacks */
	int64_t *row_of;	       /* of each node: its place in run->stacks, -1 for a root */
	struct stack_reason *reasons;  /* of each row of run->stacks */
	const struct run_frame **path; /* room for one stack's frames */
	size_t path_room;
};

/* The row of run->frames; -1 when memory is out. Equal texts are equal pointers. */
static int64_t find_frame(struct stack_job *job, const struct symbol_frame *frame, uint32_t object)
{
	uint64_t key = (uint64_t)(uintptr_t)frame->function << 17 | (uint64_t)object << 1 |
		       (frame->inlined != 0);
	uint32_t known = idmap_find(&job->frames, key);
	size_t count = job->run->nframes;
	struct run_frame *row;

	if (known != IDMAP_NONE)
		return known;
	row = table_add(&run_tables[RUN_PART_FRAMES], job->run);
	if (!row || idmap_put(&job->frames, key, (uint32_t)count))
		return -1;
	row->function = strdup(frame->function);
	row->object = strdup(job->timeline->addresses.objects[object].path);
	row->code = job->names->code[object];
	row->inlined = frame->inlined != 0;
	return row->function && row->object ? (int64_t)count : -1;
}

/* The row of run->stacks; -1 when memory is out. */
static int64_t find_row(struct stack_job *job, int64_t parent, int64_t frame, int whole)
{
	uint64_t key =
		(uint64_t)(parent < 0 ? !whole : parent + STACK_ROOTS) << 32 | (uint64_t)frame;
	uint32_t known = idmap_find(&job->rows, key);
	size_t count = job->run->nstacks;
	struct run_stack *row;

	if (known != IDMAP_NONE)
		return known;
	row = table_add(&run_tables[RUN_PART_STACKS], job->run);
	if (!row || idmap_put(&job->rows, key, (uint32_t)count))
		return -1;
	row->parent = parent;
	row->frame = frame;
	row->whole = whole;
	return (int64_t)count;
}

/* Is the stack whole? What lies below the other root can be known by the name of its outermost
 * function. */
static int is_whole(const struct stack_job *job, const struct stack_node *node,
		    const char *function)
{
	int64_t parent = job->row_of[node->parent];

	if (parent >= 0)
		return job->run->stacks[parent].whole;
	return node->parent == STACK_WHOLE || wait_function_is_start(function);
}

/* Gives the node its rows: one for each function that was inlined into another at its place. */
static int add_node(struct stack_job *job, uint32_t number)
{
	const struct stack_node *node = &job->timeline->stacks.nodes[number];
	uint32_t object = address_object(job->timeline->addresses.keys[node->address]);
	const struct symbol_frame *frames;
	size_t count = naming_frames(job->names->naming, node->address, &frames);
	int whole = is_whole(job, node, frames[count - 1].function);
	int64_t row = job->row_of[node->parent];

	while (count-- > 0) {
		int64_t frame = find_frame(job, &frames[count], object);

		row = frame < 0 ? -1 : find_row(job, row, frame, whole);
		if (row < 0)
			return -1;
	}
	job->row_of[number] = row;
	return 0;
}

static int add_nodes(struct stack_job *job, const struct stack_sums *sums)
{
	const struct stack_tree *tree = &job->timeline->stacks;
	char *used = find_used(tree, sums);
	int failed = !used;

	job->row_of = calloc(tree->count + STACK_ROOTS, sizeof *job->row_of);
	failed |= !job->row_of;
	for (size_t i = 0; i < STACK_ROOTS && !failed; i++)
		job->row_of[i] = -1;
	for (size_t i = STACK_ROOTS; i < tree->count && !failed; i++) {
		if (!used[i])
			continue;
		failed = add_node(job, (uint32_t)i);
		if (failed)
			break;
		job->run->stacks[job->row_of[i]].samples_callers += sums->samples[i][0];
		job->run->stacks[job->row_of[i]].samples_others += sums->samples[i][1];
	}
	free(used);
	return failed ? -1 : 0;
}

/* Lists the frames of a stack's row, innermost first, in job->path. -1 when memory is out. */
static int list_path(struct stack_job *job, int64_t row, size_t *count)
{
	const struct run *run = job->run;

	for (*count = 0; row >= 0; row = run->stacks[row].parent) {
		if (*count == job->path_room) {
			size_t room = job->path_room ? job->path_room * 2 : 64;
			const struct run_frame **grown =
				reallocarray(job->path, room, sizeof *grown);

			if (!grown)
				return -1;
			job->path = grown;
			job->path_room = room;
		}
		job->path[(*count)++] = &run->frames[run->stacks[row].frame];
	}
	return 0;
}

/* In a BLAS library, or where the preload library makes a call wait for its unit. */
static int is_in_blas(const struct stack_job *job, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (job->path[i]->code == RUN_CODE_BLAS ||
		    strstr(job->path[i]->object, "/libblasprof.so"))
			return 1;
	return 0;
}

/* The reason of the row's stack; NULL when memory is out. */
static const struct stack_reason *find_reason(struct stack_job *job, int64_t row)
{
	struct stack_reason *known = &job->reasons[row];
	size_t count;

	if (known->is_known)
		return known;
	if (list_path(job, row, &count))
		return NULL;
	known->is_known = 1;
	known->reason = wait_reason_find(job->path, count);
	known->in_blas = is_in_blas(job, count);
	return known;
}

static int add_wait(struct stack_job *job, const struct wait_sum *sum)
{
	const struct task *task = &job->timeline->tasks[sum->task];
	const struct stack_reason unknown = {
		.reason = {sum->preempted ? WAIT_RUN_QUEUE : WAIT_UNKNOWN, "", ""}};
	const struct stack_reason *reason = &unknown;
	struct run_wait *wait = table_add(&run_tables[RUN_PART_WAITS], job->run);

	if (!wait)
		return -1;
	wait->stack = sum->stack == STACK_NONE ? -1 : job->row_of[sum->stack];
	if (wait->stack >= 0)
		reason = find_reason(job, wait->stack);
	if (!reason)
		return -1;
	snprintf(wait->kind, sizeof wait->kind, "%s", reason->reason.kind);
	wait->function = strdup(reason->reason.function);
	wait->caller = strdup(reason->reason.caller);
	snprintf(wait->region, sizeof wait->region, "%s",
		 wait_regions_text(job->names->regions, sum->region));
	wait->pid = task->pid;
	wait->tid = task->tid;
	wait->in_blas = reason->in_blas;
	wait->waits = sum->waits;
	wait->total_ns = sum->total_ns;
	wait->longest_ns = sum->longest_ns;
	return wait->function && wait->caller ? 0 : -1;
}

int stacks_add(const struct timeline *timeline, const struct stack_sums *sums,
	       const struct stack_names *names, struct run *run)
{
	struct stack_job job = {.timeline = timeline, .names = names, .run = run};
	int failed = add_nodes(&job, sums);

	job.reasons = failed ? NULL : calloc(run->nstacks + 1, sizeof *job.reasons);
	failed |= !job.reasons;
	for (size_t i = 0; i < sums->nwaits && !failed; i++)
		failed = add_wait(&job, &sums->waits[i]);
	idmap_free(&job.frames);
	idmap_free(&job.rows);
	free(job.row_of);
	free(job.path);
	free(job.reasons);
	return failed ? -1 : 0;
}
