/* demangle.h: names of C++ and Rust functions as they are written in the source. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

/* The name that a symbol stands for, without parameters and result: "ns::f<int>" of
 * "_ZN2ns1fIiEEvi", "core::fmt::write" of the names of Rust. To be freed. NULL where it stands for
 * itself. */
char *demangle(const char *symbol);

#endif
