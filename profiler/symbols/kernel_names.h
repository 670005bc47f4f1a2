/* kernel_names.h: the text of /proc/kallsyms, which takes long to read and does not change while
 * the kernel runs. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_KERNEL_NAMES_H
#define RECORD_KERNEL_NAMES_H

#include <stddef.h>

#include "base/cut_file.h"

/* A text in memory. */
struct kernel_names {
	char *text; /* `bytes` of it, not terminated; NULL: there is none */
	size_t bytes;
	struct cut_file *mapped; /* the copy's, as a file that may be cut off: what is gone reads as zeros */
};

/* What an earlier run of this user kept of the kernel that runs now: the names in the kernel
 * itself, without those of modules, which come and go. Nothing where it is not known which kernel
 * that is: root + "/proc/sys/kernel/random/boot_id". */
void kernel_names_load(const char *root, struct kernel_names *names);
/* Reads root + "/proc/kallsyms", and keeps the kernel's own part for later runs. */
void kernel_names_read(const char *root, struct kernel_names *names);
void kernel_names_free(struct kernel_names *names);

#endif
