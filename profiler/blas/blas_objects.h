/* blas_objects.h: knows BLAS libraries by their file names. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_BLAS_OBJECTS_H
#define RECORD_BLAS_OBJECTS_H

/* 1 when the path's last part is the name of a BLAS library, as "libopenblas64_-r0.3.21.so". */
int blas_object_known(const char *path);
/* 1 when it is a library with much other code, in which blas_part_known() tells BLAS by the name of
 * a function. */
int blas_object_mixed(const char *path);
int blas_part_known(const char *function);
/* 1 when it is one whose one function executes matrix work and all else. */
int blas_object_executes(const char *path);
/* 1 when it is a library that makes its kernels at run time; and when a kernel, by its name, does
 * no matrix work. */
int blas_object_makes_code(const char *path);
int blas_kernel_is_simple(const char *function);

#endif
