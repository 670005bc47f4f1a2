/* python_reader.c: reads the frames of Python threads, in a thread of its own. */
/* SPDX-License-Identifier: MIT
 *
 * A thread keeps running while its frames are read. Its state and the frames at the addresses of
 * the previous read are read in one system call, the state first; frames that have changed since
 * then are read one by one. What makes no sense is dropped.
 */
#include "sampling/timeline.h"

#include <errno.h>
#include <gelf.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/idmap.h"
#include "base/string_pool.h"
#include "perf/uprobe.h"
#include "wire/clock.h"
#include "wire/python.h"

struct python_file python_file_read(int fd, const char *name)
{
	const char *minor = strstr(name, "python3.");
	struct python_file file = {0};
	Elf_Scn *section = NULL;
	unsigned number;
	char next = '\0';
	GElf_Shdr header;
	GElf_Sym symbol;
	int64_t offset;
	Elf *elf;

	/* "libpython3.11.so.1.0" or "python3.11". Builds without the interpreter lock
	 * ("python3.13t") have other structs. */
	if (!minor || sscanf(minor, "python3.%u%c", &number, &next) < 1 || number > 255 ||
	    next == 't' || elf_version(EV_CURRENT) == EV_NONE)
		return file;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *symbol_name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (!symbol_name || !symbol.st_shndx)
				continue;
			if (!strcmp(symbol_name, "_PyRuntime")) {
				file.runtime = symbol.st_value;
			} else if (!strcmp(symbol_name, "PyCode_Type")) {
				file.code_type = symbol.st_value;
			} else if (!strcmp(symbol_name, "_PyEval_EvalFrameDefault")) {
				file.eval_start = symbol.st_value;
				file.eval_end = symbol.st_value + symbol.st_size;
			}
		}
	}
	offset = elf_address_offset(elf, file.eval_start);
	if (file.runtime && file.code_type && file.eval_end > file.eval_start && offset >= 0)
		file.version = 3 << 8 | number;
	file.to_address = file.eval_start - (uint64_t)offset;
	file.eval_start -= file.to_address;
	file.eval_end -= file.to_address;
	elf_end(elf);
	return file;
}

enum {
	THREADS_MAX = 4096, /* of a process */
	PROCESSES_MAX = 1024,
	PLACES_MAX = 65536,
	STATE_BYTES = 192,     /* of PyThreadState */
	PTHREAD_BYTES = 1024,  /* the part of struct pthread that has the number of the thread */
	COST_TIMES = 100,      /* the reader uses at most this fraction of a CPU */
	FAILURES_MAX = 100,    /* rounds, because an interpreter is mapped piece by piece */
	TAIL_BYTES = 32,       /* at the end of each record */
	CHECK_NS = 1000000000, /* a place is read again after this time, because code is freed and
				* its memory reused */
};

/* The place that a word of a frame stands for. */
struct known_place {
	uint32_t number;
	int64_t checked_ns;
};

struct thread {
	uint64_t state; /* address of its PyThreadState */
	uint64_t cframe;
	uint64_t frames[PYTHON_DEPTH_MAX];
	size_t count;
};

struct watched {
	pid_t pid;
	struct python_file file;
	uint64_t bias;
	struct python_process process;
	uint32_t tid_at; /* before 3.11: offset of the thread number in struct pthread */
	int failures;	 /* consecutive failures */
	struct thread *threads;
	size_t nthreads;
	struct idmap index; /* word of the place to known[] */
	struct known_place *known;
	size_t nknown;
};

struct python_reader {
	int64_t period_ns;
	int has_thread;
	const char *complaint;
	pthread_t thread;
	struct watched *watched; /* used by the thread only */
	size_t nwatched;
	struct snapshot *snapshot;
	struct idmap numbers; /* hash of the text of a place to places[] */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int stopping;
	struct watched *incoming; /* new processes to watch */
	size_t nincoming;
	struct call_site *places;
	size_t nplaces;
	struct ring_buffer records;
};

