/* machine_files.c: reads small files below a root, and lists of CPUs. */
/* SPDX-License-Identifier: MIT */
#include "base/machine_files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

const char *path_print(char path[PATH_MAX + 64], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(path, PATH_MAX + 64, fmt, args);
	va_end(args);
	return path;
}

FILE *machine_open(const char *root, const char *path)
{
	char whole[PATH_MAX];

	if (snprintf(whole, sizeof whole, "%s%s", root, path) >= (int)sizeof whole) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(whole, "re");
}

int machine_read_line(const char *root, const char *path, char *line, size_t size)
{
	OWN_FILE *file = machine_open(root, path);
	int failed;

	line[0] = '\0';
	if (!file)
		return -1;
	errno = 0;
	failed = !fgets(line, (int)size, file);
	line[strcspn(line, "\n")] = '\0';
	return failed ? -1 : 0;
}

long machine_read_long(const char *root, const char *path, long otherwise)
{
	char line[64], *end;
	long value;

	if (machine_read_line(root, path, line, sizeof line))
		return otherwise;
	value = strtol(line, &end, 10);
	return end == line ? otherwise : value;
}

int machine_read_process(const char *root, const char *path, struct process_stat *stat)
{
	char line[1024], *name, *end;

	machine_read_line(root, path, line, sizeof line);
	name = strchr(line, '(');
	end = strrchr(line, ')'); /* the name itself may contain brackets */
	if (!name || !end || end < name)
		return -1;
	snprintf(stat->name, sizeof stat->name, "%.*s", (int)(end - name - 1), name + 1);
	return sscanf(end + 1,
		      " %c %lld %*s %*s %*s %*s %lld %*s %*s %*s %*s %lld %lld %lld %lld %*s %*s "
		      "%*s %*s %lld",
		      &stat->state, &stat->parent, &stat->flags, &stat->user, &stat->system,
		      &stat->child_user, &stat->child_system, &stat->start) == 8
		       ? 0
		       : -1;
}

int machine_read_field(const char *root, const char *path, const char *field, char *value,
		       size_t size)
{
	OWN_FILE *file = machine_open(root, path);
	size_t length = strlen(field);
	char line[4096];
	int found = 0, byte;

	value[0] = '\0';
	while (file && !found && fgets(line, sizeof line, file)) {
		found = !strncmp(line, field, length);
		if (!strchr(line, '\n')) /* skip the rest of a long line */
			while ((byte = getc(file)) != '\n' && byte != EOF)
				;
	}
	if (!found)
		return -1;
	line[strcspn(line, "\n")] = '\0';
	snprintf(value, size, "%s", line + length + strspn(line + length, " \t:"));
	return 0;
}

int machine_has_feature(const char *root, const char *field, const char *feature)
{
	size_t length = strlen(feature);
	char text[4096];

	machine_read_field(root, "/proc/cpuinfo", field, text, sizeof text);
	for (const char *at = text; (at = strstr(at, feature)); at += length)
		if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return 1;
	return 0;
}

int64_t machine_read_last(const char *path, const char *field)
{
	char numbers[256], *last;

	machine_read_field("", path, field, numbers, sizeof numbers);
	last = strrchr(numbers, '\t');
	return strtoll(last ? last : numbers, NULL, 10);
}

void cpu_list_add(struct cpu_list *list, long cpu)
{
	if (cpu < 0 || cpu >= CPUS_MAX || cpu_list_has(list, (int)cpu))
		return;
	list->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	list->count++;
}

static void add_range(struct cpu_list *list, long first, long last)
{
	for (long cpu = MAX(first, 0); cpu <= last && cpu < CPUS_MAX; cpu++)
		cpu_list_add(list, cpu);
}

void cpu_list_parse(struct cpu_list *list, const char *text)
{
	char *end;

	for (;; text = end + 1) {
		long first = strtol(text, &end, 10), last = first;

		if (end == text)
			return;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		add_range(list, first, last);
		if (*end != ',')
			return;
	}
}

void machine_cpus_online(const char *root, struct cpu_list *list)
{
	char line[4096];

	*list = (struct cpu_list){0};
	if (!machine_read_line(root, "/sys/devices/system/cpu/online", line, sizeof line))
		cpu_list_parse(list, line);
	if (!list->count)
		add_range(list, 0, sysconf(_SC_NPROCESSORS_ONLN) - 1);
	if (!list->count)
		add_range(list, 0, 0);
}
