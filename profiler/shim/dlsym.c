/* dlsym.c: dlsym() for the program: BLAS routines that it looks up itself come wrapped, all else is
 * the loader's. */
/* SPDX-License-Identifier: MIT
 *
 * What the loader would have given decides: where it is what the exported wrapper forwards to, the
 * answer is that wrapper; where it is another library's (a handle's own), a wrapper that is bound
 * to this very function; where it is nothing, nothing. Everything but names of the table, and
 * RTLD_NEXT, goes on to the real dlsym() by a jump: it looks at its return address.
 */
#include "shim/dlsym.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

#include "shim/signal_guard.h"
#include "base/early.h"
#include "blas/routines.h"
#include "shim/shim.h"

typedef void *(*dlsym_function)(void *, const char *);

/* Weak: a null address until this library is relocated. */
extern void *early_dlvsym(void *, const char *, const char *) __asm__("dlvsym")
	__attribute__((weak));

static dlsym_function real_dlsym;

EARLY void *dlsym_versioned(const char *name)
{
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
	void *found = NULL;

	for (size_t i = 0; !found && early_dlvsym && i < sizeof versions / sizeof *versions; i++)
		found = early_dlvsym(RTLD_NEXT, name, versions[i]);
	return found;
}

static EARLY dlsym_function find_real(void)
{
	dlsym_function found = __atomic_load_n(&real_dlsym, __ATOMIC_ACQUIRE);

	if (!found)
		found = (dlsym_function)dlsym_versioned("dlsym");
	__atomic_store_n(&real_dlsym, found, __ATOMIC_RELEASE);
	return found;
}

static __attribute__((constructor)) void find_real_early(void)
{
	find_real();
}

void *dlsym_real(void *handle, const char *name)
{
	dlsym_function real = find_real();
	void *symbol = real ? real(handle, name) : NULL;

	/* keeps the call above from becoming a jump: RTLD_NEXT is this library's */
	__asm__ volatile("" : "+r"(symbol));
	return symbol;
}

const void *own_base(void)
{
	static void *base;
	void *known = __atomic_load_n(&base, __ATOMIC_RELAXED);
	Dl_info info;

	if (!known && dladdr((void *)dlsym_real, &info)) {
		known = info.dli_fbase;
		__atomic_store_n(&base, known, __ATOMIC_RELAXED);
	}
	return known;
}

static int is_own(const void *symbol)
{
	Dl_info info;

	return dladdr(symbol, &info) && info.dli_fbase == own_base();
}

/* By entry, of those that have no name of their own: what dlsym() gave. */
static void *bound[ROUTINE_BASES][BOUND_COUNT];

void **dlsym_bound_slot(const struct entry *entry)
{
	size_t index = (size_t)(entry - blas_entries), at = index % (VARIANT_COUNT + BOUND_COUNT);

	if (at < VARIANT_COUNT || entry == &calibration_entry)
		return NULL;
	return &bound[index / (VARIANT_COUNT + BOUND_COUNT)][at - VARIANT_COUNT];
}

/* The wrapper that goes to this function and no other; the function itself when there is none left.
 */
