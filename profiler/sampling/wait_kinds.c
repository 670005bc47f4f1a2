/* wait_kinds.c: tables of functions that wait, and of code that does not belong to the program. */
/* SPDX-License-Identifier: MIT */
#include "sampling/collect.h"

#include <fnmatch.h>
#include <string.h>

#include "base/array.h"
#include "store/code_location.h"

#define KERNEL	    "[[]kernel]"
#define LIBC	    "lib@(c|pthread)[.-]*"
#define SYSTEM_CALL "@(x64_sys|arm64_sys|ia32_sys|do_sys|se_sys|ksys)_"
#define PYTHON	    "@(libpython[23]*|python|python[23]*)"

/* Shell patterns, with | between alternatives in @( ). Functions are compared without leading
 * underscores and __GI_, objects by the last part of their path. The kind of a wait is that of the
 * first row that matches one of the frames up to the own code of the program, so what is built on
 * something else comes before it. */
static const struct wait_row {
	const char *kind, *function, *object; /* NULL for any */
	const char *above; /* a function further out, in the object of the caller; NULL for any */
} rows[] = {
	{"MPI", "@(MPI|PMPI|mpi|pmpi)_*"},
	/* the preload library: the unit of a what-if run, or its own files */
	{WAIT_OTHER, NULL, "libblasprof.so*"},
	{"MPI", NULL, "lib@(mpi|mpich|open-pal|open-rte|pmix|pmpi|ucp|uct|psm2|psm3)[._-]*"},
	{"GPU", NULL,
	 "lib@(cuda|cudart|nccl|nvidia-*|nvrtc|cublas|cublasLt|cudnn*|amdhip64|hsa-runtime64|rccl|"
	 "OpenCL|ze_loader)[._-]*"},
	{"GPU", "@(cuda|cu|hip|hsa_|cl)[A-Z]*@(Synchronize|Wait|WaitForEvents|Finish)*"},
	{"GPU", "@(nvidia|uvm|amdgpu|kfd|i915|xe)_*", KERNEL},
	/* CPython waits for its lock on a condition variable or the mutex of that, and uses these
	 * for nothing else */
	{"gil", "take_gil"},
	{"gil", "drop_gil"},
	{"gil", "pthread_@(cond_*wait|mutex_*lock)*", LIBC,
	 "@(PyEval|PyGILState|PyThreadState_A|PyThreadState_S)*"},
	{"gil", "pthread_@(cond_*wait|mutex_*lock)*", LIBC,
	 "Py_@(HandlePending|RunMain|BytesMain)"},
	{"gil", "tstate_wait_attach"},
	{"gil", "RPyGilAcquire*"},
	{"runtime lock", "caml_thread_@(yield|leave_blocking_section)"},
	/* Java stops all threads for its garbage collector, which the VM thread runs or starts */
	{"collector",
	 "@(VM_GC_Operation::doit_prologue|VMThread::execute|SafepointSynchronize::block|"
	 "SafepointMechanism::process|*CollectedHeap::*|ParallelScavengeHeap::*)*",
	 "libjvm.so"},
	{"join", "@(ThreadHandle_join|PyThread_join_thread)"},
	{"sleep", "@(time_sleep|pysleep)"},
	{"sleep", "select", LIBC, "Rsleep"},
	/* Python builds these on locks that nobody else holds for long */
	{"join", "PyThread_acquire_lock*", NULL, "?(Thread._)wait_for_tstate_lock ?threading.py:*"},
	{"condition", "PyThread_acquire_lock*", NULL, "?(Condition.)wait ?threading.py:*"},
	{"condition", "PyThread_acquire_lock*", NULL, "worker ?@(thread|pool).py:*"},
	{"condition", "PyThread_acquire_lock*", NULL, "queue@(.|_SimpleQueue)*"},
	{"mutex", "@(PyThread_acquire_lock*|PyMutex_Lock*|PyRecursiveMutex_Lock*)"},
	{"condition", "PyEvent_Wait*"},
	{"mutex", "@(GOMP_critical|GOMP_atomic|GOMP_ordered|omp_set_lock|omp_set_nest_lock|"
		  "gomp_mutex_lock)*"},
	{"mutex", "kmpc_@(critical|set_lock|set_nest_lock|ordered)*"},
	{"barrier", "pthread_barrier_wait*"},
	{"barrier", "GOMP_*"},
	{"barrier", "gomp_*"},
	{"barrier", "kmp*"},
	{"barrier", NULL, "lib@(gomp|omp|iomp5|omp5)[.-]*"},
	{"barrier", "@(std::@(__barrier|barrier|latch|*__tree_barrier)*|arrive_and_wait)"},
	{"join", "pthread_*join*"},
	{"join", "std::thread::join*"},
	{"join", "thrd_join"},
	{"mutex", "ObjectMonitor::[eE]nter*", "libjvm.so"},
	{"sleep", "JVM_Sleep*", "libjvm.so"},
	{"rwlock", "pthread_rwlock_*lock*"},
	{"rwlock", "?(<)std::sys::*@(rwl|RwL)ock*"},
	{"condition", "pthread_cond_*wait*"},
	{"condition", "cnd_*wait"},
	{"condition", "std::*condition_variable*::wait*"},
	{"condition", "?(<)std::sys::*[cC]ondvar*"},
	/* a lock of Python's processes, but not that of a queue from which they wait to get work */
	{"mutex", "?(SemLock.__)enter__*", "synchronize.py", "!(*get|*get (*)"},
	{"condition", "sem_*wait*"},
	{"mutex", "pthread_@(mutex|spin)_*lock*"},
	{"mutex", "mtx_*lock"},
	{"mutex", "?(<)std::sys::*[mM]utex*"},
	{"mutex", "*[sS]pin?(_)?(rw|RW)?(_)@([lL]ock|[mM]utex)*"},
	/* a thread of Go has no goroutine to run: its stack is that of the last, up to where that
	 * waits, as for a channel */
	{"mutex", "?(internal/)sync.(\\*Mutex).*"},
	{"rwlock", "?(internal/)sync.(\\*RWMutex).*"},
	{"sleep", "time.Sleep"},
	{"condition", "runtime.@(futex|usleep)*"},
	/* SQLite sleeps only until another has left the file */
	{"file lock", "@(nanosleep|usleep|sleep|clock_nanosleep)", LIBC,
	 "@(libsqlite3.so*|unixSleep)"},
	{"sleep", "@(nanosleep|usleep|sleep|pause|clock_nanosleep)", LIBC},
	{"sleep", "@(do_nanosleep|hrtimer_nanosleep|do_sigtimedwait|sigsuspend)", KERNEL},
	{"sleep", SYSTEM_CALL "@(pause|rt_sigsuspend|rt_sigtimedwait)*", KERNEL},
	{"child", "@(wait|wait3|wait4|waitid|waitpid)", LIBC},
	{"child", "do_wait", KERNEL},
	{"futex", "@(do_futex|futex_do_wait|futex_wait|futex_wait_multiple)", KERNEL},
	{"child", SYSTEM_CALL "@(wait|vfork)*", KERNEL},
	{"condition", SYSTEM_CALL "@(sem|msg|mq_)*", KERNEL},
	{"condition", "do_@(semtimedop|msgrcv|msgsnd)", KERNEL},
	{"file lock", SYSTEM_CALL "@(flock|fcntl)*", KERNEL},
	{"file lock", "@(flock|fcntl*|lockf*)", LIBC},
	{"I/O", "@(io_schedule*|folio_wait*)", KERNEL},
	/* these wait for the lock of the process's memory map */
	{"mmap", "@(exc_page_fault|do_page_fault|do_mem_abort)", KERNEL},
	{"mmap", SYSTEM_CALL "@(mmap|munmap|mremap|mprotect|madvise|brk)*", KERNEL},
	/* the kernel's own locks, such as those of a file or a directory */
	{"mutex", "@(rwsem_down_@(read|write)_slowpath|mutex_lock*)", KERNEL},
	{"I/O", "@(vfs_*|*pipe_*|do_select|*_poll|n_tty_*|do_fsync)", KERNEL},
	{WAIT_OTHER, SYSTEM_CALL "@(clone|fork|exit|sched_|membarrier)*", KERNEL},
	{"I/O", SYSTEM_CALL "*", KERNEL},
	{"I/O",
	 "@(read|write|p@(read|write)*|readv|writev|fsync|fdatasync|open*|close|send*|recv*|"
	 "accept*|connect|poll|ppoll|select|pselect|epoll_*)",
	 LIBC},
	{"mmap", "@(mmap|munmap|mremap|mprotect|madvise|brk|sbrk)", LIBC},
};

