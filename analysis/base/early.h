/* early.h: marks what may run before this library is relocated, and before a sanitizer is ready. */
/* SPDX-License-Identifier: MIT
 *
 * Other libraries ask for symbols at their start, a sanitizer's among them: all that dlsym() runs
 * through for a name that is none of the table.
 */
#ifndef SHIM_EARLY_H
#define SHIM_EARLY_H

#define EARLY __attribute__((no_sanitize("thread", "address", "undefined")))

#endif