/* Returns the number of the place of the frame. IDMAP_NONE if it cannot be read, or there are too
 * many places. */
static uint32_t find_place(struct python_reader *reader, struct watched *watched,
			   const struct python_frame *frame, int64_t now_ns)
{
	uint32_t at = idmap_find(&watched->index, frame->place), number;
	struct call_site site = {0}; /* the bytes behind its texts are hashed, too */
	uint64_t hash;

	if (at != IDMAP_NONE && now_ns - watched->known[at].checked_ns < CHECK_NS)
		return watched->known[at].number;
	if (python_read_place(&watched->process, frame, &site))
		return IDMAP_NONE;
	hash = string_hash((const char *)&site, sizeof site);
	number = idmap_find(&reader->numbers, hash);
	if (number == IDMAP_NONE && reader->nplaces < PLACES_MAX) {
		number = (uint32_t)reader->nplaces;
		pthread_mutex_lock(&reader->lock);
		memory_append(&reader->places, &reader->nplaces, sizeof site, &site);
		pthread_mutex_unlock(&reader->lock);
		idmap_put(&reader->numbers, hash, number);
	}
	if (at == IDMAP_NONE) {
		at = (uint32_t)watched->nknown;
		memory_add(&watched->known, &watched->nknown, sizeof *watched->known);
		idmap_put(&watched->index, frame->place, at);
	}
	watched->known[at] = (struct known_place){number, now_ns};
	return number;
}

static uint64_t word_at(const char *bytes, uint32_t offset)
{
	uint64_t word;

	memcpy(&word, bytes + offset, sizeof word);
	return word;
}

/* The state of a thread, and those of its previous frames that could be read. */
struct snapshot {
	char state[STATE_BYTES];
	uint64_t cframe_frame;
	char frames[PYTHON_DEPTH_MAX][PYTHON_FRAME_BYTES_MAX];
	size_t count;
};

/* The frames of a thread as read now. */
struct frames {
	int64_t now_ns;
	uint64_t addresses[PYTHON_DEPTH_MAX];
	size_t count;
	uint32_t places[PYTHON_DEPTH_MAX];
	size_t nplaces;
	int whole, is_sound;
};

static int take_snapshot(const struct watched *watched, const struct thread *thread,
			 struct snapshot *snapshot)
{
	const struct python_layout *layout = &watched->process.layout;
	struct iovec here[PYTHON_DEPTH_MAX + 2], there[PYTHON_DEPTH_MAX + 2];
	size_t bytes = PYTHON_FRAME_BYTES(layout), count = 0, before = STATE_BYTES;
	ssize_t got;

	here[count] = (struct iovec){snapshot->state, STATE_BYTES};
	there[count++] = (struct iovec){(void *)(uintptr_t)thread->state, STATE_BYTES};
	if (thread->cframe) {
		here[count] = (struct iovec){&snapshot->cframe_frame, 8};
		there[count++] = (struct iovec){
			(void *)(uintptr_t)(thread->cframe + layout->cframe_frame), 8};
		before += 8;
	}
	for (size_t i = 0; i < thread->count; i++) {
		here[count] = (struct iovec){snapshot->frames[i], bytes};
		there[count++] = (struct iovec){(void *)(uintptr_t)thread->frames[i], bytes};
	}
	got = process_vm_readv(watched->pid, here, count, there, count, 0);
	if (got < STATE_BYTES)
		return -1;
	snapshot->count = (size_t)got < before ? 0 : ((size_t)got - before) / bytes;
	return 0;
}

/* Returns the number of the thread, or 0 if it is not known. Before 3.11 Python has only its
 * pthread_t; the main thread shows at which offset the C library keeps the number. */
