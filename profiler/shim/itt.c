/* itt.c: books oneDNN's primitives by the tasks that it reports to Intel's task interface (ITT). */
/* SPDX-License-Identifier: MIT
 *
 * If oneDNN is linked into another library, as in PyTorch's wheels, it has no function to
 * intercept. But it opens the library that INTEL_LIBITTNOTIFY64 names, which is this one, and lets
 * __itt_api_init() fill in a table of functions. From then on each primitive is a task in oneDNN's
 * own domain, with the name of the primitive's kind. The threads of its pool report their parts of
 * a primitive as such tasks, too. They differ only in the place where a task begins. The first task
 * begins where primitives begin, since the pool works only for these. Since version 3.11 the begin
 * of a task is followed by metadata: a text with the primitive's shape (onednn_info.c).
 *
 * The declarations have the layout of ittnotify.h and ittnotify_config.h of ITT 3
 * (github.com/intel/ittapi). oneDNN's side is in src/common of github.com/oneapi-src/oneDNN,
 * versions 2 and 3: ittnotify.cpp, primitive_iface.cpp and dnnl_thread.hpp.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "shim/signal_guard.h"
#include "shim/call.h"
#include "shim/dlsym.h"
#include "shim/objects.h"

#define MAJOR	   3
#define OLD_BUILD  20101001 /* up to this build, rows of the table are shorter */
#define PLACES_MAX 16

/* The meaning of a name. Larger values are numbers of routines. */
enum { NAME_NEW, NAME_OTHER, NAME_ONEDNN };

/* __itt_string_handle and __itt_domain. `meaning` is for the collector's use, and 0 at first. */
struct string {
	const char *name;
	void *wide_name;
	int meaning;
	void *unused;
	void *next;
};
struct domain {
	volatile int is_enabled; /* 0: the program does not report its tasks */
	struct string string;
};

/* __itt_id */
struct task_id {
	uint64_t words[3];
};

/* The first members of __itt_global, with its rows, __itt_api_info. */
struct table {
	unsigned char magic[8];
	unsigned long major, minor, build;
	volatile long counters[3];
	pthread_mutex_t mutex;
	void *library, *error_handler;
	const char **path;
	struct table_row {
		const char *name; /* NULL: the end */
		void **function;
		void *first, *none; /* the function at first, and without a collector */
		int group;
	} * rows;
};

/* Where tasks begin; primitives if it has a caller. Written once, the address last. */
struct place {
	const void *address; /* in the function that calls task_begin(); NULL: unused */
	uintptr_t object;    /* that contains the address */
	const void *caller;  /* of that function; NULL: begins parts of primitives */
	ptrdiff_t distance;  /* of that function's frame above that of task_begin() */
	int is_noted;	     /* 1: the object is known as a provider of calls */
};
static struct place places[PLACES_MAX];

/* The functions that tables had for task_begin() at first: they open the collector and call its
 * function. */
static uintptr_t openers[PLACES_MAX];
#define OPENER_BYTES 512 /* longer than any of them; functions of the same kind surround them */

/* The call that stands for the primitive that the thread executes; NULL: none. */
static __thread const void *task_frame __attribute__((tls_model("initial-exec")));
/* Its shape; NULL: only its kind is known. */
static __thread const struct onednn_info *task_info __attribute__((tls_model("initial-exec")));

static int find_meaning(const char *name)
{
	uint32_t id = onednn_routine(name, 'u');

	return id ? (int)id : !strcmp(name, "dnnl::primitive::execute") ? NAME_ONEDNN : NAME_OTHER;
}

/* Returns the domain of this name. Threads that create it at the same time may get one each. */
static struct domain *create(const char *name)
{
	static struct domain *newest;
	struct domain *first = __atomic_load_n(&newest, __ATOMIC_ACQUIRE), *domain = first;

