/* dlsym.c: dlopen(), dlsym(), dlclose(), dlerror() and dladdr() for the program. BLAS routines that
 * it looks up come wrapped; all else is the loader's. */
/* SPDX-License-Identifier: MIT
 *
 * What the loader would have returned decides. If that is the function to which the exported
 * wrapper forwards, dlsym() returns that wrapper. If it is a function of another library (one found
 * by a handle), dlsym() returns a wrapper that is bound to this very function. If it is NULL,
 * dlsym() returns NULL. RTLD_NEXT and names that are not in the table go on to the real dlsym() by
 * a jump, since it looks at its return address. So does dlopen(), which needs the caller's RUNPATH.
 *
 * Every dlopen() and dlsym() clears the thread's last error and may set a new one. The program has
 * not asked for the look-ups of this library, so it must not see their errors. The C library keeps
 * one error for each thread, and has no way to set it. So an error that the program has not asked
 * for yet is kept here, and the C library is left with a stand-in error that no program causes. If
 * the program's next dlopen(), dlclose(), dlsym() or dlinfo() has replaced or cleared the stand-in,
 * the kept error is out of date.
 *
 * dladdr() and dladdr1() tell the program about the function behind a wrapper whose address it has.
 */
#include "shim/dlsym.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "shim/signal_guard.h"
#include "base/early.h"
#include "shim/objects.h"
#include "base/text.h"

/* No object has a symbol of this name. The error about it is the stand-in. */
#define STAND_IN    "blasprof has kept an error"

#define OWN_THREADS __thread __attribute__((tls_model("initial-exec")))

static void *real_dlsym, *real_dlerror, *real_dladdr, *real_dladdr1, *real_dlopen, *real_dlclose;
static OWN_THREADS char *kept_error; /* the program has not asked for it; or NULL */
static OWN_THREADS char *told_error; /* returned last, must live until the next dlerror() */
static OWN_THREADS unsigned save_depth;

/* Returns the C library's own function of a name in <dlfcn.h>, or NULL if this library is not
 * relocated yet: dlvsym is weak. */
static EARLY void *dlsym_versioned(const char *name)
{
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
	void *found = NULL;

	for (size_t i = 0; !found && dlvsym && i < sizeof versions / sizeof *versions; i++)
		found = dlvsym(RTLD_NEXT, name, versions[i]);
	return found ? found : objects_next(name);
}

static EARLY void *find_real(void **real, const char *name)
{
	void *found = __atomic_load_n(real, __ATOMIC_ACQUIRE);

	if (!found)
		found = dlsym_versioned(name);
	__atomic_store_n(real, found, __ATOMIC_RELEASE);
	return found;
}

/* That function of the name, with its type. */
#define REAL(name) ((__typeof__(&name))find_real(&real_##name, #name))

/* Before there can be an error, since these look-ups clear it. */
static __attribute__((constructor)) void find_real_early(void)
{
	if (REAL(dlsym) && REAL(dlerror) && REAL(dladdr))
		REAL(dladdr1);
}

void *dlsym_real(void *handle, const char *name)
{
	void *symbol = REAL(dlsym) ? REAL(dlsym)(handle, name) : NULL;

	/* the call above must not become a jump: RTLD_NEXT is relative to this library */
	__asm__ volatile("" : "+r"(symbol));
	return symbol;
}

/* Another library's constructor may have started a thread that looks as well. */
void *dlsym_next(void **real, const char *name)
{
	void *none = NULL;

	if (!__atomic_load_n(real, __ATOMIC_ACQUIRE)) {
		void *found = dlsym_real(RTLD_NEXT, name);

		if (!found)
			found = objects_next(name);
		__atomic_compare_exchange_n(real, &none, found, 0, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE);
	}
	return __atomic_load_n(real, __ATOMIC_ACQUIRE);
}

static char *ask_real_dlerror(void)
{
	return REAL(dlerror) ? REAL(dlerror)() : NULL;
}

static EARLY int is_stand_in(const char *error)
{
	return error && strstr(error, STAND_IN);
}

/* The program's own free() may ask dlerror(), which must not find the error that goes. The C
 * library's dlerror() frees nothing if there was no error, and so does this. */
