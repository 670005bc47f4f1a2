/* choose_event.h: the event that this user can sample on this machine. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_CHOOSE_EVENT_H
#define RECORD_CHOOSE_EVENT_H

#include <linux/perf_event.h>
#include <sys/types.h>

#include "base/error.h"

/* Sets *attr to sample process `pid` (0: the caller) with the event `asked`, or with NULL by
 * hardware cycles where they really count, else by the clock; without the kernel's part where the
 * user may not have it. Returns the event's name, or NULL with *err. */
const char *event_choose(struct perf_event_attr *attr, const char *asked, int rate_hz, pid_t pid,
			 struct error *err);

#endif
