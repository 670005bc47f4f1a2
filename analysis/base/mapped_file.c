/* mapped_file.c: maps empty pages where a mapped file was truncated. */
/* SPDX-License-Identifier: MIT */
#include "base/mapped_file.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapped_file {
	uintptr_t start;
	size_t bytes;
	volatile sig_atomic_t truncated;
	struct mapped_file *next, **place; /* place: what points to this one */
};

static struct mapped_file *watched;
static struct sigaction before;
static size_t page_bytes;

/* Maps an empty page; 1 where that worked. Further pages are mapped when they are read. */
static int fill_page(uintptr_t address)
{
	for (struct mapped_file *file = watched; file; file = file->next) {
		void *page = (void *)(address & ~(page_bytes - 1));

		if (address - file->start >= file->bytes)
			continue;
		file->truncated = 1;
		return mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			    -1, 0) != MAP_FAILED;
	}
	return 0;
}

/* A fault outside of watched mappings gets the action from before: the instruction runs again. */
static void take_signal(int number, siginfo_t *info, void *context)
{
	if (info->si_code != BUS_ADRERR || !fill_page((uintptr_t)info->si_addr))
		sigaction(number, &before, NULL);
}

static void take_signals(void)
{
	struct sigaction action = {.sa_sigaction = take_signal, .sa_flags = SA_SIGINFO};

	if (page_bytes)
		return;
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before);
}

struct mapped_file *mapped_file_watch(void *start, size_t bytes)
{
	struct mapped_file *file = calloc(1, sizeof *file);

	if (!file)
		return NULL;
	take_signals();
	file->start = (uintptr_t)start;
	file->bytes = bytes;
	file->next = watched;
	file->place = &watched;
	if (watched)
		watched->place = &file->next;
	watched = file;
	return file;
}

int mapped_file_is_truncated(const struct mapped_file *file)
{
	return file->truncated;
}

void mapped_file_end(struct mapped_file *file)
{
	if (!file)
		return;
	*file->place = file->next;
	if (file->next)
		file->next->place = file->place;
	free(file);
}
