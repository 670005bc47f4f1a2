/* record_fuzz.c: feeds any bytes as a process's record file to what reads them, and reports on the
 * run. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <fcntl.h>
#include <unistd.h>

#include "calls/collect.h"

FUZZ(record)
{
	static struct session_dir session = {.fd = -1, .ns_per_tick = 0.4, .begun = {1000, 2000}};
	const struct collect_roi rois[] = {
		{.kind = COLLECT_BEST},
		{.kind = COLLECT_REGION},
		{.kind = COLLECT_PROCESS, .started_ns = 5, .ended_ns = 1000000},
	};
	struct error err;

	if (session.fd < 0) {
		snprintf(session.path, sizeof session.path, "%s", fuzz_directory());
		session.fd = open(session.path, O_RDONLY | O_DIRECTORY);
		if (symlink("24 program", fuzz_path("lost.17")))
			return;
	}
	fuzz_write("p.1.0", data, size);
	for (size_t i = 0; i < sizeof rois / sizeof *rois; i++) {
		struct collected collected;
		struct run run;

		run_init(&run);
		/* replaying thousands of calls takes its time */
		if (!collect_open(&session, &rois[i], NULL, &run, &collected, &err) &&
		    !collect_run(&session, &rois[i], NULL, NULL, &run, &collected, &err) && !i &&
		    !run.npairs)
			fuzz_report(&run, 1);
		collected_free(&collected);
		run_free(&run);
	}
}
