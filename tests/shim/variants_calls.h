/* variants_calls.h: calls all names of one width, directly and as dlsym() finds them, and checks
 * what was passed on. */
/* SPDX-License-Identifier: MIT */
#include "variants_width.h"

#include "arguments.h"
#include "digest.h"

#define IS_VOID(ret) __builtin_types_compatible_p(ret, void)
/* Casts the function to one that returns a number, even if it returns nothing. */
#define AS_NUMBER(function, ret, params)                                                           \
	((__typeof__(__builtin_choose_expr(IS_VOID(ret), (float(*) params)0,                       \
					   (ret(*) params)0)))function)

#define CALLER(symbol, ret, params, args, locals)                                                  \
	ret symbol params;                                                                         \
	static int call_##symbol(void)                                                             \
	{                                                                                          \
		locals;                                                                            \
		void *function = (void *)symbol;                                                   \
		double value = VARIANTS_RESULT;                                                    \
		int wrong = 0;                                                                     \
		DIGEST(#symbol, args)                                                              \
                                                                                                   \
		for (int i = variants_times(#symbol); i >= 0; i--) {                               \
			variants_seen = 0;                                                         \
			function = i ? (void *)symbol : variants_look_up(#symbol);                 \
			if (!function)                                                             \
				continue;                                                          \
			value = (double)AS_NUMBER(function, ret, params) args;                     \
			wrong += variants_seen != d ? variants_complain(#symbol, "arguments") : 0; \
			wrong += !IS_VOID(ret) && value < VARIANTS_RESULT                          \
					 ? variants_complain(#symbol, "result")                    \
					 : 0;                                                      \
		}                                                                                  \
		return wrong;                                                                      \
	}
#define CALLER_C(variant, prefix, suffix, name, type, shape, ret)                                  \
	CALLER(prefix##name##suffix, ret, (C_PARAMS(shape, type)), (C_ARGS(shape)),                \
	       C_LOCALS(shape, type))
#define CALLER_F(variant, prefix, suffix, name, type, shape, ret)                                  \
	CALLER(prefix##name##suffix, ret, (F_PARAMS(shape, type)), (F_ARGS(shape)),                \
	       F_LOCALS(shape, type))
#define WORD_VALUE(number) word##number = (UINT64_C(1) << 40) + number
#define CALLER_LAPACK(variant, prefix, suffix, name, words)                                        \
	CALLER(prefix##name##suffix, size_t, (WORDS_##words(WORD_PARAM)), (WORDS_##words(WORD)),   \
	       const size_t WORDS_##words(WORD_VALUE))

#define FUNCTION(name, type, family, shape, ret)                                                   \
	VARIANTS_C(CALLER_C, name, type, shape, ret) VARIANTS_F(CALLER_F, name, type, shape, ret)
#define ROUTINE(name, type, family, shape)    FUNCTION(name, type, family, shape, void)
#define CBLAS_ONLY(name, type, family, shape) VARIANTS_C(CALLER_C, name, type, shape, void)
#define LAPACK(name, type, family, words)     VARIANTS_LAPACK(CALLER_LAPACK, name, words)
#include "blas/routines.def"

int VARIANTS_CALL(void)
{
	int wrong = 0;

	fill_space();
#define CALL(variant, prefix, suffix, name)   wrong += call_##prefix##name##suffix();
#define ROUTINE(name, type, family, shape)    VARIANTS_C(CALL, name) VARIANTS_F(CALL, name)
#define CBLAS_ONLY(name, type, family, shape) VARIANTS_C(CALL, name)
#define LAPACK(name, type, family, words)     VARIANTS_LAPACK(CALL, name)
#include "blas/routines.def"
	return wrong;
}
