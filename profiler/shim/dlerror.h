/* dlerror.h: keeps the preload library's own look-ups out of what dlerror() tells the program. */
/* SPDX-License-Identifier: MIT
 *
 * Every dlopen() and dlsym() clears the thread's last error and may set one of its own. The program
 * has not asked for the look-ups that a BLAS call makes, so it must not see their errors.
 */
#ifndef SHIM_DLERROR_H
#define SHIM_DLERROR_H

#pragma GCC visibility push(hidden)

/* Around the preload library's own look-ups; may be nested. An error that the program has not yet
 * asked for is kept, and dlerror() returns it afterwards. */
void dlerror_save(void);
void dlerror_restore(void);

#pragma GCC visibility pop

#endif
