/* c_locale.h: prints numbers with a decimal point in every locale. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_C_LOCALE_H
#define REPORT_C_LOCALE_H

#include <locale.h>

struct c_locale {
	locale_t ours, before;
};

/* Between enter and leave, printf() in this thread writes numbers as in the C locale. */
static inline void c_locale_enter(struct c_locale *state)
{
	state->ours = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	state->before = state->ours ? uselocale(state->ours) : (locale_t)0;
}

static inline void c_locale_leave(struct c_locale *state)
{
	if (!state->ours)
		return;
	uselocale(state->before);
	freelocale(state->ours);
}

#endif
