/* spins.c: finds code that only waits, by a table of functions and by its instructions. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "blas/blas_objects.h"
#include "symbols/symbols.h"
#include "symbols/loops.h"
#include "wire/files.h"
#include "wire/layout.h"

/* What the name of a function tells; bits. */
enum code_kind {
	CODE_WAITS = 1,
	CODE_YIELDS = 2, /* the CPU */
	/* It polls until the GPU has finished, with code of many functions. A copy to the host
	 * waits for all earlier work. */
	CODE_ON_GPU = 4,
	CODE_IN_MPI = 8,
	CODE_LOOKS_FOR_TASKS = 16, /* while it waits; the tasks are of other code */
	CODE_LOCKS = 32,	   /* waits for a lock of the kernel, or of its own */
};

/* Functions whose instructions alone do not tell that they wait: loops around sched_yield(), and
 * loops that call functions in each turn. These are shell patterns; that of the object is compared
 * with the last part of its path. */
static const struct {
	const char *object, *function;
	int kinds;
} functions[] = {
	{"*", "?(__)sched_yield", CODE_WAITS | CODE_YIELDS},
	{"[[]kernel]", "*sys_sched_yield", CODE_WAITS},
	{"[[]kernel]", "do_sched_yield", CODE_WAITS},
	{"[[]kernel]", "yield_task_*", CODE_WAITS},
	{"[[]kernel]",
	 "@(*queued_@(spin|read|write)_lock_slowpath|osq_lock|@(mutex|rwsem)_spin_on_owner|"
	 "rwsem_optimistic_spin)",
	 CODE_WAITS | CODE_LOCKS},
	{"*openblas*", "blas_thread_server", CODE_WAITS},
	{"*openblas*", "exec_blas_async_wait", CODE_WAITS},
	{"libblis*", "*thrcomm*barrier*", CODE_WAITS},
	{"lib*omp*", "*__kmp_wait_*", CODE_WAITS},
	{"lib*omp*", "*__kmp_yield*", CODE_WAITS},
	{"lib*omp*", "*__kmp_hardware_timestamp*", CODE_WAITS},
	{"lib*omp*", "*kmp_*flag*done_check*", CODE_WAITS},
	{"lib@(omp|iomp)*", "__kmpc_@(barrier|end_taskgroup|omp_taskwait|omp_wait_deps)*",
	 CODE_LOOKS_FOR_TASKS},
	{"*", "@(cu|cuda|hip)[A-Z]*@(Synchronize|Memcpy*DtoH)*", CODE_ON_GPU},
	{SHIM_NAME, "[mM][pP][iI]_*", CODE_IN_MPI},
};

/* The OpenMP libraries of LLVM and Intel have one loop for all waits. It is long, and reads the
 * clock through a function of its own. */
static const char long_loops[] = "@(libomp.so*|libomp[0-9-]*|libiomp5*)";

/* The addresses of one object; of each address of all, its samples, and 1 if a call that gives up
 * the CPU ends with it. */
struct sampled {
	const struct address_spot *spots;
	size_t count;
	const uint64_t *counts;
	const char *calls;
};

/* Returns kinds of code if the bytes of the file around spots[number] are a loop that waits. A long
 * loop gives up the CPU on a busy machine, and then never pauses; AArch64's yield takes no time. */
