/* onednn.c: executes primitives of oneDNN, and prints for how many ns, by the exported function and
 * by the hidden one, without the time that the thread waited for a CPU. */
/* SPDX-License-Identifier: MIT
 *
 * onednn [TIMES [bf16],[hidden],[plain],[products]]: executes each TIMES times. bf16: also
 * primitives of this type. hidden: each a second time by oneDNN's own function, which cannot be
 * intercepted. plain: without reading clocks, which takes time in the kernel. products: without the
 * activation function.
 *
 * onednn TIMES tiny,[hidden]: the smallest product only; prints how many ns one takes.
 */
#include "truth_burn.h"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		if ((call) != dnnl_success) {                                                      \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #call);                 \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)
#define DIMS(...)                                                                                  \
	(const dnnl_dims_t)                                                                        \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

static dnnl_engine_t engine;
static dnnl_stream_t stream;
static int64_t in_calls_ns, in_hidden_ns;
static int is_plain;
/* The library's own function, which cannot be intercepted; NULL: not asked for. */
static typeof(dnnl_primitive_execute) *hidden_execute;

/* Returns the time between them without that of waiting for a CPU. */
static int64_t between_ns(const struct moment *begun, const struct moment *ended)
{
	return ended->wall_ns - begun->wall_ns - (ended->delay_ns - begun->delay_ns);
}

/* Executes the primitive, and adds its time to *sum_ns, without that of reading the clocks, which
 * is some microseconds on a busy host. */
static void execute(typeof(dnnl_primitive_execute) *how, dnnl_primitive_t primitive, int nargs,
		    const dnnl_exec_arg_t *args, int64_t *sum_ns)
{
	struct moment before = {0}, begun = {0}, ended;

	if (!is_plain) {
		before = moment_now();
		begun = moment_now();
	}
	CHECK(how(primitive, stream, nargs, args));
	if (is_plain)
		return;
	ended = moment_now();
	*sum_ns += between_ns(&begun, &ended) - between_ns(&before, &begun);
}

static dnnl_memory_desc_t md(int ndims, const dnnl_dims_t dims, dnnl_data_type_t type, int is_any)
{
	static const dnnl_format_tag_t tags[] = {0,	   dnnl_a,    dnnl_ab,
						 dnnl_abc, dnnl_abcd, dnnl_abcde};
	dnnl_memory_desc_t desc;

	CHECK(dnnl_memory_desc_init_by_tag(&desc, ndims, dims, type,
					   is_any ? dnnl_format_tag_any : tags[ndims]));
	return desc;
}

static dnnl_memory_t memory(const dnnl_memory_desc_t *desc)
{
	dnnl_memory_t mem;
	void *data;

	CHECK(dnnl_memory_create(&mem, desc, engine, DNNL_MEMORY_ALLOCATE));
	CHECK(dnnl_memory_get_data_handle(mem, &data));
	memset(data, 0, dnnl_memory_desc_get_size(desc));
	return mem;
}

/* Executes the operation `times` times with memory for these arguments. If it leaves dimensions
 * open, `runtime` describes the memory. forward: the forward pass of a backward pass. */
static void run_with(const_dnnl_op_desc_t op, const_dnnl_op_desc_t forward, int times,
		     const int *args, int nargs, const dnnl_memory_desc_t *runtime)
{
	dnnl_primitive_desc_t desc, hint = NULL;
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t exec[12];

	if (forward)
		CHECK(dnnl_primitive_desc_create(&hint, forward, NULL, engine, NULL));
	CHECK(dnnl_primitive_desc_create(&desc, op, NULL, engine, hint));
	CHECK(dnnl_primitive_create(&primitive, desc));
	for (int i = 0; i < nargs; i++)
		exec[i] = (dnnl_exec_arg_t){
			args[i], memory(runtime ? &runtime[i]
						: dnnl_primitive_desc_query_md(
							  desc, dnnl_query_exec_arg_md, args[i]))};
	for (int i = 0; i < times; i++) {
		if (hidden_execute && i % 2) /* in turns, since the first one finds cold caches */
			execute(hidden_execute, primitive, nargs, exec, &in_hidden_ns);
		execute(dnnl_primitive_execute, primitive, nargs, exec, &in_calls_ns);
		if (hidden_execute && i % 2 == 0)
			execute(hidden_execute, primitive, nargs, exec, &in_hidden_ns);
	}
	for (int i = 0; i < nargs; i++)
		dnnl_memory_destroy(exec[i].memory);
	dnnl_primitive_destroy(primitive);
	dnnl_primitive_desc_destroy(desc);
	if (hint)
		dnnl_primitive_desc_destroy(hint);
}

