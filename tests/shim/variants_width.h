/* variants_width.h: VARIANTS_C, VARIANTS_F and VARIANTS_LAPACK, the names of the width WIDTH; with
 * ONE_VARIANT, one spelling only. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>

#include "blas/variants.h"

/* Names of 32-bit integers may be those of a BLAS with 64 bits, too, like Debian's libblas64. */
#define BLAS_INT int64_t
#define LD	 (8 + (INT64_C(1) << 40)) /* no int holds it */
#if WIDTH == 64
#define VARIANTS_CALL variants_call_64
#else
#define VARIANTS_CALL variants_call_32
#endif

#if defined(ONE_VARIANT) && WIDTH == 64
#define VARIANTS_C(E, ...) E(CBLAS64_, cblas_, 64_, __VA_ARGS__)
#define VARIANTS_F(E, ...) E(FORTRAN_64_, , _64_, __VA_ARGS__)
#define VARIANTS_LAPACK	   VARIANTS_F
#elif defined(ONE_VARIANT)
#define VARIANTS_C	VARIANT_CBLAS_COMMON
#define VARIANTS_F	VARIANT_FORTRAN_COMMON
#define VARIANTS_LAPACK VARIANTS_F
#elif WIDTH == 64
#define VARIANTS_C	VARIANTS_CBLAS_64
#define VARIANTS_F	VARIANTS_FORTRAN_64
#define VARIANTS_LAPACK VARIANTS_F
#else
#define VARIANTS_C(E, ...) VARIANT_CBLAS_COMMON(E, __VA_ARGS__) VARIANTS_CBLAS_32(E, __VA_ARGS__)
#define VARIANTS_F(E, ...)                                                                         \
	VARIANTS_LAPACK(E, __VA_ARGS__)                                                            \
	VARIANT_FORTRAN_PLAIN(E, __VA_ARGS__)
#define VARIANTS_LAPACK(E, ...)                                                                    \
	VARIANT_FORTRAN_COMMON(E, __VA_ARGS__) VARIANTS_FORTRAN_32(E, __VA_ARGS__)
#endif
