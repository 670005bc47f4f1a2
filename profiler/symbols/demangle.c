/* demangle.c: demangles symbols of C++ and Rust by libiberty. */
/* SPDX-License-Identifier: MIT */
#include "symbols/naming.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define DIGITS "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Returns 0 if the symbol has too many references to earlier parts of it. Each can double the
 * length of the name, so some hundred bytes could need more than all memory. */
static int is_harmless(const char *symbol, const char *starts, const char *digits)
{
	enum { REFERENCES_MAX = 32 };
	int references = 0;

	for (const char *at = strpbrk(symbol, starts); at; at = strpbrk(at + 1, starts))
		references += at[1 + strspn(at + 1, digits)] == '_';
	return references <= REFERENCES_MAX;
}

char *demangle(const char *symbol)
{
	/* Without options, libiberty omits parameters and results, but also " [clone .cold]", which
	 * distinguishes parts of a function. Rust's older symbols look like those of C++. */
	const char *clone = strchr(symbol, '.');
	char *name, *whole;

	if (!strncmp(symbol, "_R", 2) &&
	    is_harmless(symbol, "B", DIGITS "abcdefghijklmnopqrstuvwxyz"))
		return rust_demangle(symbol, 0);
	if (strncmp(symbol, "_Z", 2) || !is_harmless(symbol, "ST", DIGITS))
		return NULL;
	name = rust_demangle(symbol, 0);
	if (name)
		return name;
	name = cplus_demangle_v3(symbol, 0);
	if (!name || !clone)
		return name;
	memory_check(asprintf(&whole, "%s [clone %s]", name, clone) < 0);
	free(name);
	return whole;
}
