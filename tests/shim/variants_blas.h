/* variants_blas.h: a stand-in BLAS with all names of one width. Each function stores a digest of
 * its arguments and returns a known number. */
/* SPDX-License-Identifier: MIT */
#ifndef __clang__
#pragma GCC optimize("O0") /* compiles in a third of the time; the callers are optimized */
#endif

#include "digest.h"
#include "variants_width.h"
#include "blas/batch_shapes.h"

#define DEFINE(symbol, ret, params, args)                                                          \
	ret symbol params;                                                                         \
	ret symbol params                                                                          \
	{                                                                                          \
		DIGEST(#symbol, args)                                                              \
		variants_seen = d;                                                                 \
		return (ret)VARIANTS_RESULT;                                                       \
	}
#define DEFINE_C(variant, prefix, suffix, name, type, shape, ret)                                  \
	DEFINE(prefix##name##suffix, ret, (C_PARAMS(shape, type)), (C_ARGS(shape)))
#define DEFINE_F(variant, prefix, suffix, name, type, shape, ret)                                  \
	DEFINE(prefix##name##suffix, ret, (F_PARAMS(shape, type)), (F_ARGS(shape)))
#define DEFINE_LAPACK(variant, prefix, suffix, name, words)                                        \
	DEFINE(prefix##name##suffix, size_t, (WORDS_##words(WORD_PARAM)), (WORDS_##words(WORD)))

#define FUNCTION(name, type, family, shape, ret)                                                   \
	VARIANTS_C(DEFINE_C, name, type, shape, ret) VARIANTS_F(DEFINE_F, name, type, shape, ret)
#define ROUTINE(name, type, family, shape)    FUNCTION(name, type, family, shape, void)
#define CBLAS_ONLY(name, type, family, shape) VARIANTS_C(DEFINE_C, name, type, shape, void)
#define LAPACK(name, type, family, words)     VARIANTS_LAPACK(DEFINE_LAPACK, name, words)
#include "blas/routines.def"
