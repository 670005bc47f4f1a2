/* early.h: marks functions that may run before this library is relocated and before a sanitizer is
 * ready. */
/* SPDX-License-Identifier: MIT
 *
 * Other libraries, a sanitizer's runtime among them, call dlsym() while they start. Everything that
 * our dlsym() runs for a name that is not in the table of routines must work that early.
 */
#ifndef BASE_EARLY_H
#define BASE_EARLY_H

#define EARLY __attribute__((no_sanitize("thread", "address", "undefined")))

#endif
