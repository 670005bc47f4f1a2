/* unwind_test.c: parses sample sample_records, keeps stacks in a tree, unwinds stacks of its own,
 * and finds the reasons of waits. */
/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "sampling/timeline.h"
#include "sampling/collect.h"
#include "tests/unit.h"

#define NOINLINE __attribute__((noinline))

enum { COPY_WORDS = 4096 }; /* AMX makes the frame of a signal large */

/* The compiler does not know the value, and so makes no copies of functions for it. */
static volatile int depth = 3;

static struct address_table addresses;
static struct address_space *space;
static struct frame_rules *rules;

/* The registers and the stack in take_copy(). */
static struct {
	uint64_t regs[SAMPLE_REGS];
	uint64_t stack[COPY_WORDS];
	size_t bytes;
} copy;
static uint64_t stack_end;

#if defined __x86_64__
#define READ_REGS(regs)                                                                            \
	__asm__ volatile("mov %%rbp, %0\n\tmov %%rsp, %1\n\tlea 0(%%rip), %2"                      \
			 : "=&r"((regs)[SAMPLE_REG_FP]), "=&r"((regs)[SAMPLE_REG_SP]),             \
			   "=&r"((regs)[SAMPLE_REG_IP]))
#else
#define READ_REGS(regs)                                                                            \
	__asm__ volatile("mov %0, x29\n\tmov %1, x30\n\tmov %2, sp\n\tadr %3, ."                   \
			 : "=&r"((regs)[SAMPLE_REG_FP]), "=&r"((regs)[SAMPLE_REG_LR]),             \
			   "=&r"((regs)[SAMPLE_REG_SP]), "=&r"((regs)[SAMPLE_REG_IP]))
#endif

/* Copies the stack as the kernel does, with what lies between the variables. No sanitizer lets
 * memcpy() read that. */
static NOINLINE __attribute__((no_sanitize("address"))) int take_copy(int n)
{
	const volatile unsigned char *from;

	READ_REGS(copy.regs);
	from = (const volatile unsigned char *)copy.regs[SAMPLE_REG_SP];
	copy.bytes = stack_end - copy.regs[SAMPLE_REG_SP];
	if (copy.bytes > sizeof copy.stack)
		copy.bytes = sizeof copy.stack;
	for (size_t i = 0; i < copy.bytes; i++)
		((unsigned char *)copy.stack)[i] = from[i];
	return n + 1;
}

/* This frame is large; that of its caller is aligned, which needs a frame pointer. */
static NOINLINE int go_deeper(int n)
{
	volatile char room[300];

	room[n] = 1;
	return take_copy(n) + room[n];
}

static NOINLINE int go_deep(int n)
{
	volatile char room[64] __attribute__((aligned(64)));

	room[n % 64] = 1;
	return go_deeper(n) + room[n % 64];
}

static void add_mapping(const char *line)
{
	struct mapping map;
	char path[256] = "", flags[8];

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %255s", &map.start,
		   &map.end, flags, &map.offset, path) < 4)
		return;
	if (!strcmp(path, "[stack]"))
		stack_end = map.end;
	if (flags[2] != 'x' || *path != '/')
		return;
	map.object =
		address_table_object(&addresses, path, &(struct file_id){0}, (uint32_t)getpid());
	address_space_map(space, &map);
}

static void setup(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	ck_assert_ptr_nonnull(maps);
	address_table_init(&addresses);
	space = address_space_copy(NULL);
	rules = frame_rules_new();
	while (fgets(line, sizeof line, maps))
		add_mapping(line);
	fclose(maps);
	go_deep(depth);
}

static void teardown(void)
{
	frame_rules_free(rules);
	address_space_free(space);
	address_table_free(&addresses);
}

static struct unwound unwind_from(const uint64_t *regs, const void *stack, size_t bytes)
{
	struct unwinder unwinder = {&addresses, space, rules};
	struct sample_record sample = {.regs = regs, .stack = stack, .stack_bytes = bytes};
	struct unwound unwound;

	unwind_sample(&unwinder, &sample, &unwound);
	return unwound;
}

static struct unwound unwind(size_t bytes)
{
	return unwind_from(copy.regs, copy.stack, bytes);
}

