/* event_list.c: parts the text of -e into events. */
/* SPDX-License-Identifier: MIT */
#include "perf/event_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "perf/event_sets.h"
#include "base/array.h"

#define EXAMPLE "write it like 'cycles,{instructions,cache-misses},tlb'"

/* Where the reading is. */
struct reading {
	struct event_list *list;
	int group;  /* the last number given to a group */
	int inside; /* 1: in braces */
};

/* The name's length: up to a comma or brace that is not inside slashes. */
static size_t name_length(const char *text)
{
	int inside_slashes = 0;
	size_t length = 0;

	for (; text[length]; length++) {
		if (text[length] == '/')
			inside_slashes = !inside_slashes;
		else if (!inside_slashes && strchr(",{}", text[length]))
			break;
	}
	return length;
}

static int is_there(const struct event_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcasecmp(list->terms[i].name, name))
			return 1;
	return 0;
}

static struct event_term *add_term(const struct reading *reading, const char *name)
{
	struct event_list *list = reading->list;
	struct event_term *term = array_add(&list->terms, &list->count, sizeof *term);

	if (!term)
		return NULL;
	memcpy(term->name, name, strlen(name) + 1);
	term->group = reading->inside ? reading->group : 0;
	return term;
}

static int add_set(const struct reading *reading, const struct event_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct event_term *term;

		if (is_there(reading->list, set->choices[i].names[0]))
			continue;
		term = add_term(reading, set->choices[i].names[0]);
		if (!term)
			return -1;
		term->set = set->name;
		term->choice = &set->choices[i];
	}
	return 0;
}

static int add_name(const struct reading *reading, const char *name, struct error *err)
{
	const struct event_set *set = event_set_find(name);
	int failed = 0;

	if (!strcasecmp(name, EVENT_ENERGY))
		reading->list->energy = 1;
	else if (set)
		failed = add_set(reading, set);
	else if (!is_there(reading->list, name))
		failed = !add_term(reading, name);
	return failed ? error_out_of_memory(err) : 0;
}

static int read_name(const struct reading *reading, const char *text, size_t length,
		     struct error *err)
{
	char name[EVENT_NAME_BYTES];

	if (!length)
		return error_set(err, EXAMPLE, "a name is missing in the list of events at '%s'",
				 text);
	if (length >= sizeof name)
		return error_set(err, EXAMPLE, "the event name '%.*s' is too long", (int)length,
				 text);
	memcpy(name, text, length);
	name[length] = '\0';
	return add_name(reading, name, err);
}

/* An opening brace at *text begins a group. */
static int open_group(struct reading *reading, const char **text, struct error *err)
{
	if (**text != '{')
		return 0;
	if (reading->inside)
		return error_set(err, EXAMPLE, "a group of events is inside another at '%s'",
				 *text);
	reading->inside = 1;
	reading->group++;
	(*text)++;
	return 0;
}

static int close_group(struct reading *reading, const char **text, struct error *err)
{
	if (**text != '}')
		return 0;
	if (!reading->inside)
		return error_set(err, EXAMPLE, "a group of events ends that was not begun: '%s'",
				 *text);
	reading->inside = 0;
	(*text)++;
	return 0;
}

static int read_list(struct reading *reading, const char *text, struct error *err)
{
	for (;;) {
		size_t length;

		if (open_group(reading, &text, err))
			return -1;
		length = name_length(text);
		if (read_name(reading, text, length, err))
			return -1;
		text += length;
		if (close_group(reading, &text, err))
			return -1;
		if (!*text)
			break;
		if (*text != ',')
			return error_set(err, EXAMPLE,
					 "a comma is missing in the list of events at '%s'", text);
		text++;
	}
	return reading->inside ? error_set(err, EXAMPLE, "a group of events has no end") : 0;
}

int event_list_parse(const char *text, struct event_list *list, struct error *err)
{
	struct reading reading = {.list = list};

	*list = (struct event_list){0};
	if (!read_list(&reading, text, err))
		return 0;
	event_list_free(list);
	return -1;
}

void event_list_free(struct event_list *list)
{
	free(list->terms);
	*list = (struct event_list){0};
}
