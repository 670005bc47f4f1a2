/* train.c: trains the mixture-of-experts transformer. */
/* SPDX-License-Identifier: MIT */
#include "program.h"

int main(int argc, char **argv)
{
	static const struct program train = TRAIN_PROGRAM;

	return program_main(&train, argc, argv);
}