static uint32_t find_tid(struct watched *watched, uint64_t id)
{
	char bytes[PTHREAD_BYTES];
	uint32_t tid = 0;

	if (watched->process.layout.version >= 0x30b)
		return (uint32_t)id;
	if (!watched->tid_at && !python_read(&watched->process, id, bytes, sizeof bytes))
		for (uint32_t i = 4; i < sizeof bytes && !watched->tid_at; i += 4)
			if (!memcmp(bytes + i, &watched->pid, sizeof watched->pid))
				watched->tid_at = i;
	if (!watched->tid_at ||
	    python_read(&watched->process, id + watched->tid_at, &tid, sizeof tid))
		return 0;
	return tid;
}

/* Reads the frames of the thread and their places. Returns -1 if what was read makes no sense. */
static int read_frames(struct python_reader *reader, struct watched *watched, struct thread *thread,
		       const struct snapshot *snapshot, struct frames *frames)
{
	const struct python_layout *layout = &watched->process.layout;
	uint64_t address = word_at(snapshot->state, layout->thread_frame);
	size_t at = 0;

	frames->count = frames->nplaces = 0;
	if (address && layout->cframe_frame != PYTHON_NONE) {
		uint64_t cframe = address;

		address = snapshot->cframe_frame;
		if (cframe != thread->cframe) {
			thread->cframe = cframe;
			if (python_read(&watched->process, cframe + layout->cframe_frame, &address,
					sizeof address))
				return -1;
		}
	}
	while (address && frames->count < PYTHON_DEPTH_MAX) {
		struct python_frame frame;
		uint32_t place;
		size_t i = at;

		while (i < snapshot->count && thread->frames[i] != address)
			i++;
		if (i < snapshot->count) {
			python_parse_frame(&watched->process, snapshot->frames[i], &frame);
			at = i + 1;
		} else if (python_read_frame(&watched->process, address, &frame)) {
			return -1;
		}
		frames->addresses[frames->count++] = address;
		address = frame.previous;
		if (!frame.code)
			continue;
		place = find_place(reader, watched, &frame, frames->now_ns);
		if (place == IDMAP_NONE)
			return -1;
		frames->places[frames->nplaces++] = place;
	}
	frames->whole = !address;
	return 0;
}

static void add_record(struct python_reader *reader, const struct watched *watched, uint32_t tid,
		       const struct frames *frames)
{
	size_t bytes = sizeof(struct python_record) + (frames->nplaces + 1) / 2 * 8;
	uint64_t words[(sizeof(struct python_record) + sizeof frames->places + TAIL_BYTES) / 8];
	struct python_record *record = (struct python_record *)words;

	memset(words, 0, sizeof words);
	record->header.type = PYTHON_RECORD;
	record->header.size = (uint16_t)(bytes + TAIL_BYTES);
	record->pid = (uint32_t)watched->pid;
	record->tid = tid;
	record->whole = frames->whole;
	record->count = (uint32_t)frames->nplaces;
	memcpy(record->places, frames->places, frames->nplaces * sizeof *frames->places);
	words[bytes / 8 + 1] = (uint64_t)frames->now_ns;
	pthread_mutex_lock(&reader->lock);
	ring_buffer_add(&reader->records, words, record->header.size);
	pthread_mutex_unlock(&reader->lock);
}

/* Reads the thread and the address of the next one. While a frame ends, the chain may seem to end
 * there; so if the outermost frame is not that of the previous read, the thread is read twice.
 * Returns -1 if the thread has ended. */
