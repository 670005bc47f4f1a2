/* code_location.h: a place in the program's code, by its names. */
/* SPDX-License-Identifier: MIT */
#ifndef STORE_CODE_LOCATION_H
#define STORE_CODE_LOCATION_H

/* Strings are owned by the row that has the location; NULL means "". */
struct code_location {
	char *function; /* "matmul"; in a stripped object "libx.so+0x1234"; or "[unknown]" */
	char *object;	/* path of the object file or of the Python source, or "[kernel]", "[vdso]",
			   "[anon]", "[unknown]" */
	char *inlined_into; /* the function whose code it was inlined in; "": it has its own */
	char *file;	    /* of the source; "": not known */
	int line;	    /* in it; 0: not known */
};

#endif
