# local.mk: builds the workloads: train (also with MPI) and infer, and the transformer that they and the tests share.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += workloads/libmoe.a
workloads_libmoe_a_SOURCES = \
	workloads/attention.c workloads/attention.h \
	workloads/blas_threads.c workloads/blas_threads.h \
	workloads/experts.c workloads/experts.h \
	workloads/failure.c workloads/failure.h \
	workloads/fused.c workloads/fused.h workloads/fused_block.h \
	workloads/gemm.h \
	workloads/kernels.c workloads/kernels.h \
	workloads/mpi_start.c workloads/mpi_start.h \
	workloads/options.c workloads/options.h \
	workloads/peers.h \
	workloads/program.c workloads/program.h \
	workloads/random.h \
	workloads/router.c workloads/router.h \
	workloads/shape.c workloads/shape.h \
	workloads/stamps.c workloads/stamps.h \
	workloads/step.c workloads/step.h \
	workloads/tensors.c workloads/tensors.h \
	workloads/text.c workloads/text.h \
	workloads/trainer.c workloads/trainer.h \
	workloads/unfused.c workloads/unfused.h \
	workloads/vector_math.h

# The marked loops vectorise by -fopenmp-simd, whatever -O level the user has; the other two drop
# errno and traps, which would keep roots and choices scalar.
MOE_CFLAGS = -fopenmp-simd -fno-math-errno -fno-trapping-math
workloads_libmoe_a_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MOE_CFLAGS) $(OPENBLAS_CFLAGS)
MOE_LIBS = workloads/libmoe.a $(TSAN_CFLAGS) $(OPENBLAS_LIBS) -lm -lpthread

# Only an archive and the system's libraries: so libtool makes real programs here, not scripts.
noinst_PROGRAMS += workloads/train workloads/infer
workloads_train_SOURCES = workloads/train.c workloads/train.h
workloads_train_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_train_LDADD = $(MOE_LIBS)
workloads_infer_SOURCES = workloads/infer.c
workloads_infer_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_infer_LDADD = $(MOE_LIBS)

# `train --mpi' becomes this one.
if HAVE_MPI
noinst_PROGRAMS += workloads/train_mpi
workloads_train_mpi_SOURCES = workloads/train_mpi.c workloads/train.h
workloads_train_mpi_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MPI_CFLAGS)
workloads_train_mpi_LDADD = $(MOE_LIBS) $(MPI_LIBS)
endif

include $(srcdir)/workloads/cells/local.mk
include $(srcdir)/workloads/ports/local.mk
