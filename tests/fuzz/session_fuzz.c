/* session_fuzz.c: feeds any bytes as a session's control file to the preload library's reader. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/session_file.h"

/* What the library goes on with must not stop it. */
static void check(const struct session *session)
{
	if (!(session->ns_per_tick > 0) || !isfinite(session->ns_per_tick) ||
	    !isfinite(session->blas_factor) || !isfinite(session->other_factor) ||
	    strnlen(session->roi_region, sizeof session->roi_region) == sizeof session->roi_region)
		abort();
}

FUZZ(session)
{
	struct session session;
	int directory;

	fuzz_write("session", data, size);
	chmod(fuzz_path("session"), 0600);
	directory = session_directory_open(fuzz_directory());
	if (directory < 0)
		abort();
	if (!session_file_read(directory, &session))
		check(&session);
	close(directory);
}
