/* onednn.c: books oneDNN's primitives that multiply matrices as calls. */
/* SPDX-License-Identifier: MIT
 *
 * A program executes all kinds of primitives by one function. oneDNN's queries tell what a
 * primitive does, but take longer than the rest of a call. So the answers are kept until a
 * primitive is freed, since the next one may have its address. Names, numbers and structs are those
 * of oneapi/dnnl/dnnl.h, dnnl_types.h and dnnl_debug.h of oneDNN 2. Other versions have other
 * numbers of kinds and queries, and their calls are only passed on.
 */
#include <string.h>

#include "shim/signal_guard.h"
#include "shim/call.h"
#include "shim/objects.h"

#define RUNTIME_DIM INT64_MIN /* DNNL_RUNTIME_DIM_VAL: known when the primitive is executed */
#define KINDS_MAX   64	      /* oneDNN 2 has 24 */

enum { API_MAJOR = 2, ENGINE_CPU = 1 };
enum query {
	QUERY_ENGINE = 1,
	QUERY_KIND = 2,
	QUERY_NAME = 8, /* of the implementation */
	/* of memory descriptors; each is followed by that of its gradient */
	QUERY_SRC = 129,
	QUERY_WEIGHTS = 131,
	QUERY_DIFF_WEIGHTS = 132,
	QUERY_DST = 133
};
enum argument { ARG_SRC = 1, ARG_DST = 17, ARG_WEIGHTS = 33 };

/* The first members of dnnl_memory_desc_t. */
struct tensor {
	int ndims;
	int64_t dims[12];
	int type; /* dnnl_data_type_t */
};

/* By dnnl_data_type_t: the letter in routines.def, or 0, and the bytes of an element. */
static const struct {
	char letter;
	unsigned char bytes;
} types[] = {{0, 0}, {'h', 2}, {'b', 2}, {'s', 4}, {0, 4}, {'i', 1}, {'i', 1}, {'d', 8}};
#define TYPES (sizeof types / sizeof *types)

/* dnnl_version_t */
struct version {
	int major, minor, patch;
};

/* dnnl_exec_arg_t */
struct argument_memory {
	int argument;
	void *memory;
};

typedef int execute_function(const void *primitive, void *stream, int nargs,
			     const struct argument_memory *args);

/* The first oneDNN that the program has called. Another one reports its primitives to ITT. */
static struct api {
	execute_function *execute;
	int is_noted;  /* 1: the library is known as a provider of calls */
	int can_query; /* 1: its version is known, and all functions were found */
	const struct version *(*version)(void);
	int (*get_desc)(const void *primitive, const void **desc);
	int (*query)(const void *desc, int what, int index, void *result);
	const struct tensor *(*query_md)(const void *desc, int what, int index);
	int (*get_md)(const void *memory, const struct tensor **tensor);
	int (*engine_kind)(const void *engine, int *kind);
	const char *(*kind_name)(int kind);
} api;

/* The operands of a primitive; in a backward pass the gradient replaces a missing operand. */
struct operands {
	const struct tensor *src, *weights, *dst;
	const struct tensor *states; /* an RNN's second weights */
	int is_training; /* 1: an RNN's backward pass, for gradients of data and weights */
};

static int64_t count_dims(const struct tensor *tensor, int from, int end)
{
	int64_t count = 1;

	for (int i = from; i < end; i++)
		count *= tensor->dims[i];
	return count;
}

static struct onednn_info as_matmul(const struct operands *of)
{
	int last = of->dst->ndims - 1;

	return (struct onednn_info){of->dst->dims[last - 1], of->dst->dims[last],
				    of->src->dims[last], count_dims(of->dst, 0, last - 1)};
}

static struct onednn_info as_inner_product(const struct operands *of)
{
	return (struct onednn_info){of->src->dims[0], of->weights->dims[0],
				    count_dims(of->src, 1, of->src->ndims), 1};
}

/* The dimensions of the weights are [groups,] outputs, inputs, those of the filter. */
static struct onednn_info as_convolution(const struct operands *of)
{
	const struct tensor *weights = of->weights, *dst = of->dst;
	int grouped = weights->ndims > of->src->ndims;

	return (struct onednn_info){
		dst->dims[0] * count_dims(dst, 2, dst->ndims), weights->dims[grouped],
		count_dims(weights, grouped + 1, weights->ndims), grouped ? weights->dims[0] : 1};
}

/* Each point of the source contributes to as many points of the destination as the filter has. */
static struct onednn_info as_deconvolution(const struct operands *of)
{
	const struct tensor *weights = of->weights, *src = of->src;
	int grouped = weights->ndims > src->ndims;

