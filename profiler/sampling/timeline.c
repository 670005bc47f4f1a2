/* timeline.c: sorts perf records by time, and replays what each kind does to tasks and address
 * spaces. */
/* SPDX-License-Identifier: MIT */
#include "sampling/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "blas/blas_objects.h"
#include "calls/collect.h"
#include "symbols/symbols.h"
#include "wire/layout.h"

/* How long a read of Python frames stands for what the thread does. */
#define READ_LASTS_NS	 1000000000
/* A thread that was preempted earlier than this is not read: the reading thread preempts others
 * just before it reads, but the kernel preempts mostly at the end of system calls, so that reads of
 * other preempted threads would show these too often. */
#define READ_PREEMPTS_NS 200000

/* The bodies of the records, as the comments in <linux/perf_event.h> describe them. A struct tail
 * follows each, except the sample, whose layout is struct sample_head. */
struct tail {
	uint32_t pid, tid;
	uint64_t time, cpu, id;
};
struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t size, unused[3], bytes[BUILD_ID_BYTES];
		} build_id; /* with PERF_RECORD_MISC_MMAP_BUILD_ID */
	};
	uint32_t protection, flags;
	char path[];
};
struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};
struct task_record { /* fork and exit */
	struct perf_event_header header;
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t time;
};
struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

enum { FIRST_SLICE_NS = 1000000 };
static const int64_t longest_slice_ns = INT64_C(1) << 62;

void sample_log_free(struct sample_log *log)
{
	free(log->entries);
	memset(log, 0, sizeof *log);
}

static int compare_slices(const void *left, const void *right, void *slice_ns)
{
	const struct log_entry *a = left, *b = right;
	int64_t slice = *(const int64_t *)slice_ns;

	return ORDER(a->time_ns / slice, b->time_ns / slice) ?: ORDER(a->task, b->task) ?:
	       ORDER(a->address, b->address) ?: ORDER(a->stack, b->stack);
}

/* Adds an entry to another. Merged samples have the time of the first one, merged times off the CPU
 * that of the last one. */
static void merge_entry(void *into, const void *row)
{
	struct log_entry *sum = into;
	const struct log_entry *entry = row;
	int is_later = entry->time_ns > sum->time_ns;

	if (sum->count + entry->count)
		sum->own = (float)(((double)sum->own * (double)sum->count +
				    (double)entry->own * (double)entry->count) /
				   (double)(sum->count + entry->count));
	sum->count += entry->count;
	sum->waits += entry->waits;
	if (is_later == log_is_off_cpu(sum))
		sum->time_ns = entry->time_ns;
}

static void merge_slices(struct sample_log *log, int64_t slice_ns)
{
	log->count = array_merge(log->entries, log->count, sizeof *log->entries, compare_slices,
				 merge_entry, &slice_ns);
	log->slice_ns = slice_ns;
}

/* Merges entries by slices of time, which are made longer if need be. If that is not enough,
 * forgets the offsets of sampled addresses in their objects, and the stacks. */
static void make_room(struct sample_log *log, struct address_table *addresses)
{
	int64_t slice_ns = log->slice_ns ? log->slice_ns : FIRST_SLICE_NS;

	merge_slices(log, slice_ns);
	while (log->count > log->max / 2 && slice_ns < longest_slice_ns)
		merge_slices(log, slice_ns *= 2);
	if (log->count <= log->max / 2)
		return;
	EACH_ROW(entry, log->entries, log->count) {
		entry->stack = STACK_NONE;
		if (!log_is_off_cpu(entry))
			entry->address = address_table_any(addresses, entry->address);
	}
	merge_slices(log, slice_ns);
	if (log->count > log->max / 2)
		log->max *= 2;
}

void sample_log_add(struct sample_log *log, struct address_table *addresses,
		    const struct log_entry *entry)
{
	if (log->count >= log->max)
		make_room(log, addresses);
	memory_append(&log->entries, &log->count, sizeof *entry, entry);
}

uint32_t stack_tree_add(struct stack_tree *tree, const uint32_t *addresses, size_t count, int whole)
{
	uint32_t parent = whole ? STACK_WHOLE : STACK_CUT;
	struct stack_node node;

	while (tree->count < STACK_ROOTS) {
		node = (struct stack_node){(uint32_t)tree->count, IDMAP_NONE};
		memory_append(&tree->nodes, &tree->count, sizeof node, &node);
	}
	for (size_t i = count; i-- > 0;) {
		uint64_t key = (uint64_t)parent << 32 | addresses[i];

		if (tree->count >= STACKS_MAX && idmap_find(&tree->index, key) == IDMAP_NONE)
			return idmap_find(&tree->index, (uint64_t)STACK_CUT << 32 | addresses[0]);
		node = (struct stack_node){parent, addresses[i]};
		parent = idmap_number(&tree->index, key, tree->count);
		if (parent == tree->count)
			memory_append(&tree->nodes, &tree->count, sizeof node, &node);
	}
	return parent;
}

