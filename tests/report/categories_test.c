/* categories_test.c: tables of patterns: what fits, what is refused, and the report's figures. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "described_run.h"
#include "fixture.h"
#include "report/build.h"
#include "tests/scratch.h"
#include "tests/unit.h"

static struct categories table;
static struct error err;

/* Reads these bytes as a file, after what is already in the table. */
static int read_bytes(const char *bytes, size_t size)
{
	scratch_file("patterns", bytes, size);
	return categories_read(&table, "patterns", &err);
}

static int read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

static void leave(void)
{
	categories_free(&table);
	scratch_leave();
}

FIXTURE(scratch_enter, leave)

static const char *find(const char *object, const char *function)
{
	return category_find(&table, object, RUN_CODE_OTHER, function, "");
}

TEST(test_first_fit_wins)
{
	ck_assert_int_eq(read_text("train adam* mine\n"), 0);
	ck_assert_int_eq(read_text("# a remark\n\n  lib*.so* * libraries \r\n"
				   "* adam*|sgd*\tmath kernels\n* * rest"),
			 0);
	ck_assert_str_eq(find("/home/u/train", "adamw"), "mine");
	ck_assert_str_eq(find("/home/u/infer", "adamw"), "math kernels");
	ck_assert_str_eq(find("/home/u/infer", "sgd_step"), "math kernels");
	ck_assert_str_eq(find("/usr/lib/libx.so.6", "adamw"), "libraries");
	ck_assert_str_eq(find("/home/u/infer", "main"), "rest");
	categories_free(&table);
	ck_assert_str_eq(find("/home/u/infer", "main"), CATEGORY_OTHER);
	ck_assert_str_eq(category_find(NULL, "x", RUN_CODE_BLAS, "sgemm", ""), CATEGORY_BLAS);
}

TEST(test_names_in_brackets)
{
	ck_assert_int_eq(read_text("[BLAS] *spin* spinning\n[kernel] * kernel\n"), 0);
	ck_assert_str_eq(find("[kernel]", "schedule"), "kernel");
	ck_assert_str_eq(find("/home/u/k", "schedule"), CATEGORY_OTHER); /* no set of letters */
	ck_assert_str_eq(find("/lib/libopenblas.so.0", "do_spin"), CATEGORY_OTHER);
	ck_assert_str_eq(
		category_find(&table, "/lib/libopenblas.so.0", RUN_CODE_BLAS, "do_spin", ""),
		"spinning");
	ck_assert_str_eq(category_find(&table, "/lib/libopenblas.so.0", RUN_CODE_BLAS, "sgemm", ""),
			 CATEGORY_BLAS);
}

/* An inlined function has its own category, or else that of the function around it. */
TEST(test_inlined_functions)
{
	ck_assert_int_eq(read_text("* vexp math\n* softmax network\n"), 0);
	ck_assert_str_eq(category_find(&table, "x", RUN_CODE_OTHER, "vexp", "softmax"), "math");
	ck_assert_str_eq(category_find(&table, "x", RUN_CODE_OTHER, "top", "softmax"), "network");
	ck_assert_str_eq(category_find(&table, "x", RUN_CODE_OTHER, "top", "main"), "other");
}

static const struct {
	const char *text, *says;
} bad[] = {
	{"a b c\nword\n", "line 2 of"},
	{"a b\n", "line 1 of"},
	{"\n\na b \n", "line 3 of"},
	{"a b 01234567890123456789012345678901\n", "more than 31 bytes"},
	{"a b c\033[31m\n", "control characters"},
};

TEST_EACH(test_bad_lines, COUNT(bad))
{
	ck_assert_int_eq(read_text("a b first\n"), 0);
	ck_assert_int_eq(read_text(bad[_i].text), -1);
	ck_assert_has(err.what, bad[_i].says);
	ck_assert_has(err.remedy, "OBJECT FUNCTION CATEGORY");
	ck_assert_uint_eq(table.count, 1);
}

TEST(test_hostile_files)
{
	char line[4096];

	memset(line, 'a', sizeof line);
	ck_assert_int_eq(read_bytes(line, sizeof line), -1);
	ck_assert_has(err.what, "more than 1022 bytes");
	ck_assert_int_eq(read_bytes("a b c\0d\n* * e\n", 14), -1);
	ck_assert_has(err.what, "byte 0");
	memset(line, 'a', 300);
	strcpy(line + 300, " b c\n");
	ck_assert_int_eq(read_text(line), -1);
	ck_assert_has(err.what, "255 bytes");
	ck_assert_int_eq(categories_read(&table, "/nowhere/file", &err), -1);
	ck_assert_has(err.what, "/nowhere/file");
	ck_assert_int_eq(categories_read(&table, "/tmp", &err), -1);
	ck_assert_uint_eq(table.count, 0);
	ck_assert_int_eq(read_text(""), 0);
}

