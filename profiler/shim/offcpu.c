/* offcpu.c: time off the CPU, blocked or preempted, read only when the thread was switched. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A thread without a page looks at segments over 20 us, about forty times what looking costs. */
#define SLOW_SEGMENT_NS 20000

/* A segment as long as this is looked at in any case: it may hold a hypervisor's slice. */
#define LONG_SEGMENT_NS 1000000

/* A CPU clock reading is good for so long: taking one costs 0.3 us in a loop, but 2.7 us in a
 * program that fills the caches with its own. After a switch or a stolen slice it is good for the
 * shorter time, then for twice that, and so on: a CPU that was idle or lent out is likely to be
 * taken away again, and until it is read what was stolen is in nobody's time. */
#define REFRESH_NS	4000000
#define REFRESH_SOON_NS 100000

/* What a CPU clock falls behind by less than this was no hypervisor's slice. */
#define STOLEN_NS	100000

/* All the clocks are read so often until nothing was switched meanwhile. */
#define READINGS_MAX	4

/* Reading all the clocks takes some such time. */
#define READING_NS	20000

/* Reading how long the thread was ready without a CPU takes a file of /proc: 10 us, and more where
 * a wait has let the caches go. After a wait this short it is not read, or threads that hand a lock
 * to each other all the time would take half as long again: to be woken is part of such a wait. */
#define SHORT_WAIT_NS	100000

/* So often it is read anyway, which puts the sum right. */
#define RUN_DELAY_NS	10000000

static const uint32_t no_switches;

/* A page costs as much as a hundred calls, and an interrupt on every CPU to give back: thousands of
 * threads that compute for a moment go without, however long they wait. */
#define PAGE_AFTER_NS 1000000

static void plan_next(struct shim_thread *thread, uint64_t now)
{
	thread->page_at = now + (uint64_t)(PAGE_AFTER_NS / shim_session.ns_per_tick);
}

void offcpu_plan_page(struct shim_thread *thread)
{
	thread->page = NULL;
	thread->lock = &no_switches;
	thread->refresh_after = (uint64_t)(REFRESH_NS / shim_session.ns_per_tick);
	thread->long_after = (uint32_t)(SLOW_SEGMENT_NS / shim_session.ns_per_tick);
	plan_next(thread, clock_ticks(shim_session.clock));
}

/* A page is worth it from a CPU time on that is looked at once in as much time. */
static int is_worth_page(struct shim_thread *thread, uint64_t now)
{
	if (clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread->record->first_cpu_ns >= PAGE_AFTER_NS)
		return 1;
	plan_next(thread, now);
	return 0;
}

void offcpu_open_page(struct shim_thread *thread)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	void *page =
		fd < 0 ? MAP_FAILED
		       : mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	thread->page = page == MAP_FAILED ? NULL : page;
	thread->lock = thread->page ? &((struct perf_event_mmap_page *)page)->lock : &no_switches;
	thread->page_at = UINT64_MAX;
	if (thread->page)
		thread->long_after = (uint32_t)(LONG_SEGMENT_NS / shim_session.ns_per_tick);
	if (!thread->page)
		__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_NO_PAGE,
				  __ATOMIC_RELAXED);
}

void offcpu_close_page(struct shim_thread *thread)
{
	thread->lock = &no_switches;
	if (thread->page)
		munmap(thread->page, (size_t)sysconf(_SC_PAGESIZE));
	thread->page = NULL;
}

static const char *read_number(const char *text, int64_t *number)
{
	*number = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		*number = *number * 10 + (*text - '0');
	return *text == ' ' ? text + 1 : text;
}

int offcpu_read_schedstat(int directory, const char *path, int64_t *cpu_ns, int64_t *run_delay_ns)
{
	char text[96];
	int fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	read_number(read_number(text, cpu_ns), run_delay_ns);
	return 0;
}

/* By the kernel's clock id for another thread's CPU time. */
int offcpu_read_cpu(int64_t tid, int64_t *cpu_ns)
{
	clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | 6u);
	struct timespec now;

	if (clock_gettime(clock, &now))
		return -1;
	*cpu_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	return 0;
}

struct reading {
	uint64_t ticks;
	int64_t cpu_ns, run_delay_ns;
	int have_run_delay;
	long voluntary, involuntary;
};

