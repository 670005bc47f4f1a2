/* cell_name.c: what to call a cell in a line of text. */
/* SPDX-License-Identifier: MIT */
#include "report/cell_name.h"
#include "base/human.h"

#include <inttypes.h>
#include <string.h>

const char *cell_name(const struct cell *cell, char text[CELL_NAME_MAX])
{
	char size[80], offset[32] = "";

	if (cell->m)
		snprintf(size, sizeof size, "%" PRId64 " x %" PRId64 " x %" PRId64, cell->m,
			 cell->n, cell->k);
	else
		snprintf(size, sizeof size, "%" PRId64, cell->n);
	if (cell->offset_bytes)
		snprintf(offset, sizeof offset, " + %d bytes", cell->offset_bytes);
	snprintf(text, CELL_NAME_MAX, "%s %s%s, %d thread%s%s", cell->kernel, size, offset,
		 cell->threads, plural(cell->threads), strcmp(cell->cache, "cold") ? "" : ", cold");
	return text;
}
