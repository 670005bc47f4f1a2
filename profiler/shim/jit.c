/* jit.c: keeps the names of code that the program makes at run time, as its maker reports them. */
/* SPDX-License-Identifier: MIT
 *
 * oneDNN, and others, report each kernel that they make to the library that INTEL_JIT_PROFILER64
 * names, which is this one, where it has NotifyEvent() and Initialize(). No such common names are
 * exported, where the program may have functions of its own: dlsym() gives them to who asks this
 * library. Numbers and struct are those of jitprofiling.h of ITT 3 (github.com/intel/ittapi).
 */
#include <errno.h>
#include <link.h>
#include <string.h>

#include "shim/dlsym.h"
#include "shim/shim.h"
#include "shim/signal_guard.h"
#include "base/text.h"

enum { NOTHING_RUNNING, SAMPLING_ON };
enum { LOAD_FINISHED = 13, LOAD_FINISHED_V2 = 21, LOAD_FINISHED_V3 };

/* The beginning of iJIT_Method_Load and of its later versions. */
struct method {
	unsigned int id;
	const char *name;
	uint64_t start;
	unsigned int bytes;
};

/* What was reported, also before the process had its record, and before it was forked. */
#define CODES_MAX 2048 /* large networks have some hundred kernels */
static struct code_record codes[CODES_MAX];
static uint32_t ncodes;

void jit_write(void)
{
	struct shim_process *process = shim_process;

	for (; process->ncodes < ncodes; process->ncodes++) {
		struct code_record *row = session_last_row(&process->first_codes, &process->codes,
							   CHUNK_CODES, sizeof *row);

		if (!row)
			return;
		*row = codes[process->ncodes];
		__atomic_store_n(&process->codes->used, process->codes->used + 1, __ATOMIC_RELEASE);
	}
}

static unsigned int notify(unsigned int event, const struct method *method)
{
	struct signal_guard guard;
	int saved = errno;

	if ((event != LOAD_FINISHED && event != LOAD_FINISHED_V2 && event != LOAD_FINISHED_V3) ||
	    !method || !method->name || wall_stands())
		return 1;
	signal_guard_begin(&guard);
	process_lock();
	if (ncodes < CODES_MAX) {
		struct code_record *code = &codes[ncodes];

		*code = (struct code_record){.start = method->start, .bytes = method->bytes};
		TEXT_COPY(code->name, method->name);
		ncodes++;
	}
	if (process_token())
		jit_write();
	process_unlock();
	signal_guard_end(&guard);
	errno = saved;
	return 1;
}

static unsigned int initialize(void)
{
	session_start();
	return session_state() == SESSION_NONE ? NOTHING_RUNNING : SAMPLING_ON;
}

void *jit_function(const void *handle, const char *name, const void *(*own_base)(void))
{
	void *function = !strcmp(name, "NotifyEvent")  ? (void *)notify
			 : !strcmp(name, "Initialize") ? (void *)initialize
						       : NULL;
	const struct link_map *map = handle;

	return function && (const void *)map->l_addr == own_base() ? function : NULL;
}
