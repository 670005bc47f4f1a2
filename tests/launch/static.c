/* static.c: a statically linked program, which loads no preload library. With an argument it
 * computes. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

int main(int argc, char **argv)
{
	(void)argv;
	for (volatile int i = 0; i < 800000000 && argc > 1; i++)
		;
	return puts("no BLAS here") == EOF;
}
