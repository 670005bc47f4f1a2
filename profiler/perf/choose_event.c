/* choose_event.c: tries events on the process until one can be sampled. */
/* SPDX-License-Identifier: MIT */
#include "perf/choose_event.h"

#include <unistd.h>

#include "perf/event.h"
#include "perf/perf_open.h"

/* Encodes the event and opens it once, to see what is allowed. 0, or -1 with *err. */
static int try_event(struct perf_event_attr *attr, const char *name, int rate_hz, pid_t pid,
		     struct error *err)
{
	int fd;

	if (event_encode(name, attr, err))
		return -1;
	event_set_sampling(attr, rate_hz);
	fd = perf_open_allowed(attr, pid, -1);
	if (fd < 0)
		return perf_open_error(err, -fd, name);
	close(fd);
	return 0;
}

static int hardware_counts(void)
{
	struct perf_event_attr attr;

	return !event_encode(EVENT_HARDWARE, &attr, NULL) && perf_really_counts(&attr);
}

const char *event_choose(struct perf_event_attr *attr, const char *asked, int rate_hz, pid_t pid,
			 struct error *err)
{
	const char *names[] = {hardware_counts() ? EVENT_HARDWARE : NULL, EVENT_CLOCK};

	if (asked)
		return try_event(attr, asked, rate_hz, pid, err) ? NULL : asked;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i] && !try_event(attr, names[i], rate_hz, pid, err))
			return names[i];
	return NULL;
}