static int code_waits(int fd, int is_long, const struct sampled *sampled, size_t number)
{
	uint64_t offset = address_offset(sampled->spots[number].key);
	size_t room = is_long ? WAIT_LOOP_BYTES_MAX : WAIT_LOOP_BYTES;
	size_t at = offset < room ? (size_t)offset : room;
	uint64_t start = offset - at;
	unsigned char bytes[2 * WAIT_LOOP_BYTES_MAX + 16];
	char yields[sizeof bytes] = {0};
	uint64_t samples[sizeof bytes] = {0};
	struct machine_code code = {.set = INSTRUCTIONS_HERE, .bytes = bytes, .yields = yields};
	ssize_t got = pread(fd, bytes, 2 * room + 16, (off_t)start);
	int waits;

	if (got <= (ssize_t)at)
		return 0;
	code.size = (size_t)got;
	if (!is_long && INSTRUCTIONS_HERE == INSTRUCTIONS_X86_64)
		code.samples = samples;
	for (size_t i =
		     ARRAY_BOUND(sampled->count, j, address_offset(sampled->spots[j].key) < start);
	     i < sampled->count; i++) {
		const struct address_spot *spot = &sampled->spots[i];
		uint64_t here = address_offset(spot->key) - start;

		if (here >= sizeof bytes)
			break;
		samples[here] = sampled->counts[spot->address];
		yields[here] = sampled->calls[spot->address];
	}
	waits = wait_loop_covers(&code, at, room);
	if (waits == WAITS_FOR_LOCK)
		return CODE_WAITS | CODE_LOCKS;
	return waits || (is_long && clock_function_covers(&code, at)) ? CODE_WAITS : 0;
}

static int find_kinds(const struct collection *c, uint32_t address)
{
	const char *name = basename(object_of(c->addresses, address)->path);
	const struct symbol_frame *frames;
	int kinds = 0;

	for (size_t left = naming_frames(c->naming, address, &frames); left--;)
		EACH_ROW(row, functions, COUNT(functions))
			if (!fnmatch(row->object, name, FNM_EXTMATCH) &&
			    !fnmatch(row->function, frames[left].function, FNM_EXTMATCH))
				kinds |= row->kinds;
	/* the code of blasprof never waits */
	return strcmp(name, SHIM_NAME) ? kinds : kinds & CODE_IN_MPI;
}

/* Finds the code that waits among the addresses of one object. */
static void search_object(const struct object *object, const struct sampled *sampled,
			  int64_t since_ns, struct spins *spins)
{
	const char *name = basename(object->path), *complaint;
	int is_long = !fnmatch(long_loops, name, FNM_EXTMATCH);
	int fd = *object->path == '/' && !object->pid && !object->is_script &&
				 strcmp(name, SHIM_NAME) != 0
			 ? object_open(object, since_ns, &complaint)
			 : -1;

	for (size_t i = 0; fd >= 0 && i < sampled->count; i++) {
		char *kinds = &spins->addresses[sampled->spots[i].address];

		if (!(*kinds & CODE_WAITS) &&
		    address_offset(sampled->spots[i].key) != ADDRESS_OFFSET_ANY)
			*kinds |= (char)code_waits(fd, is_long, sampled, i);
	}
	file_close(fd);
}

/* Sets the flags of stacks that go through calls. In the tree, callers come before what they call.
 */
static void find_calls(struct collection *c)
{
	struct spins *spins = &c->spins;

	for (size_t i = STACK_ROOTS; i < c->stacks->count; i++) {
		const struct stack_node *node = &c->stacks->nodes[i];
		const char *path = object_of(c->addresses, node->address)->path;
		int flags = node->parent == STACK_CUT ? SPIN_CUT : spins->stacks[node->parent];

		if (!strcmp(basename(path), SHIM_NAME)) {
			flags &= SPIN_IN_MPI | SPIN_CUT | SPIN_IN_OPENMP;
			flags |= SPIN_IN_CALL;
			if (spins->addresses[node->address] & CODE_IN_MPI)
				flags |= SPIN_IN_MPI | SPIN_YIELDS;
		}
		if (object_runs_openmp(path))
			flags |= SPIN_IN_OPENMP;
		spins->stacks[i] = (uint16_t)flags;
		if (spins->stacks[i] & SPIN_IN_CALL && blas_object_executes(path))
			spins->executors[address_object(c->addresses->keys[node->address])] = 1;
	}
}

int spins_is_system(const struct object *object)
{
	const char *name = basename(object->path);

	return !strcmp(name, "[kernel]") || !strcmp(name, "[vdso]") || !strncmp(name, "libc.so", 7);
}

