/* cell_name.h: what to call a cell in a line of text. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CELL_NAME_H
#define REPORT_CELL_NAME_H

#include "store/cell.h"

/* "cblas_sgemm 64 x 64 x 64, 2 threads" or "copy 1024, 1 thread, cold" into text[]; returns it. */
#define CELL_NAME_MAX 192
const char *cell_name(const struct cell *cell, char text[CELL_NAME_MAX]);

#endif
