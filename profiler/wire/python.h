/* python.h: reads the frames of CPython in a process: the functions and lines of its threads. */
/* SPDX-License-Identifier: MIT */
#ifndef WIRE_PYTHON_H
#define WIRE_PYTHON_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/code_location.h"
#include "wire/layout.h"

#define PYTHON_NONE UINT32_MAX /* an offset: the version has no such field */

/* Offsets in CPython's structs. `version` is 0x30b for 3.11. A string's text follows its struct,
 * which is shorter for ASCII. */
struct python_layout {
	uint32_t version;
	uint32_t interpreters;	   /* _PyRuntimeState: the first interpreter */
	uint32_t interpreter_next; /* PyInterpreterState */
	uint32_t interpreter_threads;
	uint32_t thread_next; /* PyThreadState */
	uint32_t thread_id;   /* kernel thread id, before 3.11 a pthread_t */
	uint32_t thread_frame;
	uint32_t cframe_frame;	 /* _PyCFrame; NONE: thread_frame is the frame itself */
	uint32_t frame_previous; /* _PyInterpreterFrame, before 3.11 PyFrameObject */
	uint32_t frame_code;
	uint32_t frame_at; /* address of the instruction, before 3.11 its index */
	uint32_t frame_owner;
	uint32_t code_file; /* PyCodeObject */
	uint32_t code_name;
	uint32_t code_first_line;
	uint32_t code_lines;
	uint32_t code_bytes;
	uint32_t type;	       /* PyObject */
	uint32_t string_ascii; /* PyASCIIObject */
	uint32_t string_other;
};

struct python_process {
	pid_t pid;	    /* 0: this process */
	uint64_t runtime;   /* address of _PyRuntime */
	uint64_t code_type; /* address of PyCode_Type */
	struct python_layout layout;
};

#pragma GCC visibility push(hidden)

/* Prepares reading; version is PY_VERSION_HEX >> 16. Returns 0, or -1 if the layout of the version
 * is not known. */
int python_open(struct python_process *process, pid_t pid, uint32_t version, uint64_t runtime,
		uint64_t code_type);

/* Reads memory. Returns 0, or -1 with errno set if not all of it can be read. */
int python_read(const struct python_process *process, uint64_t address, void *bytes, size_t count);

enum { PYTHON_OWNED_BY_C = 3 }; /* frame_owner from 3.12 on: C code called the interpreter here */

struct python_frame {
	uint64_t previous; /* address of the caller's frame; 0: none */
	uint64_t code;	   /* 0: no function, but where C code called the interpreter */
	uint64_t place;	   /* code and instruction in one word; reused after the code is freed */
};

/* Makes python_frame.place. */
static inline uint64_t python_place_word(const struct python_layout *layout, uint64_t code,
					 uint64_t at)
{
	return layout->version >= 0x30b ? at : code | at << 48;
}

/* Sets *frame to the address of the innermost frame of the thread with this PyThreadState; 0: none.
 * Returns 0, or -1 if it cannot be read. */
int python_top_frame(const struct python_process *process, uint64_t thread, uint64_t *frame);
/* The bytes of a frame that are needed. */
#define PYTHON_FRAME_BYTES(layout) ((layout)->version >= 0x30b ? 72 : 112)
#define PYTHON_FRAME_BYTES_MAX	   112
void python_parse_frame(const struct python_process *process, const char *bytes,
			struct python_frame *frame);
/* Returns 0, or -1 if there is no frame. */
int python_read_frame(const struct python_process *process, uint64_t address,
		      struct python_frame *frame);
/* Fills in all of *place but its member `place`. Returns 0, or -1 if it is not a function's frame.
 */
int python_read_place(const struct python_process *process, const struct python_frame *frame,
		      struct call_site *place);

#pragma GCC visibility pop

#endif