static const struct {
	const char *object, *function, *category;
} usual[] = {
	{"/lib/x86_64-linux-gnu/libc.so.6", "_int_malloc", "memory"},
	{"/lib/x86_64-linux-gnu/libc.so.6", "__memset_avx2_unaligned_erms", "memory"},
	{"/lib/x86_64-linux-gnu/libc.so.6", "___pthread_mutex_lock", "threads/locks"},
	{"/lib/x86_64-linux-gnu/libc.so.6", "__GI___libc_write", "I/O"},
	{"/lib/x86_64-linux-gnu/libc.so.6", "__vfprintf_internal", "I/O"},
	{"/lib/x86_64-linux-gnu/libc.so.6", "__sched_yield", "spinning"},
	{"/lib/x86_64-linux-gnu/libm.so.6", "__expf_fma", "math kernels"},
	{"/usr/lib/libonnxruntime.so.1", "MlasSgemmKernelAvx512F", "matrix work"},
	{"/usr/lib/libonnxruntime.so.1", "MlasConvNchwcFloatKernelAvx512F", "matrix work"},
	{"/usr/lib/libonnxruntime.so.1", "MlasComputeSoftmaxThreaded", "math kernels"},
	{"/usr/lib/libonnxruntime.so.1", "libonnxruntime.so.1+0x1a2b", "no symbols"},
	{"/usr/lib/libonnxruntime.so.1", "libonnxruntime.so.1+0x1a2b[matmul]", "matrix work"},
	{"/usr/lib/libggml-cpu.so", "ggml_vec_dot_q4_0_q8_0", "matrix work"},
	{"/usr/lib/libggml-cpu.so", "ggml_compute_forward_mul_mat", "matrix work"},
	{"/usr/lib/libggml-cpu.so", "ggml_compute_forward_soft_max", "math kernels"},
	{"/opt/jax/libjax_common.so", "_ZNK5Eigen8internal11gebp_kernelIffl", "matrix work"},
	{"solver", "arma::syrk<true, false, false>::apply_blas_type<double, arma::Mat<double> >",
	 "matrix work"},
	{"solver", "arma::syrk_helper::inplace_copy_upper_tri_to_lower_tri<double>", "memory"},
	{"solver", "Eigen::internal::triangular_solve_matrix<double, long, 1>::run", "matrix work"},
	{"solver", "Eigen::internal::general_matrix_vector_product<long, float>::run",
	 "matrix work"},
	{"libXNNPACK.so.0", "libXNNPACK.so.0+0x7a10", "no symbols"},
	{"libtorch_cpu.so", "at::_ops::convolution::call", "other"},
	{"libtorch_cpu.so", "at::native::_convolution", "other"},
	{"libtorch_cpu.so", "at::native::cpublas::gemm", "matrix work"},
	{"/usr/lib/libxnnpack.so.0", "xnn_f32_igemm_minmax_ukernel_6x16__fma3", "matrix work"},
	{"/opt/torch/libtorch_cpu.so", "mkl_blas_avx512_sgemm_kernel_0", "matrix work"},
	{"/opt/torch/libtorch_cpu.so", "_ZN4dnnl27jit_uni_lstm_cell_postgemm_fwd", "math kernels"},
	{"[anon]", "jit_avx512_core_amx_fwd_kernel_t", "matrix work"},
	{"/usr/lib/libgomp.so.1", "gomp_team_barrier_wait_end", "threads/locks"},
	{"/usr/bin/python3.11", "_PyEval_EvalFrameDefault", "interpreter"},
	{"/usr/bin/python3.11", "gc_collect_main", "GC"},
	{"/usr/bin/python3.11", "_PyObject_Malloc", "memory"},
	{"[anon]", "py::train:/home/u/train.py", "interpreter"},
	{"[kernel]", "asm_exc_page_fault", "memory"},
	{"[kernel]", "ext4_file_read_iter", "I/O"},
	{"[kernel]", "do_syscall_64", "kernel"},
	{"/usr/lib/blasprof/libblasprof.so", "call_leave", "blasprof"},
	{"/home/u/train", "rmsnorm_forward.avx512f", "math kernels"},
	{"/home/u/train", "write", "other"},
	{"/home/u/train", "read_input", "other"},
};

TEST_EACH(test_table_that_is_installed, COUNT(usual))
{
	ck_assert_msg(
		!categories_read(&table, TEST_SRCDIR "/../analysis/report/categories.txt", &err),
		"%s", err.what);
	ck_assert_str_eq(find(usual[_i].object, usual[_i].function), usual[_i].category);
	ck_assert_str_eq(category_find(&table, "x", RUN_CODE_BLAS, "blas_thread_server", ""),
			 "spinning");
	ck_assert_str_eq(category_find(&table, "x", RUN_CODE_BLAS, "malloc", ""), CATEGORY_BLAS);
}

