/* call_sites.c: finds where in a Python program a BLAS call comes from, since all calls by numpy
 * have the same few return addresses. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <stdlib.h>

#include "shim/objects.h"
#include "wire/python.h"
#include "shim/signal_guard.h"

#define FRAMES_MAX 64 /* frames that are read for one call, which bounds its cost */

enum trial { TRIAL_NONE, TRIAL_PASSED, TRIAL_PAUSED, TRIAL_FAILED };

static struct interpreter {
	struct python_process process;
	int (*is_initialized)(void);
	void *(*this_thread)(void);
	enum trial trial;
} python;

/* Cache of code objects: the address, whose last bits are 0, and CODE_LIBRARY if the code belongs
 * to a library and not to the program. An entry is in one of two neighbouring slots. */
#define CODE_SLOTS   2048
#define CODE_LIBRARY 1u
static uint64_t codes[CODE_SLOTS];

static int find_interpreter(const struct object *object, void *data)
{
	struct interpreter *found = data;
	void *runtime = object_data(object, "_PyRuntime");
	const char *(*version)(void);
	unsigned long major;
	char *minor;

	if (!runtime)
		return 0;
	version = (const char *(*)(void))object_symbol(object, "Py_GetVersion");
	found->is_initialized = (int (*)(void))object_symbol(object, "Py_IsInitialized");
	found->this_thread =
		(void *(*)(void))object_symbol(object, "PyGILState_GetThisThreadState");
	if (!version || !found->is_initialized || !found->this_thread)
		return 1;
	major = strtoul(version(), &minor, 10);
	if (*minor == '.')
		python_open(&found->process, 0,
			    (uint32_t)(major << 8 | strtoul(minor + 1, NULL, 10)),
			    (uintptr_t)runtime, (uintptr_t)object_data(object, "PyCode_Type"));
	return 1;
}

static int has_looked;

/* Threads that attach at the same time find the same, and the result of the first one is kept. The
 * walk takes a lock of the loader's, so the process's lock must not be held meanwhile. */
int call_sites_start(void)
{
	struct interpreter found = {0};
	KEEP_ERRNO;

	if (!__atomic_load_n(&has_looked, __ATOMIC_ACQUIRE)) {
		objects_walk(find_interpreter, &found);
		process_lock();
		if (!has_looked)
			python = found;
		__atomic_store_n(&has_looked, 1, __ATOMIC_RELEASE);
		process_unlock();
	}
	return python.process.layout.version != 0;
}

void call_sites_end(void)
{
	__atomic_store_n(&has_looked, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&python.trial, TRIAL_FAILED, __ATOMIC_RELAXED);
}

/* Replaces one state of the trial by another, unless it is in a third one. */
static void change_trial(enum trial from, enum trial to)
{
	__atomic_compare_exchange_n(&python.trial, &from, to, 0, __ATOMIC_ACQ_REL,
				    __ATOMIC_RELAXED);
}

/* The interpreter's functions may be unloaded meanwhile. */
void call_sites_pause(int is_paused)
{
	if (!is_paused) {
		change_trial(TRIAL_PAUSED, TRIAL_NONE);
		return;
	}
	change_trial(TRIAL_NONE, TRIAL_PAUSED);
	change_trial(TRIAL_PASSED, TRIAL_PAUSED);
}

void call_sites_forget(int (*is_gone)(const void *function))
{
	if (is_gone((const void *)python.is_initialized))
		call_sites_end();
}

/* Reads the thread's frames with all checks. If all of them are valid, their layout is as expected,
 * and later ones are read without checks. */
static __attribute__((noinline)) int passes_trial(uint64_t thread)
{
	enum trial trial = TRIAL_NONE;
	KEEP_ERRNO;
	struct call_site site;
	struct python_frame frame;
	uint64_t at = 0;

	if (python_top_frame(&python.process, thread, &at))
		trial = TRIAL_FAILED;
	for (int i = 0; i < FRAMES_MAX && at && trial != TRIAL_FAILED; i++, at = frame.previous) {
		if (python_read_frame(&python.process, at, &frame))
			trial = TRIAL_FAILED;
		else if (frame.code)
			trial = python_read_place(&python.process, &frame, &site) ? TRIAL_FAILED
										  : TRIAL_PASSED;
	}
	change_trial(TRIAL_NONE, trial);
	return trial == TRIAL_PASSED;
}

