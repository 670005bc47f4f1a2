/* cell.c: one kernel at one size: checked and timed. */
/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cells/cell.h"
#include "cells/port.h"

#define MEMORY_SHARE	0.5 /* of the machine's: a cell takes no more */
#define FREQUENCY_SHARE 0.05

__attribute__((format(printf, 3, 4))) static void
end_cell(struct cell *cell, enum cell_status status, const char *fmt, ...)
{
	va_list args;

	cell->status = status;
	va_start(args, fmt);
	vsnprintf(cell->note, sizeof(cell->note), fmt, args);
	va_end(args);
}

void cell_note_frequency(struct cell *cell, double least_mhz, double most_mhz)
{
	if (most_mhz - least_mhz > FREQUENCY_SHARE * most_mhz)
		end_cell(cell, cell->status, "the CPU's frequency changed, from %.0f to %.0f MHz",
			 least_mhz, most_mhz);
}

static int fits_memory(struct cell *cell, int threads)
{
	const double mib = 1024 * 1024;
	double needed = operands_bytes(cell->kernel, cell->size) * threads / mib;
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / mib;

	if (needed <= MEMORY_SHARE * have)
		return 1;
	end_cell(cell, CELL_LEFT_OUT, "needs %.0f MiB, more than half of the machine's %.0f MiB",
		 needed, have);
	return 0;
}

static void check_cell(struct cell *cell, struct operands *operands, const struct check *checked)
{
	const char *failed = NULL;

	operands_fill(operands, cell->kernel);
	if (checked && !cell->kernel->command) {
		cell->check = *checked;
		return;
	}
	if (cell->kernel->command)
		failed = port_run(cell->kernel, operands, &cell->times);
	else
		cell->kernel->run(operands);
	if (failed) {
		end_cell(cell, CELL_LEFT_OUT, "'%.150s': %s", cell->kernel->command, failed);
		return;
	}
	cell->check = check_result(cell->kernel, operands);
	if (cell->check.wrong)
		end_cell(cell, CELL_WRONG,
			 "%zu of %zu elements are wrong: element %zu is %.9g and should be %.9g",
			 cell->check.wrong, cell->check.compared, cell->check.first,
			 cell->check.value, cell->check.expected);
}

static void time_cell(struct cell *cell, struct operands *operands, const struct limits *limits)
{
	cell->mhz_before = frequency_mhz();
	cell->mhz_after = cell->mhz_before;
	if (cell->kernel->command)
		return; /* it was timed where it was checked */
	switch (measure_kernel(cell->kernel, operands, limits, &cell->times)) {
	case MEASURED:
		break;
	case MEASURED_NO_MEMORY:
	case MEASURED_NO_THREADS:
		end_cell(cell, CELL_LEFT_OUT, "%d threads with operands are not to be had",
			 limits->threads);
		break;
	case MEASURED_STOPPED:
		end_cell(cell, CELL_STOPPED, "interrupted");
		break;
	}
	cell->mhz_after = frequency_mhz();
}

void cell_measure(struct cell *cell, const struct kernel *kernel, struct size size,
		  const struct limits *limits, const struct check *checked)
{
	const char *missing = kernel->missing ? kernel->missing() : NULL;
	struct operands operands;

	memset(cell, 0, sizeof(*cell));
	cell->kernel = kernel;
	cell->size = size;
	if (missing) {
		end_cell(cell, CELL_LEFT_OUT, "%s", missing);
		return;
	}
	if (!fits_memory(cell, limits->threads))
		return;
	if (operands_alloc(&operands, kernel, size)) {
		end_cell(cell, CELL_LEFT_OUT, "no memory for %.0f MiB",
			 operands_bytes(kernel, size) / (1024 * 1024));
		return;
	}
	check_cell(cell, &operands, checked);
	if (cell->status == CELL_OK)
		time_cell(cell, &operands, limits);
	operands_free(&operands, kernel);
}