static EARLY void drop(char *error)
{
	if (error)
		free(error);
}

void dlerror_save(void)
{
	const char *newest;
	char *old = kept_error;

	if (save_depth++)
		return;
	newest = ask_real_dlerror();
	if (is_stand_in(newest))
		return;
	kept_error = newest ? strdup(newest) : NULL;
	drop(old);
}

void dlerror_restore(void)
{
	if (--save_depth)
		return;
	ask_real_dlerror();
	if (kept_error)
		dlsym_real(RTLD_NEXT, STAND_IN);
}

/* Returns NULL before this library is relocated. */
EARLY EXPORT char *dlerror(void)
{
	char *newest, *told = told_error, *kept = kept_error;

	if (!REAL(dlerror))
		return NULL;
	newest = REAL(dlerror)();
	told_error = NULL;
	kept_error = NULL;
	drop(told);
	if (!is_stand_in(newest))
		drop(kept);
	else
		newest = told_error = kept;
	return newest;
}

/* The functions that dlsym() found for the entries without an exported name. */
static void *bound[ROUTINE_BASES][BOUND_COUNT];

void **dlsym_bound_slot(const struct entry *entry)
{
	size_t index = (size_t)(entry - blas_entries), at = index % (VARIANT_COUNT + BOUND_COUNT);

	if (at < VARIANT_COUNT || entry == &calibration_entry)
		return NULL;
	return &bound[index / (VARIANT_COUNT + BOUND_COUNT)][at - VARIANT_COUNT];
}

static unsigned long times_bound;

