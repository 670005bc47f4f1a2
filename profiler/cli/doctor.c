/* doctor.c: `blasprof doctor`: what this machine and this user can measure, and how to change it.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/output.h"
#include "record/machine.h"
#include "report/text.h"

#define CHECKS_MAX 64

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

static int run_doctor(char **arguments)
{
	static struct machine_check checks[CHECKS_MAX];
	size_t count = machine_check_all("", checks, CHECKS_MAX);

	(void)arguments;
	for (size_t i = 0; i < count; i++) {
		print_lines(checks[i].name, state_names[checks[i].state], checks[i].finding);
		if (*checks[i].remedy)
			print_lines("", "remedy:", checks[i].remedy);
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
	.run = run_doctor,
};
