/* machine_fuzz.c: feeds any bytes as the files of /proc and /sys that blasprof reads. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/naming.h"
#include "machine/machine.h"

static void name_addresses(void)
{
	struct kernel_address addresses[] = {{.address = UINT64_MAX},
					     {.address = 0},
					     {.address = 0xffffffff81000010},
					     {.address = 5}};

	kernel_symbols_name(fuzz_directory(), addresses, 4);
	for (int i = 0; i < 4; i++)
		if (!memchr(addresses[i].function, '\0', sizeof addresses[i].function))
			abort();
}

FUZZ(machine)
{
	static const char *const files[] = {"proc/kallsyms",
					    "proc/cpuinfo",
					    "proc/stat",
					    "proc/7/stat",
					    "proc/7/status",
					    "proc/self/cgroup",
					    "proc/self/status",
					    "proc/sys/kernel/perf_event_paranoid",
					    "proc/sys/kernel/osrelease",
					    "sys/devices/system/cpu/online",
					    "sys/fs/cgroup/cpu.max",
					    "sys/fs/cgroup/cpu.stat"};
	const uint64_t cpus = 1;
	const struct load_program program = {.cpus = &cpus, .words = 1};
	struct load load;
	struct run run;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		fuzz_write(files[i], data, size);
	name_addresses();
	run_init(&run);
	machine_describe(fuzz_directory(), &run);
	if (!(run.cpus_available > 0))
		abort();
	load_read(fuzz_directory(), &load);
	load_note(fuzz_directory(), &load, &load, &program, &run);
	load_free(&load);
	run_free(&run);
}
