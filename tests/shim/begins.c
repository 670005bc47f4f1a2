/* begins.c: a program that is linked with a library whose constructor calls BLAS; prints the calls.
 */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>

void plugin_call(int calls);

int main(void)
{
	plugin_call(50);
	puts("60"); /* with the constructor's */
	return 0;
}
