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
	int is_global;	    /* 1: every object that is not bound yet would be bound to `from` ... */
	uintptr_t bases[2]; /* ... else those that were loaded there; 0: no such object */
};

/* Changes each loaded object that all the names lead to `from` in; one in which any leads elsewhere is left alone. What
 * is already changed stays so. On processors other than x86-64 and AArch64 nothing is changed. One thread at a time. */
void slots_redirect(const struct slot_order *order) __attribute__((visibility("hidden")));

#endif