void stack_tree_free(struct stack_tree *tree)
{
	free(tree->nodes);
	idmap_free(&tree->index);
	memset(tree, 0, sizeof *tree);
}

static const struct tail *record_tail(const struct perf_event_header *record)
{
	return (const struct tail *)((const char *)record + record->size - sizeof(struct tail));
}

static int64_t record_time(const struct perf_event_header *record)
{
	if (record->type == PERF_RECORD_SAMPLE)
		return (int64_t)((const struct sample_head *)record)->time;
	return (int64_t)record_tail(record)->time;
}

uint32_t timeline_started(const struct perf_event_header *record, uint32_t *pid)
{
	const struct task_record *fork = (const struct task_record *)record;

	if (record->type != PERF_RECORD_FORK || record->size < sizeof *fork)
		return 0;
	*pid = fork->pid;
	return fork->tid;
}

/* Adds a process, which inherits from its parent unless that is NULL. Returns its number. */
static uint32_t add_process(struct timeline *timeline, uint32_t pid, const struct process *parent)
{
	struct process process = {.space = address_space_copy(parent ? parent->space : NULL)};
	uint32_t number = (uint32_t)timeline->nprocesses;

	if (parent) {
		process.intercepted = parent->intercepted;
		process.python = parent->python;
		process.python_bias = parent->python_bias;
	}
	memory_append(&timeline->processes, &timeline->nprocesses, sizeof process, &process);
	idmap_put(&timeline->live_processes, pid, number);
	return number;
}

/* Returns own_ns at now_ns, which never decreases between calls. */
static double runnable_own_ns(struct runnable *runnable, int64_t now_ns)
{
	int over = runnable->running + runnable->ready - runnable->cpus;

	if (now_ns <= runnable->counted_ns)
		return runnable->own_ns;
	over = over < runnable->ready ? over : runnable->ready;
	if (over > 0)
		runnable->own_ns +=
			(double)(now_ns - runnable->counted_ns) * over / runnable->ready;
	runnable->counted_ns = now_ns;
	return runnable->own_ns;
}

/* Adds to the number of running and of ready threads. */
static void runnable_change(struct runnable *runnable, int64_t now_ns, int running, int ready)
{
	runnable_own_ns(runnable, now_ns);
	runnable->running += running;
	runnable->ready += ready;
}

/* Reads own_ns at now_ns: own_ns[0] for all threads, own_ns[1] for the threads bound to the CPU of
 * the task (0 if it is not bound). */
static void read_own_ns(struct timeline *timeline, const struct task *task, int64_t now_ns,
			double own_ns[2])
{
	own_ns[0] = timeline->runnable.cpus ? runnable_own_ns(&timeline->runnable, now_ns) : 0;
	own_ns[1] = task->pinned < 0 ? 0 : runnable_own_ns(&timeline->pinned[task->pinned], now_ns);
}

/* Adds the task, in its present state, to the counts of runnable threads (by = 1), or removes it
 * (by = -1). */
static void count_task(struct timeline *timeline, const struct task *task, int64_t now_ns, int by)
{
	int running = task->out_ns ? 0 : by;
	int ready = task->out_ns && task->out_preempted ? by : 0;

	runnable_change(&timeline->runnable, now_ns, running, ready);
	if (task->pinned >= 0)
		runnable_change(&timeline->pinned[task->pinned], now_ns, running, ready);
}

static void leave_cpu(struct timeline *timeline, struct task *task, int64_t now_ns, int preempted)
{
	count_task(timeline, task, now_ns, -1);
	task->out_ns = now_ns;
	task->out_preempted = preempted;
	count_task(timeline, task, now_ns, 1);
	read_own_ns(timeline, task, now_ns, task->own_from);
}

int task_was_active(struct task *task)
{
	int is_runnable = task->is_switched && (!task->out_ns || task->out_preempted);
	int was_active = task->has_run || is_runnable;

	task->has_run = 0;
	return was_active;
}

void timeline_pin(struct timeline *timeline, struct task *task, int cpu)
{
	int64_t now_ns = timeline->runnable.counted_ns;

	if (task->pinned == cpu || task->end_ns)
		return;
	while (cpu >= 0 && timeline->npinned <= (size_t)cpu) {
		struct runnable *runnable =
			memory_add(&timeline->pinned, &timeline->npinned, sizeof *runnable);

		runnable->cpus = 1;
	}
	count_task(timeline, task, now_ns, -1);
	task->pinned = cpu;
	count_task(timeline, task, now_ns, 1);
	read_own_ns(timeline, task, now_ns, task->own_from);
}

