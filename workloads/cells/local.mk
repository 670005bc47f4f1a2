# local.mk: builds workloads/ceilings: kernels whose results are checked before they are timed.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += workloads/libcells.a
workloads_libcells_a_SOURCES = \
	workloads/cells/cell.c workloads/cells/cell.h \
	workloads/cells/kernel.h \
	workloads/cells/measure.c workloads/cells/measure.h \
	workloads/cells/operands.c \
	workloads/cells/overhead.c \
	workloads/cells/peak.c \
	workloads/cells/product.c \
	workloads/cells/provenance.c \
	workloads/cells/suite.c workloads/cells/suite.h \
	workloads/cells/vectors.c
workloads_libcells_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(builddir)/workloads \
	-DCEILINGS_FLAGS='"$(CFLAGS) $(MOE_CFLAGS)"'
workloads_libcells_a_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MOE_CFLAGS) $(OPENBLAS_CFLAGS)

noinst_PROGRAMS += workloads/ceilings
workloads_ceilings_SOURCES = workloads/cells/ceilings.c
workloads_ceilings_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_ceilings_LDADD = workloads/libcells.a $(MOE_LIBS)

# Compares the BLAS libraries of Debian's alternatives.
EXTRA_DIST += workloads/cells/ceilings-blas.sh
.PHONY: ceilings-blas
ceilings-blas: workloads/ceilings blasprof
	@$(SHELL) $(srcdir)/workloads/cells/ceilings-blas.sh

# Measures the cost of a call from each language that is installed.
EXTRA_DIST += workloads/cells/ceilings-ports.sh
.PHONY: ceilings-ports
ceilings-ports: workloads/ceilings blasprof
	@$(PORTS_ENVIRONMENT) $(SHELL) $(srcdir)/workloads/cells/ceilings-ports.sh

# The commit that the program was built from; of a release, its version.
BUILT_SOURCES += workloads/cells/commit.h
CLEANFILES += workloads/cells/commit.h
workloads/cells/commit.h: $(workloads_libcells_a_SOURCES)
	$(AM_V_GEN)$(MKDIR_P) workloads/cells; \
	commit=`git -C $(srcdir) describe --always --dirty 2>/dev/null || echo $(VERSION)`; \
	echo "#define CEILINGS_COMMIT \"$$commit\"" >$@
workloads/cells/libcells_a-provenance.$(OBJEXT): workloads/cells/commit.h
