/* pictures.h: the pictures of a report, drawn by gnuplot. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PICTURES_H
#define REPORT_PICTURES_H

#include "report/report.h"

/* One picture. */
struct picture {
	const char *name; /* "speed-up" */
	const char *says; /* one line for people */
	/* Can it be drawn? Else why not, with the remedy, in *err. */
	int (*check)(const struct report *report, struct error *err);
	int optional; /* 1: all pictures are whole without it, where it cannot be drawn */
	/* Writes gnuplot's commands and data, but for where to draw. */
	void (*script)(const struct report *report, FILE *out);
	int takes_cells; /* 1: it goes without runs, where the store has cells */
};
extern const struct picture pictures[];
extern const size_t pictures_count;
/* The first that takes what a store without runs has, cells. */
const struct picture *picture_of_cells(void);
/* The waterfall, or the speed-ups where there is none to take apart. */
const struct picture *picture_default(const struct report *report);

/* The title, with what the report is on, and what all pictures share. */
void picture_begin(const struct report *report, const char *title, FILE *out);
/* picture_roofline.c: as struct picture's. */
int roofline_check(const struct report *report, struct error *err);
void roofline_script(const struct report *report, FILE *out);

#endif