/* Returns 1 if the n-th frame is near the start of the function. */
static int is_in(const struct unwound *unwound, size_t n, int (*function)(int))
{
	const struct mapping *map = address_space_find(space, (uint64_t)(uintptr_t)function);
	uint64_t key = addresses.keys[unwound->addresses[n]];
	uint64_t start = (uint64_t)(uintptr_t)function - map->start + map->offset;

	return n < unwound->count && address_object(key) == map->object &&
	       address_offset(key) >= start && address_offset(key) < start + 512;
}

FIXTURE(setup, teardown)

TEST(own_stack)
{
	struct unwound unwound = unwind(copy.bytes);

	ck_assert_uint_gt(unwound.count, 4);
	ck_assert(is_in(&unwound, 0, take_copy));
	ck_assert(is_in(&unwound, 1, go_deeper));
	ck_assert(is_in(&unwound, 2, go_deep));
	ck_assert_int_eq(unwound.whole, 1);
}

#if defined __x86_64__
static void handle(int number)
{
	go_deep(depth);
}

static NOINLINE int interrupt(int n)
{
	return raise(SIGUSR1) + n;
}

/* The stack of a signal handler continues with what it interrupted. */
TEST(signal_handlers)
{
	struct unwound unwound;
	size_t found = 0;

	ck_assert(signal(SIGUSR1, handle) != SIG_ERR);
	ck_assert_int_eq(interrupt(depth), depth);
	unwound = unwind(copy.bytes);
	while (found < unwound.count && !is_in(&unwound, found, interrupt))
		found++;
	ck_assert_uint_lt(found, unwound.count);
	ck_assert_int_eq(unwound.whole, 1);
}
#endif

/* Unwinding a part of the copy finds the inner part of the frames. */
TEST(short_copies)
{
	struct unwound all = unwind(copy.bytes);

	for (size_t bytes = 0; bytes < copy.bytes; bytes += 8) {
		struct unwound some = unwind(bytes);

		ck_assert_uint_ge(some.count, 1);
		ck_assert_uint_le(some.count, all.count);
		ck_assert(!memcmp(some.addresses, all.addresses,
				  some.count * sizeof *some.addresses));
		ck_assert(!some.whole || some.count == all.count);
	}
	ck_assert_int_eq(unwind(64).whole, 0);
}

/* Unwinding random bytes ends. */
TEST(random_stacks)
{
	unsigned int seed = 7;
	uint64_t base = copy.regs[SAMPLE_REG_SP];

	for (int round = 0; round < 20000; round++) {
		for (int word = 0; word < 64; word++) {
			uint64_t code =
				(uint64_t)(uintptr_t)go_deep + (uint64_t)rand_r(&seed) % 400;

			copy.stack[word] =
				rand_r(&seed) % 3 ? code : base + (uint64_t)rand_r(&seed) % 512;
		}
		for (int reg = 0; reg < SAMPLE_REGS; reg++)
			copy.regs[reg] = rand_r(&seed) % 2 ? base + (uint64_t)rand_r(&seed) % 512
							   : copy.regs[reg];
		copy.regs[SAMPLE_REG_SP] = base;
		copy.regs[SAMPLE_REG_IP] =
			(uint64_t)(uintptr_t)go_deep + (uint64_t)rand_r(&seed) % 400;
		ck_assert_uint_le(unwind(512).count, UNWIND_DEPTH_MAX);
	}
}

#if defined __x86_64__
/* The stack before an instruction, copied as the kernel does it, and the frames that libunwind
 * finds there, innermost first. */
enum { STEPS_MAX = 6000, STEP_BYTES = 16384 };
#define TRAP_FLAG 0x100

struct step {
	uint64_t regs[SAMPLE_REGS];
	size_t bytes;
	char stack[STEP_BYTES];
	uint64_t ips[UNWIND_DEPTH_MAX]; /* of a caller, its return address - 1 */
	size_t nips;
};
static struct step *steps;
static volatile size_t nsteps;
static volatile sig_atomic_t stepping;

