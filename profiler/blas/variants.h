/* variants.h: patterns of the names under which BLAS libraries export a routine: prefix, suffix and
 * integer width. */
/* SPDX-License-Identifier: MIT
 *
 * Each list expands a macro E(variant, prefix, suffix, ...) and passes on the other arguments.
 * Together they are the variants of the routine table: every routine of routines.def has a name in
 * each of them (a CBLAS_ONLY one in the CBLAS variants). In 64-bit variants, integers are 64 bits
 * wide but enums are still int.
 *
 * CBLAS and FORTRAN are exported by all libraries; *64_ by OpenBLAS built with 64-bit integers;
 * *_64 by MKL and by reference LAPACK from 3.12 on; SCIPY_* by the libraries in Python wheels;
 * PLAIN by MKL and by Fortran compilers that add no underscore.
 */
#ifndef BLAS_VARIANTS_H
#define BLAS_VARIANTS_H

#define VARIANT_CBLAS_COMMON(E, ...)   E(CBLAS, cblas_, , __VA_ARGS__)
#define VARIANT_FORTRAN_COMMON(E, ...) E(FORTRAN, , _, __VA_ARGS__)
#define VARIANT_FORTRAN_PLAIN(E, ...)  E(PLAIN, , , __VA_ARGS__)
#define VARIANTS_CBLAS_32(E, ...)      E(SCIPY_CBLAS, scipy_cblas_, , __VA_ARGS__)
#define VARIANTS_FORTRAN_32(E, ...)    E(SCIPY, scipy_, _, __VA_ARGS__)
#define VARIANTS_CBLAS_64(E, ...)                                                                  \
	E(CBLAS64_, cblas_, 64_, __VA_ARGS__)                                                      \
	E(CBLAS_64, cblas_, _64, __VA_ARGS__)                                                      \
	E(SCIPY_CBLAS64_, scipy_cblas_, 64_, __VA_ARGS__)
#define VARIANTS_FORTRAN_64(E, ...)                                                                \
	E(FORTRAN_64_, , _64_, __VA_ARGS__)                                                        \
	E(FORTRAN_64, , _64, __VA_ARGS__)                                                          \
	E(SCIPY_64_, scipy_, _64_, __VA_ARGS__)

/* All variants, as E(variant, prefix, suffix, cblas, bits, ...). */
#define VARIANTS_ALL(E, ...)                                                                       \
	VARIANT_CBLAS_COMMON(E, 1, 32, ##__VA_ARGS__)                                              \
	VARIANT_FORTRAN_COMMON(E, 0, 32, ##__VA_ARGS__)                                            \
	VARIANTS_CBLAS_32(E, 1, 32, ##__VA_ARGS__)                                                 \
	VARIANTS_CBLAS_64(E, 1, 64, ##__VA_ARGS__)                                                 \
	VARIANTS_FORTRAN_32(E, 0, 32, ##__VA_ARGS__)                                               \
	VARIANTS_FORTRAN_64(E, 0, 64, ##__VA_ARGS__)                                               \
	VARIANT_FORTRAN_PLAIN(E, 0, 32, ##__VA_ARGS__)

#endif