/* Without the run-queue delay where that is not wanted: it takes a file of /proc. */
static void read_clocks(struct reading *reading, int want_run_delay)
{
	struct rusage usage;
	int64_t cpu_ns;

	if (!getrusage(RUSAGE_THREAD,
		       &usage)) { /* before the delay: of a switch in between it tells later */
		reading->voluntary = usage.ru_nvcsw;
		reading->involuntary = usage.ru_nivcsw;
	}
	reading->have_run_delay =
		want_run_delay && !offcpu_read_schedstat(AT_FDCWD, "/proc/thread-self/schedstat",
							 &cpu_ns, &reading->run_delay_ns);
	if (!reading->have_run_delay)
		reading->run_delay_ns = 0;
	if (want_run_delay && !reading->have_run_delay)
		__atomic_or_fetch(&shim_process->header->troubles, TROUBLE_NO_SCHEDSTAT,
				  __ATOMIC_RELAXED);
	reading->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	reading->ticks = clock_ticks(shim_session.clock);
}

/* Without a page the kernel's counts tell. */
static int was_switched_during(const struct shim_thread *thread, const struct reading *reading)
{
	struct rusage usage;

	if (thread->page)
		return call_was_switched(thread);
	return !getrusage(RUSAGE_THREAD, &usage) &&
	       (usage.ru_nvcsw != reading->voluntary || usage.ru_nivcsw != reading->involuntary);
}

/* The switch counter is read first: a switch after that shows up at the next look. One between the
 * clocks would leave them of different moments: then they are read again, but not for ever: where
 * each system call is a switch (strace), the next look must not find the switches of this one.
 * Returns 1 where that was so. */
static int read_all(struct shim_thread *thread, struct reading *reading, int want_run_delay)
{
	int switched = 0, tries = 0;

	do {
		thread->last_lock = *thread->lock;
		read_clocks(reading, want_run_delay);
		if (!was_switched_during(thread, reading))
			break;
		switched = 1;
	} while (++tries < READINGS_MAX);
	if (tries == READINGS_MAX)
		thread->last_lock = *thread->lock;
	return switched;
}

/* The clock that was read at `now` is read again soon where it showed something, else after twice
 * the time of the last time. */
static void plan_refresh(struct shim_thread *thread, uint64_t now, int soon)
{
	double scale = shim_session.ns_per_tick;

	thread->refresh_after =
		soon ? (uint64_t)(REFRESH_SOON_NS / scale) : 2 * thread->refresh_after;
	if ((double)thread->refresh_after * scale > REFRESH_NS)
		thread->refresh_after = (uint64_t)(REFRESH_NS / scale);
	thread->refresh_at = now + thread->refresh_after;
	if (thread->refresh_at > thread->page_at)
		thread->refresh_at = thread->page_at;
}

static void store_reading(struct shim_thread *thread, const struct reading *reading)
{
	plan_refresh(thread, reading->ticks, 1);
	thread->record->read_ticks = reading->ticks;
	thread->record->read_cpu_ns = reading->cpu_ns;
	thread->voluntary = reading->voluntary;
	thread->involuntary = reading->involuntary;
}

static void store_run_delay(struct shim_thread *thread, const struct reading *reading)
{
	thread->record->read_run_delay_ns = reading->run_delay_ns;
	thread->run_delay_known = reading->have_run_delay;
	thread->run_delay_at =
		reading->have_run_delay
			? reading->ticks + (uint64_t)(RUN_DELAY_NS / shim_session.ns_per_tick)
			: 0;
}

static int was_switched_since(const struct shim_thread *thread)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		return 1;
	return usage.ru_nivcsw != thread->involuntary || thread->run_delay_old ||
	       (thread->run_delay_known && usage.ru_nvcsw != thread->voluntary);
}

/* A thread that was not switched since its last reading has waited no longer for a CPU than that
 * says. */
void offcpu_end(struct shim_thread *thread)
{
	struct thread_record *record = thread->record;

	if (was_switched_since(thread)) {
		thread_note_end(record, record->tid);
		return;
	}
	record->end_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	record->end_run_delay_ns = record->read_run_delay_ns;
	record->end_ticks = clock_ticks(shim_session.clock);
}

static int was_ever_switched(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) || usage.ru_nvcsw || usage.ru_nivcsw;
}

