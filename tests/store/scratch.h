/* scratch.h: an empty directory for one test. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

/* For tcase_add_checked_fixture(): makes a directory below the current one that every user may
 * write to, and goes there; goes back and removes it with all that is in it. */
void scratch_enter(void);
void scratch_leave(void);

#endif