void spins_find(struct collection *c, const uint64_t *counts)
{
	const struct address_table *addresses = c->addresses;
	const struct stack_tree *stacks = c->stacks;
	struct spins *spins = &c->spins;
	size_t count, alike;
	FREED struct address_spot *spots = address_table_list(addresses, counts, &count);
	FREED char *calls = memory_rows(addresses->nkeys, 1);
	int copies = (c->timeline->sample_type & PERF_SAMPLE_STACK_USER) != 0;

	spins->addresses = memory_rows(addresses->nkeys, 1);
	spins->stacks = memory_rows(stacks->count, sizeof *spins->stacks);
	spins->executors = memory_rows(addresses->nobjects, 1);
	EACH_ROW(spot, spots, count)
		spins->addresses[spot->address] = (char)find_kinds(c, spot->address);
	/* frame pointers do not show the caller of a function that makes no frame */
	for (size_t i = STACK_ROOTS; copies && i < stacks->count; i++) {
		const struct stack_node *node = &stacks->nodes[i];

		if (node->parent >= STACK_ROOTS &&
		    address_object(addresses->keys[node->address]) != OBJECT_KERNEL &&
		    spins->addresses[node->address] & CODE_YIELDS)
			calls[stacks->nodes[node->parent].address] = 1;
	}
	for (size_t at = 0; at < count; at += alike) {
		const struct object *object = object_of(addresses, spots[at].address);

		alike = address_spots_alike(spots + at, count - at);
		search_object(object, &(struct sampled){spots + at, alike, counts, calls},
			      c->timeline->start_realtime_ns, spins);
	}
	find_calls(c);
	for (size_t i = STACK_ROOTS; i < stacks->count; i++) {
		const struct stack_node *node = &stacks->nodes[i];
		uint32_t number = address_object(addresses->keys[node->address]);
		const struct object *object = &addresses->objects[number];
		uint16_t caller = spins->stacks[node->parent], *flags = &spins->stacks[i];
		int kinds = spins->addresses[node->address], is_system = spins_is_system(object);

		/* system code that the preload library calls is its own cost */
		*flags |= caller & SPIN_IN_BLAS;
		if (!strcmp(basename(object->path), SHIM_NAME) || (is_system && caller & SPIN_OWN))
			*flags |= SPIN_OWN;
		if (c->code[node->address] == RUN_CODE_BLAS &&
		    (!spins->executors[number] || *flags & (SPIN_IN_CALL | SPIN_CUT)))
			*flags |= SPIN_IN_BLAS;
		if (kinds & CODE_LOOKS_FOR_TASKS ||
		    (caller & SPIN_FOR_TASKS && (is_system || object_runs_openmp(object->path))))
			*flags |= SPIN_FOR_TASKS | SPIN_YIELDS;
		if (caller & SPIN_ON_GPU || kinds & CODE_ON_GPU)
			*flags |= SPIN_ON_GPU | SPIN_YIELDS;
		if (kinds & CODE_WAITS || (number == OBJECT_KERNEL && caller & SPIN_YIELDS))
			*flags |= SPIN_YIELDS;
	}
}

void spins_free(struct spins *spins)
{
	free(spins->addresses);
	free(spins->stacks);
	free(spins->executors);
}

int spins_is_uncalled(const struct collection *c, const struct log_entry *entry)
{
	const struct spins *spins = &c->spins;

	if (!spins->executors[address_object(c->addresses->keys[entry->address])] ||
	    entry->stack == STACK_NONE)
		return 0;
	if (spins->stacks[entry->stack] & SPIN_IN_CALL)
		return -1;
	return !(spins->stacks[entry->stack] & SPIN_CUT);
}

int spins_for_lock(const struct spins *spins, uint32_t address)
{
	return spins->addresses[address] & CODE_LOCKS;
}

int spins_flags(const struct spins *spins, const struct log_entry *entry)
{
	int flags = entry->stack == STACK_NONE ? 0 : spins->stacks[entry->stack];

	return spins->addresses[entry->address] & CODE_WAITS ? flags | SPIN_YIELDS : flags;
}
