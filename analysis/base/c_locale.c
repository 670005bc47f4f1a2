/* c_locale.c: numbers with a decimal point, whatever the user's language. */
/* SPDX-License-Identifier: MIT */
#include "base/c_locale.h"

void c_locale_enter(struct c_locale *state)
{
	state->ours = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	state->before = state->ours ? uselocale(state->ours) : (locale_t)0;
}

void c_locale_leave(struct c_locale *state)
{
	if (!state->ours)
		return;
	uselocale(state->before);
	freelocale(state->ours);
}
