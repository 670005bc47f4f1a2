/* cut_file.c: puts empty pages in the place of what is gone of a mapped file. */
/* SPDX-License-Identifier: MIT */
#include "base/cut_file.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct cut_file {
	uintptr_t start;
	size_t bytes;
	volatile sig_atomic_t cut;
	struct cut_file *next, **place; /* place: what points to this one */
};

static struct cut_file *watched;
static struct sigaction before;
static size_t page_bytes;

/* 1 where the page is in its place. The rest of the file may be gone too: it is found in its turn.
 */
static int fill_page(uintptr_t address)
{
	for (struct cut_file *file = watched; file; file = file->next) {
		void *page = (void *)(address & ~(page_bytes - 1));

		if (address - file->start >= file->bytes)
			continue;
		file->cut = 1;
		return mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			    -1, 0) != MAP_FAILED;
	}
	return 0;
}

/* What is nobody's goes on as it would have without this: the instruction is run again. */
static void take_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
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

struct cut_file *cut_file_watch(void *start, size_t bytes)
{
	struct cut_file *file = calloc(1, sizeof *file);

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

int cut_file_is_cut(const struct cut_file *file)
{
	return file->cut;
}

void cut_file_end(struct cut_file *file)
{
	if (!file)
		return;
	*file->place = file->next;
	if (file->next)
		file->next->place = file->place;
	free(file);
}
