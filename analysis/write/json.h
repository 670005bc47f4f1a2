/* json.h: the report as one JSON object, for the formats that hold one. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>

#include "report/columns.h"
#include "report/report.h"

/* All tables, the verdict and what was run (report.schema.json): a new reference. Needs the C
 * locale (base/c_locale.h). */
json_t *json_report(const struct report *report);

/* A list of `count` rows of row_size bytes each, as objects, and a newline. Needs the C locale. */
void json_write_rows(const struct field *columns, size_t ncolumns, const void *rows,
		     size_t row_size, size_t count, FILE *out);

/* Writes the text as a JSON string, with what is no character of UTF-8 escaped. */
void json_text(const char *text, FILE *out);

#endif
