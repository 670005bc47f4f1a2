/* doctor.c: `blasprof doctor`: what this machine and this user can measure, and how to change it.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/doctor_measure.h"
#include "cli/output.h"
#include "machine/machine.h"
#include "write/text.h"

#define CHECKS_MAX 64

static struct doctor_settings {
	int measure;
} settings;

static const struct option_row options[] = {
	{0, "measure", NULL,
	 "measure this machine's peak flops and bandwidth instead,\n"
	 "print them, and keep them for the roofline in reports;\n"
	 "takes some seconds",
	 OPTION_FLAG, offsetof(struct doctor_settings, measure)},
};

static const char *const state_names[] = {
	[CHECK_OK] = "yes",
	[CHECK_LIMITED] = "limited",
	[CHECK_MISSING] = "no",
};

static void print_lines(const char *name, const char *state, const char *text)
{
	char label[64];

	snprintf(label, sizeof label, "%-20s  %-7s  ", name, state);
	text_wrap(label, text, stdout);
}

static void print_check(const struct machine_check *check)
{
	print_lines(check->name, state_names[check->state], check->finding);
	if (*check->remedy)
		print_lines("", "remedy:", check->remedy);
}

static void print_checks(void)
{
	static struct machine_check checks[CHECKS_MAX];
	size_t count = machine_check_all("", checks, CHECKS_MAX);
	struct machine_check ceilings;

	for (size_t i = 0; i < count; i++)
		print_check(&checks[i]);
	doctor_check_ceilings(&ceilings);
	print_check(&ceilings);
}

static int run_doctor(char **arguments)
{
	struct error err;

	(void)arguments;
	if (settings.measure) {
		if (doctor_measure(&err))
			return output_failure(&err);
	} else {
		print_checks();
	}
	return output_finish();
}

const struct command command_doctor = {
	.name = "doctor",
	.usage = "[OPTION]...",
	.purpose = "say what can be measured here, and how to change it",
	.about = "Try everything that blasprof measures with, on this machine and as this user. "
		 "Say of\n"
		 "each whether it works, is limited or does not work, and what to do about it.",
	.options = options,
	.options_count = COUNT(options),
	.settings = &settings,
	.run = run_doctor,
};
