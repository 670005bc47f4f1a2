/* uprobe.c: uprobe events of the kernel, their cost, and which BLAS routines a file has. */
/* SPDX-License-Identifier: MIT */
#include "perf/uprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "blas/routines.h"
#include "model/stats.h"
#include "perf/event.h"
#include "wire/clock.h"
#include "wire/files.h"

#define UPROBE_FOLDER "/sys/bus/event_source/devices/uprobe/"

int probe_set(struct perf_event_attr *attr, const char *path, uint64_t offset, int at_return,
	      struct error *err)
{
	long type = machine_read_long("", UPROBE_FOLDER "type", -1);
	unsigned return_bit = 0;
	char format[64];

	if (type < 0)
		return error_set(err,
				 "run a kernel from 4.17 on with CONFIG_UPROBE_EVENTS and /sys "
				 "mounted, or link the program dynamically",
				 "this machine has no uprobes (no " UPROBE_FOLDER ")");
	/* "config:0" is the bit that asks for the return */
	if (machine_read_line("", UPROBE_FOLDER "format/retprobe", format, sizeof format) ||
	    sscanf(format, "config:%u", &return_bit) != 1 || return_bit > 63)
		return_bit = 0;
	*attr = (struct perf_event_attr){
		.type = (uint32_t)type,
		.size = sizeof *attr,
		.config = at_return ? UINT64_C(1) << return_bit : 0,
		.config1 = (uint64_t)(uintptr_t)path,
		.config2 = offset,
		.sample_period = 1,
		.sample_type = at_return ? PROBE_SAMPLE_TYPE : PROBE_ENTRY_TYPE,
		.sample_regs_user = at_return ? SAMPLE_REGS_MASK : PROBE_ENTRY_MASK,
		.sample_stack_user = at_return ? 0 : PROBE_ENTRY_STACK_BYTES,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	return 0;
}

int probe_open(const struct perf_event_attr *attr, pid_t pid, int cpu, struct error *err)
{
	int fd = perf_open(attr, pid, cpu);

	if (fd >= 0)
		return fd;
	if (fd == -EACCES || fd == -EPERM)
		return error_set(err,
				 "run blasprof as root, or give it the capability CAP_SYS_ADMIN, "
				 "or link the program dynamically",
				 "this user may not set uprobes");
	if (fd == -EMFILE)
		return error_set(err, "raise the limit in this shell with 'ulimit -n 65536'",
				 "too many open files: uprobes take two for each routine and CPU");
	return error_set(err, "link the program dynamically", "cannot set an uprobe: %s",
			 strerror(-fd));
}

enum { CALLS = 1000, PAGES = 64 };

/* The cost of a probe depends on the instruction that it replaces. BLAS routines begin by saving
 * registers, so this function does too. */
#if defined __x86_64__
#define SAVED "rbx"
#else
#define SAVED "x19"
#endif
static __attribute__((noinline, used)) void probed(void)
{
	__asm__ volatile("" ::: SAVED);
}

static const char own_file[] = "/proc/self/exe";

/* Returns the offset of the function in the file of blasprof, or -1. */
static int64_t find_probed(void)
{
	int fd = open(own_file, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	int64_t offset = elf_address_offset(elf, (uintptr_t)probed - _r_debug.r_map->l_addr);

	elf_end(elf);
	file_close(fd);
	return offset;
}

/* Returns the median time between the two records of a call, NAN if there are none. */
static double time_inside(struct ring *ring)
{
	struct ring_buffer buffer = {0};
	int64_t entered_ns = 0;
	double times_ns[CALLS];
	size_t records = 0;

	ring_drain(ring, &buffer);
	for (size_t at = 0; at + sizeof(struct sample_head) <= buffer.used;) {
		const struct sample_head *head = (const struct sample_head *)(buffer.bytes + at);

		if (head->header.size < sizeof head->header)
			break;
		at += head->header.size;
		if (head->header.type != PERF_RECORD_SAMPLE || records / 2 >= CALLS)
			continue;
		if (records % 2)
			times_ns[records / 2] = (double)((int64_t)head->time - entered_ns);
		entered_ns = (int64_t)head->time;
		records++;
	}
	free(buffer.bytes);
	return stats_median(times_ns, records / 2);
}

int probe_cost_measure(struct probe_cost *cost, struct error *err)
{
	int64_t offset = find_probed();
	struct perf_event_attr attr;
	struct ring ring = {.fd = -1};
	int at_return = -1, failed = -1;
	double times_ns[CALLS], whole_ns;

	if (offset < 0)
		return error_set(err, "mount /proc", "cannot find blasprof's own file");
	if (probe_set(&attr, own_file, (uint64_t)offset, 0, err))
		return -1;
	ring.fd = probe_open(&attr, 0, -1, err);
	if (ring.fd >= 0 && !probe_set(&attr, own_file, (uint64_t)offset, 1, err))
		at_return = probe_open(&attr, 0, -1, err);
	if (at_return < 0)
		goto out;
	if (ring_map(&ring, PAGES) || ioctl(at_return, PERF_EVENT_IOC_SET_OUTPUT, ring.fd)) {
		error_set(err, "raise the sysctl kernel.perf_event_mlock_kb",
			  "cannot map a buffer for uprobes: %s", strerror(errno));
		goto out;
	}
	for (int i = 0; i < CALLS; i++) {
		int64_t begun_ns = clock_ns(CLOCK_MONOTONIC);

		probed();
		times_ns[i] = (double)(clock_ns(CLOCK_MONOTONIC) - begun_ns);
	}
	whole_ns = stats_median(times_ns, CALLS);
	cost->inside_ns = time_inside(&ring);
	failed = !(cost->inside_ns >= 0);
	if (failed)
		error_set(err, "link the program dynamically",
			  "uprobes do not work on this machine: test calls gave no samples");
	cost->outside_ns = whole_ns > cost->inside_ns ? whole_ns - cost->inside_ns : 0;
out:
	file_close(at_return);
	ring_close(&ring);
	return failed ? -1 : 0;
}

int64_t elf_address_offset(Elf *elf, uint64_t address)
{
	GElf_Phdr header;

	for (int i = 0; gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_LOAD && address >= header.p_vaddr &&
		    address - header.p_vaddr < header.p_filesz)
			return (int64_t)(address - header.p_vaddr + header.p_offset);
	return -1;
}

COMPARE(compare_symbols, struct blas_symbol, ORDER(a->offset, b->offset) ?: ORDER(a->id, b->id))

int blas_symbols_read(const char *path, struct blas_symbol **symbols, size_t *count,
		      struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), has_table = 0;
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	struct blas_symbol *rows = NULL;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	size_t nrows = 0;

	*symbols = NULL;
	*count = 0;
	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		has_table |= data && data->d_size;
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
			size_t id = name ? routine_find(name) : ROUTINE_COUNT;
			int64_t offset = elf_address_offset(elf, symbol.st_value);
			struct blas_symbol row = {id, (uint64_t)offset};

			if (routine_exists(id) && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
			    symbol.st_shndx && offset >= 0)
				memory_append(&rows, &nrows, sizeof row, &row);
		}
	}
	elf_end(elf);
	file_close(fd);
	if (!has_table)
		return error_set(err, "link it without -s, and do not strip it",
				 "'%s' has no symbols to find its BLAS routines by", path);
	SORT(rows, nrows, compare_symbols);
	for (size_t i = 0; i < nrows; i++)
		if (!i || rows[i].offset != rows[*count - 1].offset)
			rows[(*count)++] = rows[i];
	*symbols = rows;
	return 0;
}
