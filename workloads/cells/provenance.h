/* provenance.h: what every row says of where it was measured. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_PROVENANCE_H
#define CELLS_PROVENANCE_H

enum { PROVENANCE_MAX = 256 };

/* Texts are empty where nothing is known. */
struct provenance {
	char host[PROVENANCE_MAX], cpu[PROVENANCE_MAX], system[PROVENANCE_MAX];
	char blas[PROVENANCE_MAX]; /* the library's own name, version and core type, else its file
				    */
	int blas_threads;	   /* 0: not known */
	char compiler[PROVENANCE_MAX], flags[PROVENANCE_MAX], revision[PROVENANCE_MAX];
};
void provenance_fill(struct provenance *provenance);

/* The CPU's frequency now, as the kernel says: that of the fastest CPU; 0: not known. */
double frequency_mhz(void);

#endif
