/* tasks.c: notes the tasks that exist when the process makes its first call, and the CPUs that
 * tasks may run on. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"
#include "base/text.h"
#include "wire/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reading a file in /proc takes 10 us. Of more tasks than this only the CPU time is noted, since
 * thousands of threads may be waiting. */
#define TASKS_EXACT 64

/* struct linux_dirent64, as getdents64(2) describes it. */
struct directory_entry {
	uint64_t inode, offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

/* Calls visit() for each task of the process, as long as it returns 1. Reads the directory by the
 * system call itself, since opendir() would allocate memory. */
static void each_task(char *buffer, size_t bytes,
		      int (*visit)(int directory, const char *name, void *data), void *data)
{
	int directory = file_open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), go_on = 1;
	long got;

	while (directory >= 0 && go_on &&
	       (got = syscall(SYS_getdents64, directory, buffer, bytes)) > 0)
		for (long at = 0; at < got && go_on;) {
			const struct directory_entry *entry = (const void *)(buffer + at);

			at += entry->length;
			if (entry->name[0] >= '0' && entry->name[0] <= '9')
				go_on = visit(directory, entry->name, data);
		}
	file_close(directory);
}

void task_note_cpus(int64_t tid)
{
	uint64_t *known = shim_process->header->cpus, cpus[CPU_WORDS] = {0};

	if (syscall(SYS_sched_getaffinity, tid, sizeof cpus, cpus) < 0)
		return;
	for (int i = 0; i < CPU_WORDS; i++) /* all threads read the line: write it rarely */
		if (cpus[i] & ~__atomic_load_n(&known[i], __ATOMIC_RELAXED))
			__atomic_or_fetch(&known[i], cpus[i], __ATOMIC_RELAXED);
}

static int note_cpus(int directory, const char *name, void *data)
{
	task_note_cpus(strtoll(name, NULL, 10));
	return 1;
}

/* Threads that BLAS or OpenMP started make no call of their own, so all tasks are looked at. */
void tasks_note_cpus(void)
{
	char buffer[1024] __attribute__((aligned(16)));

	each_task(buffer, sizeof buffer, note_cpus, NULL);
}

static int note_start(int directory, const char *name, void *noted)
{
	struct task_start *row;
	char path[64], *end = path + sizeof path;
	int failed;

	process_lock();
	row = row_list_add(CHUNK_TASKS, sizeof *row);
	process_unlock();
	if (!row)
		return 0;
	text_add(text_add(path, end, name), end, "/schedstat");
	row->tid = strtoll(name, NULL, 10);
	row->run_delay_ns = -1;
	if ((*(int *)noted)++ < TASKS_EXACT)
		failed = offcpu_read_schedstat(directory, path, &row->cpu_ns, &row->run_delay_ns);
	else
		failed = offcpu_read_cpu(row->tid, &row->cpu_ns);
	if (!failed)
		row_list_commit(CHUNK_TASKS);
	return 1;
}

void tasks_note(void)
{
	/* Only the first thread of the process gets here. Its stack may have no room for this. */
	static char buffer[2048] __attribute__((aligned(16)));
	int noted = 0;

	each_task(buffer, sizeof buffer, note_start, &noted);
}

const struct task_start *tasks_find(int64_t tid)
{
	const struct task_start *row;
	struct row_cursor at = {0};

	while ((row = row_list_next(CHUNK_TASKS, &at, sizeof *row)))
		if (row->tid == tid)
			return row;
	return NULL;
}
