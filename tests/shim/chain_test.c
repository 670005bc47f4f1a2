/* chain_test.c: following calls finds the functions that are called through, and those only. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim/chain.h"
#include "tests/unit.h"

#define NOINLINE    __attribute__((noinline))
#define STACK_BYTES 65536

static const void *sought;
static enum chain_answer answer;
static ucontext_t this_stack, other_stack;

static NOINLINE void ask(void)
{
	answer = chain_holds(__builtin_frame_address(0), sought);
}

static NOINLINE void go_down(int depth, void (*act)(void))
{
	char below[100];

	if (depth)
		go_down(depth - 1, act);
	else
		act();
	__asm__ volatile("" : : "r"(below) : "memory"); /* here still */
}

static NOINLINE void be_sought(int depth, void (*act)(void))
{
	sought = __builtin_frame_address(0);
	go_down(depth, act);
	__asm__ volatile("" : : : "memory"); /* here still */
}

static void nothing(void)
{
}

TEST(frames_are_found)
{
	for (int depth = 0; depth < 20; depth++) {
		answer = CHAIN_UNKNOWN;
		be_sought(depth, ask);
		ck_assert_int_eq(answer, CHAIN_HOLDS);
	}
}

static NOINLINE void leave_one(void)
{
	be_sought(0, nothing);
	__asm__ volatile("" : : : "memory"); /* here still */
}

TEST(left_ones_are_not)
{
	go_down(3, leave_one);
	go_down(20, ask);
	ck_assert_int_eq(answer, CHAIN_ENDS_WITHOUT);
}

static void handle(int number)
{
	(void)number;
	go_down(3, ask);
}

static void interrupt(void)
{
	raise(SIGUSR1);
}

TEST_EACH(handlers_are_passed, 2)
{
	static char memory[STACK_BYTES];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	struct sigaction action = {.sa_handler = handle, .sa_flags = _i ? SA_ONSTACK : 0};

	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	be_sought(3, interrupt);
	ck_assert_int_eq(answer, CHAIN_HOLDS);
}

static void ask_and_return(void)
{
	ask();
	swapcontext(&other_stack, &this_stack);
}

static void change_stack(void)
{
	static char memory[STACK_BYTES];

	getcontext(&other_stack);
	other_stack.uc_stack.ss_sp = memory;
	other_stack.uc_stack.ss_size = sizeof memory;
	makecontext(&other_stack, ask_and_return, 0);
	swapcontext(&this_stack, &other_stack);
}

TEST(other_stacks_are_others)
{
	be_sought(3, change_stack);
	ck_assert_int_eq(answer, CHAIN_ENDS_WITHOUT);
}

TEST(memory_can_be_read_or_not)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *map =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(map, MAP_FAILED);
	ck_assert_int_eq(mprotect(map + page, page, PROT_NONE), 0);
	ck_assert_int_eq(chain_can_read((uintptr_t)map, (uintptr_t)&page), 1);
	ck_assert_int_eq(chain_can_read((uintptr_t)map + page, (uintptr_t)&page), 0);
	ck_assert_int_eq(chain_can_read((uintptr_t)map + page, (uintptr_t)map + page + 8), 1);
	munmap(map, 2 * page);
	ck_assert_int_eq(chain_can_read((uintptr_t)map, (uintptr_t)&page), 0);
}
