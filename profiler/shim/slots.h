/* slots.h: has loaded objects reach other functions than those that the loader has bound them to. */
/* SPDX-License-Identifier: MIT */
#ifndef SHIM_SLOTS_H
#define SHIM_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct slot_change {
	const char *name; /* of a function, as the objects ask for it */
	const void *from; /* which they have been bound to ... */
	void *to;	  /* ... and are to reach instead */
};

/* What is changed together. */
struct slot_order {
	const struct slot_change *changes;
	size_t count;
	uintptr_t bases[2]; /* objects that are changed, as are those of the process's start */
	int is_global;	    /* 1: what of these is not bound yet would be bound to `from`; 0: of the two only */
};

#pragma GCC visibility push(hidden)

/* Changes each of these objects that all the names lead to `from` in; one in which any leads elsewhere is left alone.
 * What is already changed stays so. On processors other than x86-64 and AArch64 nothing is changed. One thread at a
 * time. */
void slots_redirect(const struct slot_order *order);
/* Changes again what the loader has bound meanwhile: it may have looked a function up before, and write later. One thread
 * at a time. */
void slots_renew(void);

#pragma GCC visibility pop

#endif