static void run(const_dnnl_op_desc_t op, int times, const int *args, int nargs,
		const dnnl_memory_desc_t *runtime)
{
	run_with(op, NULL, times, args, nargs, runtime);
}
#define SRC_WEIGHTS_DST (const int[]){DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST}, 3

static void matmul(dnnl_data_type_t type, int times)
{
	/* beside a large product, what an instrumented preload library costs is small */
	int scale = is_plain ? 3 : 1;
	dnnl_memory_desc_t a = md(3, DIMS(2, 300, 500 * scale), type, 0),
			   b = md(3, DIMS(2, 500 * scale, 400 * scale), type, 0);
	dnnl_memory_desc_t c = md(3, DIMS(2, 300, 400 * scale), type, 0);
	dnnl_matmul_desc_t op;

	CHECK(dnnl_matmul_desc_init(&op, &a, &b, NULL, &c));
	run(&op, times, SRC_WEIGHTS_DST, NULL);
}

static void matmul_runtime(int times)
{
	dnnl_memory_desc_t open = md(2, DIMS(DNNL_RUNTIME_DIM_VAL, 64), dnnl_f32, 0);
	dnnl_memory_desc_t b = md(2, DIMS(64, 32), dnnl_f32, 0);
	dnnl_memory_desc_t c = md(2, DIMS(DNNL_RUNTIME_DIM_VAL, 32), dnnl_f32, 0);
	dnnl_matmul_desc_t op;

	CHECK(dnnl_matmul_desc_init(&op, &open, &b, NULL, &c));
	run(&op, times, SRC_WEIGHTS_DST,
	    (const dnnl_memory_desc_t[]){md(2, DIMS(96, 64), dnnl_f32, 0), b,
					 md(2, DIMS(96, 32), dnnl_f32, 0)});
}

/* Alternates between products of two sizes: the next primitive may have the address of the freed
 * one.
 */
static void matmul_turns(int times)
{
	for (int i = 0; i < times; i++) {
		dnnl_dim_t k = i % 2 ? 8 : 24;
		dnnl_memory_desc_t a = md(2, DIMS(40, k), dnnl_f32, 0),
				   b = md(2, DIMS(k, 8), dnnl_f32, 0);
		dnnl_memory_desc_t c = md(2, DIMS(40, 8), dnnl_f32, 0);
		dnnl_matmul_desc_t op;

		CHECK(dnnl_matmul_desc_init(&op, &a, &b, NULL, &c));
		run(&op, 1, SRC_WEIGHTS_DST, NULL);
	}
}

static void inner_product(dnnl_data_type_t type, int times)
{
	dnnl_memory_desc_t src = md(4, DIMS(64, 8, 6, 6), type, 1),
			   weights = md(4, DIMS(100, 8, 6, 6), type, 1);
	dnnl_memory_desc_t dst = md(2, DIMS(64, 100), type, 1);
	dnnl_inner_product_desc_t op;

	CHECK(dnnl_inner_product_forward_desc_init(&op, dnnl_forward_inference, &src, &weights,
						   NULL, &dst));
	run(&op, times, SRC_WEIGHTS_DST, NULL);
}