void dlsym_forget(struct entry *entry, int (*is_gone)(const void *))
{
	unsigned long before = __atomic_load_n(&times_bound, __ATOMIC_ACQUIRE);
	void **slot = dlsym_bound_slot(entry);
	void *function = slot ? __atomic_load_n(slot, __ATOMIC_ACQUIRE) : NULL;

	if (!is_gone(function))
		return;
	pthread_mutex_lock(&shim_process->lookups_lock);
	/* else another thread may have opened an object there and looked the function up */
	if (times_bound == before && *slot == function) {
		__atomic_store_n(&entry->function, NULL, __ATOMIC_RELEASE);
		__atomic_store_n(slot, NULL, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

/* Returns a wrapper that forwards to this function only, or the function itself if no wrapper is
 * free. */
static void *bind(unsigned id, void *function)
{
	void *wrapper = function;
	GUARD_SIGNALS; /* a signal handler's call may get here too */

	pthread_mutex_lock(&shim_process->lookups_lock);
	for (int set = 0; set < BOUND_SETS; set++) {
		struct entry *entry = entry_bound(id, set);
		void **slot = dlsym_bound_slot(entry);

		if (*slot && (*slot != function || entry->id != id))
			continue;
		entry->id = id;
		entry->is_bound = IS_BOUND;
		__atomic_store_n(slot, function, __ATOMIC_RELEASE);
		__atomic_store_n(&times_bound, times_bound + 1, __ATOMIC_RELEASE);
		wrapper = entry_stub(entry);
		break;
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
	if (wrapper == function)
		session_note_trouble(TROUBLE_LOOKUPS_FULL);
	return wrapper;
}

/* Fails as the look-up would fail without this library. The loader's error begins with the path of
 * the object in which it searched, or of the one that asked: that with the address `object`. */
static void *fail_look_up(const char *name, const void *object)
{
	static const char text[] = ": undefined symbol: ";
	struct object asks = {.name = program_invocation_name};
	size_t bytes = strlen(name) + sizeof text;
	char *error;

	object_find(object, &asks);
	bytes += strlen(asks.name);
	error = calloc(1, bytes);
	dlerror_save();
	drop(kept_error);
	kept_error = error;
	if (error)
		text_add(text_add(text_add(error, error + bytes, asks.name), error + bytes, text),
			 error + bytes, name);
	dlerror_restore();
	return NULL;
}

/* Returns what dlsym() returns for the name with the number `id`. */
static void *look_up(size_t id, void *handle, const char *name, const void *caller)
{
	void *symbol = dlsym_real(handle, name), *next, *own = NULL;
	struct object object;
	int is_at_start;

	if (!symbol)
		return NULL;
	next = dlsym_real(RTLD_NEXT, name);
	is_at_start = object_find(next, &object) && object.was_at_start;
	if (object_is_own(symbol)) {
		if (is_at_start)
			return symbol;
		/* found only because this library is preloaded */
		own = symbol;
		symbol = next;
		if (!symbol && handle == RTLD_DEFAULT)
			symbol = resolve_in_scope(name, caller);
		if (!symbol)
			return fail_look_up(name, handle ? ((const struct link_map *)handle)->l_ld
							 : caller);
	}
	if (id >= KEY_MPI) /* the wrapper finds it, too */
		return own ? own : symbol;
	/* in a program at a fixed address: code that jumps to this library's wrapper, and has the
	 * address that the program takes for the function's */
	if (symbol != next && object_find(symbol, &object) && !object.base) {
		const void *defined = object_symbol(&object, name);

		if (defined && defined != symbol)
			return symbol;
	}
	if (routine_variant_of(id) == &routine_variants[VARIANT_PLAIN] &&
	    !plain_is_blas(symbol, name))
		return symbol;
	if (symbol == next && is_at_start)
		return entry_stub(entry_of(id));
	if (handle == RTLD_DEFAULT) { /* the loader keeps the library loaded for the caller */
		GUARD_SIGNALS;
		if (!resolve_known(KEY_FOUND + id, caller))
			resolve_remember(KEY_FOUND + id, caller, symbol);
	}
	return bind((unsigned)id, symbol);
}

/* Returns the address that the caller would have without this library. That is the
 * start of a function: an address within a wrapper is one of this library, as in a backtrace. */
static EARLY const void *address_behind(const void *address, const void *caller)
{
	const void *function = NULL;
	const struct entry *entry;
	char name[ROUTINE_NAME_MAX];
	Dl_info own;

	if (!object_is_own(address))
		return address;
	entry = entry_at(address);
	if (entry && dlsym_bound_slot(entry))
		function = __atomic_load_n(dlsym_bound_slot(entry), __ATOMIC_ACQUIRE);
	else if (entry)
		function = resolve_name(routine_name(entry->id, name), caller);
	else if (REAL(dladdr) && REAL(dladdr)(address, &own) && own.dli_saddr == address)
		function = resolve_name(own.dli_sname, caller);
	return function ? function : address;
}

/* Return 0 before this library is relocated. */
EARLY EXPORT int dladdr(const void *address, Dl_info *info)
{
	address = address_behind(address, __builtin_return_address(0));
	return REAL(dladdr) ? REAL(dladdr)(address, info) : 0;
}

EARLY EXPORT int dladdr1(const void *address, Dl_info *info, void **more, int flags)
{
	address = address_behind(address, __builtin_return_address(0));
	return REAL(dladdr1) ? REAL(dladdr1)(address, info, more, flags) : 0;
}

static int read_unloaded(struct dl_phdr_info *info, size_t bytes, void *unloaded)
{
	*(unsigned long long *)unloaded = info->dlpi_subs;
	return 1;
}

/* Returns a number that is another one after an object was unloaded. */
static unsigned long long count_unloaded(void)
{
	unsigned long long unloaded = 0;

	objects_locked(read_unloaded, &unloaded);
	return unloaded;
}

/* Set once destructors run. Then dlopen() would run the constructors again of libraries whose
 * destructors have run. */
static int is_ending;

static __attribute__((destructor)) void note_end(void)
{
	__atomic_store_n(&is_ending, 1, __ATOMIC_RELAXED);
}

struct link_map *loader_open(const char *path)
{
	return !__atomic_load_n(&is_ending, __ATOMIC_RELAXED) && REAL(dlopen)
		       ? REAL(dlopen)(path, RTLD_LAZY | RTLD_NOLOAD)
		       : NULL;
}

void loader_close(void *handle)
{
	if (handle && REAL(dlclose))
		REAL(dlclose)(handle);
}

/* The program may unload libraries: forgets the functions that were found in them. */
EXPORT int dlclose(void *handle)
{
	static void *next_dlclose;
	unsigned long long before = count_unloaded();
	int status, saved;

	resolve_closing(1);
	resolve_hold();
	status = NEXT(dlclose)(handle);
	saved = errno;
	while (count_unloaded() != before) {
		before = count_unloaded();
		resolve_forget();
	}
	__atomic_add_fetch(&objects_closed, 1, __ATOMIC_RELAXED);
	resolve_closing(-1);
	errno = saved;
	return status;
}

/* What dlsym() and dlopen(), in assembly below, do: return `symbol` if `real` is NULL, otherwise
 * jump to `real` with the caller's own arguments. */
struct decision {
	void *symbol, *real;
};
struct decision dlsym_decide(void *handle, const char *name, const void *caller)
	__attribute__((visibility("hidden")));
struct decision dlopen_decide(const char *path, int mode) __attribute__((visibility("hidden")));

struct decision dlopen_decide(const char *path, int mode)
{
	static void *next_dlopen;

	if (path && mode & RTLD_GLOBAL)
		resolve_bound();
	return (struct decision){NULL, dlsym_next(&next_dlopen, "dlopen")};
}

EARLY struct decision dlsym_decide(void *handle, const char *name, const void *caller)
{
	struct decision decision = {NULL, find_real(&real_dlsym, "dlsym")};
	size_t id;

	/* without the real dlsym() this library is not relocated yet, and may use no other data */
	if (!decision.real || !name)
		return decision;
	if (handle == RTLD_NEXT)
		return decision;
	/* ThreadSanitizer, which is not ready yet either, asks with RTLD_DEFAULT */
	if (handle)
		decision.symbol = jit_function(handle, name);
	if (decision.symbol)
		decision.real = NULL;
	id = resolve_find(name);
	if (id == KEY_FOUND)
		return decision;
	decision.symbol = look_up(id, handle, name, caller);
	if (decision.symbol)
		dlerror(); /* clears the error of an internal look-up */
	decision.real = NULL;
	return decision;
}

/* Asks `decide` about the look-up, with the caller's address, and does what it says. */
/* clang-format off */
#if defined(__x86_64__)
#define LOOK_UP(decide)                                                                            \
	"	endbr64\n"                                                                         \
	"	movq (%rsp), %rdx\n"                                                               \
	"	pushq %rdi\n"                                                                      \
	"	pushq %rsi\n"                                                                      \
	"	subq $8, %rsp\n"                                                                   \
	"	call " #decide "\n"                                                                \
	"	addq $8, %rsp\n"                                                                   \
	"	popq %rsi\n"                                                                       \
	"	popq %rdi\n"                                                                       \
	"	testq %rdx, %rdx\n"                                                                \
	"	jz 1f\n"                                                                           \
	"	jmp *%rdx\n"                                                                       \
	"1:	ret\n"
#elif defined(__aarch64__)
#define LOOK_UP(decide)                                                                            \
	"	hint 34\n"                                                                         \
	"	stp x29, x30, [sp, -32]!\n"                                                        \
	"	mov x29, sp\n"                                                                     \
	"	stp x0, x1, [sp, 16]\n"                                                            \
	"	mov x2, x30\n"                                                                     \
	"	bl " #decide "\n"                                                                  \
	"	cbz x1, 1f\n"                                                                      \
	"	mov x16, x1\n"                                                                     \
	"	ldp x0, x1, [sp, 16]\n"                                                            \
	"	ldp x29, x30, [sp], 32\n"                                                          \
	"	br x16\n"                                                                          \
	"1:	ldp x29, x30, [sp], 32\n"                                                          \
	"	ret\n"
#endif
#define DECIDED(name, decide)                                                                      \
	__asm__(".text\n"                                                                          \
		".globl " #name "\n"                                                               \
		".type " #name ", STT_FUNC\n"                                                      \
		#name ":\n"                                                                        \
		LOOK_UP(decide)                                                                    \
		".size " #name ", . - " #name "\n");
DECIDED(dlsym, dlsym_decide)
DECIDED(dlopen, dlopen_decide)
/* clang-format on */
