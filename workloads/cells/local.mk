# local.mk: builds ceilings: kernels whose results are checked before they are timed.
# SPDX-License-Identifier: MIT
noinst_LIBRARIES += workloads/libcells.a
workloads_libcells_a_SOURCES = \
	workloads/cells/activation.c \
	workloads/cells/blocks.c workloads/cells/blocks.h \
	workloads/cells/cell.c workloads/cells/cell.h \
	workloads/cells/check.c workloads/cells/check.h \
	workloads/cells/copy.c \
	workloads/cells/element.c \
	workloads/cells/elementwise.c \
	workloads/cells/energy.c workloads/cells/energy.h \
	workloads/cells/fusion.c \
	workloads/cells/kernel.h \
	workloads/cells/measure.c workloads/cells/measure.h \
	workloads/cells/narrow.c workloads/cells/narrow.h \
	workloads/cells/operands.c \
	workloads/cells/overhead.c \
	workloads/cells/peak.c \
	workloads/cells/port.c workloads/cells/port.h \
	workloads/cells/product.c \
	workloads/cells/progress.c workloads/cells/progress.h \
	workloads/cells/provenance.c workloads/cells/provenance.h \
	workloads/cells/reduction.c \
	workloads/cells/rounds.c workloads/cells/rounds.h \
	workloads/cells/row.c \
	workloads/cells/selection.c workloads/cells/selection.h \
	workloads/cells/sizes.c \
	workloads/cells/suite.c workloads/cells/suite.h \
	workloads/cells/twins.h
workloads_libcells_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(builddir)/workloads \
	-DCEILINGS_FLAGS='"$(CFLAGS) $(MOE_CFLAGS)"'
workloads_libcells_a_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(MOE_CFLAGS) $(OPENBLAS_CFLAGS)

noinst_PROGRAMS += workloads/ceilings
workloads_ceilings_SOURCES = workloads/cells/ceilings.c
workloads_ceilings_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
workloads_ceilings_LDADD = workloads/libcells.a $(MOE_LIBS)

# Every BLAS library of Debian's alternatives, side by side.
EXTRA_DIST += workloads/cells/ceilings-blas.sh
.PHONY: ceilings-blas
ceilings-blas: workloads/ceilings blasprof
	@$(SHELL) $(srcdir)/workloads/cells/ceilings-blas.sh

# What a call costs by each language that is there.
EXTRA_DIST += workloads/cells/ceilings-ports.sh
.PHONY: ceilings-ports
ceilings-ports: workloads/ceilings blasprof
	@$(PORTS_ENVIRONMENT) $(SHELL) $(srcdir)/workloads/cells/ceilings-ports.sh

# The commit that the cells were built at; of a release, its version.
BUILT_SOURCES += workloads/cells/commit.h
CLEANFILES += workloads/cells/commit.h
workloads/cells/commit.h: $(workloads_libcells_a_SOURCES)
	$(AM_V_GEN)$(MKDIR_P) workloads/cells; \
	commit=`git -C $(srcdir) describe --always --dirty 2>/dev/null || echo $(VERSION)`; \
	echo "#define CEILINGS_COMMIT \"$$commit\"" >$@
workloads/cells/libcells_a-provenance.$(OBJEXT): workloads/cells/commit.h