/* A thread that never was switched has waited for a CPU before it first ran, and not since. Where
 * its process had made no call yet, that was noted; else it belongs to no time of the thread's, and
 * the next reading will do. */
void offcpu_start(struct shim_thread *thread)
{
	int switched = was_ever_switched();
	const struct task_start *task = switched ? NULL : tasks_find(thread->record->tid);
	int has_run = task && task->cpu_ns > 0 && task->run_delay_ns >= 0;
	struct reading reading = {0};
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	read_all(thread, &reading, switched || (task && task->cpu_ns <= 0));
	if (has_run) {
		reading.run_delay_ns = task->run_delay_ns;
		reading.have_run_delay = 1;
	}
	store_reading(thread, &reading);
	store_run_delay(thread, &reading);
	pthread_setcancelstate(cancel, &cancel);
}

/* The part of `off_ns` spent without a CPU: all of it where the thread never blocked, for a
 * hypervisor's stolen time is in no figure of the kernel's; else the kernel's own figure, or off_ns
 * shared out by the kinds of switch. */
static int64_t preempted_part(const struct shim_thread *thread, const struct reading *reading,
			      int64_t off_ns)
{
	long blocked = reading->voluntary - thread->voluntary;
	long preempted = reading->involuntary - thread->involuntary;
	int64_t part = 0;

	if (!blocked)
		return off_ns;
	if (reading->have_run_delay && thread->run_delay_known)
		part = reading->run_delay_ns - thread->record->read_run_delay_ns;
	else if (blocked + preempted > 0)
		part = off_ns * preempted / (blocked + preempted);
	return part < 0 ? 0 : part > off_ns ? off_ns : part;
}

/* The part of `off_ns` that passed while the clocks were being read, which took reading_ns, and
 * usual_ns where nothing came between: asking for the CPU clock makes the kernel look whether the
 * thread's time slice is over. */
static int64_t reading_part(int64_t off_ns, int64_t segment_ns, int64_t reading_ns,
			    int64_t usual_ns)
{
	int64_t least = off_ns - segment_ns, likely_part = reading_ns - usual_ns;
	int64_t part = least > likely_part ? least : likely_part;

	part = part < reading_ns ? part : reading_ns;
	return part < 0 ? 0 : part < off_ns ? part : off_ns;
}

/* Books what passed off the CPU during the reading, which began at `now`, to the gap, waiting_ns of
 * it blocked (where the program is stopped: the CPU clock is where time slices end, and signals
 * arrive then); the rest of it was the profiler's own. Where the thread left the CPU since, the
 * next reading tells. */
static uint64_t book_reading(struct shim_thread *thread, uint64_t now, int64_t off_ns,
			     int64_t waiting_ns)
{
	uint64_t after = clock_ticks(shim_session.clock), read = thread->record->read_ticks;
	uint64_t off = (uint64_t)((double)off_ns / shim_session.ns_per_tick);

	if ((double)(after - read) * shim_session.ns_per_tick > READING_NS)
		after = read;
	off = off < after - now ? off : after - now;
	thread->sums->in[IN_OTHER].waiting_ns += waiting_ns;
	thread->sums->in[IN_OTHER].preempted_ns += off_ns - waiting_ns;
	thread->sums->in[IN_OTHER].ticks += off;
	thread->record->own_ticks += after - now - off;
	return after;
}

/* Since the last reading. */
static int64_t off_cpu_ns(const struct shim_thread *thread, uint64_t ticks, int64_t cpu_ns)
{
	int64_t off_ns =
		(int64_t)((double)(ticks - thread->record->read_ticks) * shim_session.ns_per_tick) -
		(cpu_ns - thread->record->read_cpu_ns);

	return off_ns < 0 ? 0 : off_ns;
}

