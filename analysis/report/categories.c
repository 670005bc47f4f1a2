/* categories.c: reads tables of patterns, and finds the first pattern that fits a function. */
/* SPDX-License-Identifier: MIT */
#include "report/categories.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/idmap.h"
#include "base/string_pool.h"

#define BLANKS	       " \t"
#define PATTERNS_MAX   256
#define LINE_MAX_BYTES 1024

struct category_row {
	char object[PATTERNS_MAX], function[PATTERNS_MAX]; /* patterns, separated by | */
	char category[CATEGORY_MAX];
};

static void forget(struct categories *categories)
{
	if (categories->known)
		idmap_free(categories->known);
	free(categories->known);
	categories->known = NULL;
}

static int refuse(const char *path, size_t number, const char *what, struct error *err)
{
	return error_set(
		err, "write OBJECT FUNCTION CATEGORY on each line, as in: libm.so* * math kernels",
		"line %zu of '%s' %s", number, path, what);
}

/* Cuts the next word off *rest; returns NULL if there is none. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, BLANKS);
	size_t length = strcspn(word, BLANKS);

	if (!*word)
		return NULL;
	*rest = word + length;
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

/* Fills *row from the line, which it modifies. Returns NULL, or what is wrong with the line. */
static const char *parse_line(char *line, struct category_row *row)
{
	char *rest = line, *object = next_word(&rest), *function = next_word(&rest), *end;

	rest += strspn(rest, BLANKS);
	if (!function || !*rest)
		return "has no OBJECT, FUNCTION and CATEGORY";
	for (end = rest + strlen(rest); end > rest && strchr(BLANKS, end[-1]);)
		*--end = '\0';
	if (strlen(object) >= PATTERNS_MAX || strlen(function) >= PATTERNS_MAX)
		return "has a pattern of more than 255 bytes";
	if (strlen(rest) >= CATEGORY_MAX)
		return "has a category of more than 31 bytes";
	for (const char *c = rest; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return "has control characters in its category";
	strcpy(row->object, object);
	strcpy(row->function, function);
	strcpy(row->category, rest);
	return NULL;
}

/* Returns 1 and fills *row if the next line has a pattern, 0 if it has none, -1 with *err if it is
 * bad. */
static int read_row(FILE *file, const char *path, size_t number, struct category_row *row,
		    struct error *err)
{
	char line[LINE_MAX_BYTES];
	const char *what;
	size_t length;

	memset(line, 'x', sizeof line);
	if (!fgets(line, sizeof line, file))
		return 0;
	length = strlen(line);
	if (length + 1 < sizeof line && line[length - 1 + !length] != '\n' && !feof(file))
		return refuse(path, number, "has a byte 0 in it", err);
	if (length + 1 == sizeof line && line[length - 1] != '\n')
		return refuse(path, number, "has more than 1022 bytes", err);
	line[strcspn(line, "\r\n")] = '\0';
	if (line[strspn(line, BLANKS)] == '\0' || line[strspn(line, BLANKS)] == '#')
		return 0;
	what = parse_line(line, row);
	return what ? refuse(path, number, what, err) : 1;
}

int categories_read(struct categories *categories, const char *path, struct error *err)
{
	size_t before = categories->count;
	FILE *file = fopen(path, "re");
	int found = 0;

	if (!file)
		return error_set(err, "give a file with lines of OBJECT FUNCTION CATEGORY",
				 "cannot open the categories '%s': %s", path, strerror(errno));
	for (size_t number = 1; found >= 0 && !feof(file) && !ferror(file); number++) {
		struct category_row row;

		found = read_row(file, path, number, &row, err);
		if (found > 0)
			memory_append(&categories->rows, &categories->count, sizeof row, &row);
	}
	if (found >= 0 && ferror(file))
		found = error_set(err, "give a text file", "cannot read '%s': %s", path,
				  strerror(errno));
	fclose(file);
	forget(categories);
	categories->known = memory_rows(1, sizeof *categories->known);
	if (found >= 0)
		return 0;
	categories->count = before;
	return -1;
}

void categories_free(struct categories *categories)
{
	forget(categories);
	free(categories->rows);
	memset(categories, 0, sizeof *categories);
}

/* 1 if one of the patterns fits the name, or is equal to it. One in brackets, as "[kernel]", is no
 * set of letters: a program may be called "k". Most patterns differ from the name before their
 * first special character. */
static int fits(const char *patterns, const char *name)
{
	while (*patterns) {
		size_t length = strcspn(patterns, "|"), plain = strcspn(patterns, "|*?[\\");
		char pattern[PATTERNS_MAX];

		if (!strncmp(patterns, name, plain)) {
			memcpy(pattern, patterns, length);
			pattern[length] = '\0';
			if (!strcmp(pattern, name) ||
			    ((*pattern != '[' || strcspn(pattern, "]") + 1 != length) &&
			     !fnmatch(pattern, name, 0)))
				return 1;
		}
		patterns += length + (patterns[length] == '|');
	}
	return 0;
}

static const char *find(const struct categories *categories, const char *object,
			const char *function)
{
	struct idmap *known = categories->known;
	uint64_t names;
	uint32_t row;

	if (!known)
		return NULL;
	names = (uint64_t)string_number(object) << 32 | string_number(function);
	row = idmap_find(known, names);
	if (row == IDMAP_NONE) {
		row = 0;
		while (row < categories->count &&
		       !(fits(categories->rows[row].function, function) &&
			 fits(categories->rows[row].object, object)))
			row++;
		idmap_put(known, names, row);
	}
	return row < categories->count ? categories->rows[row].category : NULL;
}

const char *category_find(const struct categories *categories, const char *object,
			  enum run_code code, const char *function, const char *into)
{
	const char *category = NULL;

	object = code == RUN_CODE_BLAS ? "[BLAS]" : object_name(object);
	if (code == RUN_CODE_SPIN)
		return CATEGORY_SPINNING;
	if (categories)
		category = find(categories, object, function);
	if (!category && categories && *into)
		category = find(categories, object, into);
	if (!category)
		category = code == RUN_CODE_BLAS ? CATEGORY_BLAS : CATEGORY_OTHER;
	return category;
}

double category_samples(const struct categories *categories, const struct run *run,
			const char *category)
{
	double samples = 0;

	EACH_ROW(function, run->functions, run->nfunctions) {
		const struct code_location *location = &function->location;
		const char *into = location->inlined_into ? location->inlined_into : "";

		if (function->code == RUN_CODE_OTHER && location->function && location->object &&
		    !strcmp(category_find(categories, location->object, function->code,
					  location->function, into),
			    category))
			samples += (double)function->samples - (double)function->samples_workers;
	}
	return samples;
}