static __attribute__((no_sanitize("address"))) void take_step(int number, siginfo_t *info,
							      void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const volatile char *from = (const volatile char *)regs[REG_RSP];
	struct step *step = &steps[nsteps];
	unw_cursor_t cursor;
	unw_word_t ip;

	if (!stepping || nsteps == STEPS_MAX) {
		regs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	regs[REG_EFL] |= TRAP_FLAG;
	step->regs[SAMPLE_REG_BX] = (uint64_t)regs[REG_RBX];
	step->regs[SAMPLE_REG_R10] = (uint64_t)regs[REG_R10];
	step->regs[SAMPLE_REG_FP] = (uint64_t)regs[REG_RBP];
	step->regs[SAMPLE_REG_SP] = (uint64_t)regs[REG_RSP];
	step->regs[SAMPLE_REG_IP] = (uint64_t)regs[REG_RIP];
	step->bytes = stack_end - (uint64_t)regs[REG_RSP];
	if (step->bytes > STEP_BYTES)
		step->bytes = STEP_BYTES;
	for (size_t i = 0; i < step->bytes; i++)
		step->stack[i] = from[i];
	if (unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME))
		abort();
	do {
		unw_get_reg(&cursor, UNW_REG_IP, &ip);
		ip -= step->nips > 0;
		if (!address_space_find(space, ip))
			break;
		step->ips[step->nips++] = ip;
	} while (step->nips < UNWIND_DEPTH_MAX && unw_step(&cursor) > 0);
	nsteps++;
}

/* Steps through the function. */
static void take_steps(int (*function)(int))
{
	struct sigaction action = {.sa_sigaction = take_step, .sa_flags = SA_SIGINFO};

	steps = calloc(STEPS_MAX, sizeof *steps);
	ck_assert_ptr_nonnull(steps);
	nsteps = 0;
	function(depth); /* binds the symbols */
	sigaction(SIGTRAP, &action, NULL);
	stepping = 1;
	raise(SIGTRAP);
	function(depth);
	stepping = 0;
}

static struct unwound unwind_step(const struct step *step)
{
	return unwind_from(step->regs, step->stack, step->bytes);
}

