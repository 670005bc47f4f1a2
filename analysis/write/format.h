/* format.h: the writers behind report_formats[]. Private to analysis/report. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include "report/report.h"

/* As struct report_format's write. */
int text_write(const struct report *report, const char *part, FILE *out, struct error *err);
int csv_write(const struct report *report, const char *part, FILE *out, struct error *err);
int tsv_write(const struct report *report, const char *part, FILE *out, struct error *err);
int markdown_write(const struct report *report, const char *part, FILE *out, struct error *err);
int json_write(const struct report *report, const char *part, FILE *out, struct error *err);
int xlsx_write(const struct report *report, const char *part, FILE *out, struct error *err);

int html_write(const struct report *report, const char *part, FILE *out, struct error *err);
int folded_write(const struct report *report, const char *part, FILE *out, struct error *err);
int pprof_write(const struct report *report, const char *part, FILE *out, struct error *err);
int firefox_write(const struct report *report, const char *part, FILE *out, struct error *err);
int chrome_write(const struct report *report, const char *part, FILE *out, struct error *err);
int svg_write(const struct report *report, const char *part, FILE *out, struct error *err);
int png_write(const struct report *report, const char *part, FILE *out, struct error *err);

#endif
