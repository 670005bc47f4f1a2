/* symbols_fuzz.c: feeds any bytes as an object file to what looks for symbols, and as a command to
 * run. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/symbols.h"
#include "launch/launch.h"

FUZZ(symbols)
{
	static const uint64_t offsets[] = {0,	   1,	    64,		0x1000,
					   0x1130, 0x12345, UINT32_MAX, UINT64_MAX};
	struct symbols *symbols;
	struct run run;
	char path[256];

	fuzz_write("object", data, size);
	snprintf(path, sizeof path, "%s", fuzz_path("object"));
	chmod(path, 0700);
	run_init(&run);
	target_inspect(path, &run);
	run_free(&run);
	symbols = symbols_open(&(struct object){.path = (char *)path}, 0, 0);
	for (size_t i = 0; symbols && i < sizeof offsets / sizeof *offsets; i++) {
		struct symbol_frame frames[SYMBOL_FRAMES_MAX];
		size_t count = symbols_frames(symbols, offsets[i], frames, SYMBOL_FRAMES_MAX);

		for (size_t j = 0; j < count; j++)
			if (frames[j].function && strlen(frames[j].function) > 1 << 20)
				abort();
	}
	symbols_close(symbols);
}
