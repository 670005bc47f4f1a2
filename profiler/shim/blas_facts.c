/* blas_facts.c: what BLAS libraries say about themselves: name, version, core type, threads. */
/* SPDX-License-Identifier: MIT */
#include "shim/shim.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "shim/objects.h"
#include "base/text.h"

#define STACK_BYTES 65536 /* enough to load a library and to print, even with a sanitizer */
#define NEAR_BYTES  (1 << 20)

extern void *__libc_stack_end; /* where the program's own stack began; no header has it */

typedef const char *(*text_query)(void);
typedef int (*number_query)(void);
typedef void (*buffer_query)(char *buffer, int size);
typedef const char *(*named_query)(int number);
/* oneDNN's dnnl_version_t, of oneapi/dnnl/dnnl_types.h. */
struct onednn_version {
	int major, minor, patch;
	const char *hash;
	unsigned cpu_runtime; /* a bit of DNNL_RUNTIME_* */
};
typedef const struct onednn_version *(*onednn_query)(void);

/* The wheels of NumPy and SciPy add a prefix and a suffix to its names. */
#define OPENBLAS(prefix, suffix)                                                                   \
	{                                                                                          \
		.name = "OpenBLAS", .mark = prefix "openblas_get_config" suffix,                   \
		.version = prefix "openblas_get_config" suffix,                                    \
		.core = prefix "openblas_get_corename" suffix,                                     \
		.threads = prefix "openblas_get_num_threads" suffix                                \
	}
#define OPENBLAS_LAYERS(prefix, suffix)                                                            \
	{prefix "openblas_get_parallel" suffix, 0, "sequential"},                                  \
		{prefix "openblas_get_parallel" suffix, 1, "pthreads"},                            \
		{prefix "openblas_get_parallel" suffix, 2, "OpenMP"},

/* How libraries are asked. The first row whose mark exists describes the library. NULL: it does not
 * tell. */
static const struct source {
	const char *name, *mark;
	const char *version;		     /* text_query */
	const char *version_buffer;	     /* buffer_query */
	const char *onednn;		     /* onednn_query: version and layer */
	const char *core;		     /* text_query */
	const char *core_number, *core_name; /* number_query and named_query of its result */
	const char *threads;		     /* number_query */
} sources[] = {
	OPENBLAS("", ""),
	OPENBLAS("", "64_"),
	OPENBLAS("scipy_", ""),
	OPENBLAS("scipy_", "64_"),
	{.name = "BLIS",
	 .mark = "bli_info_get_version_str",
	 .version = "bli_info_get_version_str",
	 .core_number = "bli_arch_query_id",
	 .core_name = "bli_arch_string",
	 .threads = "bli_thread_get_num_threads"},
	{.name = "MKL",
	 .mark = "MKL_Get_Version_String",
	 .version_buffer = "MKL_Get_Version_String",
	 .threads = "MKL_Get_Max_Threads"},
	{.name = "oneDNN", .mark = "dnnl_primitive_execute", .onednn = "dnnl_version"},
	{.name = "ATLAS", .mark = "atl_f77wrap_sgemm_"},
	/* Debian's libblas.so.3 of BLIS hides the functions above */
	{.name = "BLIS", .mark = "cblas_cgemmt"},
	/* last: it has only the standard's helpers, which others have, too */
	{.name = "reference BLAS", .mark = "lsame_"},
};

/* What a BLAS library uses for its threads, if a function returns that as a number. */
static const struct {
	const char *query;
	int answer;
	const char *layer;
} layers[] = {
	OPENBLAS_LAYERS("", "") OPENBLAS_LAYERS("", "64_") OPENBLAS_LAYERS("scipy_", "")
		OPENBLAS_LAYERS("scipy_", "64_"){"bli_info_get_enable_openmp", 1, "OpenMP"},
	{"bli_info_get_enable_pthreads", 1, "pthreads"},
	{"bli_info_get_enable_threading", 0, "sequential"},
};

/* The same for MKL, which has it in a separate library. */
static const struct {
	const char *part, *layer;
} layer_objects[] = {
	{"libmkl_intel_thread", "Intel OpenMP"},
	{"libmkl_gnu_thread", "GNU OpenMP"},
	{"libmkl_tbb_thread", "TBB"},
	{"libmkl_sequential", "sequential"},
};

static void *query(const struct object *library, const char *name)
{
	return name ? object_symbol(library, name) : NULL;
}

/* Returns "0.3.21 ..." of "OpenBLAS 0.3.21 ...". */
static const char *without_name(const char *version, const char *name)
{
	size_t length = strlen(name);

	return strncmp(version, name, length) || version[length] != ' ' ? version
									: version + length + 1;
}

