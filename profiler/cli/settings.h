/* settings.h: defaults that several commands share. */
/* SPDX-License-Identifier: MIT */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#define DEFAULT_STORE	"blasprof.db"
#define DEFAULT_RATE_HZ 99 /* samples a second and thread: 0.3 to 0.6 % at 30 to 60 us a sample */

#endif