	return (struct onednn_info){src->dims[0] * count_dims(src, 2, src->ndims),
				    weights->dims[grouped] *
					    count_dims(weights, grouped + 2, weights->ndims),
				    weights->dims[grouped + 1], grouped ? weights->dims[0] : 1};
}

/* Data: time, samples, channels. Weights: layers, directions, inputs or states, gates, outputs. */
static struct onednn_info as_rnn(const struct operands *of)
{
	const int64_t *weights = of->weights->dims;
	int64_t states = of->states ? of->states->dims[2] : 0;

	return (struct onednn_info){of->src->dims[0] * of->src->dims[1], weights[3] * weights[4],
				    weights[2] + states,
				    weights[0] * weights[1] * (1 + of->is_training)};
}

static const struct kind {
	const char *name;
	struct onednn_info (*as_product)(const struct operands *of);
	int src, weights, dst; /* the fewest dimensions that as_product() reads */
} kinds[] = {
	{"matmul", as_matmul, 2, 2, 2},
	{"inner_product", as_inner_product, 2, 2, 2},
	{"convolution", as_convolution, 3, 3, 3},
	{"deconvolution", as_deconvolution, 3, 3, 3},
	{"rnn", as_rnn, 3, 5, 3},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static const struct {
	const char *kind;
	char type;
	uint32_t id;
} rows[] = {
#define ONEDNN(name, type, family)                                                                 \
	{#name, #type[0], (uint32_t)BASE_onednn_##name##_##type * VARIANT_COUNT},
#include "blas/routines.def"
};

/* By oneDNN's number of the kind: 0 if not looked up yet, 1 if it is not in kinds[], otherwise 2 +
 * its index in kinds[]. Threads that look it up at the same time write the same. */
static unsigned char numbers[KINDS_MAX];
/* Routines by index in kinds[] and data type. */
static uint32_t ids[KINDS][TYPES];

uint32_t onednn_routine(const char *kind, char type)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].kind, kind) && rows[i].type == type)
			return rows[i].id;
	return 0;
}

static __attribute__((noinline)) unsigned find_number(int kind)
{
	const char *name = api.kind_name(kind);
	unsigned number = 0;

	while (number < KINDS && strcmp(kinds[number].name, name))
		number++;
	for (size_t type = 0; number < KINDS && type < TYPES; type++)
		__atomic_store_n(&ids[number][type], onednn_routine(name, types[type].letter),
				 __ATOMIC_RELAXED);
	number = number < KINDS ? number + 2 : 1;
	__atomic_store_n(&numbers[kind], (unsigned char)number, __ATOMIC_RELEASE);
	return number;
}

static double tensor_bytes(const struct tensor *tensor)
{
	return (unsigned)tensor->type < TYPES
		       ? (double)count_dims(tensor, 0, tensor->ndims) * types[tensor->type].bytes
		       : 0;
}

/* Returns NULL if the kind has no matrix product, or if the primitive does not run on the CPU: then
 * the call only starts it. */
static const struct kind *find_kind(const void *desc)
{
	const void *engine;
	int kind, engine_kind;
	unsigned number;

	if (api.query(desc, QUERY_KIND, 0, &kind) || kind < 0 || kind >= KINDS_MAX)
		return NULL;
	number = __atomic_load_n(&numbers[kind], __ATOMIC_ACQUIRE);
	if (unlikely(!number))
		number = find_number(kind);
	if (number < 2 || api.query(desc, QUERY_ENGINE, 0, &engine) ||
	    api.engine_kind(engine, &engine_kind) || engine_kind != ENGINE_CPU)
		return NULL;
	return &kinds[number - 2];
}

static int has_runtime_dims(const struct tensor *tensor)
{
	for (int i = 0; i < tensor->ndims; i++)
		if (tensor->dims[i] == RUNTIME_DIM)
			return 1;
	return 0;
}

/* Returns the descriptor of an operand or of its gradient; if it leaves dimensions open, which sets
 * *is_static to 0, the descriptor of the memory. NULL if there is none with enough dimensions. */
static const struct tensor *find_tensor(const void *desc, enum query what, int dims_min,
					enum argument argument, int nargs,
					const struct argument_memory *args, int *is_static)
{
	const struct tensor *tensor = api.query_md(desc, (int)what, 0);

	if (!tensor || !tensor->ndims)
		tensor = api.query_md(desc, (int)what + 1, 0);
	if (tensor && unlikely(has_runtime_dims(tensor))) {
		int at = 0;

		*is_static = 0;
		while (at < nargs && args[at].argument != (int)argument)
			at++;
		if (at == nargs || api.get_md(args[at].memory, &tensor))
			return NULL;
	}
	return tensor && tensor->ndims >= dims_min &&
			       tensor->ndims <= (int)(sizeof tensor->dims / sizeof *tensor->dims) &&
			       (unsigned)tensor->type < TYPES
		       ? tensor
		       : NULL;
}