static int compare_ints(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* Aligns the stack and has a block of variable size: the CFI of its frame, and of its caller's
 * frame pointer, are expressions. */
static NOINLINE int go_aligned(int n)
{
	volatile char room[64] __attribute__((aligned(64)));
	volatile char *block = __builtin_alloca((size_t)n + 1);

	room[n] = block[n] = 1;
	return go_deep(n) + room[n] + block[n];
}

/* Needs its frame pointer after the call. */
static NOINLINE int call_aligned(int n)
{
	volatile char *block = __builtin_alloca((size_t)n + 1);

	block[n] = 1;
	return go_aligned(n) + block[n];
}

/* Makes calls of several depths, through PLTs and from the C library. */
static NOINLINE int work(int n)
{
	int numbers[] = {n, 5, 2, 9, 1};
	char text[64];

	qsort(numbers, 5, sizeof *numbers, compare_ints);
	snprintf(text, sizeof text, "%d %s %.3f", numbers[2], "words", 2.5 * n);
	return call_aligned(n) + (int)strtod(text, NULL);
}

/* libunwind finds the same frames before each instruction: in prologues, epilogues and PLTs, with
 * and without frame pointers. */
TEST(same_frames_as_libunwind)
{
	size_t frames = 0;

	take_steps(work);
	for (size_t i = 0; i < nsteps; i++) {
		const uint64_t *ips = steps[i].ips;
		struct unwound unwound = unwind_step(&steps[i]);

		ck_assert_msg(unwound.count == steps[i].nips,
			      "step %zu at %#" PRIx64 ": %zu frames, libunwind %zu", i,
			      steps[i].regs[SAMPLE_REG_IP], unwound.count, steps[i].nips);
		for (size_t at = 0; at < unwound.count; at++) {
			const struct mapping *map = address_space_find(space, ips[at]);

			ck_assert_uint_eq(
				addresses.keys[unwound.addresses[at]],
				address_key(map->object, ips[at] - map->start + map->offset));
		}
		frames += unwound.count;
	}
	ck_assert_uint_gt(nsteps, 1000);
	ck_assert_uint_gt(frames, 4 * nsteps);
	free(steps);
}

/* Functions without CFI, as OpenBLAS's kernels for Zen, with and without an aligned buffer. They
 * count down from n, with numbers in the registers of the caller. */
int small_kernel(int n), aligned_kernel(int n);
extern const char small_kernel_end[], aligned_kernel_end[];
#define COUNT_DOWN "mov $7, %ebp\n\tmov $1, %eax\n1:\tdec %edi\n\tjne 1b\n"
__asm__(".text\n"
	".type small_kernel, @function\n"
	"small_kernel: sub $0x28, %rsp\n"
	"mov %rbx, (%rsp)\n"
	"mov %rbp, 0x8(%rsp)\n"
	"movsd %xmm0, 0x18(%rsp)\n"
	"mov $5, %ebx\n" COUNT_DOWN "small_kernel_end: mov (%rsp), %rbx\n"
	"mov 0x8(%rsp), %rbp\n"
	"add $0x28, %rsp\n"
	"ret\n"
	".size small_kernel, . - small_kernel\n"
	".type aligned_kernel, @function\n"
	"aligned_kernel: push %rbp\n"
	"push %r12\n"
	"add $-0x18, %rsp\n"
	"mov %rbx, (%rsp)\n"
	"mov %rsp, %rbx\n"
	"sub $0x1080, %rsp\n"
	"and $-4096, %rsp\n" COUNT_DOWN "aligned_kernel_end: mov %rbx, %rsp\n"
	"mov (%rsp), %rbx\n"
	"add $0x18, %rsp\n"
	"pop %r12\n"
	"pop %rbp\n"
	"ret\n"
	".size aligned_kernel, . - aligned_kernel\n");

static NOINLINE int call_kernels(int n)
{
	volatile char room[64] __attribute__((aligned(64)));

	room[n % 64] = 1;
	return small_kernel(n) + aligned_kernel(n) + room[n % 64];
}

/* All instructions of the function have the same callers as its first one. */
static void check_kernel(int (*kernel)(int), const char *end)
{
	uint64_t start = (uint64_t)(uintptr_t)kernel;
	struct unwound first = {.count = 0};
	size_t seen = 0;

	for (size_t i = 0; i < nsteps; i++) {
		uint64_t ip = steps[i].regs[SAMPLE_REG_IP];
		struct unwound unwound;

		if (ip < start || ip >= (uint64_t)(uintptr_t)end)
			continue;
		unwound = unwind_step(&steps[i]);
		if (ip == start)
			first = unwound;
		ck_assert(is_in(&unwound, 1, call_kernels));
		ck_assert_int_eq(unwound.whole, 1);
		ck_assert_uint_eq(unwound.count, first.count);
		ck_assert(!memcmp(unwound.addresses + 1, first.addresses + 1,
				  (first.count - 1) * sizeof *first.addresses));
		seen++;
	}
	ck_assert_uint_gt(seen, 10);
}

TEST(code_without_cfi)
{
	take_steps(call_kernels);
	check_kernel(small_kernel, small_kernel_end);
	check_kernel(aligned_kernel, aligned_kernel_end);
	free(steps);
}
#endif

TEST(kernel_call_chains)
{
	uint64_t code = (uint64_t)(uintptr_t)go_deep;
	uint64_t chain[] = {(uint64_t)PERF_CONTEXT_KERNEL,
			    UINT64_C(0xffffffff81000010),
			    UINT64_C(0xffffffff81000020),
			    (uint64_t)PERF_CONTEXT_USER,
			    code,
			    code + 9,
			    5,
			    code};
	struct unwinder unwinder = {&addresses, space, NULL};
	struct sample_record sample = {.chain = chain, .nchain = sizeof chain / sizeof *chain};
	struct unwound unwound;

	unwind_sample(&unwinder, &sample, &unwound);
	ck_assert_uint_eq(unwound.count, 4); /* there is no code at address 5 */
	ck_assert_uint_eq(address_object(addresses.keys[unwound.addresses[0]]), OBJECT_KERNEL);
	ck_assert_uint_eq(address_offset(addresses.keys[unwound.addresses[1]]),
			  UINT64_C(0xffff8100001f));
	ck_assert_uint_eq(address_offset(addresses.keys[unwound.addresses[3]]) -
				  address_offset(addresses.keys[unwound.addresses[2]]),
			  8);
	ck_assert_int_eq(unwound.whole, 0);
}

static void set_size(uint64_t words[64], size_t count)
{
	struct perf_event_header header = {PERF_RECORD_SAMPLE, 0, (uint16_t)(count * 8)};

	memcpy(words, &header, sizeof header);
}

/* Makes a record with one chain entry, registers and 16 bytes of stack, of which 8 were copied.
 * Returns its number of words. */
static size_t make_record(uint64_t words[64])
{
	size_t count = sizeof(struct sample_head) / 8;

	words[count++] = 1;
	words[count++] = 0x1234;
	words[count++] = PERF_SAMPLE_REGS_ABI_64;
	for (int reg = 0; reg < SAMPLE_REGS; reg++)
		words[count++] = 100 + (uint64_t)reg;
	words[count++] = 16;
	words[count++] = 0x5678;
	words[count++] = 0;
	words[count++] = 8;
	set_size(words, count);
	return count;
}

#define ALL_PARTS                                                                                  \
	(TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |                    \
	 PERF_SAMPLE_STACK_USER)

TEST(sample_records)
{
	uint64_t words[64] = {0};
	struct sample_record sample;
	size_t count = make_record(words);

	ck_assert_int_eq(sample_record_read((void *)words, ALL_PARTS, &sample), 0);
	ck_assert_uint_eq(sample.nchain, 1);
	ck_assert_uint_eq(sample.chain[0], 0x1234);
	ck_assert_uint_eq(sample.regs[SAMPLE_REG_SP], 100 + SAMPLE_REG_SP);
	ck_assert_uint_eq(sample.stack_bytes, 8);
	ck_assert_int_eq(sample_record_read((void *)words, TIMELINE_SAMPLE_TYPE, &sample), 0);
	ck_assert_uint_eq(sample.nchain, 0);
	for (size_t left = 0; left < count; left++) {
		set_size(words, left);
		ck_assert_int_eq(sample_record_read((void *)words, ALL_PARTS, &sample), -1);
	}
}

/* No part of a record gets a length that the record cannot have. */
TEST(hostile_sample_records)
{
	for (size_t word = sizeof(struct sample_head) / 8; word < 64; word++) {
		uint64_t words[64] = {0};
		struct sample_record sample;

		if (word >= make_record(words))
			break;
		words[word] = UINT64_MAX - 7;
		if (sample_record_read((void *)words, ALL_PARTS, &sample))
			continue;
		ck_assert_uint_eq(sample.nchain, 1);
		ck_assert_uint_le(sample.stack_bytes, 16);
	}
}

TEST(tree_is_bounded)
{
	struct stack_tree tree = {0};
	uint32_t stack[3] = {7, 8, 9}, node, again;

	node = stack_tree_add(&tree, stack, 3, 1);
	again = stack_tree_add(&tree, stack, 3, 0);
	ck_assert_uint_ne(node, again);
	ck_assert_uint_eq(stack_tree_add(&tree, stack, 3, 1), node);
	ck_assert_uint_eq(tree.nodes[node].address, 7);
	ck_assert_uint_eq(tree.nodes[tree.nodes[node].parent].address, 8);
	ck_assert_uint_eq(stack_tree_add(&tree, stack + 2, 1, 1),
			  tree.nodes[tree.nodes[node].parent].parent);
	for (stack[1] = 0; stack[1] < STACKS_MAX; stack[1]++)
		stack_tree_add(&tree, stack, 3, 1);
	ck_assert_uint_eq(tree.count, STACKS_MAX);
	ck_assert_uint_eq(stack_tree_add(&tree, stack, 3, 1), STACK_NONE);
	stack_tree_free(&tree);
}

/* The functions of a stack, with a letter for their object, and the kind of the wait, the function
 * and the caller. */
static const struct {
	const char *stack, *reason;
} reasons[] = {
	{"k:schedule k:futex_wait c:futex_wait c:__pthread_mutex_lock take main",
	 "mutex,pthread_mutex_lock,take"},
	{"k:schedule c:libc.so.6+0x123 c:pthread_barrier_wait work c:start_thread",
	 "barrier,pthread_barrier_wait,work"},
	{"c:clock_nanosleep c:nanosleep c:usleep nap", "sleep,usleep,nap"},
	{"c:__GI___read c:fread load", "I/O,fread,load"},
	{"k:schedule k:pipe_read runtime.read main.main", "I/O,runtime.read,main.main"},
	{"g:libgomp.so.1+0x55 g:GOMP_parallel c:strange main", "barrier,GOMP_parallel,main"},
	{"g:libgomp.so.1+0x55 g:GOMP_parallel l:libx.so+0x9 l:blur n:perlin+0x5 c:strange",
	 "barrier,GOMP_parallel,perlin+0x5"},
	{"g:libgomp.so.1+0x55 g:GOMP_parallel l:libx.so+0x9 l:blur c:start_thread",
	 "barrier,GOMP_parallel,blur"},
	/* a thread of a pool that waits in the own code of the program */
	{"c:__pthread_mutex_lock work._omp_fn.0 g:gomp_thread_start c:start_thread",
	 "mutex,pthread_mutex_lock,work._omp_fn.0"},
	{"c:pthread_cond_wait@@GLIBC_2.3.2 wait main",
	 "condition,pthread_cond_wait@@GLIBC_2.3.2,wait"},
	{"k:ext4_sync_file k:__x64_sys_fsync c:libc.so.6+0x1 save c:start_thread",
	 "I/O,fsync,save"},
	{"k:folio_wait_bit k:exc_page_fault touch main", "I/O,page fault,touch"},
	{"k:schedule k:rwsem_down_read_slowpath k:exc_page_fault touch main",
	 "mmap,page fault,touch"},
	{"k:rwsem_down_write_slowpath k:__x64_sys_munmap c:__munmap give main", "mmap,munmap,give"},
	{"c:__mmap take main", "mmap,mmap,take"},
	{"k:folio_wait_bit k:__x64_sys_mmap c:__mmap take main", "I/O,mmap,take"},
	{"k:rwsem_down_write_slowpath k:vfs_write k:__x64_sys_write c:write put main",
	 "mutex,write,put"},
	{"k:__mutex_lock.constprop.0 k:__x64_sys_epoll_wait c:epoll_wait get main",
	 "mutex,epoll_wait,get"},
	/* the entry of some system calls ends with a jump */
	{"k:schedule k:__do_semtimedop k:do_semtimedop k:do_syscall_64 c:semtimedop take",
	 "condition,semtimedop,take"},
	{"k:schedule k:do_msgrcv k:do_syscall_64 c:__libc_msgrcv take", "condition,msgrcv,take"},
	{"k:schedule k:do_msgsnd k:do_syscall_64 c:__libc_msgsnd give", "condition,msgsnd,give"},
	{"k:futex_wait_multiple k:__do_sys_futex_waitv c:syscall take", "futex,syscall,take"},
	{"k:wait_for_completion k:__x64_sys_membarrier c:syscall publish", "other,syscall,publish"},
	{"c:__pthread_mutex_lock_full take", "mutex,pthread_mutex_lock,take"},
	{"c:__pthread_mutex_clocklock_common take", "mutex,pthread_mutex_timedlock,take"},
	{"k:do_futex c:__pthread_once_slow begin", "futex,pthread_once,begin"},
	{"k:do_wait c:__wait4 c:do_system shell", "child,system,shell"},
	/* CPython without symbols is recognized by what it exports */
	{"c:pthread_cond_timedwait p:python3.11+0x5 p:_PyEval_EvalFrameDefault c:start_thread",
	 "gil,pthread_cond_timedwait,"},
	{"c:pthread_cond_timedwait p:take_gil p:PyEval_RestoreThread l:product",
	 "gil,take_gil,product"},
	{"c:pthread_cond_wait l:pool p:_PyEval_EvalFrameDefault",
	 "condition,pthread_cond_wait,pool"},
	{"c:sem_wait l:libx.so+0x5 step main", "condition,sem_wait,step"},
	/* the innermost function of a library that has a name */
	{"c:pthread_cond_timedwait p:take_gil l:libx.so+0x5 l:fit l:run c:start_thread",
	 "gil,take_gil,fit"},
	{"c:pthread_cond_timedwait p:take_gil l:libx.so+0x5 l:libx.so+0x7 c:start_thread",
	 "gil,take_gil,libx.so+0x5"},
	{"c:syscall std::sys::sync::mutex::futex::Mutex::lock_contended step",
	 "mutex,std::sys::sync::mutex::futex::Mutex::lock_contended,step"},
	{"c:syscall std::sys::unix::locks::futex::Mutex::lock_contended step",
	 "mutex,std::sys::unix::locks::futex::Mutex::lock_contended,step"},
	{"c:syscall std::sys::unix::locks::futex::Condvar::wait step",
	 "condition,std::sys::unix::locks::futex::Condvar::wait,step"},
	{"c:syscall std::sys::unix::locks::futex::RwLock::read_contended step",
	 "rwlock,std::sys::unix::locks::futex::RwLock::read_contended,step"},
	{"c:syscall <std::sys::sync::mutex::futex::Mutex>::lock_contended step",
	 "mutex,<std::sys::sync::mutex::futex::Mutex>::lock_contended,step"},
	{"c:pthread_cond_wait j:ObjectMonitor::EnterI a:[unknown]", "mutex,ObjectMonitor::EnterI,"},
	{"c:pthread_cond_wait j:ObjectMonitor::EnterI a:lock_Java a:Ledger.add(int)",
	 "mutex,ObjectMonitor::EnterI,Ledger.add(int)"},
	{"c:pthread_cond_wait j:ObjectMonitor::EnterI a:java.util.Vector.add(int) "
	 "a:Ledger.add(int)",
	 "mutex,ObjectMonitor::EnterI,Ledger.add(int)"},
	/* who starts the collector waits for its end, and others to allocate, or to go on */
	{"c:pthread_cond_wait j:Monitor::wait j:VMThread::execute a:Ledger.add(int)",
	 "collector,VMThread::execute,Ledger.add(int)"},
	{"c:pthread_mutex_lock j:Mutex::lock j:GenCollectedHeap::mem_allocate_work a:[unknown]",
	 "collector,GenCollectedHeap::mem_allocate_work,"},
	{"c:syscall j:SafepointSynchronize::block j:SafepointMechanism::process a:[unknown]",
	 "collector,SafepointMechanism::process,"},
	{"c:pthread_cond_timedwait j:JavaThread::sleep j:JVM_Sleep a:[unknown]",
	 "sleep,JVM_Sleep,"},
	/* a lock between processes, and one around a queue in which there is no work */
	{"c:sem_wait p:m s:SemLock.__enter__ f:worker", "mutex,SemLock.__enter__,worker"},
	{"c:sem_wait p:m s:SemLock.__enter__ q:Queue.get f:worker", "condition,sem_wait,worker"},
	/* locks on files, which SQLite waits for by sleeping */
	{"k:fcntl_setlk k:__x64_sys_fcntl c:fcntl64 save", "file lock,fcntl64,save"},
	{"k:locks_lock_inode_wait k:__x64_sys_flock c:libc.so.6+0x1 save", "file lock,flock,save"},
	{"k:do_nanosleep c:clock_nanosleep c:usleep d:libsqlite3.so.0+0x5 d:sqlite3_step save",
	 "file lock,usleep,save"},
	{"k:do_nanosleep c:nanosleep d:unixSleep d:sqlite3_step save", "file lock,nanosleep,save"},
	/* R sleeps in a function that waits for files otherwise */
	{"c:select r:R_SelectEx r:Rsleep r:Rf_eval", "sleep,select,"},
	{"c:select r:R_SelectEx l:R_SockRead r:Rf_eval", "I/O,select,R_SockRead"},
	/* OCaml's runtime is part of the program */
	{"c:pthread_cond_wait caml_thread_yield camlThread__preempt caml_call_gc camlFit__step",
	 "runtime lock,caml_thread_yield,camlFit__step"},
	{"c:pthread_cond_wait caml_thread_leave_blocking_section caml_ml_mutex_lock camlFit__step",
	 "runtime lock,caml_thread_leave_blocking_section,camlFit__step"},
	{"c:__read caml_unix_read camlFit__load", "I/O,read,camlFit__load"},
	{"tbb::spin_mutex::lock step", "mutex,tbb::spin_mutex::lock,step"},
	{"tbb::spin_rw_mutex_v3::lock step", "mutex,tbb::spin_rw_mutex_v3::lock,step"},
	{"k:vfs_read c:__read SpinBlock::load step", "I/O,read,SpinBlock::load"},
	{"g:libgomp.so.1+0x5 g:GOMP_ordered_start step", "mutex,GOMP_ordered_start,step"},
	/* a thread of Go without a goroutine */
	{"k:do_nanosleep k:__x64_sys_nanosleep runtime.usleep.abi0 runtime.mcall",
	 "condition,runtime.usleep.abi0,"},
	/* or the goroutine that it ran waits for one that holds a lock, sleeps, or waits for work
	 */
	{"k:futex_wait runtime.futexsleep runtime.mcall sync.(*Mutex).lockSlow main.touch",
	 "mutex,sync.(*Mutex).lockSlow,main.touch"},
	{"runtime.futexsleep internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.touch",
	 "mutex,sync.(*Mutex).Lock,main.touch"},
	{"runtime.futexsleep sync.runtime_SemacquireMutex sync.(*RWMutex).RLock main.get",
	 "rwlock,sync.(*RWMutex).RLock,main.get"},
	{"k:do_epoll_wait runtime.epollwait runtime.mcall time.Sleep main.poll",
	 "sleep,time.Sleep,main.poll"},
	{"runtime.futexsleep runtime.mcall runtime.chanrecv1 main.work",
	 "condition,runtime.futexsleep,main.work"},
	/* a program whose name begins like that of an interpreter */
	{"c:pthread_cond_wait n:fill", "condition,pthread_cond_wait,fill"},
	{"c:pthread_cond_wait i:Perl_runops_standard", "condition,pthread_cond_wait,"},
	{"spin main", "other,,spin"},
	{"c:pthread_join", "join,pthread_join,"},
};

TEST_EACH(wait_reasons, COUNT(reasons))
{
	static const char *const objects[] = {
		['k'] = "[kernel]",
		['c'] = "/lib/libc.so.6",
		['g'] = "/lib/libgomp.so.1",
		['p'] = "/usr/bin/python3.11",
		['l'] = "/usr/lib/libx.so",
		['j'] = "/usr/lib/jvm/libjvm.so",
		['a'] = "[anon]",
		['n'] = "/home/u/perlin",
		['i'] = "/usr/bin/perl5.36.0",
		['r'] = "/usr/lib/R/lib/libR.so",
		['s'] = "/usr/lib/python3.11/multiprocessing/synchronize.py",
		['q'] = "/usr/lib/python3.11/multiprocessing/queues.py",
		['f'] = "/home/u/fit.py",
		['d'] = "/usr/lib/libsqlite3.so.0",
	};
	struct wait_code codes[6] = {{0}};
	struct symbol_frame symbols[6];
	struct wait_frame path[6];
	struct run_frame frames[6];
	struct wait_reason reason;
	char *stack = strdup(reasons[_i].stack), text[256];
	size_t count = 0;

	for (char *name = strtok(stack, " "); name; name = strtok(NULL, " "), count++) {
		int has_object = name[1] == ':';
		const char *object = has_object ? objects[(int)*name] : "/bin/train";

		frames[count] = (struct run_frame){.function = name + 2 * has_object,
						   .object = (char *)object,
						   .code = *object == '[' && object[1] == 'k'
								   ? RUN_CODE_KERNEL
								   : RUN_CODE_OTHER};
		symbols[count] = (struct symbol_frame){frames[count].function, "own.c", 7, 0};
		path[count] = (struct wait_frame){&frames[count], &symbols[count],
						  strstr(object, ".py") != NULL, &codes[count]};
	}
	reason = wait_reason_find(path, count);
	snprintf(text, sizeof text, "%s,%s,%s", reason.kind, reason.function, reason.caller);
	ck_assert_str_eq(text, reasons[_i].reason);
	/* the object of the function, which it names if it is a library's */
	for (size_t i = 0; i < count && *reason.caller && *reason.function; i++)
		if (!strcmp(path[i].frame->function, reason.function)) {
			ck_assert_str_eq(reason.object, path[i].frame->object);
			break;
		}
	ck_assert_str_eq(reason.file, *reason.caller ? "own.c" : "");
	ck_assert_int_eq(reason.line, *reason.caller ? 7 : 0);
	free(stack);
}
