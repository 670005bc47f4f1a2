/* rank_store.h: under an MPI launcher each rank has a store of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_RANK_STORE_H
#define CLI_RANK_STORE_H

#include "base/error.h"

/* "blasprof.db" becomes "blasprof.3.db" in rank 3 of an MPI job, in *store; a fresh string, which
 * lasts as long as the program. Where there are no ranks *store stays. 1 in a rank, else 0; -1 with
 * *err. */
int rank_store_name(const char **store, struct error *err);
/* Says, in the first rank, on stderr, how all ranks' runs are reported on together. */
void rank_store_say(const char *store);

#endif
