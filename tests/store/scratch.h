/* scratch.h: an empty directory for one test. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

/* For FIXTURE(): enter makes a directory in /tmp that every user may write to, and changes to it;
 * leave changes back and removes it. */
void scratch_enter(void);
void scratch_leave(void);

#endif
