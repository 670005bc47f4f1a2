/* variants_mark.c: by this function MKL is known, whose names without an underscore are Fortran's.
 */
/* SPDX-License-Identifier: MIT */
int mkl_get_max_threads(void);

int mkl_get_max_threads(void)
{
	return 1;
}