static int matches(const char *pattern, const char *text)
{
	return !pattern || !fnmatch(pattern, text, FNM_EXTMATCH);
}

/* Returns the name by which programs call the function, without the prefixes of the C library. */
static const char *public_name(const char *name)
{
	static const struct {
		const char *own, *public;
	} names[] = {
		{"new_sem_wait*", "sem_wait"},
		{"new_sem_clockwait*", "sem_clockwait"},
		{"pthread_clockjoin_ex", "pthread_join"},
		{"lll_lock_wait*", "pthread_mutex_lock"},
		{"pthread_mutex_lock_full", "pthread_mutex_lock"},
		{"pthread_mutex_clocklock_common", "pthread_mutex_timedlock"},
		{"pthread_once_slow", "pthread_once"},
		{"do_system", "system"},
		{"libc_msgrcv", "msgrcv"},
		{"libc_msgsnd", "msgsnd"},
		{"read_nocancel", "read"},
		{"write_nocancel", "write"},
		{"open*_nocancel", "open"},
	};
	const char *rest = name;

	if (!strncmp(rest, "__GI_", 5))
		rest += 5;
	while (*rest == '_')
		rest++;
	EACH_ROW(row, names, COUNT(names))
		if (matches(row->own, rest))
			return row->public;
	return *rest ? rest : name;
}