static struct task *add_task(struct timeline *timeline, uint32_t pid, uint32_t tid,
			     uint32_t process, int64_t now_ns)
{
	struct task *task = memory_add(&timeline->tasks, &timeline->ntasks, sizeof *task);

	idmap_put(&timeline->live_tasks, tid, (uint32_t)(timeline->ntasks - 1));
	*task = (struct task){
		.pid = pid,
		.tid = tid,
		.process = process,
		.start_ns = now_ns,
		.out_stack = STACK_NONE,
		.pinned = -1,
		.has_run = 1,
	};
	count_task(timeline, task, now_ns, 1);
	memset(task->last_stacks, 0xff, sizeof task->last_stacks); /* STACK_NONE */
	timeline->processes[process].tasks++;
	return task;
}

static uint32_t find_process(struct timeline *timeline, uint32_t pid)
{
	uint32_t number = idmap_find(&timeline->live_processes, pid);

	if (number != IDMAP_NONE && timeline->processes[number].space)
		return number;
	return add_process(timeline, pid, NULL);
}

/* Returns the live task. Adds it if its fork record was lost. */
static struct task *find_task(struct timeline *timeline, uint32_t pid, uint32_t tid, int64_t now_ns)
{
	uint32_t number = idmap_find(&timeline->live_tasks, tid);

	if (number != IDMAP_NONE && !timeline->tasks[number].end_ns)
		return &timeline->tasks[number];
	return add_task(timeline, pid, tid, find_process(timeline, pid), now_ns);
}

static uint32_t find_address(struct timeline *timeline, const struct task *task,
			     const struct sample_head *sample)
{
	unsigned mode = sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const struct address_space *space = timeline->processes[task->process].space;
	const struct mapping *map;

	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_HYPERVISOR)
		return address_table_number(&timeline->addresses, OBJECT_KERNEL, sample->ip);
	/* records of the end of the process may come first */
	map = space ? address_space_find(space, sample->ip) : NULL;
	if (!map)
		return address_table_number(&timeline->addresses, OBJECT_UNKNOWN, sample->ip);
	return address_table_number(&timeline->addresses, map->object,
				    sample->ip - map->start + map->offset);
}

static uint32_t find_stack(struct timeline *timeline, struct task *task,
			   const struct sample_record *sample)
{
	struct unwinder unwinder = {&timeline->addresses, timeline->processes[task->process].space,
				    timeline->rules};
	struct unwound unwound;

	if (!unwinder.space)
		return STACK_NONE;
	unwind_sample(&unwinder, sample, &unwound);
	if (!unwound.whole && sample->regs && sample->is_short)
		task->stack_end = sample->regs[SAMPLE_REG_SP] + sample->stack_bytes;
	if (!unwound.count)
		return STACK_NONE;
	return stack_tree_add(&timeline->stacks, unwound.addresses, unwound.count, unwound.whole);
}

/* Returns the stack in which the task waited. If only some waits have stacks, a wait without one
 * gets the stack of the last wait of about the same length, up to a factor of 64. */
static uint32_t find_wait_stack(const struct timeline *timeline, struct task *task, int64_t wait_ns)
{
	enum { FIRST_BITS = 11, NEAR = 3 };
	int bits = 63 - __builtin_clzll((unsigned long long)wait_ns | 1);
	int at = (bits - FIRST_BITS + 1) / 2;
	uint32_t stack = STACK_NONE;

	at = at < 0 ? 0 : at < WAIT_CLASSES ? at : WAIT_CLASSES - 1;
	if (task->out_stack != STACK_NONE)
		task->last_stacks[at] = task->out_stack;
	if (!timeline->waits_are_sampled)
		return task->out_stack;
	for (int off = 0; off <= NEAR && stack == STACK_NONE; off++) {
		if (at >= off)
			stack = task->last_stacks[at - off];
		if (stack == STACK_NONE && at + off < WAIT_CLASSES)
			stack = task->last_stacks[at + off];
	}
	return stack;
}

/* Returns 1 if the address lies in the function that runs Python code. */
static int runs_python(const struct timeline *timeline, uint32_t address)
{
	uint32_t object = address_object(timeline->addresses.keys[address]);
	uint64_t offset = address_offset(timeline->addresses.keys[address]);

	EACH_ROW(python, timeline->python_objects, timeline->npython_objects) {
		if (python->object == object && python->file.version)
			return offset >= python->file.eval_start && offset < python->file.eval_end;
	}
	return 0;
}

static int is_fresh(const struct python_read *read, int64_t now_ns)
{
	return read->time_ns && read->stack != STACK_NONE && now_ns - read->time_ns < READ_LASTS_NS;
}

