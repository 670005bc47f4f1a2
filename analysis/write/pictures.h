/* pictures.h: the pictures of a report, drawn by gnuplot. */
/* SPDX-License-Identifier: MIT */
#ifndef WRITE_PICTURES_H
#define WRITE_PICTURES_H

#include "report/report.h"

/* One picture. */
struct picture {
	const char *name; /* "speed-up" */
	const char *says; /* one line of description */
	/* Returns 0 if it can be drawn, else -1 with the reason and the remedy in *err. */
	int (*check)(const struct report *report, struct error *err);
	int optional; /* 1: if it cannot be drawn, writing all pictures does not fail */
	/* Writes the commands and data for gnuplot, except for terminal and output. */
	void (*script)(const struct report *report, FILE *out);
	int takes_cells; /* 1: it can be drawn without runs if there are cells */
};
extern const struct picture pictures[];
extern const size_t pictures_count;
/* The picture of a store that has cells but no runs. */
const struct picture *picture_of_cells(void);

/* Writes the title, with the experiment, and the settings that all pictures share. */
void picture_begin(const struct report *report, const char *title, FILE *out);
/* picture_roofline.c: as struct picture's. */
int roofline_check(const struct report *report, struct error *err);
void roofline_script(const struct report *report, FILE *out);

#endif
