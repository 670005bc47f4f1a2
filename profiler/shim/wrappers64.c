/* wrappers64.c: the wrappers of routines with 64-bit integers, and of LAPACK's routines. */
/* SPDX-License-Identifier: MIT */
#define BLAS_INT int64_t
#define WIDTH	 64
#include "shim/wrappers.h"

/* These read no argument, so one wrapper serves all routines with as many arguments. LAPACK in C
 * returns a number. */
#define WRAP_LAPACK(words)                                                                         \
	WRAP(wrapper_lapack_##words, size_t, (WORDS_##words(WORD_PARAM)), (WORDS_##words(WORD)),   \
	     (0, 0, 0, 0, 0))
WRAP_LAPACK(6)
WRAP_LAPACK(7)
WRAP_LAPACK(8)
WRAP_LAPACK(9)
WRAP_LAPACK(10)
WRAP_LAPACK(11)
WRAP_LAPACK(12)
WRAP_LAPACK(13)
WRAP_LAPACK(14)
WRAP_LAPACK(15)
WRAP_LAPACK(16)
WRAP_LAPACK(17)
WRAP_LAPACK(24)
WRAP_LAPACK(26)
