# local.mk: builds profiler/blas: the table of routines and the names under which libraries export them.
# SPDX-License-Identifier: MIT
libprofiler_a_SOURCES += \
	profiler/blas/batch_shapes.h \
	profiler/blas/blas_objects.c \
	profiler/blas/blas_objects.h \
	profiler/blas/mpi.def \
	profiler/blas/mpi_ids.h \
	profiler/blas/routines.c \
	profiler/blas/routines.def \
	profiler/blas/routines.h \
	profiler/blas/shapes.h \
	profiler/blas/variants.h
