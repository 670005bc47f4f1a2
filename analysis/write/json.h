/* json.h: the report as one JSON object, for the formats that hold one. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>

#include "report/report.h"

/* All tables, the verdict and what was run (report.schema.json): a new reference. Needs the C
 * locale (base/c_locale.h). as_lists: 1: each row is the list of its values, without their names.
 */
json_t *json_report(const struct report *report, int as_lists);

/* Writes the text as a JSON string, with what is no character of UTF-8 escaped. */
void json_text(const char *text, FILE *out);

#endif
