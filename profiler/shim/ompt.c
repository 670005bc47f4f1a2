/* ompt.c: books the time that threads spin in OpenMP, as the runtime itself reports it (OMPT). */
/* SPDX-License-Identifier: MIT
 *
 * LLVM's libomp and Intel's libiomp5 ask for a tool when they start; libgomp has no such interface.
 * Declarations are those of OpenMP 5.1, chapter 4. A thread that waits in a barrier or for tasks
 * spins for a while and then blocks, so what it spins is its CPU time there. Only threads that have
 * called BLAS are booked.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "shim/call.h"
#include "shim/dlsym.h"

/* How long a reading of the CPU clock is valid, as in offcpu.c. */
#define REFRESH_NS 4000000

enum { SCOPE_BEGIN = 1, SCOPE_END = 2 };
enum { TASK_SCHEDULE = 6, SYNC_REGION_WAIT = 16 };
enum { TASK_SWITCH = 7 };

typedef void (*callback)(void);
typedef callback (*lookup)(const char *name);
typedef int (*set_callback)(int event, callback function);

struct tool {
	int (*initialize)(lookup find, int device, void *data);
	void (*finalize)(void *data);
	uint64_t data;
};
typedef struct tool *(*start_tool)(unsigned version, const char *runtime);

/* The wait of this thread. */
static __thread struct {
	uint64_t since;	    /* when it began; 0: none */
	uint64_t suspended; /* a bit for each task that it executes meanwhile; 1: it waited */
	/* a reading of its CPU clock, valid while it is not switched */
	const void *page;
	uint32_t lock;
	uint64_t read_ticks;
	int64_t read_cpu_ns;
} own __attribute__((tls_model("initial-exec")));

static int may_book(const struct shim_thread *thread)
{
	return thread->owner == process_token() && !thread->busy && !thread->enter_frame &&
	       !(thread->state & STATE_OUTSIDE);
}

/* Returns 1 if the last reading does not tell the thread's CPU time at `now`. */
static int is_old(const struct shim_thread *thread, uint64_t now)
{
	return !thread->page || own.page != thread->page || own.lock != *thread->lock ||
	       ns_of(now - own.read_ticks) > REFRESH_NS;
}

/* Reads the CPU clock, and returns the time of the reading. */
static uint64_t read_cpu(const struct shim_thread *thread)
{
	own.page = thread->page;
	own.lock = *thread->lock;
	own.read_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	own.read_ticks = clock_ticks(shim_session.clock);
	return own.read_ticks;
}

static __attribute__((noinline)) void wait_begin(void)
{
	const struct shim_thread *thread = &shim_self;
	uint64_t now;

	if (!may_book(thread))
		return;
	now = clock_ticks(shim_session.clock);
	own.since = is_old(thread, now) ? read_cpu(thread) : now;
}

/* Does not book a wait in which the thread called BLAS. */
static __attribute__((noinline)) void wait_end(void)
{
	struct shim_thread *thread = &shim_self;
	uint64_t now, since = own.since, spun;

	own.since = 0;
	if (!since || !may_book(thread) || thread->record->last_ticks > since)
		return;
	now = clock_ticks(shim_session.clock);
	spun = now - since;
	if (is_old(thread, now)) {
		double cpu = -(double)own.read_cpu_ns, begun = (double)(since - own.read_ticks);

		now = read_cpu(thread);
		cpu = (cpu + (double)own.read_cpu_ns) / shim_session.ns_per_tick - begun;
		spun = cpu < 0 ? 0 : cpu < (double)spun ? (uint64_t)cpu : spun;
	}
	thread->sums->in[IN_SPIN].ticks += spun;
}

static void sync_region_wait(int kind, int scope, void *parallel, void *task, const void *address)
{
	GUARD_FLOATS;

	if (scope == SCOPE_BEGIN)
		wait_begin();
	else if (scope == SCOPE_END)
		wait_end();
}

/* A thread that waits executes tasks meanwhile. */
static void task_schedule(void *before, int status, void *next)
{
	GUARD_FLOATS;

	if (status == TASK_SWITCH) {
		own.suspended = own.suspended << 1 | (own.since != 0);
		wait_end();
	} else {
		if (own.suspended & 1)
			wait_begin();
		own.suspended >>= 1;
	}
}

static int initialize(lookup find, int device, void *data)
{
	set_callback set = (set_callback)find("ompt_set_callback");

	if (!set)
		return 0;
	set(SYNC_REGION_WAIT, (callback)sync_region_wait);
	set(TASK_SCHEDULE, (callback)task_schedule);
	return 1;
}

static void finalize(void *data)
{
}

struct tool *ompt_start_tool(unsigned version, const char *runtime)
	__attribute__((visibility("default")));

/* The runtime has one tool: the program's own, if there is one, is not replaced. */
struct tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct tool tool = {initialize, finalize, 0};
	start_tool next;
	struct tool *other;

	dlerror_save();
	next = (start_tool)dlsym_real(RTLD_NEXT, "ompt_start_tool");
	dlerror_restore();
	other = next ? next(version, runtime) : NULL;
	if (other || getenv("OMP_TOOL_LIBRARIES") || session_state() != SESSION_OPEN)
		return other;
	return &tool;
}
