/* begins.c: a program linked with a library whose constructor calls BLAS; prints the number of
 * calls.
 */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

void plugin_call(int calls);

int main(void)
{
	plugin_call(50);
	puts("60"); /* including those of the constructor */
	return 0;
}