	if (!name)
		return NULL;
	while (domain && strcmp(domain->string.name, name))
		domain = domain->string.next;
	if (domain)
		return domain;
	domain = calloc(1, sizeof *domain);
	if (!domain || !(domain->string.name = strdup(name))) {
		free(domain);
		return NULL;
	}
	domain->string.meaning = find_meaning(name);
	domain->is_enabled = domain->string.meaning == NAME_ONEDNN;
	domain->string.next = first;
	while (!__atomic_compare_exchange_n(&newest, (struct domain **)&domain->string.next, domain,
					    0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		continue;
	return domain;
}

static struct string *create_string(const char *name)
{
	struct domain *domain = create(name);

	return domain ? &domain->string : NULL;
}

/* The frames of task_begin(), its caller and that one's caller. */
enum { FRAMES = 3 };
struct walk {
	uintptr_t (*get_ip)(struct _Unwind_Context *context);
	uintptr_t (*get_cfa)(struct _Unwind_Context *context);
	const void *address; /* in the caller of task_begin() */
	int count;
	const void *const *frames[FRAMES]; /* each: the saved frame pointer, the return address */
};

#if !defined(__aarch64__)
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
	struct walk *walk = data;

	if (walk->count || walk->get_ip(context) == (uintptr_t)walk->address)
		walk->frames[walk->count++] = (const void *const *)walk->get_cfa(context) - 2;
	return walk->count < FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}
#endif

/* Walks up the stack with the unwinder that C++ has loaded. Returns 0 if there is none. */
static int walk_up(struct walk *walk, const struct object *object, const void *own_frame)
{
#if defined(__aarch64__)
	const void *const *frame = own_frame; /* all code keeps frame pointers */

	for (; walk->count < FRAMES; frame = *frame)
		walk->frames[walk->count++] = frame;
#else
	_Unwind_Reason_Code (*walk_stack)(_Unwind_Trace_Fn, void *);
	const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"_Unwind_Backtrace", &walk_stack},
		{"_Unwind_GetIP", &walk->get_ip},
		{"_Unwind_GetCFA", &walk->get_cfa},
	};

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *function = object_symbol(object, functions[i].name);

		if (!function)
			return 0;
		memcpy(functions[i].function, &function, sizeof function);
	}
	walk_stack(visit, walk);
#endif
	return walk->count == FRAMES;
}

static struct place *known_place(const void *address)
{
	for (struct place *place = places; place < places + PLACES_MAX; place++)
		if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) == address)
			return place;
	return NULL;
}

/* Returns NULL if there is no room. */
static struct place *add_place(const struct place *found)
{
	struct place *place;

