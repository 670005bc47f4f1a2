/* trap.c: calls a library that has functions with names of BLAS routines, but is none. */
/* SPDX-License-Identifier: MIT */
int variants_trap(void);

int main(void)
{
	return !variants_trap();
}