/* Leaves *is_static 1 if the result is the same for each execution of the primitive. */
static struct onednn_info query_info(const void *primitive, int nargs,
				     const struct argument_memory *args, int *is_static)
{
	struct onednn_info info = {0};
	struct operands of = {0};
	const struct kind *kind;
	const char *name;
	const void *desc;

	if (api.get_desc(primitive, &desc) || !(kind = find_kind(desc)))
		return info;
	of.src = find_tensor(desc, QUERY_SRC, kind->src, ARG_SRC, nargs, args, is_static);
	of.weights = find_tensor(desc, QUERY_WEIGHTS, kind->weights, ARG_WEIGHTS, nargs, args,
				 is_static);
	of.dst = find_tensor(desc, QUERY_DST, kind->dst, ARG_DST, nargs, args, is_static);
	if (!of.src || !of.weights || !of.dst)
		return info;
	if (kind->as_product == as_rnn) {
		const struct tensor *gradient = api.query_md(desc, QUERY_DIFF_WEIGHTS, 0);

		of.states = api.query_md(desc, QUERY_WEIGHTS, 1);
		of.states = of.states && of.states->ndims == kind->weights ? of.states : NULL;
		of.is_training = gradient && gradient->ndims > 0;
	}
	info = kind->as_product(&of);
	if (!api.query(desc, QUERY_NAME, 0, &name) && name)
		info.unit = compute_unit_of(name);
	info.bytes = tensor_bytes(of.src) + tensor_bytes(of.weights) + tensor_bytes(of.dst) +
		     (of.states ? tensor_bytes(of.states) : 0);
	info.id = __atomic_load_n(&ids[kind - kinds][of.src->type], __ATOMIC_RELAXED);
	return info;
}

/* What is known of primitives, each in a cache line, by a hash of the primitive's address. */
#define ANSWERS 512 /* a large network has some hundred primitives */
union known {
	struct {
		const void *primitive;
		struct onednn_info info;
	};
	uint64_t words[7];
};
static struct answer {
	_Alignas(64) uint32_t turn; /* odd while a thread writes */
	uint32_t age;		    /* number of primitives that were freed before */
	union known known;
} answers[ANSWERS];
static uint32_t freed;
#define WORDS (sizeof(union known) / sizeof(uint64_t))
_Static_assert(sizeof(struct answer) == 64, "an answer is a cache line");

static struct answer *answer_of(const void *primitive)
{
	return &answers[(uintptr_t)primitive * 0x9e3779b97f4a7c15ull >> 55];
}
_Static_assert(ANSWERS == 1 << (64 - 55), "the bits of the hash that answer_of() takes");

