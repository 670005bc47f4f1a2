/* offcpu.c: books time off the CPU, blocked or preempted, when the thread was switched. */
/* SPDX-License-Identifier: MIT */
#include "shim/call.h"
#include "wire/files.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without a perf page, segments longer than this are checked. A check costs about 0.5 us. */
#define SLOW_SEGMENT_NS 20000

/* Longer segments are always checked: the hypervisor may have taken the CPU for a time slice. */
#define LONG_SEGMENT_NS 1000000

/* How long a reading of the CPU clock is valid. A reading costs 0.3 us in a loop, but 2.7 us in a
 * program that fills the caches. After a switch or a stolen time slice it is valid for the shorter
 * time, then for twice that, and so on: a CPU that was idle or stolen is likely to be taken away
 * again, and stolen time is not booked until the next reading. */
#define REFRESH_NS	4000000
#define REFRESH_SOON_NS 100000

/* If the CPU clock falls behind by less than this, no time slice was stolen. */
#define STOLEN_NS	100000

/* How often the clocks are read until no switch happens meanwhile. */
#define READINGS_MAX	4

/* Reading all clocks takes about this long. */
#define READING_NS	20000

/* Reading the run-queue delay takes a file in /proc: 10 us, or more with cold caches. It is not
 * read after a wait shorter than this, or threads that keep handing a lock to each other would take
 * half as long again. The wake-up counts as part of such a wait. */
#define SHORT_WAIT_NS	100000

/* It is read at least this often, which corrects the sum. */
#define RUN_DELAY_NS	10000000

static const uint32_t no_switches;

/* CPU time after which a thread opens a perf page. A page costs as much as a hundred calls, and
 * closing it interrupts every CPU, so that thousands of short-lived threads do without. */
#define PAGE_AFTER_NS 1000000

static void plan_next(struct shim_thread *thread, uint64_t now)
{
	thread->page_at = now + ticks_of(PAGE_AFTER_NS);
}

void offcpu_plan_page(struct shim_thread *thread)
{
	thread->page = NULL;
	thread->lock = &no_switches;
	thread->refresh_after = ticks_of(REFRESH_NS);
	thread->long_after = (uint32_t)ticks_of(SLOW_SEGMENT_NS);
	plan_next(thread, clock_ticks(shim_session.clock));
}

/* Returns 1 if the thread has used enough CPU time for a page; else plans the next check. */
static int is_worth_page(struct shim_thread *thread, uint64_t now)
{
	if (clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread->record->first_cpu_ns >= PAGE_AFTER_NS)
		return 1;
	plan_next(thread, now);
	return 0;
}

/* A filter of system calls may return 0 without a new descriptor 0. That of an event has no type of
 * file. */
static int is_pretended(int fd)
{
	struct stat file;

	return fd == 0 && !file_status_of(fd, &file) && file.st_mode & S_IFMT;
}

void *offcpu_map_event(struct perf_event_attr *attr)
{
	void *page = MAP_FAILED;
	int fd;

	attr->size = sizeof *attr;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (is_pretended(fd))
		return NULL;
	if (fd >= 0)
		page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	file_close(fd); /* the page keeps the event */
	return page == MAP_FAILED ? NULL : page;
}

void offcpu_open_page(struct shim_thread *thread)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
	};
	struct perf_event_mmap_page *page = offcpu_map_event(&attr);

	thread->page = page;
	thread->lock = page ? &page->lock : &no_switches;
	thread->page_at = UINT64_MAX;
	if (page)
		thread->long_after = (uint32_t)ticks_of(LONG_SEGMENT_NS);
	else
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

int offcpu_read_schedstat(int directory, const char *path, int64_t *cpu_ns, int64_t *run_delay_ns)
{
	char text[96], *end;
	int fd = file_open_at(directory, path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t got = fd < 0 ? -1 : file_read(fd, text, sizeof text - 1);

	file_close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	*cpu_ns = strtoll(text, &end, 10);
	*run_delay_ns = strtoll(end, NULL, 10);
	return 0;
}

/* Builds the kernel's clock id for another thread's CPU time. */
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

/* Reads the kernel's counts of switches. Returns -1 if that fails. */
static int read_switches(struct reading *reading)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		return -1;
	reading->voluntary = usage.ru_nvcsw;
	reading->involuntary = usage.ru_nivcsw;
	return 0;
}

/* Reads the clocks, and the run-queue delay only if it is wanted, since that takes a file in /proc.
 */
