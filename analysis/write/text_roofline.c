/* text_roofline.c: for people: what holds each shape back, and how near it is to the machine's
 * ceiling. */
/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "write/grid.h"
#include "base/human.h"
#include "write/text.h"

#define UNMEASURED                                                                                 \
	"Roofline: this machine's peak and bandwidth are not measured: run 'blasprof doctor "      \
	"--measure', then "                                                                        \
	"'blasprof report'."

static void write_intro(const struct report *report, int threads, FILE *out)
{
	const struct ceilings *ceilings = &report->ceilings;
	char single[HUMAN_MAX], dual[HUMAN_MAX], memory[HUMAN_MAX], text[512];
	const char *measured = report_fact(report, "ceilings_measured");

	snprintf(text, sizeof text,
		 "Roofline at %d thread%s. share: %% of the ceiling, min(peak, flops/byte x "
		 "bandwidth) of one call; "
		 "from: the nearest memory that the operands fit in; bound: what holds it back. "
		 "With %.0f CPU%s: "
		 "%s GFLOP/s single, %s double, %s GB/s memory (measured %s).",
		 threads, threads == 1 ? "" : "s", ceilings->cpus, ceilings->cpus > 1 ? "s" : "",
		 human_figures(ceilings->flops_per_s[PRECISION_SINGLE].all / 1e9, single),
		 human_figures(ceilings->flops_per_s[PRECISION_DOUBLE].all / 1e9, dual),
		 human_figures(ceilings->bytes_per_s[LEVEL_MEMORY].all / 1e9, memory),
		 measured ? measured : "at an unknown time");
	text_wrap("", text, out);
}

static void add_roofline(struct grid *grid, const struct report_shape *shape)
{
	const struct roofline *roofline = &shape->roofline;
	char text[HUMAN_MAX];

	text_add_shape_name(grid, shape);
	grid_add(grid, "%s", human_figures(roofline->intensity, text));
	grid_add(grid, "%s", shape->level);
	grid_add(grid, "%s", human_figures(shape->gflops, text));
	grid_add(grid, "%s", human_figures(roofline->ceiling_flops_per_s / 1e9, text));
	grid_add(grid, "%s", human_share(roofline->share, text));
	grid_add(grid, "%s", shape->bound);
}

int text_roofline(const struct report *report, FILE *out)
{
	static const char *const headings[] = {"routine", "op",		"m",	"n",
					       "k",	  "flops/byte", "from", "GFLOP/s",
					       "ceiling", "share",	"bound"};
	const struct report_row *focus = text_focus(report);
	struct grid grid = {.align = "llrrrrlrrrl"};
	size_t shown = 0;

	if (!focus || !report->nshapes)
		return 0;
	fputs("\n", out);
	if (!(report->ceilings.cpus > 0)) {
		text_wrap("", UNMEASURED, out);
		return 0;
	}
	write_intro(report, focus->threads, out);
	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
		grid_add(&grid, "%s", headings[i]);
	for (size_t i = 0; i < report->nshapes && shown < text_limit(report, report->nshapes); i++)
		if (report->shapes[i].threads == focus->threads) {
			add_roofline(&grid, &report->shapes[i]);
			shown++;
		}
	return grid_print(&grid, out);
}
