/* buffers.c: with fewer units than threads, each thread that calls OpenBLAS has a buffer of its own. */
/* SPDX-License-Identifier: MIT
 *
 * OpenBLAS copies what it multiplies into a buffer that a call takes from a pool: the first that is free. Calls that
 * queue for one unit never overlap, so all would take the same, and each find in it what another CPU has written: in
 * two threads of small products they took 1.1 to 1.4 times as long. Threads that share a unit in hardware overlap in
 * BLAS, and have a buffer each.
 *
 * The pool has at least twice as many buffers as OpenBLAS may have threads, and the program suffers when it is empty.
 * Threads keep no more than a quarter of it; and when half of it is out, a buffer that its keeper does not use serves
 * whoever needs one before the pool is asked. What a thread kept stays here when it ends, for the next one.
 */
#include "shim/shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shim/dlsym.h"
#include "shim/slots.h"

#define TAKE	 "blas_memory_alloc"
#define GIVE	 "blas_memory_free"
#define KEPT_MAX 32

typedef void *(*take_function)(int);
typedef void (*give_function)(void *);

static take_function pool_take; /* NULL: no thread keeps any */
static give_function pool_give;
static int half_pool; /* so many of its buffers, or fewer, are half of them */
static int out;	 /* of the pool, as far as it is known */
static int ended; /* the process ends: the pool is taken apart, maybe */

/* Forked children have what their parents kept, but not their threads. */
static struct {
	_Alignas(64) uint64_t keeper; /* the token of the process that a thread keeps it in; 0: nobody does */
	void *buffer; /* NULL: none yet */
	int taken;    /* a call uses it */
} kept[KEPT_MAX];
static unsigned kept_max;

