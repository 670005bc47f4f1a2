/* static.c: a statically linked program, which loads no preload library. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

int main(void)
{
	return puts("no BLAS here") == EOF;
}
