/* infer.c: runs the mixture-of-experts transformer forward, untrained. */
/* SPDX-License-Identifier: MIT */
#include "program.h"

int main(int argc, char **argv)
{
	static const struct program infer = {
		.name = "infer",
		.does = "Runs an untrained mixture-of-experts transformer over the characters of a "
			"text, on cblas_sgemm.",
		.unit = "inf/s",
		.steps = 10000,
		.trains = false,
	};

	return program_main(&infer, argc, argv);
}
