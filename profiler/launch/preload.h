/* preload.h: finds the preload library, and what to put into LD_PRELOAD for it. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_PRELOAD_H
#define RECORD_PRELOAD_H

#include <stddef.h>

#include "base/error.h"

/* The entry for LD_PRELOAD: of the library `chosen`, or, where that is NULL, of the one that was
 * built or installed with the program. Where it has folders for each kind of program
 * (shim/kinds.sh) the loader is left to choose: processes that the library is not for then run as
 * without it. 0, or -1 with *err. */
int preload_find(const char *chosen, char *entry, size_t size, struct error *err);

#endif
