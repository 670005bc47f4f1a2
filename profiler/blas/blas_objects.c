/* blas_objects.c: the tables of BLAS libraries' file names. */
/* SPDX-License-Identifier: MIT */
#include "blas/blas_objects.h"

#include <fnmatch.h>
#include <string.h>

/* All are shell patterns. Libraries that contain other code, too, like libtorch_cpu, are not in
 * patterns[]: the shim reports when it forwards calls to one. */
static const char *const patterns[] = {
	"libopenblas*",	 "libblas[.-]*",  "libblas64*",		"libcblas*",	"libf77blas*",
	"libptf77blas*", "libptcblas*",	  "librefblas*",	"libgslcblas*", "libblis*",
	"libflame*",	 "libaocl-blas*", "libscipy_openblas*", "libmkl_*",	"libatlas*",
	"libtatlas*",	 "libsatlas*",	  "libflexiblas*",	"libarmpl*",	"libnvpl_blas*",
	"libessl*",	 "libsci_*",	  "libgotoblas*",	"libgoto2*",	"libxsmm*",
	"libBLAS*",	 "Accelerate",
};

/* Such libraries, and those of their functions that are BLAS. */
static const char *const mixed[] = {"libtorch_cpu*", "libtensorflow*"};
static const char *const parts[] = {"mkl_*", "*dnnl*", "*gemm*", "*gemv*", "*GEMM*"};

/* Libraries that generate kernels at run time, and oneDNN's kernels that do not multiply matrices
 * but reorder, change or pool numbers. */
static const char *const compilers[] = {"libdnnl*", "libxsmm*", "libtorch_cpu*"};
static const char *const simple_kernels[] = {
	"*reorder*",   "*single_blk*", "jit_uni_kernel*", "*eltwise*", "*binary*",
	"*pool*",      "*softmax*",    "*norm*",	  "*lrn*",     "*resampling*",
	"*reduction*", "*shuffle*",    "*concat*",	  "*prelu*",   "*bf16_sum*",
};

static const char *const executors[] = {"libdnnl*"};

static int matches(const char *path, const char *const *wanted, size_t count)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < count; i++)
		if (!fnmatch(wanted[i], name, 0))
			return 1;
	return 0;
}

#define MATCHES(function, wanted)                                                                  \
	int function(const char *path)                                                             \
	{                                                                                          \
		return matches(path, wanted, sizeof wanted / sizeof *wanted);                      \
	}
MATCHES(blas_object_known, patterns)
MATCHES(blas_object_mixed, mixed)
MATCHES(blas_part_known, parts)
MATCHES(blas_object_executes, executors)
MATCHES(blas_kernel_is_simple, simple_kernels)
MATCHES(blas_object_makes_code, compilers)