int wait_function_is_start(const char *function)
{
	return matches("@(start|start_thread|clone|clone3|libc_start_@(main|call_main)*|dl_start*|"
		       "thread_start|runtime.@(goexit|mstart)*)",
		       public_name(function));
}

enum { ROWS = COUNT(rows) };

/* Returns the first row from `row` on that matches the function, or ROWS. */
static size_t find_row(const struct run_frame *frame, size_t row)
{
	const char *function = public_name(frame->function), *object = basename(frame->object);

	while (row < ROWS &&
	       (!matches(rows[row].object, object) || !matches(rows[row].function, function)))
		row++;
	return row;
}

/* 1 for a method that was compiled at run time, such as "void Ledger.add(int)", but for those of
 * Java's own packages. */
static int is_own_method(const char *name)
{
	const char *end = strchr(name, '('), *begin = end;

	while (end && begin > name && begin[-1] != ' ')
		begin--;
	return begin < end && !matches("@(java|javax|jdk|sun|com.sun).*", begin);
}

/* Finds the row and the owner of a function. Functions that wait by name do not belong to the
 * program, even in a static one. */
static void classify(const struct wait_frame *at)
{
	const struct run_frame *frame = at->frame;
	struct wait_code *code = at->code;

	if (code->is_known)
		return;
	code->is_known = 1;
	if (at->is_script) {
		code->owner = python_is_library(frame->object) ? OWNER_LIBRARY : OWNER_PROGRAM;
		code->row = code->owner == OWNER_PROGRAM ? ROWS : find_row(frame, 0);
		return;
	}
	code->row = wait_function_is_start(frame->function) ? ROWS : find_row(frame, 0);
	if (frame->code == RUN_CODE_KERNEL || frame->code == RUN_CODE_BLAS || code->row < ROWS ||
	    wait_function_is_start(frame->function) ||
	    matches("@(?(<)std::|?(<)core::|runtime.|sync.|syscall.|internal/"
		    "|caml@(_|Thread__|Stdlib__))*",
		    frame->function))
		code->owner = OWNER_RUNTIME;
	else if (!strcmp(frame->object, "[anon]"))
		code->owner = is_own_method(frame->function) ? OWNER_PROGRAM : OWNER_RUNTIME;
	else
		code->owner = object_owner(frame->object);
}

