/* c_locale.h: numbers with a decimal point, whatever the user's language. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_C_LOCALE_H
#define REPORT_C_LOCALE_H

#include <locale.h>

struct c_locale {
	locale_t ours, before;
};

/* From enter to leave, printf in this thread writes numbers as in the C locale. */
void c_locale_enter(struct c_locale *state);
void c_locale_leave(struct c_locale *state);

#endif