static uint64_t book(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
		     int64_t *waiting_ns, int64_t *preempted_ns)
{
	struct reading reading = {0};
	double scale = shim_session.ns_per_tick;
	int64_t off_ns, inside, preempted, segment_ns = (int64_t)((double)*segment_ticks * scale);
	int64_t usual_ns = STOLEN_NS; /* with the caches full of others' data, and no switch */
	int64_t inside_waiting = 0;
	int saved = errno, cancel, switched, want_run_delay;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* open() would be a point of it */
	if (now > thread->page_at && is_worth_page(thread, now))
		offcpu_open_page(thread);
	want_run_delay = now >= thread->run_delay_at ||
			 off_cpu_ns(thread, now, clock_ns(CLOCK_THREAD_CPUTIME_ID)) > SHORT_WAIT_NS;
	switched = read_all(thread, &reading, want_run_delay);
	/* it may have waited only now, or been stopped */
	if (!want_run_delay && off_cpu_ns(thread, reading.ticks, reading.cpu_ns) > SHORT_WAIT_NS) {
		want_run_delay = 1;
		switched |= read_all(thread, &reading, 1);
	}
	if (switched)
		usual_ns = READING_NS;
	off_ns = off_cpu_ns(thread, reading.ticks, reading.cpu_ns);
	preempted = preempted_part(thread, &reading, off_ns);
	if (want_run_delay)
		store_run_delay(thread, &reading);
	else
		thread->record->read_run_delay_ns += preempted;
	thread->run_delay_old = !want_run_delay;
	inside = reading_part(off_ns, segment_ns, (int64_t)((double)(reading.ticks - now) * scale),
			      usual_ns);
	off_ns = off_ns - inside < segment_ns ? off_ns - inside : segment_ns;
	if (switched && inside > preempted) /* it was blocked there */
		inside_waiting = preempted < off_ns ? inside : inside - (preempted - off_ns);
	else
		preempted = preempted < inside ? 0 : preempted - inside;
	preempted = preempted < off_ns ? preempted : off_ns;
	*preempted_ns += preempted;
	*waiting_ns += off_ns - preempted;
	*segment_ticks -= (uint64_t)((double)preempted / scale);
	store_reading(thread, &reading);
	pthread_setcancelstate(cancel, &cancel);
	errno = saved;
	return book_reading(thread, now, inside, inside_waiting);
}

/* The part of the segment that was stolen, by a CPU clock that fell behind by off_ns in the
 * since_ns since the last reading: a segment shorter than that is not the one, and interrupts add
 * up to a little where the reading is older than the segment. */
static int64_t stolen_part(int64_t off_ns, int64_t segment_ns, int64_t since_ns)
{
	int64_t least = since_ns - segment_ns < STOLEN_NS ? READING_NS : STOLEN_NS;

	return off_ns >= least && off_ns <= segment_ns ? off_ns : 0;
}

/* Reads the CPU clock anew where nothing was switched for a while: interrupts and stolen time take
 * from it too, and must not be booked to where the next switch happens. */
static uint64_t refresh(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
			int64_t *waiting_ns, int64_t *preempted_ns)
{
	double scale = shim_session.ns_per_tick;
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), off_ns, inside_ns = 0, stolen_ns;
	uint64_t ticks = clock_ticks(shim_session.clock);
	int64_t reading_ns = (int64_t)((double)(ticks - now) * scale);
	int64_t segment_ns = (int64_t)((double)*segment_ticks * scale);
	int64_t since_ns = (int64_t)((double)(ticks - thread->record->read_ticks) * scale);

	if (call_was_switched(thread))
		return book(thread, now, segment_ticks, waiting_ns, preempted_ns);
	off_ns = since_ns - (cpu_ns - thread->record->read_cpu_ns);
	if (off_ns > 0 && reading_ns > READING_NS)
		inside_ns = reading_part(off_ns, segment_ns, reading_ns, READING_NS);
	stolen_ns = stolen_part(off_ns - inside_ns, segment_ns, since_ns - inside_ns);
	*preempted_ns += stolen_ns;
	*segment_ticks -= (uint64_t)((double)stolen_ns / scale);
	thread->record->read_cpu_ns = cpu_ns;
	thread->record->read_ticks = ticks;
	plan_refresh(thread, ticks, off_ns >= STOLEN_NS);
	return book_reading(thread, now, inside_ns, 0);
}

uint64_t offcpu_book(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
		     int64_t *waiting_ns, int64_t *preempted_ns)
{
	if (call_was_switched(thread) || (!thread->page && *segment_ticks > thread->long_after) ||
	    (now > thread->page_at && is_worth_page(thread, now)))
		return book(thread, now, segment_ticks, waiting_ns, preempted_ns);
	if (now > thread->refresh_at || *segment_ticks > thread->long_after)
		return refresh(thread, now, segment_ticks, waiting_ns, preempted_ns);
	return now;
}
