/* json.h: the report as one JSON object, for the formats that hold one. */
/* SPDX-License-Identifier: MIT */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>

#include "report/report.h"

/* All tables, the verdict and what was run (report.schema.json): a new reference; NULL when memory
 * is out. Needs the C locale (report/c_locale.h). */
json_t *json_report(const struct report *report);

#endif
