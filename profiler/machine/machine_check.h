/* machine_check.h: what the checks of machine_check_all() share. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_MACHINE_CHECK_H
#define RECORD_MACHINE_CHECK_H

#include "machine/machine.h"

#define CHECK_TEXT __attribute__((format(printf, 3, 4)))

/* Sets the state and the finding; the remedy stays as it is. */
void check_set(struct machine_check *check, enum check_state state, const char *fmt,
	       ...) CHECK_TEXT;
void check_remedy(struct machine_check *check, const char *remedy);

/* Those that open perf events (machine_probe.c); they try this machine whatever the root. */
void probe_sampling(const char *root, struct machine_check *check);
void probe_kernel_samples(const char *root, struct machine_check *check);
void probe_hardware(const char *root, struct machine_check *check);
void probe_off_cpu(const char *root, struct machine_check *check);

#endif
