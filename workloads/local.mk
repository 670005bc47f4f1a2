# local.mk: builds the workloads: train (also with MPI) and infer, and the transformer that they and the tests share.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += workloads/libmoe.a
workloads_libmoe_a_SOURCES = \
	workloads/attention.c \
	workloads/blas_threads.c workloads/blas_threads.h \
	workloads/experts.c \
	workloads/failure.c workloads/failure.h \
	workloads/fused.c workloads/fused.h workloads/fused_block.h \
	workloads/gemm.h \
	workloads/kernels.c workloads/kernels.h \
	workloads/options.c \
	workloads/program.c workloads/program.h \
	workloads/random.h \
	workloads/router.c \
	workloads/shape.c workloads/shape.h \
	workloads/step.c workloads/step.h \
	workloads/tensors.c workloads/tensors.h \
	workloads/text.c workloads/text.h \
	workloads/trainer.c workloads/trainer.h \
	workloads/unfused.c \
	workloads/vector_math.h

# -fopenmp-simd vectorises the marked loops at any -O level; the other two options drop errno and
# traps, which would keep square roots and selections scalar.
MOE_CFLAGS = -fopenmp-simd -fno-math-errno -fno-trapping-math
workloads_libmoe_a_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MOE_CFLAGS) $(OPENBLAS_CFLAGS)
MOE_LIBS = workloads/libmoe.a $(TSAN_CFLAGS) $(OPENBLAS_LIBS) -lm -lpthread

# These link an archive and system libraries only, so that libtool makes real programs here, not scripts.
noinst_PROGRAMS += workloads/train workloads/infer
workloads_train_SOURCES = workloads/train.c
workloads_train_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_train_LDADD = $(MOE_LIBS)
workloads_infer_SOURCES = workloads/infer.c
workloads_infer_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_infer_LDADD = $(MOE_LIBS)

# `train --mpi' executes this program.
if HAVE_MPI
noinst_PROGRAMS += workloads/train_mpi
workloads_train_mpi_SOURCES = workloads/train_mpi.c
workloads_train_mpi_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MPI_CFLAGS)
workloads_train_mpi_LDADD = $(MOE_LIBS) $(MPI_LIBS)
endif

include $(srcdir)/workloads/cells/local.mk
include $(srcdir)/workloads/ports/local.mk