/* Returns the Python stack of a sample or a wait, or STACK_NONE. For a wait, a read during the wait
 * is certain, and a read in an earlier wait at the same place is the next best. A running thread
 * most likely runs what it ran at the last read while it was running. */
static uint32_t find_python(const struct task *task, int64_t now_ns, int is_wait)
{
	const struct python_read *runs = &task->reads[0], *waits = &task->reads[1];

	if (is_wait && ((waits->time_ns >= task->out_ns && waits->time_ns <= now_ns) ||
			(is_fresh(waits, now_ns) &&
			 (waits->out_stack == task->out_stack || waits->time_ns > runs->time_ns))))
		return waits->stack;
	return is_fresh(runs, now_ns)	 ? runs->stack
	       : is_fresh(waits, now_ns) ? waits->stack
					 : STACK_NONE;
}

/* Returns the stack with the Python frames in place of those of the interpreter, from the start of
 * the thread up to the innermost call of the function that runs them. A wait keeps that function,
 * because it identifies waits for the interpreter lock. */
static uint32_t add_python(struct timeline *timeline, uint32_t stack, uint32_t python, int is_wait)
{
	uint32_t addresses[UNWIND_DEPTH_MAX + 1 + PYTHON_DEPTH_MAX], node = stack, mixed;
	const struct stack_node *nodes = timeline->stacks.nodes;
	uint64_t key = (uint64_t)stack << 32 | python << 1 | !!is_wait;
	size_t count = 0;
	int found = 0;

	if (stack == STACK_NONE || python == STACK_NONE)
		return stack;
	mixed = idmap_find(&timeline->mixed, key);
	if (mixed != IDMAP_NONE)
		return mixed;
	for (; node >= STACK_ROOTS && !found && count <= UNWIND_DEPTH_MAX;
	     node = nodes[node].parent) {
		found = runs_python(timeline, nodes[node].address);
		if (!found || is_wait)
			addresses[count++] = nodes[node].address;
	}
	if (!found && node != STACK_CUT)
		return stack;
	for (node = python; node >= STACK_ROOTS; node = timeline->pythons.nodes[node].parent)
		addresses[count++] = timeline->pythons.nodes[node].address;
	mixed = stack_tree_add(&timeline->stacks, addresses, count, node == STACK_WHOLE);
	if (mixed != STACK_NONE)
		idmap_put(&timeline->mixed, key, mixed);
	return mixed;
}

static void end_off_cpu(struct timeline *timeline, struct task *task, int64_t now_ns)
{
	struct log_entry entry = {.time_ns = now_ns,
				  .task = (uint32_t)(task - timeline->tasks),
				  .address = task->out_preempted ? LOG_PREEMPTED : LOG_WAITING,
				  .stack = STACK_NONE,
				  .waits = 1,
				  .count = (uint64_t)now_ns - (uint64_t)task->out_ns};
	double own_ns[2];

	task->has_run = task->is_switched = 1;
	if (task->out_ns && now_ns > task->out_ns) {
		if (task->out_preempted) {
			/* the part of the time in which other threads of the program had the CPU */
			read_own_ns(timeline, task, now_ns, own_ns);
			own_ns[0] -= task->own_from[0];
			own_ns[1] -= task->own_from[1];
			entry.own = (float)((own_ns[0] > own_ns[1] ? own_ns[0] : own_ns[1]) /
					    (double)entry.count);
		} else {
			entry.stack = add_python(
				timeline, find_wait_stack(timeline, task, (int64_t)entry.count),
				find_python(task, now_ns, 1), 1);
		}
		sample_log_add(&timeline->log, &timeline->addresses, &entry);
		probe_calls_off(&timeline->probe_calls, entry.task, task->out_preempted,
				(int64_t)entry.count);
	}
	count_task(timeline, task, now_ns, -1);
	task->out_ns = 0;
	task->out_stack = STACK_NONE;
	count_task(timeline, task, now_ns, 1);
}

/* A record of a task that is off the CPU shows that the record of its switch in was lost. */
static void end_if_lost(struct timeline *timeline, struct task *task)
{
	if (task->out_ns && timeline->lost_ns >= task->out_ns)
		end_off_cpu(timeline, task, timeline->lost_ns);
}