/* Returns 1 if what is known of the primitive is stored. */
static int recall(const void *primitive, uint32_t age, struct onednn_info *info)
{
	struct answer *answer = answer_of(primitive);
	uint32_t turn = __atomic_load_n(&answer->turn, __ATOMIC_ACQUIRE);
	uint32_t known_age = __atomic_load_n(&answer->age, __ATOMIC_RELAXED);
	union known known;

	for (size_t i = 0; i < WORDS; i++)
		known.words[i] = __atomic_load_n(&answer->known.words[i], __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (turn & 1 || __atomic_load_n(&answer->turn, __ATOMIC_RELAXED) != turn ||
	    known.primitive != primitive || known_age != age)
		return 0;
	*info = known.info;
	return 1;
}

static void remember(const void *primitive, uint32_t age, const struct onednn_info *info)
{
	struct answer *answer = answer_of(primitive);
	uint32_t turn = __atomic_load_n(&answer->turn, __ATOMIC_RELAXED);
	const union known known = {{primitive, *info}};

	if (turn & 1 || !__atomic_compare_exchange_n(&answer->turn, &turn, turn + 1, 0,
						     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&answer->age, age, __ATOMIC_RELAXED);
	for (size_t i = 0; i < WORDS; i++)
		__atomic_store_n(&answer->known.words[i], known.words[i], __ATOMIC_RELAXED);
	__atomic_store_n(&answer->turn, turn + 2, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void find_out(const void *primitive, uint32_t age, int nargs,
					       const struct argument_memory *args,
					       struct onednn_info *info)
{
	int is_static = 1;
	GUARD_FLOATS;

	*info = query_info(primitive, nargs, args, &is_static);
	if (is_static)
		remember(primitive, age, info);
}

static __attribute__((noinline)) void find_api(execute_function *execute)
{
	struct api found = {0};
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"dnnl_version", &found.version},
		{"dnnl_primitive_get_primitive_desc", &found.get_desc},
		{"dnnl_primitive_desc_query", &found.query},
		{"dnnl_primitive_desc_query_md", &found.query_md},
		{"dnnl_memory_get_memory_desc", &found.get_md},
		{"dnnl_engine_get_kind", &found.engine_kind},
		{"dnnl_prim_kind2str", &found.kind_name},
	};
	struct object object;
	int has_all;
	GUARD_SIGNALS;

	has_all = object_find((const void *)execute, &object);
	for (size_t i = 0; i < sizeof functions / sizeof *functions && has_all; i++) {
		void *function = object_symbol(&object, functions[i].name);

		memcpy(functions[i].function, &function, sizeof function);
		has_all = function != NULL;
	}
	found.can_query = has_all && found.version()->major == API_MAJOR;
	pthread_mutex_lock(&shim_process->lookups_lock);
	if (!api.execute) {
		api = found;
		__atomic_store_n(&api.execute, execute, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

void onednn_forget(int (*is_gone)(const void *function))
{
	void *execute = (void *)__atomic_load_n(&api.execute, __ATOMIC_ACQUIRE);

	if (!is_gone(execute))
		return;
	memset(numbers, 0, sizeof numbers);
	__atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED); /* all of its primitives */
	__atomic_store_n(&api.execute, NULL, __ATOMIC_RELEASE);
}

__attribute__((noinline)) void onednn_note(const void *function, int *is_noted)
{
	GUARD_SIGNALS;

	session_start(); /* another library's constructor may call before that of this one ran */
	if (!process_token())
		thread_attach(0); /* the library can only be noted in a record */
	resolve_note(function);
	__atomic_store_n(is_noted, 1, __ATOMIC_RELAXED);
}

/* Adds the work of all products but the first. */
__attribute__((noinline)) void onednn_end(const struct onednn_call *call)
{
	const struct onednn_info *info = call->info;
	GUARD_FLOATS;

	call_leave_more(call->frame,
			2 * (double)info->m * (double)info->n * (double)info->k *
				(double)(info->count - 1),
			info->bytes, info->unit);
}

static __attribute__((noinline)) int execute_counted(execute_function *execute,
						     const struct onednn_info *info,
						     const void *primitive, void *stream, int nargs,
						     const struct argument_memory *args)
{
	const void *frame = __builtin_frame_address(0);
	struct entry entry = {(void *)execute, info->id, 0};
	struct onednn_call call __attribute__((cleanup(onednn_end))) = {frame, info};

	WHEN_UNWOUND;
	call_begin(&entry, 0, info->m, info->n, info->k, frame);
	return execute(primitive, stream, nargs, args);
}

/* Executions that are not booked go on by a jump, so that samples do not find this library in their
 * stacks and take them for calls. */
execute_function dnnl_primitive_execute __attribute__((visibility("default")));
int dnnl_primitive_execute(const void *primitive, void *stream, int nargs,
			   const struct argument_memory *args)
{
	static void *target;
	execute_function *execute = __atomic_load_n(&target, __ATOMIC_ACQUIRE);
	uint32_t age = __atomic_load_n(&freed, __ATOMIC_RELAXED);
	struct onednn_info info;

	if (unlikely(!execute))
		execute = resolve_other(KEY_ONEDNN, __builtin_return_address(0), &target);
	if (unlikely(!__atomic_load_n(&api.execute, __ATOMIC_ACQUIRE)))
		find_api(execute);
	if (unlikely(api.execute != execute) || unlikely(!api.can_query) || unlikely(!primitive))
		return execute(primitive, stream, nargs, args);
	if (!recall(primitive, age, &info))
		find_out(primitive, age, nargs, args, &info);
	if (!info.id)
		return execute(primitive, stream, nargs, args);
	if (unlikely(!__atomic_load_n(&api.is_noted, __ATOMIC_RELAXED)))
		onednn_note((const void *)execute, &api.is_noted);
	return execute_counted(execute, &info, primitive, stream, nargs, args);
}

int dnnl_primitive_destroy(void *primitive) __attribute__((visibility("default")));
int dnnl_primitive_destroy(void *primitive)
{
	static void *target;
	int (*destroy)(void *) = __atomic_load_n(&target, __ATOMIC_ACQUIRE);

	if (unlikely(!destroy))
		destroy = resolve_other(KEY_DESTROY, __builtin_return_address(0), &target);
	__atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED);
	return destroy(primitive);
}
