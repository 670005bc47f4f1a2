/* trap.c: calls a library whose functions have names of BLAS routines, but is not a BLAS. */
/* SPDX-License-Identifier: MIT */
int variants_trap(void);

int main(void)
{
	return !variants_trap();
}
