/* energy.h: what the processor packages have taken, where the machine counts it. */
/* SPDX-License-Identifier: MIT */
#ifndef CELLS_ENERGY_H
#define CELLS_ENERGY_H

#define ENERGY_FOLDER "/sys/class/powercap" /* Linux, Documentation/power/powercap */

/* Joules since some time, summed over the packages that the folder lists (RAPL); 0: not known. It
 * starts anew from time to time. */
double energy_joules(const char *folder);

#endif
