/* doctor_measure.h: what `blasprof doctor` knows of the machine's ceilings, and measures when asked
 * to. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_DOCTOR_MEASURE_H
#define CLI_DOCTOR_MEASURE_H

#include "machine/machine.h"
#include "base/error.h"

/* The line on the ceilings: when they were measured, or how to. */
void doctor_check_ceilings(struct machine_check *check);
/* Measures them, prints what came out, and keeps it for later runs and reports. 0, or -1 with *err.
 */
int doctor_measure(struct error *err);

#endif