/* Probes see every process that runs the file; tasks of other programs are ignored. */
static void feed_probe(struct timeline *timeline, const struct perf_event_header *record,
		       uint32_t probe)
{
	const struct sample_head *head = (const struct sample_head *)record;
	struct probe_calls *calls = &timeline->probe_calls;
	uint32_t task = idmap_find(&timeline->live_tasks, head->tid), routine = probe / 2;
	int at_return = probe & 1, shape_known;
	struct sample_record sample;
	struct probe_shape shape;

	if (task == IDMAP_NONE || timeline->tasks[task].pid != head->pid ||
	    sample_record_read(record, at_return ? PROBE_SAMPLE_TYPE : PROBE_ENTRY_TYPE, &sample) ||
	    !sample.regs)
		return;
	if (at_return) {
		probe_calls_return(calls, task, sample.regs[SAMPLE_REG_SP], (int64_t)head->time);
		return;
	}
	shape_known = routine < calls->nroutines &&
		      !probe_arguments_read(calls->rows[routine].id, &sample, &shape);
	probe_calls_enter(calls, task, routine, sample.regs[PROBE_ENTRY_SP], (int64_t)head->time,
			  shape_known ? &shape : NULL);
}

static void feed_python(struct timeline *timeline, const struct perf_event_header *header)
{
	const struct python_record *record = (const struct python_record *)header;
	uint32_t number = idmap_find(&timeline->live_tasks, record->tid);
	uint32_t addresses[PYTHON_DEPTH_MAX];
	struct task *task;
	size_t count = 0;
	int waits;

	if (number == IDMAP_NONE || timeline->tasks[number].end_ns ||
	    timeline->tasks[number].pid != record->pid ||
	    header->size < sizeof *record + record->count * sizeof *record->places ||
	    record->count > PYTHON_DEPTH_MAX)
		return;
	for (; count < record->count; count++) {
		if (record->places[count] >= timeline->npython_addresses)
			return;
		addresses[count] = timeline->python_addresses[record->places[count]];
	}
	task = &timeline->tasks[number];
	waits = task->out_ns && !task->out_preempted;
	if (task->out_ns && !waits && record_time(header) - task->out_ns > READ_PREEMPTS_NS)
		return;
	task->reads[waits] = (struct python_read){
		.time_ns = record_time(header),
		.stack = count ? stack_tree_add(&timeline->pythons, addresses, count,
						!!record->whole)
			       : STACK_NONE,
		.out_stack = task->out_stack,
	};
}

static void feed_sample(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct sample_head *head = (const struct sample_head *)record;
	uint32_t probe = idmap_find(&timeline->probe_ids, head->id);
	uint32_t counted = idmap_find(&timeline->counted_ids, head->id);
	int is_wait = idmap_find(&timeline->wait_ids, head->id) != IDMAP_NONE;
	int64_t now_ns = (int64_t)head->time;
	struct log_entry entry = {.time_ns = now_ns, .stack = STACK_NONE, .count = 1};
	struct sample_record sample;
	struct sample_log *log;
	uint32_t python, mixed;
	struct task *task;

	if (probe != IDMAP_NONE) {
		feed_probe(timeline, record, probe);
		return;
	}
	task = find_task(timeline, head->pid, head->tid, now_ns);
	entry.task = (uint32_t)(task - timeline->tasks);
	if (counted != IDMAP_NONE && !sample_record_read(record, TIMELINE_COUNTED_TYPE, &sample)) {
		/* what was counted since the previous sample belongs to the object of this one */
		entry.count = sample.period;
		entry.address =
			address_table_any(&timeline->addresses, find_address(timeline, task, head));
		while (timeline->ncounted <= counted) {
			log = memory_add(&timeline->counted_logs, &timeline->ncounted, sizeof *log);
			log->max = LOG_MAX_ENTRIES;
		}
		sample_log_add(&timeline->counted_logs[counted], &timeline->addresses, &entry);
		return;
	}
	end_if_lost(timeline, task);
	if (sample_record_read(record, is_wait ? timeline->wait_sample_type : timeline->sample_type,
			       &sample))
		sample = (struct sample_record){.head = head};
	entry.stack = find_stack(timeline, task, &sample);
	if (is_wait) {
		task->out_stack = entry.stack;
		return;
	}
	entry.address = find_address(timeline, task, head);
	python = find_python(task, now_ns, 0);
	mixed = add_python(timeline, entry.stack, python, 0);
	if (mixed != entry.stack && mixed != STACK_NONE) {
		entry.stack = mixed;
		/* the work of the interpreter belongs to the innermost Python frame */
		if (runs_python(timeline, entry.address))
			entry.address = timeline->pythons.nodes[python].address;
	}
	sample_log_add(&timeline->log, &timeline->addresses, &entry);
	timeline->samples++;
}

static void feed_switch(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct tail *tail = record_tail(record);
	int64_t now_ns = (int64_t)tail->time;
	struct task *task = find_task(timeline, tail->pid, tail->tid, now_ns);
	int is_out = record->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (is_out)
		end_if_lost(timeline, task);
	if (task->out_ns || !is_out)
		end_off_cpu(timeline, task, now_ns);
	if (is_out)
		leave_cpu(timeline, task, now_ns,
			  !!(record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT));
}