/* 3 x 3, padded: 2 images of 8 channels and 20 x 22 points, to 16 channels, in 2 groups. */
static void convolution(dnnl_data_type_t type, int backward, int times)
{
	dnnl_memory_desc_t src = md(4, DIMS(2, 8, 20, 22), type, 1);
	dnnl_memory_desc_t weights = md(5, DIMS(2, 8, 4, 3, 3), type, 1);
	dnnl_memory_desc_t dst = md(4, DIMS(2, 16, 20, 22), type, 1);
	dnnl_convolution_desc_t op;

	if (backward) {
		CHECK(dnnl_convolution_backward_data_desc_init(&op, dnnl_convolution_direct, &src,
							       &weights, &dst, DIMS(1, 1),
							       DIMS(1, 1), DIMS(1, 1)));
		run(&op, times,
		    (const int[]){DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST}, 3, NULL);
		return;
	}
	CHECK(dnnl_convolution_forward_desc_init(&op, dnnl_forward_inference,
						 dnnl_convolution_direct, &src, &weights, NULL,
						 &dst, DIMS(1, 1), DIMS(1, 1), DIMS(1, 1)));
	run(&op, times, SRC_WEIGHTS_DST, NULL);
}

static void deconvolution(int times)
{
	dnnl_memory_desc_t src = md(4, DIMS(2, 16, 10, 11), dnnl_f32, 1);
	dnnl_memory_desc_t weights = md(4, DIMS(8, 16, 2, 2), dnnl_f32, 1);
	dnnl_memory_desc_t dst = md(4, DIMS(2, 8, 20, 22), dnnl_f32, 1);
	dnnl_deconvolution_desc_t op;

	CHECK(dnnl_deconvolution_forward_desc_init(&op, dnnl_forward_inference,
						   dnnl_deconvolution_direct, &src, &weights, NULL,
						   &dst, DIMS(2, 2), DIMS(0, 0), DIMS(0, 0)));
	run(&op, times, SRC_WEIGHTS_DST, NULL);
}

/* One layer of 7 steps: 5 samples of 12 numbers, 20 states. */
static void lstm(int times)
{
	dnnl_memory_desc_t src = md(3, DIMS(7, 5, 12), dnnl_f32, 1),
			   dst = md(3, DIMS(7, 5, 20), dnnl_f32, 1);
	dnnl_memory_desc_t layer = md(5, DIMS(1, 1, 12, 4, 20), dnnl_f32, 1);
	dnnl_memory_desc_t iter = md(5, DIMS(1, 1, 20, 4, 20), dnnl_f32, 1);
	dnnl_memory_desc_t bias = md(4, DIMS(1, 1, 4, 20), dnnl_f32, 0);
	dnnl_rnn_desc_t op;

	CHECK(dnnl_lstm_forward_desc_init(&op, dnnl_forward_inference,
					  dnnl_unidirectional_left2right, &src, NULL, NULL, &layer,
					  &iter, &bias, &dst, NULL, NULL, 0));
	run(&op, times,
	    (const int[]){DNNL_ARG_SRC_LAYER, DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER,
			  DNNL_ARG_BIAS, DNNL_ARG_DST_LAYER},
	    5, NULL);
}

/* A backward pass of two layers with 3 steps: 4 samples of 16 numbers, 16 states. */
static void rnn_backward(int times)
{
	dnnl_memory_desc_t data = md(3, DIMS(3, 4, 16), dnnl_f32, 0);
	dnnl_memory_desc_t weights = md(5, DIMS(2, 1, 16, 1, 16), dnnl_f32, 1);
	dnnl_memory_desc_t bias = md(4, DIMS(2, 1, 1, 16), dnnl_f32, 0);
	dnnl_rnn_desc_t op, forward;

	CHECK(dnnl_vanilla_rnn_forward_desc_init(&forward, dnnl_forward_training, dnnl_eltwise_tanh,
						 dnnl_unidirectional_left2right, &data, NULL,
						 &weights, &weights, &bias, &data, NULL, 0, 0, 0));
	CHECK(dnnl_vanilla_rnn_backward_desc_init(
		&op, dnnl_backward, dnnl_eltwise_tanh, dnnl_unidirectional_left2right, &data, NULL,
		&weights, &weights, &bias, &data, NULL, &data, NULL, &weights, &weights, &bias,
		&data, NULL, 0, 0, 0));
	run_with(&op, &forward, times,
		 (const int[]){DNNL_ARG_SRC_LAYER, DNNL_ARG_WEIGHTS_LAYER, DNNL_ARG_WEIGHTS_ITER,
			       DNNL_ARG_BIAS, DNNL_ARG_DST_LAYER, DNNL_ARG_WORKSPACE,
			       DNNL_ARG_DIFF_SRC_LAYER, DNNL_ARG_DIFF_WEIGHTS_LAYER,
			       DNNL_ARG_DIFF_WEIGHTS_ITER, DNNL_ARG_DIFF_BIAS,
			       DNNL_ARG_DIFF_DST_LAYER},
		 11, NULL);
}