/* 1 if the function's name is only that of the object, with an offset. */
static int is_nameless(const struct run_frame *frame)
{
	const char *object = basename(frame->object);
	size_t length = strlen(object);

	return !strncmp(frame->function, object, length) && frame->function[length] == '+';
}

/* Returns the innermost frame of the own code of the program; if there is none, of a library that
 * it uses, preferably one with a name; else `count`. Functions inlined from system headers do not
 * belong to the program. */
static size_t find_place(const struct wait_frame *frames, size_t count)
{
	size_t place = count;

	for (size_t i = 0; i < count; i++) {
		const char *file = frames[i].symbol->file;

		classify(&frames[i]);
		if (file && !frames[i].is_script &&
		    (!strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9)))
			continue;
		if (frames[i].code->owner == OWNER_PROGRAM)
			return i;
		if (frames[i].code->owner == OWNER_LIBRARY &&
		    (place == count ||
		     (is_nameless(frames[place].frame) && !is_nameless(frames[i].frame))))
			place = i;
	}
	return place;
}

/* Returns 1 if the object that called this one has a function that matches, in the frame of the
 * call or further out. */
static int has_above(const struct wait_frame *frames, size_t count, size_t at, const char *pattern)
{
	const char *object = frames[at].frame->object;

	while (at < count && !strcmp(frames[at].frame->object, object))
		at++;
	object = at < count ? frames[at].frame->object : "";
	for (; at < count && !strcmp(frames[at].frame->object, object); at++)
		if (matches(pattern, public_name(frames[at].frame->function)))
			return 1;
	return 0;
}

/* Returns the function that code outside the object of the matched frame called. For the kernel, it
 * is the function of the C library or the system call. Sets *in to its object if it has one. */
static const char *find_function(const struct wait_frame *frames, size_t end, size_t at,
				 const char **in)
{
	static const char *const calls[] = {"x64_sys_", "arm64_sys_", "ia32_sys_", "do_sys_",
					    "se_sys_",	"ksys_",      "sys_",	   "kernel_"};
	const char *call = "", *object;

	for (; at < end && frames[at].frame->code == RUN_CODE_KERNEL; at++) {
		const char *name = public_name(frames[at].frame->function);

		if (strstr(name, "page_fault"))
			return "page fault";
		for (size_t i = 0; i < COUNT(calls); i++)
			if (!strncmp(name, calls[i], strlen(calls[i])))
				call = name + strlen(calls[i]);
	}
	if (at == end)
		return call;
	*in = object = frames[at].frame->object;
	if (*call && !strstr(basename(object), ".so"))
		return call;
	while (at + 1 < end && !strcmp(frames[at + 1].frame->object, object) &&
	       (frames[at + 1].code->row < ROWS || matches(LIBC, basename(object))) &&
	       !wait_function_is_start(frames[at + 1].frame->function))
		at++;
	return *call && is_nameless(frames[at].frame) ? call
						      : public_name(frames[at].frame->function);
}

struct wait_reason wait_reason_find(const struct wait_frame *frames, size_t count)
{
	struct wait_reason reason = {WAIT_OTHER, "", "", "", 0, "", 0};
	size_t place = find_place(frames, count), found = ROWS, at = 0;
	const char *object = count ? frames[0].frame->object : "";

	for (size_t i = 0; i < place; i++) {
		size_t row = frames[i].code->row;

		while (row < found && rows[row].above &&
		       !has_above(frames, count, i, rows[row].above))
			row = find_row(frames[i].frame, row + 1);
		if (row < found) {
			found = row;
			at = i;
		}
	}
	if (found < ROWS)
		reason.kind = rows[found].kind;
	reason.function = find_function(frames, place, at, &object);
	if (place == count)
		return reason;
	reason.object = object;
	reason.caller = frames[place].is_script ? frames[place].symbol->function
						: frames[place].frame->function;
	reason.file = frames[place].symbol->file ? frames[place].symbol->file : "";
	reason.line = frames[place].symbol->line;
	return reason;
}