static void *bind(unsigned id, void *function)
{
	void *wrapper = function;
	struct signal_guard guard;

	signal_guard_begin(&guard); /* a handler's call may come here too */
	pthread_mutex_lock(&shim_process->lookups_lock);
	for (int set = 0; set < BOUND_SETS; set++) {
		struct entry *entry = entry_bound(id, set);
		void **slot = dlsym_bound_slot(entry);

		if (*slot && (*slot != function || entry->id != id))
			continue;
		entry->id = id;
		__atomic_store_n(slot, function, __ATOMIC_RELEASE);
		wrapper = entry_stub(entry);
		break;
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
	signal_guard_end(&guard);
	if (wrapper == function)
		session_note_trouble(TROUBLE_LOOKUPS_FULL);
	return wrapper;
}

/* The program's answer for routine `id`, from what the loader gives. */
static void *answer(unsigned id, void *handle, const char *name, const void *caller)
{
	void *symbol = dlsym_real(handle, name), *next;

	if (!symbol)
		return NULL;
	next = dlsym_real(RTLD_NEXT, name);
	if (is_own(symbol)) { /* found here only because this library is preloaded */
		void *scoped =
			next || handle != RTLD_DEFAULT ? NULL : resolve_in_scope(name, caller);

		if (next)
			return symbol;
		if (!scoped)
			return dlsym_real(RTLD_NEXT, name); /* none: for dlerror() */
		symbol = scoped;
	}
	if (routine_variant_of(id) == &routine_variants[VARIANT_PLAIN] &&
	    !plain_is_blas(symbol, name))
		return symbol;
	return symbol == next ? entry_stub(entry_of(id)) : bind(id, symbol);
}

static int read_unloaded(struct dl_phdr_info *info, size_t bytes, void *unloaded)
{
	(void)bytes;
	*(unsigned long long *)unloaded = info->dlpi_subs;
	return 1;
}

/* Objects that were unloaded since the process began. */
static unsigned long long count_unloaded(void)
{
	unsigned long long unloaded = 0;

	dl_iterate_phdr(read_unloaded, &unloaded);
	return unloaded;
}

void *loader_open(const char *path)
{
	void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym_versioned("dlopen");

	return open ? open(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

void loader_close(void *handle)
{
	int (*close)(void *) = (int (*)(void *))dlsym_versioned("dlclose");

	if (close)
		close(handle);
}

static int (*real_dlclose)(void *);

static __attribute__((constructor)) void find_dlclose(void)
{
	real_dlclose = (int (*)(void *))dlsym_real(RTLD_NEXT, "dlclose");
}

/* The program unloads what it likes; what was found there is forgotten. */
int dlclose(void *handle) __attribute__((visibility("default")));
int dlclose(void *handle)
{
	unsigned long long before = count_unloaded();
	int status, saved;

	if (!real_dlclose)
		find_dlclose();
	status = real_dlclose(handle);
	saved = errno;
	if (count_unloaded() != before)
		resolve_forget();
	errno = saved;
	return status;
}

/* What the entry in assembly does: return `symbol`, or jump to `go_on` with the caller's own
 * arguments. */
struct dlsym_way {
	void *symbol;
	dlsym_function go_on;
};
struct dlsym_way dlsym_decide(void *handle, const char *name, const void *caller)
	__attribute__((visibility("hidden")));

EARLY struct dlsym_way dlsym_decide(void *handle, const char *name, const void *caller)
{
	struct dlsym_way way = {NULL, find_real()};
	size_t id;

	if (!way.go_on)
		return way; /* nor is any other data of this library's ready */
	if (handle == RTLD_NEXT || !name)
		return way;
	/* ThreadSanitizer, which is not ready yet either, asks with RTLD_DEFAULT */
	if (handle)
		way.symbol = jit_function(handle, name);
	if (way.symbol)
		way.go_on = NULL;
	id = routine_find(name);
	if (id == routine_ids_count)
		return way;
	way.symbol = answer((unsigned)id, handle, name, caller);
	if (way.symbol)
		dlerror(); /* another look-up may have failed, which is not the program's error */
	way.go_on = NULL;
	return way;
}

/* clang-format off */
#if defined(__x86_64__)
__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, @function\n"
	"dlsym:\n"
	"	endbr64\n"
	"	movq (%rsp), %rdx\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	subq $8, %rsp\n"
	"	call dlsym_decide\n"
	"	addq $8, %rsp\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	testq %rdx, %rdx\n"
	"	jz 1f\n"
	"	jmp *%rdx\n"
	"1:	ret\n"
	".size dlsym, . - dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl dlsym\n"
	".type dlsym, %function\n"
	"dlsym:\n"
	"	hint 34\n"
	"	stp x29, x30, [sp, -32]!\n"
	"	mov x29, sp\n"
	"	stp x0, x1, [sp, 16]\n"
	"	mov x2, x30\n"
	"	bl dlsym_decide\n"
	"	cbz x1, 1f\n"
	"	mov x16, x1\n"
	"	ldp x0, x1, [sp, 16]\n"
	"	ldp x29, x30, [sp], 32\n"
	"	br x16\n"
	"1:	ldp x29, x30, [sp], 32\n"
	"	ret\n"
	".size dlsym, . - dlsym\n");
#endif
/* clang-format on */