static __attribute__((noinline)) int read_is_library(uint64_t code, uint64_t *slot)
{
	struct python_frame frame = {.code = code};
	struct call_site site;
	KEEP_ERRNO;
	int is_library =
		python_read_place(&python.process, &frame, &site) || python_is_library(site.file);

	__atomic_store_n(slot, code | (is_library ? CODE_LIBRARY : 0), __ATOMIC_RELAXED);
	return is_library;
}

static int is_library(uint64_t code)
{
	uint64_t *slot = &codes[code * 0x9e3779b97f4a7c15ull >> 53];
	uint64_t found;

	for (int i = 0; i < 2; i++) {
		found = __atomic_load_n(slot, __ATOMIC_RELAXED);
		if ((found & ~(uint64_t)CODE_LIBRARY) == code)
			return found & CODE_LIBRARY;
		if (!i && found)
			slot = &codes[(size_t)(slot - codes) ^ 1];
	}
	return read_is_library(code, slot);
}

static inline uint64_t word_at(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

/* Returns Python's state of this thread, or 0. The thread is in C code, so its chain of frames does
 * not change, even if another thread has the interpreter's lock. When Python ends it frees the
 * remaining threads, long after Py_IsInitialized() has become false. */
static uint64_t this_thread(void)
{
	enum trial trial = __atomic_load_n(&python.trial, __ATOMIC_RELAXED);
	uint64_t thread;

	if (unlikely(trial >= TRIAL_PAUSED) || !python.is_initialized())
		return 0;
	thread = (uintptr_t)python.this_thread();
	if (!thread || likely(trial == TRIAL_PASSED))
		return thread;
	return passes_trial(thread) ? thread : 0;
}

/* Returns the innermost place in the program's own code, or the innermost one of all if there is no
 * such place. */
uint64_t call_site(uint64_t address)
{
	const struct python_layout *layout = &python.process.layout;
	uint64_t thread = this_thread(), frame, code, place, innermost = address;

	if (!thread)
		return address;
	frame = word_at(thread + layout->thread_frame);
	if (frame && layout->cframe_frame != PYTHON_NONE)
		frame = word_at(frame + layout->cframe_frame);
	for (int i = 0; i < FRAMES_MAX && frame; i++) {
		if (layout->version < 0x30c ||
		    *(const unsigned char *)(uintptr_t)(frame + layout->frame_owner) !=
			    PYTHON_OWNED_BY_C) {
			code = word_at(frame + layout->frame_code);
			place = layout->version >= 0x30b
					? word_at(frame + layout->frame_at)
					: *(const uint32_t *)(uintptr_t)(frame + layout->frame_at);
			place = python_place_word(layout, code, place);
			if (code && !is_library(code))
				return place;
			if (innermost == address)
				innermost = place;
		}
		frame = word_at(frame + layout->frame_previous);
	}
	return innermost;
}

/* Adds the place if it has no row yet. Lock held. */
static void note_place(const struct python_frame *frame)
{
	struct row_cursor at = {0};
	struct call_site *row;

	while ((row = row_list_next(CHUNK_CALL_SITES, &at, sizeof *row)))
		if (row->place == frame->place)
			return;
	/* written in place: threads may have too little stack for a row */
	row = row_list_add(CHUNK_CALL_SITES, sizeof *row);
	if (!row || python_read_place(&python.process, frame, row))
		return;
	row->place = frame->place;
	row_list_commit(CHUNK_CALL_SITES);
}

int call_site_note(uint64_t place)
{
	uint64_t thread = this_thread(), at = 0;
	struct python_frame frame = {0};
	KEEP_ERRNO;

	if (!thread || python_top_frame(&python.process, thread, &at))
		at = 0;
	for (int i = 0; i < FRAMES_MAX && at && frame.place != place; i++, at = frame.previous)
		if (python_read_frame(&python.process, at, &frame))
			break;
	if (frame.place == place) {
		LOCK_PROCESS;
		note_place(&frame);
	}
	return frame.place == place;
}
