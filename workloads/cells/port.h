/* port.h: a program in another language that times its own way into BLAS. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_PORT_H
#define CELLS_PORT_H

#include "cells/measure.h"
#include "failure.h"

enum { PORTS_MAX = 8 };

/* Adds the kernel product-by-NAME to port_kernels[], from "NAME=COMMAND", which it keeps. The
 * command is for sh -c. It computes 0.5 * 0.75 as a product of 1 x 1 matrices again and again, and
 * prints one line: call product RESULT runs RUNS ns NS NS ..., the time of a run in each sample of
 * RUNS. -1 with *failure. */
int port_add(const char *text, struct failure *failure);

/* Runs the kernel's command: leaves what came out in the operands, and its times, as they are: a
 * sample is so long that reading the clock is nothing in it. 0, or the reason why there are none.
 */
const char *port_run(const struct kernel *kernel, struct operands *operands, struct times *times);

#endif
