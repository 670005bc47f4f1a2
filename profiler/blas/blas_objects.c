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

int blas_object_known(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (!fnmatch(patterns[i], name, 0))
			return 1;
	return 0;
}