/* Each of two runs has 1,000 samples: 500 in BLAS, 300 in rmsnorm_forward, 200 in the kernel. */
TEST(test_report)
{
	ck_assert_int_eq(read_text("* rmsnorm* math kernels\n"), 0);
	fixture_categories = table;
	REPORT_ON("1 1 .5 .4", "1 1 .5 .4");
	expect_rows("categories", "category samples share share_other hottest",
		    "math kernels 600 0.3 0.6 rmsnorm_forward (train)\n"
		    "other 400 0.2 0.4 [unknown] ([kernel])\n");
	expect_text(" 30.0      60.0      600  math kernels  rmsnorm");
	report_free(&report);
}

/* BLAS's own threads outside BLAS code are waiting for work, in any function. */
TEST(test_threads_of_blas)
{
	/* of sgemm_kernel, and out of 200 in the kernel */
	REPORT_ON("1 1 .5 .4; functions[0] samples_workers=250;"
		  "functions[2] samples_workers=150");
	expect_rows("categories", "category samples hottest",
		    "other 350 rmsnorm_forward (train)\n"
		    "spinning 150 [unknown] ([kernel])\n");
}

/* An inlined function is shown as part of the function around it, and as a row of its own in CSV.
 */
TEST(test_inlined_rows)
{
	REPORT_ON("1 1 .5 .4; functions[1] samples-=100; +functions function=vector_exp "
		  "inlined_into=rmsnorm_forward file=/src/vector.h line=60 samples=100");
	expect_text(" 20.0      200  rmsnorm_forward ");
	expect_text(" 10.0      100  vector_exp       rmsnorm_forward ");
	expect_text("vector.h:60");
	expect_text("at 1 thread: 3 of 3");
	expect_no_text("add up");
	ck_assert_has(fixture_written("csv", "functions"),
		      "1,vector_exp,/home/u/train,other,100,0.1,other,"
		      "rmsnorm_forward,/src/vector.h,60,0,\r\n");
}

#define LONG_NAME "onednn_gemm_for_all_types_of_numbers_and_their_conversions_2"

/* Of one thread 500 samples are in BLAS, called by two ways for 3 and 1 parts of the time, and 300
 * in matrix code that nothing calls by name. Of two threads a hundredth is, and of three less. */
TEST(test_ways)
{
	fixture_use_categories();
	REPORT_ON("1 1 .5 .4; shapes[1] way=onednn; +functions function=MlasSgemmKernelAvx512F "
		  "object=/lib/libonnxruntime.so.1 samples=200; +functions "
		  "function=MlasSgemmKernelZero object=/lib/libonnxruntime.so.1 samples=100",
		  "2 1 .5 .4; +functions function='" LONG_NAME
		  "<float>' object=/lib/libdnnl.so.2 samples=5",
		  "3 1 .5 .4; +functions function=" LONG_NAME
		  " object=/lib/libdnnl.so.2 samples=4");
	/* the work of one thread is in 800 samples, that of two in 505 */
	expect_rows("ways", "threads way share calls hottest",
		    "1 blas 0.46875 900 \n"
		    "1 samples 0.375 0 MlasSgemmKernelAvx512F in libonnxruntime.so.1\n"
		    "1 onednn 0.15625 300 \n"
		    "2 blas 0.990099 1200 \n"
		    "2 samples 0.00990099 0 "
		    "onednn_gemm_for_all_types_of_numbers_and_their_conversions_2 in libdnnl.so.2\n"
		    "3 blas 1 1200 \n");
	ck_assert_str_eq(report_ways_text(&report, 1),
			 "blas 47 %, by samples 38 % (MlasSgemmKernelAvx512F in "
			 "libonnxruntime.so.1), onednn 16 %");
	ck_assert_str_eq(report_ways_text(&report, 3), "blas 100 %");
	ck_assert_ptr_eq(report_way_samples(&report, 2), &report.ways[4]);
	ck_assert_ptr_null(report_way_samples(&report, 3));
}

#define RUNTIME "/lib/libonnxruntime.so.1"
#define NAMELESS(samples)                                                                          \
	" 1 .5 .4; functions[0] samples-=50; +functions function=libonnxruntime.so.1+0x10 "        \
	"object=" RUNTIME " samples=" samples "; +functions "                                      \
	"function=libonnxruntime.so.1+0x20 object=" RUNTIME " samples=20;"

/* A library without symbols matters from a twentieth of the samples on, where no matrix code was
 * found in it: 50 of 1,000 in two such functions, or 49. */
TEST(test_libraries_without_symbols)
{
	double share;

	fixture_use_categories();
	REPORT_ON("1" NAMELESS("30"), "2" NAMELESS("29"),
		  "3" NAMELESS("30") "+functions function=MlasSgemmKernelAvx512F object=" RUNTIME
				     " samples=1");
	ck_assert_str_eq(report_nameless(&report, 1, &share)->sum.location.function,
			 "libonnxruntime.so.1+0x10");
	ck_assert_double_eq_tol(share, 0.05, 1e-12);
	ck_assert_ptr_null(report_nameless(&report, 2, &share));
	ck_assert_ptr_null(report_nameless(&report, 3, &share));
	ck_assert_double_eq(share, 0);
}
