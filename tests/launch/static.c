/* static.c: a program that nothing can be preloaded into. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

int main(void)
{
	return puts("no BLAS here") == EOF;
}
