/* glibc.h: lets this library work with C libraries that are older than the one it was built with.
 */
/* SPDX-License-Identifier: MIT
 *
 * A program that the command starts may bring a C library of its own, in a container for example.
 * Its loader ends a program if a library refers to a version of a symbol that is not there. So this
 * library refers to no version after GLIBC_2.17.
 */
#ifndef SHIM_GLIBC_H
#define SHIM_GLIBC_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#endif
#define REFER_TO(name, symbol) __asm__(".symver " #name "," #symbol "@" FIRST_VERSION);

/* glibc before 2.34 has these in libdl and libpthread: NULL if the program does not use those. */
#pragma weak dlvsym
#pragma weak pthread_mutex_trylock
#pragma weak pthread_once
REFER_TO(dlvsym, dlvsym)
REFER_TO(pthread_mutex_trylock, pthread_mutex_trylock)
REFER_TO(pthread_once, pthread_once)

/* What <stdlib.h> of glibc 2.38 calls the functions, for binary numbers such as 0b1. */
REFER_TO(__isoc23_strtoll, strtoll)
REFER_TO(__isoc23_strtoul, strtoul)
REFER_TO(__isoc23_strtoull, strtoull)

#endif
