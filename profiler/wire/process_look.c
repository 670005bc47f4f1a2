/* process_look.c: reads what /proc says of another process. */
/* SPDX-License-Identifier: MIT */
#include "wire/process_look.h"

#include <stdlib.h>
#include <string.h>

#include "blas/blas_objects.h"
#include "wire/layout.h"

FILE *process_open(pid_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
	return fopen(path, "re");
}

void process_name(pid_t pid, char *name, size_t size)
{
	FILE *file = process_open(pid, "comm");

	*name = '\0';
	if (file && fgets(name, (int)size, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
}

int process_environment_has(pid_t pid, const char *variable, const char *text, int part)
{
	FILE *environment = process_open(pid, "environ");
	size_t length = strlen(variable), room = 0;
	char *entry = NULL;
	int has = 0;

	while (environment && !has && getdelim(&entry, &room, '\0', environment) > 0) {
		const char *value = entry + length + 1;

		if (!strncmp(entry, variable, length) && entry[length] == '=')
			has = part ? strstr(value, text) != NULL : !strcmp(value, text);
	}
	free(entry);
	if (environment)
		fclose(environment);
	return has;
}

void process_libraries(pid_t pid, struct process_libraries *libraries)
{
	FILE *maps = process_open(pid, "maps");
	char *line = NULL;
	size_t room = 0;

	*libraries = (struct process_libraries){.blas = ""};
	while (maps && getline(&line, &room, maps) > 0) {
		char *path = strchr(line, '/');

		if (!path)
			continue;
		path[strcspn(path, "\n")] = '\0';
		path = strrchr(path, '/') + 1;
		libraries->has_shim |= !strcmp(path, SHIM_NAME);
		if (!libraries->blas[0] && blas_object_known(path))
			snprintf(libraries->blas, sizeof libraries->blas, "%s", path);
	}
	free(line);
	if (maps)
		fclose(maps);
}
