/* stack.c: calls a function on another stack, where there is little left of the thread's own. */
/* SPDX-License-Identifier: MIT
 *
 * Not by swapcontext(): AddressSanitizer's prints a warning. Nor where there is no need: Valgrind, for one, has to guess
 * that a stack was changed.
 */
#include "shim/stack.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/shim.h"

#define STACK_BYTES 262144  /* what is not touched takes no memory */
#define GUARD_BYTES 4194304 /* on both sides: what is so far off Valgrind takes for another stack */
#define LEFT_BYTES  65536   /* enough to load a library and to print, with a sanitizer's functions too */

typedef void (*stack_function)(void *);

/* Calls function(argument) with the stack that ends at `top`. Frames are found across it by the frame pointer. */
void stack_call(stack_function function, void *argument, void *top)
	__attribute__((visibility("hidden")));

/* clang-format off */
#if defined(__x86_64__)
__asm__(".text\n"
	".globl stack_call\n"
	".hidden stack_call\n"
	".type stack_call, @function\n"
	"stack_call:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	pushq %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	movq %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	movq %rdx, %rsp\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %rdi\n"
	"	call *%rax\n"
	"	movq %rbp, %rsp\n"
	"	popq %rbp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	.cfi_restore %rbp\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size stack_call, . - stack_call\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl stack_call\n"
	".hidden stack_call\n"
	".type stack_call, %function\n"
	"stack_call:\n"
	"	.cfi_startproc\n"
	"	hint 34\n"
	"	stp x29, x30, [sp, -16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset x29, -16\n"
	"	.cfi_offset x30, -8\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	mov sp, x2\n"
	"	mov x3, x0\n"
	"	mov x0, x1\n"
	"	blr x3\n"
	"	mov sp, x29\n"
	"	.cfi_def_cfa_register sp\n"
	"	ldp x29, x30, [sp], 16\n"
	"	.cfi_restore x29\n"
	"	.cfi_restore x30\n"
	"	.cfi_def_cfa_offset 0\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size stack_call, . - stack_call\n");
#else
void stack_call(stack_function function, void *argument, void *top)
{
	(void)top;
	function(argument);
}
#endif
/* clang-format on */

/* 1 where the mapping holds the thread's own stack and, as far as can be seen, little else: the C library puts
 * thread-local data at the upper end of a stack that it makes. */
static int is_stack(const struct map_record *map)
{
	uintptr_t local = (uintptr_t)&shim_self;

	return !memcmp(map->path, "[stack]", sizeof "[stack]") ||
	       (local >= map->start && local < map->end && map->end - local < LEFT_BYTES);
}

/* 1 where it is known that there is. A handler may have a stack of its own, and a coroutine one in the heap: there
 * nothing stops who takes more. */
static int has_room(void)
{
	struct map_record map;
	stack_t other;
	int found;

	if (sigaltstack(NULL, &other) || other.ss_flags & SS_ONSTACK)
		return 0;
	process_lock();
	found = maps_find((uintptr_t)&map, &map);
	process_unlock();
	return found && (uintptr_t)&map - map.start >= LEFT_BYTES && is_stack(&map);
}

void with_stack_room(void (*function)(void *), void *argument)
{
	size_t bytes = GUARD_BYTES + STACK_BYTES + GUARD_BYTES;
	char *stack = has_room() ? MAP_FAILED
				 : mmap(NULL, bytes, PROT_NONE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED) {
		function(argument);
		return;
	}
	if (mprotect(stack + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE))
		function(argument);
	else
		stack_call(function, argument, stack + GUARD_BYTES + STACK_BYTES);
	munmap(stack, bytes);
}
