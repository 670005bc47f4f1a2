/* itt.c: reports tasks and kernels to ITT's collectors as oneDNN and other libraries do. */
/* SPDX-License-Identifier: MIT
 *
 * itt TIMES [FILE]: reports two matmul primitives, then TIMES more, half of them with a pool of
 * threads, and TIMES convolutions. If TIMES is 0, reports one matmul only. Each line of FILE is
 * metadata of a further primitive in the form of oneDNN 3.11. Exits with 1 if the collector does
 * not do what ITT specifies, with 3 if there is no collector. The structs are those of ittnotify.h,
 * ittnotify_config.h and jitprofiling.h of github.com/intel/ittapi.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);    \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

struct string {
	const char *name;
	void *wide_name;
	int extra1;
	void *extra2;
	struct string *next;
};
struct domain {
	volatile int flags;
	const char *name;
	void *wide_name;
	int extra1;
	void *extra2;
	struct domain *next;
};
struct id {
	unsigned long long d1, d2, d3;
};

static struct domain *(*domain_create)(const char *name);
static struct string *(*string_create)(const char *name);
typedef void begin_function(const struct domain *domain, struct id id, struct id parent,
			    struct string *name);
static begin_function open_collector, *task_begin = open_collector;
static void (*task_end)(const struct domain *domain);
static void (*frame_begin)(const struct domain *domain, struct id *id);

static void ignore_frame(const struct domain *domain, struct id *id)
{
}

static void (*metadata_add)(const struct domain *domain, struct string *format, ...);

static struct row {
	const char *name;
	void **function;
	void *first, *none;
	int group;
} rows[] = {
	{"__itt_domain_create", (void **)&domain_create, NULL, NULL, -1},
	{"__itt_formatted_metadata_add", (void **)&metadata_add, NULL, NULL, -1},
	{"__itt_frame_begin_v3", (void **)&frame_begin, NULL, (void *)ignore_frame, -1},
	{"__itt_string_handle_create", (void **)&string_create, NULL, NULL, -1},
	{"__itt_task_begin", (void **)&task_begin, (void *)open_collector, NULL, -1},
	{"__itt_task_end", (void **)&task_end, NULL, NULL, -1},
	{NULL, NULL, NULL, NULL, 0},
};

static struct table {
	unsigned char magic[8];
	unsigned long version_major, version_minor, version_build;
	volatile long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct row *rows;
} table = {
	.magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30},
	.version_major = 3,
	.version_build = 20180723,
	.rows = rows,
};

static void (*init)(struct table *table, int groups);
static struct domain *onednn;

/* The first value of task_begin(): opens the collector and calls its function. */
static void open_collector(const struct domain *domain, struct id id, struct id parent,
			   struct string *name)
{
	init(&table, -1);
	if (task_begin)
		task_begin(domain, id, parent, name);
	__asm__ volatile("" : : : "memory"); /* no jump in place of the call */
}

static struct string *first_string; /* used instead of the collector's, unless NULL */

/* Reports only if the domain is enabled, as ITT's macros do. */
static __attribute__((noinline)) void start(struct domain *domain, const char *kind)
{
	const struct id none = {0, 0, 0};

	if (domain->flags)
		task_begin(domain, none, none, first_string ? first_string : string_create(kind));
	__asm__ volatile("" : : : "memory"); /* no jump in place of the call */
}

static void end(const struct domain *domain)
{
	if (domain->flags && task_end)
		task_end(domain);
}

/* A primitive or a part of it. */
struct part {
	const char *kind, *text; /* text NULL: oneDNN is too old to report it */
};

static __attribute__((noinline)) void tell(const struct part *part)
{
	if (part->text && metadata_add)
		metadata_add(onednn, string_create("%s"), part->text);
}

static void *do_part(void *part)
{
	start(onednn, ((const struct part *)part)->kind);
	tell(part);
	end(onednn);
	return NULL;
}

