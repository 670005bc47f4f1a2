/* pauses.h: when functions of pauses.c raise SIGUSR1, or write to a pipe and wait for another. */
/* SPDX-License-Identifier: MIT */
extern _Thread_local int signal_at_cancel, signal_at_lock, pause_at_lock;
extern int reached[2], go_on[2];