static void read_clocks(struct reading *reading, int want_run_delay)
{
	int64_t cpu_ns;

	read_switches(reading); /* before the delay, so that a switch in between shows later */
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

/* Without a page, compares the kernel's counts of switches. */
static int was_switched_during(const struct shim_thread *thread, const struct reading *reading)
{
	struct reading now;

	if (thread->page)
		return call_was_switched(thread);
	return !read_switches(&now) &&
	       (now.voluntary != reading->voluntary || now.involuntary != reading->involuntary);
}

/* Reads all clocks. The switch counter is read first, so that a later switch shows at the next
 * check. If a switch happens between the clocks, they are read again, but not for ever: under
 * strace each system call is a switch, and the next check must not see the switches of this one.
 * Returns 1 if a switch happened. */
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

/* Plans the next reading of the CPU clock: soon, or after twice the last interval. */
static void plan_refresh(struct shim_thread *thread, uint64_t now, int soon)
{
	thread->refresh_after = soon ? ticks_of(REFRESH_SOON_NS) : 2 * thread->refresh_after;
	if (ns_of(thread->refresh_after) > REFRESH_NS)
		thread->refresh_after = ticks_of(REFRESH_NS);
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
	thread->run_delay_at =
		reading->have_run_delay ? reading->ticks + ticks_of(RUN_DELAY_NS) : 0;
}

/* Writes the thread's last CPU times. If it was not switched since its last reading, that reading's
 * run-queue delay is still right. */
void offcpu_end(struct shim_thread *thread)
{
	struct thread_record *record = thread->record;
	struct reading now;

	if (read_switches(&now) || now.involuntary != thread->involuntary ||
	    thread->run_delay_old || (thread->run_delay_at && now.voluntary != thread->voluntary)) {
		thread_note_end(record, record->tid);
		return;
	}
	record->end_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	record->end_run_delay_ns = record->read_run_delay_ns;
	record->end_ticks = clock_ticks(shim_session.clock);
}

/* Takes the thread's first reading. A thread that was never switched waited for a CPU only before
 * it first ran. If its process had made no call by then, that wait was noted; otherwise it belongs
 * to no time of the thread, and the next reading is soon enough. */
void offcpu_start(struct shim_thread *thread)
{
	struct reading reading = {0};
	int switched = read_switches(&reading) || reading.voluntary || reading.involuntary;
	const struct task_start *task = switched ? NULL : tasks_find(thread->record->tid);
	int has_run = task && task->cpu_ns > 0 && task->run_delay_ns >= 0;
	int cancel_type;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancel_type);
	read_all(thread, &reading, switched || (task && task->cpu_ns <= 0));
	if (has_run) {
		reading.run_delay_ns = task->run_delay_ns;
		reading.have_run_delay = 1;
	}
	store_reading(thread, &reading);
	store_run_delay(thread, &reading);
	pthread_setcanceltype(cancel_type, &cancel_type);
}

/* Returns the part of off_ns in which the thread was ready but had no CPU: all of it if the thread
 * never blocked, since the kernel does not count the time that a hypervisor steals; else the
 * kernel's run-queue delay; without that, the share of involuntary switches. */
static int64_t preempted_part(const struct shim_thread *thread, const struct reading *reading,
			      int64_t off_ns)
{
	long blocked = reading->voluntary - thread->voluntary;
	long preempted = reading->involuntary - thread->involuntary;
	int64_t part = 0;

	if (!blocked)
		return off_ns;
	if (reading->have_run_delay && thread->run_delay_at)
		part = reading->run_delay_ns - thread->record->read_run_delay_ns;
	else if (blocked + preempted > 0)
		part = off_ns * preempted / (blocked + preempted);
	return part < 0 ? 0 : part > off_ns ? off_ns : part;
}

/* Returns the part of off_ns that passed while the clocks were read. The reading took reading_ns;
 * without interruption it takes usual_ns. A thread often loses its CPU there, since reading the CPU
 * clock makes the kernel check whether its time slice is over. */
static int64_t reading_part(int64_t off_ns, int64_t segment_ns, int64_t reading_ns,
			    int64_t usual_ns)
{
	int64_t least = off_ns - segment_ns, likely_part = reading_ns - usual_ns;
	int64_t part = least > likely_part ? least : likely_part;

	part = part < reading_ns ? part : reading_ns;
	return part < 0 ? 0 : part < off_ns ? part : off_ns;
}

/* Books the time off the CPU during the reading that began at `now` to the gap, waiting_ns of it as
 * blocked (for instance if the program was stopped there); the rest of the reading is blasprof's
 * own time. Returns the time after the reading. A later switch shows at the next reading. */