static void read_onednn(const struct object *library, const struct source *source,
			struct blas_facts *facts)
{
	static const char *const runtimes[] = {"sequential", "OpenMP", "TBB", "its program's"};
	void *function = query(library, source->onednn);
	const struct onednn_version *version;

	if (!function)
		return;
	version = ((onednn_query)function)();
	snprintf(facts->version, sizeof facts->version, "%d.%d.%d", version->major, version->minor,
		 version->patch);
	for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
		if (version->cpu_runtime == 1u << i)
			TEXT_COPY(facts->layer, runtimes[i]);
}

static int add_layer(const struct object *object, void *data)
{
	struct blas_facts *facts = data;

	for (size_t i = 0; i < sizeof layer_objects / sizeof *layer_objects; i++)
		if (strstr(object->name, layer_objects[i].part))
			TEXT_COPY(facts->layer, layer_objects[i].layer);
	return facts->layer[0];
}

static const struct source *find_source(const struct object *library)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (query(library, sources[i].mark))
			return &sources[i];
	return NULL;
}

static void describe(const char *path, struct blas_facts *facts)
{
	struct object library;
	const struct source *source = object_named(path, &library) ? find_source(&library) : NULL;
	void *text, *buffer, *number, *name;
	const char *core = NULL;

	if (!source)
		return;
	TEXT_COPY(facts->name, source->name);
	text = query(&library, source->version);
	buffer = query(&library, source->version_buffer);
	if (text)
		TEXT_COPY(facts->version, without_name(((text_query)text)(), source->name));
	else if (buffer)
		((buffer_query)buffer)(facts->version, sizeof facts->version - 1);
	read_onednn(&library, source, facts);
	text = query(&library, source->core);
	number = query(&library, source->core_number);
	name = query(&library, source->core_name);
	if (text)
		core = ((text_query)text)();
	else if (number && name)
		core = ((named_query)name)(((number_query)number)());
	if (core)
		TEXT_COPY(facts->core, core);
	for (size_t i = 0; i < sizeof layers / sizeof *layers && !facts->layer[0]; i++) {
		number = query(&library, layers[i].query);
		if (number && ((number_query)number)() == layers[i].answer)
			TEXT_COPY(facts->layer, layers[i].layer);
	}
	if (!strcmp(facts->name, "MKL"))
		objects_walk(add_layer, facts);
	number = query(&library, source->threads);
	if (number)
		facts->threads = facts->threads_end = ((number_query)number)();
}

/* Returns 0 if the room on the stack is too small or not known: a signal handler may have its own
 * stack, and a coroutine one in the heap, where an overflow would go unnoticed. The stacks that the
 * C library makes have thread-local data at the upper end. */
static int has_stack_room(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), local = (uintptr_t)&shim_self;
	uintptr_t deep = (uintptr_t)__libc_stack_end - here;
	struct map_record map;
	struct rlimit limit;
	stack_t other;
	int found;

	if (sigaltstack(NULL, &other) || other.ss_flags & SS_ONSTACK)
		return 0;
	/* nothing else is mapped that near to the program's own stack */
	if (deep < NEAR_BYTES && !getrlimit(RLIMIT_STACK, &limit))
		return limit.rlim_cur > deep + STACK_BYTES;
	process_lock();
	found = maps_find(here, &map);
	process_unlock();
	return found && here - map.start >= STACK_BYTES &&
	       (!strcmp(map.path, "[stack]") ||
		(local >= map.start && local < map.end && map.end - local < STACK_BYTES));
}

static void describe_all(void)
{
	unsigned left = __atomic_exchange_n(&shim_process->undescribed, 0, __ATOMIC_RELAXED);
	struct process_header *header = shim_process->header;

	for (int i = 0; i < PROVIDERS_MAX; i++)
		if (left & 1u << i)
			describe(header->providers[i], &header->libraries[i]);
}

/* Only the first, the second, the fourth and so on of the threads that get here look for room,
 * since that takes longer the more threads there are. */
void blas_describe(void)
{
	static unsigned count;
	unsigned nth;

	if (!__atomic_load_n(&shim_process->undescribed, __ATOMIC_RELAXED))
		return;
	nth = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	if (!(nth & (nth - 1)) && has_stack_room())
		describe_all();
}

void blas_describe_end(struct process_header *header)
{
	describe_all();
	for (int i = 0; i < PROVIDERS_MAX && header->providers[i][0]; i++) {
		struct object library;
		int has_threads = header->libraries[i].threads &&
				  object_named(header->providers[i], &library);
		const struct source *source = has_threads ? find_source(&library) : NULL;
		void *threads = source ? query(&library, source->threads) : NULL;

		if (threads)
			header->libraries[i].threads_end = ((number_query)threads)();
	}
}