static int take_kept(unsigned i)
{
	int idle = 0;

	return __atomic_load_n(&kept[i].buffer, __ATOMIC_ACQUIRE) &&
	       __atomic_compare_exchange_n(&kept[i].taken, &idle, 1, 0, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static void *take_from_pool(int where)
{
	__atomic_add_fetch(&out, 1, __ATOMIC_RELAXED);
	return pool_take(where);
}

/* A place to keep one at, with a buffer that nobody uses, or none. Returns 1 + its number; 0: there is none. */
static unsigned find_place(uint64_t token)
{
	for (unsigned i = 0; i < kept_max; i++) {
		uint64_t keeper = __atomic_load_n(&kept[i].keeper, __ATOMIC_RELAXED);

		if (keeper != token && !__atomic_load_n(&kept[i].taken, __ATOMIC_RELAXED) &&
		    __atomic_compare_exchange_n(&kept[i].keeper, &keeper, token, 0,
						__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return i + 1;
	}
	return 0;
}

static void leave_place(unsigned place)
{
	if (place)
		__atomic_store_n(&kept[place - 1].keeper, 0, __ATOMIC_RELEASE);
}

/* The thread's place. A signal handler's call may have found it one meanwhile. */
static unsigned own_place(struct shim_thread *thread)
{
	unsigned place = __atomic_load_n(&thread->kept, __ATOMIC_RELAXED), none = 0;

	if (place)
		return place;
	place = find_place(thread->owner);
	if (__atomic_compare_exchange_n(&thread->kept, &none, place, 0, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		return place;
	leave_place(place);
	return none;
}

/* The one that the thread keeps, or keeps from now on; NULL: none, or another call uses it. The place is taken before it
 * is filled: a signal handler's call finds it so. */
static void *take_own(struct shim_thread *thread, int where)
{
	unsigned place = own_place(thread);
	int idle = 0;
	void *buffer;

	if (!place || !__atomic_compare_exchange_n(&kept[place - 1].taken, &idle, 1, 0,
						   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return NULL;
	buffer = __atomic_load_n(&kept[place - 1].buffer, __ATOMIC_ACQUIRE);
	if (!buffer && __atomic_load_n(&out, __ATOMIC_RELAXED) < half_pool) {
		buffer = take_from_pool(where);
		__atomic_store_n(&kept[place - 1].buffer, buffer, __ATOMIC_RELEASE);
	}
	if (!buffer)
		__atomic_store_n(&kept[place - 1].taken, 0, __ATOMIC_RELEASE);
	return buffer;
}

/* In place of OpenBLAS's own. A thread that does not attach never says when it ends. What keep_of() has written before it
 * changed the way here is seen. */
static void *take_buffer(int where)
{
	struct shim_thread *thread = &shim_self;
	void *own = NULL;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&ended, __ATOMIC_RELAXED))
		return take_from_pool(where);
	if (thread->owner == process_token())
		own = take_own(thread, where);
	if (own)
		return own;
	if (__atomic_load_n(&out, __ATOMIC_RELAXED) >= half_pool)
		for (unsigned i = 0; i < kept_max; i++)
			if (take_kept(i))
				return kept[i].buffer;
	return take_from_pool(where);
}

/* 1 where it is the one kept there. */
static int give_kept(unsigned i, const void *buffer)
{
	if (__atomic_load_n(&kept[i].buffer, __ATOMIC_ACQUIRE) != buffer)
		return 0;
	__atomic_store_n(&kept[i].taken, 0, __ATOMIC_RELEASE);
	return 1;
}

/* The thread's own first: the others' places are being written to. */
static void give_buffer(void *buffer)
{
	unsigned own = shim_self.kept;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (own && give_kept(own - 1, buffer))
		return;
	for (unsigned i = 0; buffer && i < kept_max; i++)
		if (give_kept(i, buffer))
			return;
	__atomic_sub_fetch(&out, 1, __ATOMIC_RELAXED);
	pool_give(buffer);
}

void buffers_thread_end(struct shim_thread *thread)
{
	leave_place(thread->kept);
	thread->kept = 0;
}

void buffers_process_end(void)
{
	__atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
}

/* A buffer is some 100 MB of addresses, of which little is touched: not where these are counted. */
static int addresses_are_scarce(void)
{
	struct rlimit all, data;
	int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
	char never = '0';

	if (fd >= 0) {
		if (read(fd, &never, 1) != 1)
			never = '0';
		close(fd);
	}
	return never == '2' || getrlimit(RLIMIT_AS, &all) || getrlimit(RLIMIT_DATA, &data) ||
	       all.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY;
}

/* "... MAX_THREADS=64": what the library was built for; 0: for one. */
static int threads_built_for(const char *config)
{
	const char *number = strstr(config, "MAX_THREADS=");

	return number ? (int)strtol(number + strlen("MAX_THREADS="), NULL, 10) : 0;
}

/* One pool in a process: the first. Some of its buffers have been with OpenBLAS's own threads from the start. */
static void keep_of(take_function take, give_function give, int threads, int workers,
		    const struct slot_order *order)
{
	pthread_mutex_lock(&shim_process->buffers_lock);
	if (!pool_take && threads > 1) {
		half_pool = threads;
		out = workers;
		kept_max = threads / 2 < KEPT_MAX ? (unsigned)threads / 2 : KEPT_MAX;
		pool_give = give;
		pool_take = take;
		__atomic_thread_fence(__ATOMIC_RELEASE);
	}
	if (pool_take == take)
		slots_redirect(order);
	pthread_mutex_unlock(&shim_process->buffers_lock);
}

void buffers_thread_start(void)
{
	if (!shim_session.units || pthread_mutex_trylock(&shim_process->buffers_lock))
		return;
	slots_renew();
	pthread_mutex_unlock(&shim_process->buffers_lock);
}

/* Routines may lie in one object and the pool in another: Debian's libblas.so.3 calls libopenblas.so.0, and so does its
 * liblapack.so.3. OpenBLAS may have been built to give each thread a buffer itself (USE_TLS). */
static void keep_in(void *library)
{
	const char *(*config)(void) =
		(const char *(*)(void))dlsym_real(library, "openblas_get_config");
	int (*threads)(void) = (int (*)(void))dlsym_real(library, "openblas_get_num_threads");
	void *take = dlsym_real(library, TAKE), *give = dlsym_real(library, GIVE);
	const struct slot_change changes[] = {{GIVE, give, (void *)give_buffer},
					      {TAKE, take, (void *)take_buffer}};
	struct slot_order order = {.changes = changes, .count = 2};
	struct link_map *map = NULL, *defines = NULL;
	Dl_info info;

	if (!config || !take || !give || dlsym_real(library, "blas_thread_memory_cleanup") ||
	    dlinfo(library, RTLD_DI_LINKMAP, &map) ||
	    !dladdr1(take, &info, (void **)&defines, RTLD_DL_LINKMAP))
		return;
	order.is_global = dlsym_real(RTLD_DEFAULT, TAKE) == take;
	order.bases[0] = map->l_addr;
	order.bases[1] = defines->l_addr;
	keep_of((take_function)take, (give_function)give, threads_built_for(config()),
		threads ? threads() - 1 : 0, &order);
}

void buffers_keep(const char *path)
{
	void *library = shim_session.units && !addresses_are_scarce()
				? dlopen(path, RTLD_LAZY | RTLD_NOLOAD)
				: NULL;

	if (!library)
		return;
	keep_in(library);
	dlclose(library);
}