static uint64_t book_reading(struct shim_thread *thread, uint64_t now, int64_t off_ns,
			     int64_t waiting_ns)
{
	uint64_t after = clock_ticks(shim_session.clock), read = thread->record->read_ticks;
	uint64_t off = ticks_of((double)off_ns);

	if (ns_of(after - read) > READING_NS)
		after = read;
	off = off < after - now ? off : after - now;
	thread->sums->in[IN_OTHER].waiting_ns += waiting_ns;
	thread->sums->in[IN_OTHER].preempted_ns += off_ns - waiting_ns;
	thread->sums->in[IN_OTHER].ticks += off;
	thread->record->own_ticks += after - now - off;
	return after;
}

/* Returns the time off the CPU since the last reading. */
static int64_t off_cpu_ns(const struct shim_thread *thread, uint64_t ticks, int64_t cpu_ns)
{
	int64_t off_ns =
		ns_of(ticks - thread->record->read_ticks) - (cpu_ns - thread->record->read_cpu_ns);

	return off_ns < 0 ? 0 : off_ns;
}

static uint64_t book(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
		     int64_t *waiting_ns, int64_t *preempted_ns)
{
	struct reading reading = {0};
	int64_t off_ns, inside, preempted, segment_ns = ns_of(*segment_ticks);
	int64_t usual_ns = STOLEN_NS; /* with cold caches and no switch */
	int64_t inside_waiting = 0;
	int cancel_type, switched, want_run_delay;
	KEEP_ERRNO;

	/* cancelled in the middle, the thread would leave half an account; no cancellation point
	 * follows */
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &cancel_type);
	if (now > thread->page_at && is_worth_page(thread, now))
		offcpu_open_page(thread);
	want_run_delay = now >= thread->run_delay_at ||
			 off_cpu_ns(thread, now, clock_ns(CLOCK_THREAD_CPUTIME_ID)) > SHORT_WAIT_NS;
	switched = read_all(thread, &reading, want_run_delay);
	/* it may have waited or been stopped during the reading */
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
	inside = reading_part(off_ns, segment_ns, ns_of(reading.ticks - now), usual_ns);
	off_ns = off_ns - inside < segment_ns ? off_ns - inside : segment_ns;
	if (inside > preempted) /* it was blocked during the reading */
		inside_waiting = preempted < off_ns ? inside : inside - (preempted - off_ns);
	else
		preempted = preempted < inside ? 0 : preempted - inside;
	preempted = preempted < off_ns ? preempted : off_ns;
	*preempted_ns += preempted;
	*waiting_ns += off_ns - preempted;
	*segment_ticks -= ticks_of((double)preempted);
	store_reading(thread, &reading);
	pthread_setcanceltype(cancel_type, &cancel_type);
	return book_reading(thread, now, inside, inside_waiting);
}

/* Returns the stolen part of the segment, given that the CPU clock fell behind by off_ns in the
 * since_ns since the last reading. Time longer than the segment was not stolen in it, and
 * interrupts add up if the last reading is older than the segment. */
static int64_t stolen_part(int64_t off_ns, int64_t segment_ns, int64_t since_ns)
{
	int64_t least = since_ns - segment_ns < STOLEN_NS ? READING_NS : STOLEN_NS;

	return off_ns >= least && off_ns <= segment_ns ? off_ns : 0;
}

/* Reads the CPU clock again if the thread was not switched for a while: interrupts and stolen time
 * slow that clock too, and must not be booked to the segment of the next switch. */
static uint64_t refresh(struct shim_thread *thread, uint64_t now, uint64_t *segment_ticks,
			int64_t *waiting_ns, int64_t *preempted_ns)
{
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), off_ns, inside_ns = 0, stolen_ns;
	uint64_t ticks = clock_ticks(shim_session.clock);
	int64_t reading_ns = ns_of(ticks - now);
	int64_t segment_ns = ns_of(*segment_ticks);
	int64_t since_ns = ns_of(ticks - thread->record->read_ticks);

	if (call_was_switched(thread))
		return book(thread, now, segment_ticks, waiting_ns, preempted_ns);
	off_ns = since_ns - (cpu_ns - thread->record->read_cpu_ns);
	if (off_ns > 0 && reading_ns > READING_NS)
		inside_ns = reading_part(off_ns, segment_ns, reading_ns, READING_NS);
	stolen_ns = stolen_part(off_ns - inside_ns, segment_ns, since_ns - inside_ns);
	*preempted_ns += stolen_ns;
	*segment_ticks -= ticks_of((double)stolen_ns);
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
	if (now <= thread->refresh_at && *segment_ticks <= thread->long_after)
		return now;
	return refresh(thread, calibrate_again(thread, now), segment_ticks, waiting_ns,
		       preempted_ns);
}
