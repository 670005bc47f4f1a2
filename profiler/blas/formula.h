/* formula.h: how a routine's operations are counted, as people write it: "2 m n k". */
/* SPDX-License-Identifier: MIT */
#ifndef BLAS_FORMULA_H
#define BLAS_FORMULA_H

#include <stddef.h>

#define FORMULA_POWERS 3 /* 0, 1 and 2 of each of m, n and k */
#define FORMULA_MAX    64

/* A polynomial in m, n and k: terms[a][b][c] is the factor of m^a n^b k^c. */
struct formula {
	double terms[FORMULA_POWERS][FORMULA_POWERS][FORMULA_POWERS];
};

/* The polynomial that routine_flops() is for this routine (exact: it is none of a higher power),
 * where no count falls below 0, as with n >= k >= 1. */
struct formula formula_of_flops(size_t routine);
/* "m n k + 2 n^2", the highest powers first; "0" where nothing is counted. Fills text[] and returns
 * it. */
const char *formula_text(const struct formula *formula, char text[FORMULA_MAX]);
/* That of the routine's flops; "not known" of LAPACK's, and of type u. */
const char *formula_of_routine(size_t routine, char text[FORMULA_MAX]);

#endif
