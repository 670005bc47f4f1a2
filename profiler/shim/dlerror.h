/* dlerror.h: keeps the preload library's own look-ups out of what dlerror() tells the program. */
/* SPDX-License-Identifier: MIT
 *
 * Every dlopen() and dlsym() forgets the error of the thread's last one, and may leave one of its
 * own. Where a BLAS call looks something up, the program has asked for none of that.
 */
#ifndef SHIM_DLERROR_H
#define SHIM_DLERROR_H

#pragma GCC visibility push(hidden)

/* Around look-ups of the preload library's own; may be nested. What the program has not yet asked
 * for is kept, and dlerror() tells it afterwards. */
void dlerror_save(void);
void dlerror_restore(void);
/* The loader's own dlerror(): forgets the error of the last look-up. */
void dlerror_clear(void);

#pragma GCC visibility pop

#endif
