/* tasks.c: notes the tasks that exist when the process makes its first call, and the CPUs that
 * tasks may run on. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A file of /proc takes 10 us: of thousands of threads that wait for the same word only the CPU
 * time is noted. */
#define TASKS_EXACT 64

/* As the kernel writes it. */
struct directory_entry {
	uint64_t inode, offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

/* Where the next row goes; NULL: there is no room. */
static struct chunk_header *chunk_with_room(struct chunk_header *chunk)
{
	struct chunk_header *next;

	if (chunk && chunk->used < chunk_rows(chunk, sizeof(struct task_start)))
		return chunk;
	process_lock();
	next = session_add_chunk(CHUNK_TASKS, LAYOUT_PAGE - sizeof *next);
	process_unlock();
	if (chunk)
		__atomic_store_n(&chunk->next, (uintptr_t)next, __ATOMIC_RELEASE);
	else
		__atomic_store_n(&shim_process->tasks, next, __ATOMIC_RELEASE);
	return next;
}

static void note_task(int directory, const char *name, int exact, struct chunk_header *chunk)
{
	struct task_start *row = (struct task_start *)(chunk + 1) + chunk->used;
	char path[64];
	int failed;

	/* not by printf(): that takes more than some threads have left of their stack */
	memcpy(path, name, strnlen(name, 20) + 1);
	strcpy(path + strnlen(name, 20), "/schedstat");
	row->tid = strtoll(name, NULL, 10);
	row->run_delay_ns = -1;
	failed = exact ? offcpu_read_schedstat(directory, path, &row->cpu_ns, &row->run_delay_ns)
		       : offcpu_read_cpu(row->tid, &row->cpu_ns);
	if (!failed)
		__atomic_store_n(&chunk->used, chunk->used + 1, __ATOMIC_RELEASE);
}

/* Looks at each task of the process, as long as look() returns 1. */
static void each_task(char *buffer, size_t bytes,
		      int (*look)(int directory, const char *name, void *data), void *data)
{
	int directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), go_on = 1;
	long got;

	while (directory >= 0 && go_on &&
	       (got = syscall(SYS_getdents64, directory, buffer, bytes)) > 0)
		for (long at = 0; at < got && go_on;) {
			const struct directory_entry *entry = (const void *)(buffer + at);

			at += entry->length;
			if (entry->name[0] >= '0' && entry->name[0] <= '9')
				go_on = look(directory, entry->name, data);
		}
	if (directory >= 0)
		close(directory);
}

void task_note_cpus(int64_t tid)
{
	uint64_t *known = shim_process->header->cpus, cpus[CPU_WORDS] = {0};

	if (syscall(SYS_sched_getaffinity, tid, sizeof cpus, cpus) < 0)
		return;
	for (int i = 0; i < CPU_WORDS; i++) /* few writes: all threads read the line */
		if (cpus[i] & ~__atomic_load_n(&known[i], __ATOMIC_RELAXED))
			__atomic_or_fetch(&known[i], cpus[i], __ATOMIC_RELAXED);
}

static int look_at_cpus(int directory, const char *name, void *data)
{
	(void)directory;
	(void)data;
	task_note_cpus(strtoll(name, NULL, 10));
	return 1;
}

/* Pools of threads that BLAS or OpenMP started make no call of their own. */
void tasks_note_cpus(void)
{
	char buffer[1024] __attribute__((aligned(16)));

	each_task(buffer, sizeof buffer, look_at_cpus, NULL);
}

struct noting {
	struct chunk_header *chunk;
	int noted;
};

static int look_at_start(int directory, const char *name, void *data)
{
	struct noting *noting = data;

	noting->chunk = chunk_with_room(noting->chunk);
	if (noting->chunk)
		note_task(directory, name, noting->noted++ < TASKS_EXACT, noting->chunk);
	return noting->chunk != NULL;
}

/* Some threads have less left of their stack than the names take; the first of the process comes
 * here alone. */
void tasks_note(void)
{
	static char buffer[2048] __attribute__((aligned(16)));
	struct noting noting = {0};

	each_task(buffer, sizeof buffer, look_at_start, &noting);
}

const struct task_start *tasks_find(int64_t tid)
{
	const struct chunk_header *chunk = __atomic_load_n(&shim_process->tasks, __ATOMIC_ACQUIRE);
	uint64_t next;

	for (; chunk; chunk = (const struct chunk_header *)(uintptr_t)next) {
		const struct task_start *rows = (const struct task_start *)(chunk + 1);
		uint32_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);

		next = __atomic_load_n(&chunk->next, __ATOMIC_ACQUIRE);
		for (uint32_t i = 0; i < used; i++)
			if (rows[i].tid == tid)
				return &rows[i];
	}
	return NULL;
}
