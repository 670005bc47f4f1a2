/* gnuplot.c: has gnuplot draw a picture of the report. */
/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/nearest.h"
#include "write/format.h"
#include "write/pictures.h"

/* The folder is the user's: in single quotes, a quote is two. */
static void set_output(const char *terminal, const char *path, FILE *gnuplot)
{
	fprintf(gnuplot, "set terminal %s\nset output '", terminal);
	for (; *path; path++)
		fputs(*path == '\'' ? "''" : (const char[]){*path, '\0'}, gnuplot);
	fputs("'\n", gnuplot);
}

/* gnuplot ends with 0 though a command failed: an empty file tells. A closed pipe must not kill us.
 */
static int draw(const struct report *report, const char *part, const char *terminal,
		const char *path, const char *folder, struct error *err)
{
	const struct picture *picture = part ? nearest_find(pictures, pictures_count,
							    sizeof *pictures, part, "picture", err)
					     : picture_default(report);
	void (*before)(int) = SIG_DFL;
	struct stat status;
	FILE *gnuplot;
	int ended;

	if (!picture || picture->check(report, err))
		return -1;
	before = signal(SIGPIPE, SIG_IGN);
	gnuplot = popen("exec gnuplot 2>/dev/null", "we");
	if (gnuplot) {
		set_output(terminal, path, gnuplot);
		picture->script(report, gnuplot);
		ended = pclose(gnuplot);
	}
	signal(SIGPIPE, before);
	if (!gnuplot || ended || stat(path, &status) || !status.st_size)
		return error_set(err, "install gnuplot (Debian: gnuplot-nox)",
				 "gnuplot has not drawn the %s picture", terminal);
	return 0;
}

int svg_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, "svg size 800,480 dynamic background 'white'", draw, out,
			     err);
}

int png_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	return scratch_write(report, part, "pngcairo size 1200,720 fontscale 1.3", draw, out, err);
}