static int read_thread(struct python_reader *reader, struct watched *watched, struct thread *thread,
		       uint64_t *next)
{
	const struct python_layout *layout = &watched->process.layout;
	struct snapshot *snapshot = reader->snapshot;
	struct frames frames = {.now_ns = clock_ns(CLOCK_MONOTONIC)};
	uint32_t tid;

	for (int tries = 0; tries < 2; tries++) {
		if (take_snapshot(watched, thread, snapshot))
			return -1;
		*next = word_at(snapshot->state, layout->thread_next);
		frames.is_sound = !read_frames(reader, watched, thread, snapshot, &frames);
		if (!frames.is_sound)
			frames.count = 0;
		else if (!thread->count || !frames.count ||
			 frames.addresses[frames.count - 1] == thread->frames[thread->count - 1])
			tries = 2;
	}
	tid = find_tid(watched, word_at(snapshot->state, layout->thread_id));
	memcpy(thread->frames, frames.addresses, frames.count * sizeof *frames.addresses);
	thread->count = frames.count;
	if (tid && frames.is_sound)
		add_record(reader, watched, tid, &frames);
	return 0;
}

/* Reads all threads of the process. Returns -1 with errno if its memory cannot be read. */
static int read_process(struct python_reader *reader, struct watched *watched)
{
	struct python_process *process = &watched->process;
	const struct python_layout *layout = &process->layout;
	uint64_t interpreter = 0, state;
	size_t count = 0;

	errno = 0;
	if (!layout->version &&
	    (python_open(process, watched->pid, watched->file.version,
			 watched->file.runtime + watched->bias,
			 watched->file.code_type + watched->bias) ||
	     layout->thread_id > STATE_BYTES - 8 || layout->thread_frame > STATE_BYTES - 8 ||
	     layout->thread_next > STATE_BYTES - 8))
		return -1;
	if (python_read(process, process->runtime + layout->interpreters, &interpreter,
			sizeof interpreter))
		return -1;
	/* a read that fails from here on means that a list is being changed */
	while (interpreter && count < THREADS_MAX) {
		if (python_read(process, interpreter + layout->interpreter_threads, &state,
				sizeof state))
			return 0;
		while (state && count < THREADS_MAX) {
			struct thread *thread;

			if (count == watched->nthreads)
				memory_add(&watched->threads, &watched->nthreads, sizeof *thread);
			thread = &watched->threads[count++];
			if (thread->state != state)
				*thread = (struct thread){.state = state};
			if (read_thread(reader, watched, thread, &state))
				return 0;
		}
		if (python_read(process, interpreter + layout->interpreter_next, &interpreter,
				sizeof interpreter))
			return 0;
	}
	return 0;
}

static void watched_free(struct watched *watched)
{
	free(watched->threads);
	free(watched->known);
	idmap_free(&watched->index);
}

/* Moves the new processes to those that are watched. The lock is held. */
static void take_incoming(struct python_reader *reader)
{
	EACH_ROW(incoming, reader->incoming, reader->nincoming) {
		struct watched *row = NULL;

		EACH_ROW(known, reader->watched, reader->nwatched)
			if (known->pid == incoming->pid)
				row = known;
		if (row)
			watched_free(row);
		else if (reader->nwatched < PROCESSES_MAX)
			row = memory_add(&reader->watched, &reader->nwatched, sizeof *row);
		if (row)
			*row = *incoming;
	}
	reader->nincoming = 0;
}

/* Reads all processes. A process that cannot be read for a while has ended, or runs another program
 * by now. */
static void read_all(struct python_reader *reader)
{
	size_t left = 0;

	EACH_ROW(watched, reader->watched, reader->nwatched) {
		const char *complaint = NULL;
		int ended = 0;

		if (!read_process(reader, watched)) {
			watched->failures = 0;
		} else {
			ended = errno == ESRCH || errno == EPERM ||
				++watched->failures > FAILURES_MAX;
			if (errno == EPERM)
				complaint = "this user may not read its memory";
			else if (ended && errno != ESRCH && !watched->process.layout.version)
				complaint = "this version is not known";
			if (complaint)
				__atomic_store_n(&reader->complaint, complaint, __ATOMIC_RELAXED);
		}
		if (ended)
			watched_free(watched);
		else
			reader->watched[left++] = *watched;
	}
	reader->nwatched = left;
}

/* The reading thread. It waits for a first process; the lengths of its rounds vary, so that they do
 * not synchronize with the program. */
