/* blas_objects.c: the one table of BLAS libraries' file names. */
/* SPDX-License-Identifier: MIT */
#include "blas/blas_objects.h"

#include <fnmatch.h>
#include <string.h>

/* Shell patterns. A library that also holds other code (libtorch_cpu) is not here: the shim says
 * when it forwards calls to one. */
static const char *const patterns[] = {
	"libopenblas*",	 "libblas[.-]*",  "libblas64*",		"libcblas*",	"libf77blas*",
	"libptf77blas*", "libptcblas*",	  "librefblas*",	"libgslcblas*", "libblis*",
	"libflame*",	 "libaocl-blas*", "libscipy_openblas*", "libmkl_*",	"libatlas*",
	"libtatlas*",	 "libsatlas*",	  "libflexiblas*",	"libarmpl*",	"libnvpl_blas*",
	"libessl*",	 "libsci_*",	  "libgotoblas*",	"libgoto2*",	"libxsmm*",
	"libBLAS*",	 "Accelerate",
};

/* Of libraries that hold other code too: their functions that are BLAS, where calls go to them. */
static const char *const mixed[] = {"libtorch_cpu*", "libtensorflow*"};
static const char *const parts[] = {"mkl_*", "*dnnl*", "*gemm*", "*gemv*", "*GEMM*"};

/* Those that make their kernels while the program runs, in memory of no file; and the names of
 * oneDNN's kernels that multiply no matrices, but reorder, change or pool their numbers. */
static const char *const compilers[] = {"libdnnl*", "libxsmm*", "libtorch_cpu*"};
static const char *const simple_kernels[] = {
	"*reorder*",   "*single_blk*", "jit_uni_kernel*", "*eltwise*", "*binary*",
	"*pool*",      "*softmax*",    "*norm*",	  "*lrn*",     "*resampling*",
	"*reduction*", "*shuffle*",    "*concat*",	  "*prelu*",   "*bf16_sum*",
};

static int matches(const char *path, const char *const *wanted, size_t count)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < count; i++)
		if (!fnmatch(wanted[i], name, 0))
			return 1;
	return 0;
}

int blas_object_known(const char *path)
{
	return matches(path, patterns, sizeof patterns / sizeof *patterns);
}

int blas_object_mixed(const char *path)
{
	return matches(path, mixed, sizeof mixed / sizeof *mixed);
}

int blas_part_known(const char *function)
{
	return matches(function, parts, sizeof parts / sizeof *parts);
}

int blas_object_executes(const char *path)
{
	static const char *const executors[] = {"libdnnl*"};

	return matches(path, executors, sizeof executors / sizeof *executors);
}

int blas_kernel_is_simple(const char *function)
{
	return matches(function, simple_kernels, sizeof simple_kernels / sizeof *simple_kernels);
}

int blas_object_makes_code(const char *path)
{
	return matches(path, compilers, sizeof compilers / sizeof *compilers);
}
