/* sysfs_event.c: encodes an event by the format files of its unit. */
/* SPDX-License-Identifier: MIT */
#include "perf/sysfs_event.h"

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine_files.h"

#define UNITS_FOLDER "/sys/bus/event_source/devices"

/* The parts of an event name. */
struct parts {
	const char *root, *name;
	char unit[64], terms[128], modifiers[8];
};

int sysfs_event_is(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash && slash > name && strchr(slash + 1, '/');
}

static int parse_name(const char *root, const char *name, struct parts *parts)
{
	const char *first = strchr(name, '/'), *last = first ? strrchr(first + 1, '/') : NULL;

	*parts = (struct parts){.root = root, .name = name};
	if (!last || (size_t)(first - name) >= sizeof parts->unit ||
	    (size_t)(last - first) > sizeof parts->terms ||
	    strlen(last + 1) >= sizeof parts->modifiers || strchr(name, '.'))
		return -1;
	memcpy(parts->unit, name, (size_t)(first - name));
	memcpy(parts->terms, first + 1, (size_t)(last - first - 1));
	snprintf(parts->modifiers, sizeof parts->modifiers, "%s",
		 last[1] == ':' ? last + 2 : last + 1);
	return 0;
}

static void unit_path(const struct parts *parts, const char *folder, const char *file, char *path,
		      size_t size)
{
	snprintf(path, size, UNITS_FOLDER "/%s/%s%s%s", parts->unit, folder, *folder ? "/" : "",
		 file);
}

/* Writes the names in a folder of the unit, but for those of scales and units. */
static void list_names(const struct parts *parts, const char *folder, char *text, size_t size)
{
	char path[PATH_MAX], full[PATH_MAX + 256];
	struct dirent *entry;
	size_t used = strlen(text);
	DIR *directory;

	unit_path(parts, folder, "", path, sizeof path);
	snprintf(full, sizeof full, "%s%s", parts->root, path);
	directory = opendir(full);
	while (directory && (entry = readdir(directory)))
		if (!strchr(entry->d_name, '.') && used + strlen(entry->d_name) + 3 < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 entry->d_name);
	if (directory)
		closedir(directory);
}

static int unknown_term(const struct parts *parts, const char *term, struct error *err)
{
	char names[384] = "", remedy[512];

	list_names(parts, "events", names, sizeof names);
	list_names(parts, "format", names, sizeof names);
	snprintf(remedy, sizeof remedy, "%s%s", *names ? "that unit has " : "that unit has none",
		 names);
	return error_set(err, remedy, "unknown event '%s': the unit '%s' has no '%s'", parts->name,
			 parts->unit, term);
}

/* Sets `value` as a format says, "config1:0-7,32-35": a word of the attributes and its bits, from
 * the value's low ones on. -1: it has bits left over. */
static int put_setting(const char *format, uint64_t value, struct perf_event_attr *attr)
{
	const char *at = strchr(format, ':');
	unsigned long which;
	uint64_t word = 0;
	char *end;

	if (strncmp(format, "config", 6) || !at)
		return -1;
	which = at == format + 6 ? 0 : strtoul(format + 6, NULL, 10);
	for (at++; *at; at = *end ? end + 1 : end) {
		unsigned long low = strtoul(at, &end, 10), high = low;

		if (end == at || low > 63)
			return -1;
		if (*end == '-')
			high = strtoul(end + 1, &end, 10);
		if (high < low || high > 63)
			return -1;
		for (unsigned long bit = low; bit <= high; bit++, value >>= 1)
			word |= (value & 1) << bit;
	}
	if (value || which > 2)
		return -1;
	*(which == 0 ? &attr->config : which == 1 ? &attr->config1 : &attr->config2) |= word;
	return 0;
}

/* "event=0xc0" or "inv". */
static int encode_setting(const struct parts *parts, const char *term, struct sysfs_event *event,
			  struct error *err)
{
	char path[512], format[160], key[128], *value;
	unsigned long long number = 1;
	char *end = NULL;

	snprintf(key, sizeof key, "%s", term);
	value = strchr(key, '=');
	if (value) {
		*value++ = '\0';
		number = strtoull(value, &end, 0);
	}
	unit_path(parts, "format", key, path, sizeof path);
	if (!strncmp(key, "config", 6) && value)
		snprintf(format, sizeof format, "%s:0-63", key);
	else if (machine_read_line(parts->root, path, format, sizeof format))
		return unknown_term(parts, key, err);
	if ((value && (end == value || *end)) || put_setting(format, number, &event->attr))
		return error_set(err, "", "the setting '%s' of event '%s' does not fit into %s",
				 term, parts->name, format);
	return 0;
}

static int encode_terms(const struct parts *parts, const char *terms, struct sysfs_event *event,
			struct error *err)
{
	char copy[256], *rest = copy, *term;

	snprintf(copy, sizeof copy, "%s", terms);
	while ((term = strsep(&rest, ",")))
		if (encode_setting(parts, term, event, err))
			return -1;
	return 0;
}

/* A name in the unit's folder of events stands for its settings. 1: it is none. */
static int encode_named(const struct parts *parts, struct sysfs_event *event, struct error *err)
{
	char path[512], file[160], line[256];

	unit_path(parts, "events", parts->terms, path, sizeof path);
	if (machine_read_line(parts->root, path, line, sizeof line))
		return 1;
	snprintf(file, sizeof file, "%s.unit", parts->terms);
	unit_path(parts, "events", file, path, sizeof path);
	machine_read_line(parts->root, path, event->unit, sizeof event->unit);
	snprintf(file, sizeof file, "%s.scale", parts->terms);
	unit_path(parts, "events", file, path, sizeof path);
	if (!machine_read_line(parts->root, path, file, sizeof file))
		event->scale = strtod(file, NULL);
	return encode_terms(parts, line, event, err);
}

int sysfs_event_encode(const char *root, const char *name, struct sysfs_event *event,
		       struct error *err)
{
	struct parts parts;
	char path[512], units[384] = "", remedy[512];
	long type = -1;
	int named;

	*event = (struct sysfs_event){.attr.size = sizeof event->attr, .scale = 1};
	if (!parse_name(root, name, &parts)) {
		unit_path(&parts, "", "type", path, sizeof path);
		type = machine_read_long(root, path, -1);
	}
	if (type < 0) {
		parts = (struct parts){.root = root};
		list_names(&parts, "", units, sizeof units);
		snprintf(remedy, sizeof remedy, "the units of this machine are %s", units);
		return error_set(err, remedy, "unknown event '%s': there is no such unit", name);
	}
	event->attr.type = (uint32_t)type;
	unit_path(&parts, "", "cpumask", path, sizeof path);
	machine_read_line(root, path, event->cpus, sizeof event->cpus);
	named = encode_named(&parts, event, err);
	if (named < 0 || (named > 0 && encode_terms(&parts, parts.terms, event, err)))
		return -1;
	if (strspn(parts.modifiers, "uk") != strlen(parts.modifiers))
		return error_set(err, "write :u for the user's part, :k for the kernel's",
				 "unknown event '%s': '%s' behind its name", parts.name,
				 parts.modifiers);
	if (*parts.modifiers) {
		event->attr.exclude_user = !strchr(parts.modifiers, 'u');
		event->attr.exclude_kernel = !strchr(parts.modifiers, 'k');
	}
	return 0;
}
