/* train.c: trains the mixture-of-experts transformer. */
/* SPDX-License-Identifier: MIT */
#include "program.h"

int main(int argc, char **argv)
{
	static const struct program train = {
		.name = "train",
		.does = "Trains a mixture-of-experts transformer on the characters of a text, on "
			"cblas_sgemm.",
		.unit = "trn/s",
		.steps = 3000,
		.trains = true,
	};

	return program_main(&train, argc, argv);
}
