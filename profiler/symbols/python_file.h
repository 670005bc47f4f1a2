/* python_file.h: where CPython's file has what tells the functions of a Python program. */
/* SPDX-License-Identifier: MIT */
#ifndef SYMBOLS_PYTHON_FILE_H
#define SYMBOLS_PYTHON_FILE_H

#include <stdint.h>

/* Addresses are those of the file's symbols; add what is mapped address less `to_address` less
 * offset in the file. */
struct python_file {
	uint32_t version;	       /* as PY_VERSION_HEX >> 16; 0: it is no CPython */
	uint64_t runtime, code_type;   /* _PyRuntime, PyCode_Type */
	uint64_t eval_start, eval_end; /* offsets of the function that runs Python code */
	uint64_t to_address;	       /* from such an offset to an address */
};

/* Reads the open file of this name. Its version is 0 where it is none, or has no symbols. */
struct python_file python_file_read(int fd, const char *name);

#endif
