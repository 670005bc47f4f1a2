/* html.c: writes the report as a self-contained web page: the template of analysis/page with the
 * data filled in. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "write/format.h"
#include "base/array.h"
#include "base/installed.h"
#include "base/string_pool.h"
#include "model/models.h"

#define DATA_MARK "PAGE_DATA"

/* Writes the data, the models that are drawn with their colours, and a description of the tables
 * and their columns, by which the page names the values of a row. "<", which occurs in strings
 * only, is escaped, since "</script>" would end the element that holds the data. */
static void write_data(const struct report *report, FILE *out)
{
	json_t *tables = json_array(), *drawn = json_array(), *data;
	unsigned int colour;
	char *text;

	EACH_ROW(table, report_tables, REPORT_TABLES) {
		json_t *columns = json_array();

		EACH_ROW(column, table->fields, table->nfields)
			json_array_append_new(columns, json_pack("{s:s, s:s, s:s, s:b}", "name",
								 column->name, "unit", column->unit,
								 "doc", column->doc, "text",
								 column_is_text(column)));
		json_array_append_new(tables, json_pack("{s:s, s:s, s:o}", "name", table->name,
							"doc", table->doc, "columns", columns));
	}
	EACH_ROW(model, models, MODELS)
		if ((colour = model_colour(model, &report->scaling.input)))
			json_array_append_new(drawn,
					      json_pack("{s:s, s:s}", "name", model->name, "colour",
							string_printf("#%06x", colour)));
	data = json_pack("{s:o, s:o, s:o}", "report", json_report(report, 1), "tables", tables,
			 "models", drawn);
	text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(data);
	for (const char *at = text; *at; at++)
		if (*at == '<')
			fputs("\\u003c", out);
		else
			fputc(*at, out);
	free(text);
}

int html_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	static const char *const places[] = {"page-template.html",
					     "../share/blasprof/page-template.html",
					     PKGDATADIR "/page-template.html", NULL};
	char path[PATH_MAX + 64], *line = NULL, *mark;
	FILE *template;
	size_t size = 0;

	if (installed_find(places, path, sizeof path))
		return error_set(err, "install blasprof again, or choose another format",
				 "the page's template, page-template.html, is not installed");
	template = fopen(path, "re");
	if (!template)
		return error_set(err, "install blasprof again", "cannot read '%s': %s", path,
				 strerror(errno));
	while (getline(&line, &size, template) > 0) {
		mark = strstr(line, ">" DATA_MARK "<");
		if (!mark) {
			fputs(line, out);
			continue;
		}
		fwrite(line, 1, (size_t)(mark + 1 - line), out);
		write_data(report, out);
		fputs(mark + 1 + strlen(DATA_MARK), out);
	}
	free(line);
	fclose(template);
	return 0;
}
