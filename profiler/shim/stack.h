/* stack.h: a stack of the shim's own, for threads that have little. */
/* SPDX-License-Identifier: MIT
 *
 * Threads may have next to nothing left of theirs at their first call: with AddressSanitizer a thread of 64 KiB has 6.
 */
#ifndef SHIM_STACK_H
#define SHIM_STACK_H

/* Calls function(argument): where the thread has little left of its stack, on one that is made for this call, if there is
 * memory for it. The function returns, and keeps no address of its variables. Signals are blocked, as a handler would
 * find itself on a stack that the program does not know: see calm.h. */
void with_stack_room(void (*function)(void *), void *argument) __attribute__((visibility("hidden")));

#endif
