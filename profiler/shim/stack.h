/* stack.h: a stack of the shim's own. */
/* SPDX-License-Identifier: MIT
 *
 * Threads may have next to nothing left of theirs at their first call: with AddressSanitizer a thread of 64 KiB has 6.
 */
#ifndef SHIM_STACK_H
#define SHIM_STACK_H

/* Calls function(argument) on a stack with much room, made for this call; on the thread's own where there is no memory
 * for one. The function returns, and keeps no address of its variables. Signals are blocked, as a handler would find
 * itself on a stack that the program does not know: see calm.h. */
void on_own_stack(void (*function)(void *), void *argument) __attribute__((visibility("hidden")));

#endif
