/* stack.h: a stack that is large enough, however small the limit on it is. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_STACK_H
#define CLI_STACK_H

/* Returns what run(data) returns. Where the limit on the stack (ulimit -s) is smaller than usual,
 * that runs in a thread with a stack of the usual size, which gets all signals, and so does each
 * thread that is started later: libdw and SQLite need more than some limits leave. The limit itself
 * stays as it is, for the command. Where there is no memory for such a thread, it runs here. */
int stack_run(int (*run)(void *data), void *data);

#endif
