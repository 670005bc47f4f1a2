/* roles.h: tells participants, BLAS workers and bystanders apart. */
/* SPDX-License-Identifier: MIT */
#ifndef MODEL_ROLES_H
#define MODEL_ROLES_H

#include <stddef.h>

#include "model/accounting.h"

/* Gives each thread its role as enum thread_role says. Returns 0, or -1 when memory is out. */
int roles_assign(const struct thread_time *threads, size_t count, enum thread_role *roles);

/* The largest number of threads in the role that are alive at once; at least 1 where any thread has
 * the role, 0 where none has, -1 when memory is out. A thread that ends when another starts is not
 * alive together with it. */
int roles_at_once(const struct thread_time *threads, const enum thread_role *roles, size_t count,
		  enum thread_role role);

#endif
