/* calls.c: a small program of a hundred calls, or a part of one, as the rows of attacks.sh build
 * it. */
/* SPDX-License-Identifier: MIT
 *
 * Without a definition this is the program. OWN adds its own BLAS, OWN=N one that returns N, with
 * INDIRECT an indirect function. BEGINS builds a library whose constructor waits for a thread that
 * makes the calls, OPENS a program that opens libraries, number i with this flag, calls the routine
 * that it looks up in each, and closes them. PLUGIN builds a library of the calls, JNI the same for
 * Java; AUDIT a library for LD_AUDIT; WRAP a preload library that forwards calls, and with CLOSES
 * also prints a line for each dlclose(); VERSIONS a BLAS with two versions of a routine, with
 * HIDDEN only the older one; OLD the program, bound to the older version, with ADDRESS one that
 * also takes the routine's address; STRICT the program with children that may make no system
 * calls; FLOATS the program with its floating-point flags printed, or trapped if it has an
 * argument; BEFORE the program with another hundred calls before any library has begun. WHERE
 * builds a program, or a library that exports many(), which prints where functions are. VECTORS
 * builds a library whose functions have names of BLAS but take vectors by value, USES_VECTORS a
 * program that calls them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#ifdef FLOATS
#include <unistd.h>

#include "blasprof.h"
#endif
#ifdef STRICT
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#define ARGUMENTS                                                                                  \
	int order, int transa, int transb, int m, int n, int k, float alpha, const void *a,        \
		int lda, const void *b, int ldb, float beta, void *c, int ldc
#define PASSED order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc

#if defined(AUDIT)

unsigned la_version(unsigned version)
{
	return version;
}

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
	return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to,
		       unsigned *flags, const char *name)
{
	return symbol->st_value;
}

#elif defined(WRAP)

void cblas_sgemm(ARGUMENTS)
{
	void (*next)(ARGUMENTS) = dlsym(RTLD_NEXT, "cblas_sgemm");

	next(PASSED);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		dlsym(RTLD_NEXT, "pthread_create");

	return next(thread, how, run, with);
}

#ifdef CLOSES
int dlclose(void *object)
{
	int (*next)(void *) = dlsym(RTLD_NEXT, "dlclose");

	puts("closed");
	return next(object);
}
#endif

#elif defined(VERSIONS)

void older(ARGUMENTS);
void newer(ARGUMENTS);
__asm__(".symver older, cblas_sgemm@OLD");
#ifndef HIDDEN
__asm__(".symver newer, cblas_sgemm@@NEW");
#endif

void older(ARGUMENTS)
{
	*(float *)c = 1;
}

void newer(ARGUMENTS)
{
	*(float *)c = 2;
}

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
	return n;
}

#elif defined(OPENS)

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | (OPENS));
		void (*sgemm)(ARGUMENTS) = library ? dlsym(library, "cblas_sgemm") : NULL;
		float c[1] = {0};

		if (!library)
			return 2;
		if (sgemm)
			sgemm(101, 111, 111, 1, 1, 1, 0, c, 1, c, 1, 0, c, 1);
		printf("%s: %g\n", argv[i], c[0]);
	}
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_NOLOAD);

		if (!library || dlclose(library) || dlclose(library))
			return 2;
		printf("%s stays: %d\n", argv[i], !!dlopen(argv[i], RTLD_NOW | RTLD_NOLOAD));
	}
	return 6;
}

#elif defined(WHERE)

void cblas_sgemm(ARGUMENTS);
double ddot_(int *n, double *x, int *incx, double *y, int *incy);
int MPI_Barrier(void *group);
#pragma weak ddot_
#pragma weak MPI_Barrier

static void tell(const char *what, const void *address)
{
	const struct link_map *map = NULL;
	const ElfW(Sym) *symbol = NULL;
	Dl_info is = {0};

	printf("%s: %d", what, dladdr(address, &is));
	printf(" %s %s", is.dli_fname, is.dli_sname);
	if (is.dli_saddr)
		printf(" %#tx", (char *)is.dli_saddr - (char *)is.dli_fbase);
	if (dladdr1(address, &is, (void **)&map, RTLD_DL_LINKMAP) && map)
		printf(" %s %d", map->l_name, (void *)map->l_addr == is.dli_fbase);
	if (dladdr1(address, &is, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
		printf(" %lu", (unsigned long)symbol->st_size);
	printf("\n");
}

void many(int calls);
void many(int calls)
{
	void *other = dlopen(WHERE, RTLD_NOW | RTLD_LOCAL);
	float c[1] = {0};

	for (int i = 0; i <= calls; i++) {
		tell("BLAS", (void *)cblas_sgemm);
		if (i < calls)
			cblas_sgemm(101, 111, 111, 1, 1, 1, 0, c, 1, c, 1, 0, c, 1);
	}
	tell("BLAS in Fortran", (void *)ddot_);
	tell("MPI", (void *)MPI_Barrier);
	tell("BLAS by name", dlsym(RTLD_DEFAULT, "cblas_sgemm"));
	tell("BLAS of a library", dlsym(other, "cblas_sgemm"));
	tell("loader", (void *)dlopen);
	tell("loader by name", dlsym(RTLD_DEFAULT, "dlsym"));
	tell("own", (void *)many);
	tell("none", &c);
	tell("NULL", NULL);
	if (!dlopen("./none.so", RTLD_NOW))
		tell("BLAS after an error", (void *)cblas_sgemm);
	puts(dlerror());
	dlclose(other);
}

int main(void)
{
	many(2);
	printf("found: %d\n", dlsym(RTLD_DEFAULT, "cblas_sgemm") == (void *)cblas_sgemm);
	return 6;
}

#elif defined(VECTORS) || defined(USES_VECTORS)

typedef double four __attribute__((vector_size(32)));
typedef double eight __attribute__((vector_size(64)));
#define FOURS  four a, four b, four c, four d, four e, four f, four g, four h
#define EIGHTS eight a, eight b, eight c, eight d, eight e, eight f, eight g, eight h
#define SUM    (a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h)
__attribute__((target("avx"))) four daxpy(FOURS);
__attribute__((target("avx512f"))) eight dscal(EIGHTS);

#ifdef VECTORS
four daxpy(FOURS)
{
	return SUM;
}

eight dscal(EIGHTS)
{
	return SUM;
}
#else
static __attribute__((target("avx"))) void add_fours(void)
{
	four a = {1, 2, 3, 4}, sum = daxpy(a, a, a, a, a, a, a, a);

	for (int i = 0; i < 4; i++)
		printf("%g\n", sum[i]);
}

static __attribute__((target("avx512f"))) void add_eights(void)
{
	eight a = {1, 2, 3, 4, 5, 6, 7, 8}, sum = dscal(a, a, a, a, a, a, a, a);

	for (int i = 0; i < 8; i++)
		printf("%g\n", sum[i]);
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		if (__builtin_cpu_supports("avx"))
			add_fours();
		if (__builtin_cpu_supports("avx512f"))
			add_eights();
	}
	return 6;
}
#endif

#else

#ifdef OWN
#ifdef INDIRECT
#define cblas_sgemm chosen
#endif
void cblas_sgemm(ARGUMENTS);
void cblas_sgemm(ARGUMENTS)
{
	*(float *)c = OWN;
}
#ifdef INDIRECT
#undef cblas_sgemm
static void (*choose(void))(ARGUMENTS)
{
	return chosen;
}
void cblas_sgemm(ARGUMENTS) __attribute__((ifunc("choose")));
#endif
#else
void cblas_sgemm(ARGUMENTS);
#endif
#ifdef OLD
__asm__(".symver cblas_sgemm, cblas_sgemm@OLD");
#endif

static float result;
#ifdef ADDRESS
static void (*volatile address)(ARGUMENTS);
#endif

void hundred(void);
void hundred(void)
{
	float a[1] = {0}, b[1] = {0}, c[1] = {0};

#ifdef ADDRESS
	address = cblas_sgemm;
#endif
	for (int i = 0; i < 100; i++)
		cblas_sgemm(101, 111, 111, 1, 1, 1, 0, a, 1, b, 1, 0, c, 1);
	result = c[0];
}

#ifdef JNI
void Java_Calls_hundred(void *environment, void *class);
void Java_Calls_hundred(void *environment, void *class)
{
	hundred();
}
#endif

#ifdef STRICT
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);

static volatile char dispatch;

static int forbid(int way)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {4, steps};

	if (way == 0)
		return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	if (way == 1)
		return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#ifdef PR_SET_SYSCALL_USER_DISPATCH
	return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &dispatch);
#endif
	return 1;
}

/* The children may only exit, and call another routine for the first time. */
int main(void)
{
	double x[1] = {0};

	hundred();
	for (int way = 0; way < 3; way++) {
		pid_t child = fork();
		int status = 0;

		if (!child) {
			dispatch = !forbid(way);
			hundred();
			status = 7 + (int)cblas_ddot(2, x, 1, x, 1);
			dispatch = 0;
			syscall(SYS_exit, status);
		}
		waitpid(child, &status, 0);
		printf("%#x, %g\n", (unsigned)status, result);
	}
	return 6;
}
#elif defined(FLOATS)
/* Shapes that are new, calls after a pause, and marks. */
static void *call_and_test(void *is_trapped)
{
	float c[1];

	feclearexcept(FE_ALL_EXCEPT);
	fesetround(FE_UPWARD);
	if (is_trapped)
		feenableexcept(FE_ALL_EXCEPT);
	for (int m = 1; m <= 100; m++) {
		blasprof_region_begin("region");
		cblas_sgemm(101, 111, 111, m, 77777777, 33333333, 0, c, 1, c, 1, 0, c, 1);
		blasprof_progress(m == 50 ? 0.1 : 1);
		blasprof_region_end("region");
		hundred();
		if (m % 25 == 0)
			usleep(20000);
	}
	printf("flags %d, upward %d\n", fetestexcept(FE_ALL_EXCEPT), fegetround() == FE_UPWARD);
	return NULL;
}

int main(int argc, char **argv)
{
	void *is_trapped = argc > 1 ? argv : NULL;
	pthread_t thread;

	call_and_test(is_trapped);
	if (pthread_create(&thread, NULL, call_and_test, is_trapped) || pthread_join(thread, NULL))
		return 2;
	return 6;
}
#elif !defined(PLUGIN)
static void *begin(void *nothing)
{
	hundred();
	return nothing;
}

#ifdef BEGINS
static __attribute__((constructor)) void begin_library(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, begin, NULL) && !pthread_join(thread, NULL))
		printf("100 calls, %g\n", result);
}
#else
#ifdef BEFORE
static __attribute__((section(".preinit_array"), used)) void (*const before)(void) = hundred;
#endif

/* Half of the calls are in a thread. */
int main(void)
{
	pthread_t thread;

	hundred();
	if (pthread_create(&thread, NULL, begin, NULL) || pthread_join(thread, NULL))
		return 2;
	printf("200 calls, %g\n", result);
	return 6;
}
#endif
#endif
#endif