static void *read_on(void *arg)
{
	struct python_reader *reader = arg;

	/* without this right, and if all CPUs are busy, this thread runs when a thread of the
	 * program enters the kernel, and sees too much of where they do; blasprof itself may have
	 * been started with a higher priority */
	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
	pthread_mutex_lock(&reader->lock);
	while (!reader->stopping) {
		int64_t from_ns, wait_ns, now_ns;
		struct timespec until;

		take_incoming(reader);
		pthread_mutex_unlock(&reader->lock);
		from_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		read_all(reader);
		wait_ns = (clock_ns(CLOCK_THREAD_CPUTIME_ID) - from_ns) * COST_TIMES;
		if (wait_ns < reader->period_ns)
			wait_ns = reader->period_ns;
		pthread_mutex_lock(&reader->lock);
		now_ns = clock_ns(CLOCK_MONOTONIC);
		now_ns += wait_ns * 3 / 4 + now_ns / 8 % (wait_ns / 2 + 1);
		until = (struct timespec){now_ns / 1000000000, now_ns % 1000000000};
		while (!reader->stopping && !reader->nwatched && !reader->nincoming)
			pthread_cond_wait(&reader->changed, &reader->lock);
		while (!reader->stopping &&
		       pthread_cond_timedwait(&reader->changed, &reader->lock, &until) != ETIMEDOUT)
			;
	}
	pthread_mutex_unlock(&reader->lock);
	return NULL;
}

struct python_reader *python_reader_new(int64_t period_ns)
{
	struct python_reader *reader = memory_rows(1, sizeof *reader);
	pthread_condattr_t monotonic;

	reader->period_ns = period_ns;
	reader->snapshot = memory_bytes(sizeof *reader->snapshot);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return reader;
}

void python_reader_watch(struct python_reader *reader, uint32_t pid, const struct python_file *file,
			 uint64_t bias)
{
	struct watched row = {.pid = (pid_t)pid, .file = *file, .bias = bias};

	pthread_mutex_lock(&reader->lock);
	memory_append(&reader->incoming, &reader->nincoming, sizeof row, &row);
	pthread_cond_signal(&reader->changed);
	pthread_mutex_unlock(&reader->lock);
	if (!reader->has_thread)
		reader->has_thread = !pthread_create(&reader->thread, NULL, read_on, reader);
}

const char *python_reader_complaint(const struct python_reader *reader)
{
	return __atomic_load_n(&reader->complaint, __ATOMIC_RELAXED);
}

void python_reader_take(struct python_reader *reader, struct ring_buffer *records,
			struct address_table *table, uint32_t **addresses, size_t *count)
{
	pthread_mutex_lock(&reader->lock);
	if (reader->records.used)
		ring_buffer_add(records, reader->records.bytes, reader->records.used);
	reader->records.used = 0;
	while (*count < reader->nplaces) {
		const struct call_site *place = &reader->places[*count];
		uint32_t *row = memory_add(addresses, count, sizeof *row);

		*row = address_table_place(table, place->file, place->function, (int)place->line);
	}
	pthread_mutex_unlock(&reader->lock);
}

void python_reader_free(struct python_reader *reader)
{
	if (!reader)
		return;
	pthread_mutex_lock(&reader->lock);
	reader->stopping = 1;
	pthread_cond_signal(&reader->changed);
	pthread_mutex_unlock(&reader->lock);
	if (reader->has_thread)
		pthread_join(reader->thread, NULL);
	take_incoming(reader);
	for (size_t i = 0; i < reader->nwatched; i++)
		watched_free(&reader->watched[i]);
	free(reader->watched);
	free(reader->incoming);
	free(reader->places);
	free(reader->records.bytes);
	free(reader->snapshot);
	idmap_free(&reader->numbers);
	pthread_mutex_destroy(&reader->lock);
	pthread_cond_destroy(&reader->changed);
	free(reader);
}