	pthread_mutex_lock(&shim_process->lookups_lock);
	place = known_place(found->address); /* another thread was faster */
	if (!place && (place = known_place(NULL))) {
		int is_first = 1;

		for (int i = 0; i < PLACES_MAX; i++)
			is_first &= !places[i].address || places[i].object != found->object;
		place->object = found->object;
		place->caller = is_first ? found->caller : NULL;
		place->distance = found->distance;
		place->is_noted = 0;
		__atomic_store_n(&place->address, found->address, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
	return place;
}

/* Returns the place where a task begins, and sets *frame to the frame that belongs to it in this
 * call. */
static __attribute__((noinline)) struct place *
find_place(const void *address, const void *own_frame, const void *const **frame)
{
	struct walk walk = {.address = address};
	struct place *place = NULL, found;
	struct object object;
	int opens = 0;

	for (int i = 0; i < PLACES_MAX; i++) {
		uintptr_t opener = __atomic_load_n(&openers[i], __ATOMIC_RELAXED);

		opens |= opener && (uintptr_t)address - opener < OPENER_BYTES;
	}
	GUARD_SIGNALS;
	if (!opens && (place = known_place(address))) {
		*frame = (const void *const *)((const char *)own_frame + place->distance);
	} else if (object_find(address, &object) && walk_up(&walk, &object, own_frame)) {
		*frame = walk.frames[opens + 1];
		found = (struct place){
			.address = walk.frames[opens][1],
			.object = object.base,
			.caller = (*frame)[1],
			.distance = (const char *)*frame - (const char *)walk.frames[opens],
		};
		place = add_place(&found);
	}
	return place;
}

void itt_forget(int (*is_gone)(const void *function))
{
	for (struct place *place = places; place < places + PLACES_MAX; place++)
		if (is_gone(__atomic_load_n(&place->address, __ATOMIC_ACQUIRE)))
			__atomic_store_n(&place->address, NULL, __ATOMIC_RELEASE);
}

static void task_begin(struct domain *domain, struct task_id id, struct task_id parent,
		       struct string *string)
{
	const void *address = __builtin_return_address(0), *own_frame = __builtin_frame_address(0);
	struct place *place = places;
	const void *const *frame;
	struct entry entry;

	if (unlikely(!string || !domain->string.meaning || !string->meaning)) {
		if (!string)
			return;
		domain->string.meaning = find_meaning(domain->string.name);
		domain->is_enabled = domain->string.meaning == NAME_ONEDNN;
		string->meaning = find_meaning(string->name);
	}
	if (string->meaning <= NAME_ONEDNN || domain->string.meaning != NAME_ONEDNN)
		return;
	frame = (const void *const *)((const char *)own_frame + place->distance);
	if (unlikely(__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) != address) &&
	    !(place = find_place(address, own_frame, &frame)))
		return;
	if (frame[1] != place->caller)
		return;
	if (unlikely(!__atomic_load_n(&place->is_noted, __ATOMIC_RELAXED)))
		onednn_note(address, &place->is_noted);
	entry = (struct entry){(void *)place->caller, (uint32_t)string->meaning, 0};
	task_frame = frame;
	task_info = NULL;
	call_begin(&entry, 0, 0, 0, 0, frame);
}

/* Reads oneDNN's metadata, whose format is "%s". */
static void metadata_add(const struct domain *domain, const struct string *format, ...)
{
	const void *frame = task_frame;
	const char *text;
	va_list rest;

	if (!frame || task_info || domain->string.meaning != NAME_ONEDNN || !format ||
	    strcmp(format->name, "%s") != 0)
		return;
	va_start(rest, format);
	text = va_arg(rest, const char *);
	va_end(rest);
	task_info = text ? onednn_find_info(text) : NULL;
	if (task_info)
		call_change(task_info->id, task_info->m, task_info->n, task_info->k, frame);
}

static void task_end(const struct domain *domain)
{
	const struct onednn_info *info = task_info;
	const void *frame = task_frame;

	if (!frame || domain->string.meaning != NAME_ONEDNN)
		return;
	task_frame = NULL;
	if (info)
		onednn_end(&(struct onednn_call){frame, info});
	else
		call_leave(frame);
}

void __itt_api_init(struct table *table, int groups) __attribute__((visibility("default")));

/* Returns 1 if this library was preloaded, 0 if only ITT opened it. */
static int is_preloaded(void)
{
	void *program, *found;

	dlerror_save();
	program = loader_open(NULL);
	found = program ? dlsym_real(program, "__itt_api_init") : NULL;
	loader_close(program);
	dlerror_restore();
	return found == (void *)__itt_api_init;
}

/* A library with its own table reports for the first time. Functions that are not collected get
 * what they have without a collector, and so do all if this library was not preloaded. */
void __itt_api_init(struct table *table, int groups)
{
	static const unsigned char magic[] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};
	static const struct {
		const char *name;
		void *function;
	} functions[] = {
		{"__itt_domain_create", (void *)create},
		{"__itt_string_handle_create", (void *)create_string},
		{"__itt_task_begin", (void *)task_begin},
		{"__itt_task_end", (void *)task_end},
		{"__itt_formatted_metadata_add", (void *)metadata_add},
	};
	int collects = is_preloaded();

	if (memcmp(table->magic, magic, sizeof magic) || table->major != MAJOR ||
	    table->build <= OLD_BUILD)
		return;
	for (struct table_row *row = table->rows; row->name; row++) {
		void *function = row->none;

		for (size_t i = 0; i < sizeof functions / sizeof *functions && collects; i++)
			if (!strcmp(row->name, functions[i].name))
				function = functions[i].function;
		for (int i = 0; function == (void *)task_begin && i < PLACES_MAX; i++) {
			uintptr_t none = 0;

			if (__atomic_compare_exchange_n(&openers[i], &none, (uintptr_t)row->first,
							0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
				break;
		}
		__atomic_store_n(row->function, function, __ATOMIC_RELEASE);
	}
}