/* Returns the cost of a primitive that does almost nothing. */
static double tiny_ns(int times)
{
	typeof(dnnl_primitive_execute) *how =
		hidden_execute ? hidden_execute : dnnl_primitive_execute;
	const int args[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
	dnnl_memory_desc_t one = md(2, DIMS(1, 1), dnnl_f32, 0);
	dnnl_primitive_desc_t desc;
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t exec[3];
	dnnl_matmul_desc_t op;
	int64_t start_ns;

	CHECK(dnnl_matmul_desc_init(&op, &one, &one, NULL, &one));
	CHECK(dnnl_primitive_desc_create(&desc, &op, NULL, engine, NULL));
	CHECK(dnnl_primitive_create(&primitive, desc));
	for (int i = 0; i < 3; i++)
		exec[i] = (dnnl_exec_arg_t){args[i], memory(&one)};
	for (int i = 0; i < 1000; i++)
		CHECK(how(primitive, stream, 3, exec));
	start_ns = clock_now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < times; i++)
		CHECK(how(primitive, stream, 3, exec));
	return (double)(clock_now_ns(CLOCK_MONOTONIC) - start_ns) / times;
}

static void eltwise(int times)
{
	dnnl_memory_desc_t x = md(2, DIMS(100, 100), dnnl_f32, 0);
	dnnl_eltwise_desc_t op;
	int64_t calls_ns = in_calls_ns, hidden_ns = in_hidden_ns;

	CHECK(dnnl_eltwise_forward_desc_init(&op, dnnl_forward_inference, dnnl_eltwise_relu, &x, 0,
					     0));
	run(&op, times, (const int[]){DNNL_ARG_SRC, DNNL_ARG_DST}, 2, NULL);
	in_calls_ns = calls_ns;
	in_hidden_ns = hidden_ns;
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 10;
	int has_bf16 = argc > 2 && strstr(argv[2], "bf16"); /* a CPU needs AVX-512 for that */
	int all_multiply = argc > 2 && strstr(argv[2], "products");

	is_plain = argc > 2 && strstr(argv[2], "plain");
	if (argc > 2 && strstr(argv[2], "hidden")) {
		void *library = dlopen("libdnnl.so.2", RTLD_LAZY | RTLD_NOLOAD);

		hidden_execute = (typeof(hidden_execute))dlsym(library, "dnnl_primitive_execute");
	}
	CHECK(dnnl_engine_create(&engine, dnnl_cpu, 0));
	CHECK(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
	if (argc > 2 && strstr(argv[2], "tiny")) {
		printf("%.1f\n", tiny_ns(times));
		return EXIT_SUCCESS;
	}
	if (dnnl_primitive_execute(NULL, stream, 0, NULL) != dnnl_invalid_arguments)
		return EXIT_FAILURE;
	if (!all_multiply)
		eltwise(times); /* before the first call that counts, and after */
	matmul(dnnl_f32, times);
	matmul_runtime(3 * times);
	matmul_turns(2 * times);
	inner_product(dnnl_f32, times);
	if (!all_multiply)
		eltwise(times);
	convolution(dnnl_f32, 0, times);
	convolution(dnnl_f32, 1, times);
	deconvolution(times);
	lstm(times);
	rnn_backward(times);
	if (has_bf16) {
		matmul(dnnl_bf16, 2 * times);
		inner_product(dnnl_bf16, times);
		convolution(dnnl_bf16, 0, times);
	}
	printf("%lld %lld\n", (long long)in_calls_ns, (long long)in_hidden_ns);
	return EXIT_SUCCESS;
}
