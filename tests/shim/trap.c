/* trap.c: calls a library that has functions with names of BLAS routines, but is none. */
/* SPDX-License-Identifier: MIT */
int doors_trap(void);

int main(void)
{
	return !doors_trap();
}
