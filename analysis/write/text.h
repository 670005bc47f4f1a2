/* text.h: the sections of the text report. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_TEXT_H
#define WRITE_TEXT_H

#include "report/report.h"

/* Each writes its section. */
void text_marks(const struct report *report, FILE *out);
void text_repeats(const struct report *report, FILE *out);
void text_speedups(const struct report *report, FILE *out);
void text_contributors(const struct report *report, FILE *out);
void text_counters(const struct report *report, FILE *out);
void text_roofline(const struct report *report, FILE *out);
void text_processes(const struct report *report, FILE *out);

/* The report that fits a terminal (brief.c), and its table of the given rows. */
void brief_write(const struct report *report, FILE *out);
void text_brief_table(const struct report *report, const void *const *rows, size_t count,
		      FILE *out);

/* The sections that show one table (text_table.h). */
extern const struct text_section section_accounts, section_losses, section_efficiencies,
	section_waits, section_regions, section_mpi, section_shapes, section_callers,
	section_categories, section_functions, section_stacks, section_threads;

#endif