/* The name of a mapping's object. Memory in which programs may generate code is "[anon]", even if
 * it has the name of a file. */
static const char *mapped_path(const char *path)
{
	static const char *const memory[] = {"//anon", "/memfd:", "/dev/zero", "/SYSV",
					     "/anon_hugepage"};

	for (size_t i = 0; i < COUNT(memory); i++)
		if (!strncmp(path, memory[i], strlen(memory[i])))
			return "[anon]";
	return path;
}

static void watch_python(struct timeline *timeline, uint32_t pid, const struct process *process)
{
	if (process->python && timeline->python)
		python_reader_watch(timeline->python, pid,
				    &timeline->python_objects[process->python - 1].file,
				    process->python_bias);
}

/* Finds the interpreter of the process if this mapping has its code. */
static void find_interpreter(struct timeline *timeline, uint32_t pid, struct process *process,
			     const struct mapping *map)
{
	const struct object *object = &timeline->addresses.objects[map->object];
	const char *slash = strrchr(object->path, '/'), *complaint;
	const struct python_file *file;
	size_t number = 0;

	if (!slash || !strstr(slash, "python3."))
		return;
	while (number < timeline->npython_objects &&
	       timeline->python_objects[number].object != map->object)
		number++;
	if (number == timeline->npython_objects) {
		struct python_object *row = memory_add(&timeline->python_objects,
						       &timeline->npython_objects, sizeof *row);
		int fd;

		row->object = map->object;
		fd = object_open(object, timeline->start_realtime_ns, &complaint);
		if (fd >= 0) {
			row->file = python_file_read(fd, slash + 1);
			close(fd);
		}
	}
	file = &timeline->python_objects[number].file;
	if (!file->version || file->eval_start < map->offset ||
	    file->eval_end > map->offset + (map->end - map->start))
		return;
	process->python = (uint32_t)number + 1;
	process->python_bias = map->start - map->offset - file->to_address;
	watch_python(timeline, pid, process);
}

static void feed_mmap2(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct mmap2_record *mmap2 = (const struct mmap2_record *)record;
	const char *path = mapped_path(mmap2->path), *slash = strrchr(path, '/');
	int memory = *path != '/' && strcmp(path, "[vdso]") != 0;
	struct file_id id = {0};
	struct process *process;
	uint32_t number;
	struct mapping map = {
		.start = mmap2->address,
		.end = mmap2->address + mmap2->length,
		.offset = mmap2->offset,
	};

	if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
		id.device = makedev(mmap2->major, mmap2->minor);
		id.inode = mmap2->inode;
	} else if (mmap2->build_id.size <= BUILD_ID_BYTES) {
		id.build_id_size = mmap2->build_id.size;
		memcpy(id.build_id, mmap2->build_id.bytes, id.build_id_size);
	}
	/* without a file, offsets are addresses; in the vdso they begin at 0 */
	if (memory || *path != '/')
		map.offset = memory ? map.start : 0;
	number = find_process(timeline, mmap2->pid); /* may move processes[] */
	process = &timeline->processes[number];
	process->intercepted |= slash && !strcmp(slash, "/" SHIM_NAME);
	if (!process->intercepted && !memory && blas_object_known(path))
		process->has_missed = 1;
	map.object = memory ? address_table_memory(&timeline->addresses, path, mmap2->pid)
			    : address_table_object(&timeline->addresses, path, &id, mmap2->pid);
	if (timeline->python && !memory)
		find_interpreter(timeline, mmap2->pid, process, &map);
	if (memory)
		jit_process_watch(&timeline->jits, mmap2->pid);
	address_space_map(process->space, &map);
}

static void end_task(struct timeline *timeline, struct task *task, int64_t now_ns)
{
	struct process *process = &timeline->processes[task->process];

	end_off_cpu(timeline, task, now_ns);
	count_task(timeline, task, now_ns, -1);
	task->end_ns = now_ns;
	if (--process->tasks)
		return;
	address_space_free(process->space);
	process->space = NULL;
}

/* An exec clears the address space and ends the other threads of the process. The thread that
 * called it gets the number of the process. */
