# local.mk: builds the transformer in other languages; `make languages' profiles and compares them.
# SPDX-License-Identifier: MIT
PORT_RUST_FILES = \
	workloads/ports/rust/blas.rs workloads/ports/rust/kernels.rs workloads/ports/rust/main.rs \
	workloads/ports/rust/model.rs workloads/ports/rust/options.rs workloads/ports/rust/text.rs
PORT_GO_FILES = \
	workloads/ports/go/blas.go workloads/ports/go/go.mod workloads/ports/go/kernels.go \
	workloads/ports/go/main.go workloads/ports/go/model.go workloads/ports/go/options.go \
	workloads/ports/go/tensors.go workloads/ports/go/text.go
PORT_PYTHON_FILES = \
	workloads/ports/python/kernels.py workloads/ports/python/marks.py workloads/ports/python/model.py workloads/ports/python/moe.py \
	workloads/ports/python/text.py
PORT_JULIA_FILES = \
	workloads/ports/julia/blas.jl workloads/ports/julia/kernels.jl workloads/ports/julia/marks.jl workloads/ports/julia/model.jl \
	workloads/ports/julia/moe.jl workloads/ports/julia/text.jl
PORT_SHELL_FILES = workloads/ports/languages.sh workloads/ports/ports.sh
EXTRA_DIST += $(PORT_RUST_FILES) workloads/ports/rust/rustfmt.toml $(PORT_GO_FILES) $(PORT_PYTHON_FILES) \
	$(PORT_JULIA_FILES) $(PORT_SHELL_FILES)

RUSTC = rustc
GO = go
PORTS_ENVIRONMENT = srcdir='$(srcdir)' MAKE='$(MAKE)' RUSTC='$(RUSTC)' GO='$(GO)'

# Built for this CPU, because the C programs also select their kernels by the CPU.
workloads/ports/moe-rust: $(PORT_RUST_FILES)
	$(AM_V_GEN)$(MKDIR_P) workloads/ports; $(RUSTC) --edition 2021 -C opt-level=3 \
		-C target-cpu=native -C link-args='$(OPENBLAS_LIBS)' -o $@ \
		$(srcdir)/workloads/ports/rust/main.rs
workloads/ports/moe-go: $(PORT_GO_FILES)
	$(AM_V_GEN)$(MKDIR_P) workloads/ports; cd $(srcdir)/workloads/ports/go && \
		$(GO) build -buildvcs=false -o $(abs_builddir)/$@ .
CLEANFILES += workloads/ports/moe-rust workloads/ports/moe-go

EXTRA_PROGRAMS += workloads/ports/kernels-c
workloads_ports_kernels_c_SOURCES = workloads/ports/c/kernel_times.c
workloads_ports_kernels_c_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS) $(OPENBLAS_CFLAGS)
workloads_ports_kernels_c_LDADD = $(MOE_LIBS)

# A preload library that counts allocations.
EXTRA_LTLIBRARIES += workloads/ports/libcount_allocations.la
CLEANFILES += workloads/ports/libcount_allocations.la
workloads_ports_libcount_allocations_la_SOURCES = workloads/ports/count_allocations.c
workloads_ports_libcount_allocations_la_CFLAGS = $(BASE_CFLAGS)
workloads_ports_libcount_allocations_la_LDFLAGS = -module -avoid-version -rpath /nowhere

.PHONY: languages check-languages
languages: all tests/bench/usage workloads/ports/libcount_allocations.la
	@$(PORTS_ENVIRONMENT) $(SHELL) $(srcdir)/workloads/ports/languages.sh
check-languages: all
	@$(PORTS_ENVIRONMENT) LANGUAGES='rust go python processes julia' \
		$(SHELL) $(srcdir)/tests/workloads/ports-test.sh
