/* blas_objects.h: recognises BLAS libraries by their file names. */
/* SPDX-License-Identifier: MIT */
#ifndef BLAS_BLAS_OBJECTS_H
#define BLAS_BLAS_OBJECTS_H

/* Returns 1 if the path is that of a BLAS library, like "libopenblas64_-r0.3.21.so". */
int blas_object_known(const char *path);
/* Returns 1 if the library has much other code, too; blas_part_known() returns 1 for the names of
 * its functions that are BLAS. */
int blas_object_mixed(const char *path);
int blas_part_known(const char *function);
/* Returns 1 if a single function of the library executes both matrix work and other work. */
int blas_object_executes(const char *path);
/* Returns 1 if the library generates its kernels at run time; blas_kernel_is_simple() returns 1 for
 * the names of kernels that do no matrix work. */
int blas_object_makes_code(const char *path);
int blas_kernel_is_simple(const char *function);

#endif
