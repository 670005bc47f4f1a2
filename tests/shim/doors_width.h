/* doors_width.h: the names of one width, DOORS_C and DOORS_F, by WIDTH, which is defined before;
 * ONE_DOOR: one spelling. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "blas/doors.h"

#if WIDTH == 64
#define BLAS_INT   int64_t
#define LD	   (8 + (INT64_C(1) << 40)) /* no int holds it */
#define DOORS_CALL doors_call_64
#else
#define BLAS_INT   int
#define DOORS_CALL doors_call_32
#endif

#if defined(ONE_DOOR) && WIDTH == 64
#define DOORS_C(E, ...) E(CBLAS64_, cblas_, 64_, __VA_ARGS__)
#define DOORS_F(E, ...) E(FORTRAN_64_, , _64_, __VA_ARGS__)
#elif defined(ONE_DOOR)
#define DOORS_C DOOR_CBLAS_COMMON
#define DOORS_F DOOR_FORTRAN_COMMON
#elif WIDTH == 64
#define DOORS_C DOORS_CBLAS_64
#define DOORS_F DOORS_FORTRAN_64
#else
#define DOORS_C(E, ...) DOOR_CBLAS_COMMON(E, __VA_ARGS__) DOORS_CBLAS_32(E, __VA_ARGS__)
#define DOORS_F(E, ...)                                                                            \
	DOOR_FORTRAN_COMMON(E, __VA_ARGS__)                                                        \
	DOOR_FORTRAN_PLAIN(E, __VA_ARGS__)                                                         \
	DOORS_FORTRAN_32(E, __VA_ARGS__)
#endif
