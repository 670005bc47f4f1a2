/* top.h: the parts of `blasprof top`. Private to it. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_H
#define CLI_TOP_H

#include <signal.h>
#include <stdio.h>

#include "calls/live.h"

#define TOP_LINE_MAX 160

/* The heading of the lines below. */
extern const char top_heading[];
/* Line `index` of what happened between two readings: 0 is all threads together, then each that
 * still runs. Returns text[], or NULL after the last. */
const char *top_line(const struct live *before, const struct live *now, size_t index,
		     char text[TOP_LINE_MAX]);

/* Draws on the terminal. top_screen_open() is -1 where the terminal cannot; what it gives back,
 * closing makes undone. top_screen_wait() is 1 when the user wants to leave, else 0 after so many
 * seconds, or when a signal came. */
int top_screen_open(void);
void top_screen_show(const char *title, const struct live *before, const struct live *now);
int top_screen_wait(double seconds);
void top_screen_close(void);

/* A profile that `top` has started itself. */
struct top_child {
	pid_t pid; /* of the profiler; 0: none was started */
	int ended; /* 1: it has, with `status` as waitpid() gives it */
	int status;
	FILE *outputs[2]; /* what it has written to standard output and error, while the screen is
			     taken; else NULL */
};
/* Starts `blasprof -q -o STORE -- COMMAND`; with `hide`, its output is kept until top_child_end().
 * 0, or -1 with *err. */
int top_child_start(char **command, const char *store, int hide, struct top_child *child,
		    struct error *err);
/* Has it ended? */
int top_child_ended(struct top_child *child);
/* Waits for its end and hands its output on. Returns its exit status. */
int top_child_end(struct top_child *child);

#endif
