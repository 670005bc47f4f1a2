/* energy.h: the joules that the processor's energy counters (RAPL) show, as events of the list. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_ENERGY_H
#define RECORD_ENERGY_H

#include "perf/event_list.h"
#include "store/run.h"

/* Adds the energy events that the machine below `root` has: where it has none, and where the user
 * may not read them, they are missing in silence. -1 when memory is out. */
int energy_add(const char *root, struct event_list *list);

/* Afterwards: notes no_energy where energy was asked for and none was counted. */
void energy_note(const char *root, const struct event_list *list, struct run *run);

#endif