static void feed_comm(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct comm_record *comm = (const struct comm_record *)record;
	int64_t now_ns = record_time(record);
	struct task *task = find_task(timeline, comm->pid, comm->tid, now_ns);
	struct process *process = &timeline->processes[task->process];

	snprintf(task->name, sizeof task->name, "%s", comm->name);
	if (!(record->misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	address_space_free(process->space);
	process->space = address_space_copy(NULL);
	process->intercepted = 0;
	process->python = 0;
	EACH_ROW(other, timeline->tasks, process->tasks > 1 ? timeline->ntasks : 0)
		if (other != task && other->process == task->process && !other->end_ns)
			end_task(timeline, other, now_ns);
}

/* A new task begins off the CPU: it is ready to run from its fork to its first switch in. */
static void feed_fork(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct task_record *fork = (const struct task_record *)record;
	int64_t now_ns = (int64_t)fork->time;
	struct task parent, *task;
	uint32_t process;

	process = find_process(timeline, fork->parent_pid);
	if (fork->pid != fork->parent_pid) {
		process = add_process(timeline, fork->pid, &timeline->processes[process]);
		timeline->processes[process].parent = fork->parent_pid;
		watch_python(timeline, fork->pid, &timeline->processes[process]);
	}
	parent = *find_task(timeline, fork->parent_pid, fork->parent_tid, now_ns);
	task = add_task(timeline, fork->pid, fork->tid, process, now_ns);
	leave_cpu(timeline, task, now_ns, 1);
	memcpy(task->name, parent.name, sizeof parent.name);
	timeline_pin(timeline, task, parent.pinned);
}

static void feed_exit(struct timeline *timeline, const struct perf_event_header *record)
{
	const struct task_record *exit = (const struct task_record *)record;
	uint32_t number = idmap_find(&timeline->live_tasks, exit->tid);

	if (number != IDMAP_NONE && !timeline->tasks[number].end_ns)
		end_task(timeline, &timeline->tasks[number], (int64_t)exit->time);
}

static void feed_lost(struct timeline *timeline, const struct perf_event_header *record)
{
	timeline->lost_records += ((const struct lost_record *)record)->lost;
	timeline->lost_ns = record_time(record);
}

static void feed_throttle(struct timeline *timeline, const struct perf_event_header *record)
{
	timeline->throttled++;
}

/* `least` is the size up to the text, if there is one; the tail follows. */
static const struct kind {
	uint32_t type;
	void (*feed)(struct timeline *timeline, const struct perf_event_header *record);
	size_t least;
	int has_text;
} kinds[] = {
	{PERF_RECORD_SAMPLE, feed_sample, sizeof(struct sample_head) - sizeof(struct tail), 0},
	{PERF_RECORD_SWITCH, feed_switch, sizeof(struct perf_event_header), 0},
	{PERF_RECORD_MMAP2, feed_mmap2, offsetof(struct mmap2_record, path), 1},
	{PERF_RECORD_COMM, feed_comm, offsetof(struct comm_record, name), 1},
	{PERF_RECORD_FORK, feed_fork, sizeof(struct task_record), 0},
	{PERF_RECORD_EXIT, feed_exit, sizeof(struct task_record), 0},
	{PERF_RECORD_LOST, feed_lost, sizeof(struct lost_record), 0},
	{PERF_RECORD_THROTTLE, feed_throttle, sizeof(struct perf_event_header), 0},
	{PYTHON_RECORD, feed_python, sizeof(struct python_record), 0},
};

static const struct kind *find_kind(uint32_t type)
{
	EACH_ROW(kind, kinds, COUNT(kinds))
		if (kind->type == type)
			return kind;
	return NULL;
}

/* Returns the size of the record at the start of `left` bytes, or 0 if there is no whole, sound
 * record. */
static size_t record_size(const void *bytes, size_t left)
{
	const struct perf_event_header *record = bytes;
	const struct kind *kind;
	size_t least = sizeof *record;

	if (left < least || record->size % 8 || record->size > left)
		return 0;
	kind = find_kind(record->type);
	if (kind)
		least = kind->least;
	if (record->size < least + sizeof(struct tail))
		return 0;
	if (kind && kind->has_text &&
	    !memchr((const char *)bytes + least, '\0', record->size - least - sizeof(struct tail)))
		return 0;
	return record->size;
}

void timeline_init(struct timeline *timeline, pid_t pid, int64_t now_ns)
{
	memset(timeline, 0, sizeof *timeline);
	address_table_init(&timeline->addresses);
	timeline->sample_type = timeline->wait_sample_type = TIMELINE_SAMPLE_TYPE;
	timeline->rules = frame_rules_new();
	timeline->log.max = LOG_MAX_ENTRIES;
	find_task(timeline, (uint32_t)pid, (uint32_t)pid, now_ns);
}

int timeline_starts_too_fast(const struct timeline *timeline, size_t cpus)
{
	/* at this pace, one inherited event costs some 2 % of a CPU at the start and end of threads
	 */
	const int64_t pace_ns = 200000;
	size_t many = cpus * 4 > 256 ? cpus * 4 : 256, count = timeline->ntasks;

	return count > many &&
	       timeline->tasks[count - 1].start_ns - timeline->tasks[count - 1 - many].start_ns <
		       (int64_t)many * pace_ns;
}

struct run_process *timeline_add_process(const struct timeline *timeline, const struct task *task,
					 int rank, struct run *run)
{
	const struct process *process = &timeline->processes[task->process];
	struct run_process *row =
		collect_process(run, task->pid, process->parent, rank, task->name);

	row->intercepted = process->intercepted;
	return row;
}

void timeline_end(struct timeline *timeline, int64_t now_ns)
{
	EACH_ROW(task, timeline->tasks, timeline->ntasks)
		if (!task->end_ns)
			end_task(timeline, task, now_ns);
}

void timeline_free(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->nprocesses; i++)
		address_space_free(timeline->processes[i].space);
	free(timeline->processes);
	free(timeline->tasks);
	free(timeline->pinned);
	idmap_free(&timeline->live_tasks);
	idmap_free(&timeline->live_processes);
	sample_log_free(&timeline->log);
	for (size_t i = 0; i < timeline->ncounted; i++)
		sample_log_free(&timeline->counted_logs[i]);
	free(timeline->counted_logs);
	idmap_free(&timeline->counted_ids);
	address_table_free(&timeline->addresses);
	stack_tree_free(&timeline->stacks);
	stack_tree_free(&timeline->pythons);
	free(timeline->python_addresses);
	free(timeline->python_objects);
	idmap_free(&timeline->mixed);
	frame_rules_free(timeline->rules);
	idmap_free(&timeline->wait_ids);
	idmap_free(&timeline->probe_ids);
	probe_calls_free(&timeline->probe_calls);
	jit_processes_free(&timeline->jits);
	memset(timeline, 0, sizeof *timeline);
}

#define RECORD_FED UINT32_MAX /* type of a record that was fed; the kernel uses no such type */

struct merge_entry {
	int64_t time_ns;
	size_t arrival;
	struct perf_event_header *record;
};

static struct perf_event_header *record_at(const struct ring_buffer *buffer, size_t at)
{
	return (struct perf_event_header *)(buffer->bytes + at);
}

COMPARE(compare_entries, struct merge_entry,
	ORDER(a->time_ns, b->time_ns) ?: ORDER(a->arrival, b->arrival))

/* Adds the records of the buffer that are earlier than the horizon to the order. */
static void list_records(const struct ring_buffer *buffer, int64_t horizon_ns,
			 struct merge_entry **order, size_t *count)
{
	for (size_t at = 0; at < buffer->used; at += record_at(buffer, at)->size) {
		struct perf_event_header *record = record_at(buffer, at);
		struct merge_entry entry = {record_time(record), *count, record};

		if (record->type != RECORD_FED && entry.time_ns < horizon_ns)
			memory_append(order, count, sizeof entry, &entry);
	}
}

static void copy_unfed(const struct ring_buffer *from, struct ring_buffer *to)
{
	for (size_t at = 0; at < from->used; at += record_at(from, at)->size) {
		const struct perf_event_header *record = record_at(from, at);

		if (record->type != RECORD_FED)
			ring_buffer_add(to, record, record->size);
	}
}

void merge_feed(struct merge *merge, struct timeline *timeline, int64_t horizon_ns)
{
	struct ring_buffer left = {0}, empty = merge->before;
	FREED struct merge_entry *order = NULL;
	size_t count = 0, end = 0, size = 1;

	/* nothing behind bytes that are no record can be read */
	while (size && end < merge->waiting.used) {
		size = record_size(record_at(&merge->waiting, end), merge->waiting.used - end);
		end += size;
	}
	merge->waiting.used = end;
	list_records(&merge->left, horizon_ns, &order, &count);
	list_records(&merge->before, horizon_ns, &order, &count);
	list_records(&merge->waiting, horizon_ns, &order, &count);
	SORT(order, count, compare_entries);
	EACH_ROW(entry, order, count) {
		const struct kind *kind = find_kind(entry->record->type);

		/* before its exec, the process of the command belonged to blasprof */
		if (!timeline->records++)
			timeline->tasks[0].start_ns = entry->time_ns;
		if (kind)
			kind->feed(timeline, entry->record);
		entry->record->type = RECORD_FED;
	}
	/* Most records of this round have to wait for the next one, so they are not copied. */
	copy_unfed(&merge->left, &left);
	copy_unfed(&merge->before, &left);
	free(merge->left.bytes);
	merge->left = left;
	merge->before = merge->waiting;
	merge->waiting = empty;
	merge->waiting.used = 0;
}

void merge_free(struct merge *merge)
{
	free(merge->waiting.bytes);
	free(merge->before.bytes);
	free(merge->left.bytes);
	memset(merge, 0, sizeof *merge);
}