static __attribute__((noinline)) void execute(const char *kind, const char *text, int threads)
{
	struct part part = {kind, text};
	pthread_t pool[2];

	start(onednn, kind);
	tell(&part);
	for (int i = 0; i < threads; i++)
		CHECK(!pthread_create(&pool[i], NULL, do_part, &part));
	for (int i = 0; i < threads; i++)
		pthread_join(pool[i], NULL);
	end(onednn);
}

/* Executes each line twice. Every other one has the same address, as if a primitive was freed. */
static void execute_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	int count = 0;
	char line[1024], kind[32], *text = NULL;

	CHECK(file);
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		CHECK(sscanf(line, "cpu,%31[a-z_]", kind) == 1);
		text = count++ % 2 ? strcpy(text, line) : strcpy(malloc(sizeof line), line);
		execute(kind, text, 0);
		execute(kind, text, 1);
	}
	fclose(file);
}

static void check_handles(struct domain *other)
{
	CHECK(frame_begin == ignore_frame);
	CHECK(!domain_create(NULL) && !string_create(NULL));
	CHECK(onednn->flags && !strcmp(onednn->name, "dnnl::primitive::execute"));
	CHECK(domain_create("dnnl::primitive::execute") == onednn);
	CHECK(!other->flags && !strcmp(other->name, "other") && domain_create("other") == other);
	CHECK(string_create("matmul") == string_create("matmul"));
	CHECK(!strcmp(string_create("any")->name, "any"));
}

/* iJIT_Method_Load */
struct method {
	unsigned int id;
	const char *name;
	void *start;
	unsigned int bytes, lines;
	void *line_table;
	unsigned int class_id;
	const char *class_file, *source_file;
};

/* The names are too common for a preloaded library to export them. */
static void report_kernels(const char *path)
{
	void *library = dlopen(path, RTLD_LAZY);
	unsigned int (*initialize)(void) = (unsigned int (*)(void))dlsym(library, "Initialize");
	unsigned int (*notify)(unsigned int, void *) =
		(unsigned int (*)(unsigned int, void *))dlsym(library, "NotifyEvent");
	struct method kernel = {1, "jit_of_itt", (void *)report_kernels, 16};

	CHECK(!dlsym(RTLD_DEFAULT, "Initialize") && !dlsym(RTLD_DEFAULT, "NotifyEvent"));
	CHECK(initialize && notify && initialize() == 1);
	notify(2, NULL); /* the end */
	for (int i = 0; i < 3000; i++)
		notify(i % 2 ? 13 : 21, &kernel);
}

int main(int argc, char **argv)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	/* made before there was a collector */
	struct domain early = {.flags = 1, .name = "early"};
	/* as ITT makes them until a collector is open */
	struct domain first = {.flags = 1, .name = "dnnl::primitive::execute"};
	struct string matmul = {.name = "matmul"};
	struct table unknown = table;
	int times = argc > 1 ? atoi(argv[1]) : 10;

	CHECK(library);
	if (getenv("LD_PRELOAD"))
		report_kernels(getenv("INTEL_JIT_PROFILER64"));
	init = (void (*)(struct table *, int))dlsym(library, "__itt_api_init");
	CHECK(init);
	unknown.version_major = 4;
	init(&unknown, -1);
	CHECK(task_begin == open_collector);
	onednn = &first;
	first_string = &matmul;
	execute("matmul", NULL, 0);
	if (!task_begin)
		return 3;
	if (!times)
		return 0;
	execute("matmul", NULL, 2);
	first_string = NULL;
	onednn = domain_create("dnnl::primitive::execute");
	end(onednn); /* without a begin */
	check_handles(domain_create("other"));
	for (int i = 0; i < times; i++) {
		execute("matmul", NULL, i % 2 * 2);
		execute("reorder", NULL, i % 2 * 2);
		execute("convolution", NULL, 0);
		start(&early, "matmul");
		end(&early);
		start(domain_create("other"), "matmul");
		end(domain_create("other"));
	}
	CHECK(!early.flags);
	if (argc > 2)
		execute_lines(argv[2]);
	return 0;
}
