/* unseen.h: finds processes of the command that use BLAS without the preload library, where no
 * sampler would tell. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_UNSEEN_H
#define RECORD_UNSEEN_H

#include <sys/types.h>

#include "store/run.h"

struct unseen;

/* Looks at the process and its descendants now and then, in a thread of its own: seldom, so that
 * what lives for some hundredths of a second may be missed. NULL where there can be no thread: then
 * nobody looks. */
struct unseen *unseen_start(pid_t command);
/* Ends that, and notes the first such process (process_not_intercepted). NULL is allowed. */
void unseen_finish(struct unseen *unseen, struct run *run);

#endif
