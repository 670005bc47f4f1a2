/* crowd.h: tells when a program starts threads so fast that each is dear to follow. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CROWD_H
#define RECORD_CROWD_H

#include <stddef.h>

#include "sampling/timeline.h"

/* 1 when the newest tasks were started at 5,000 a second or faster, and were more than a pool of
 * threads for so many CPUs has. */
int crowd_came(const struct timeline *timeline, size_t cpus);

#endif
