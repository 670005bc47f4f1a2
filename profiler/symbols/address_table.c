/* address_table.c: numbers object files and the code addresses in them. */
/* SPDX-License-Identifier: MIT */
#include "symbols/address_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/machine_files.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "wire/files.h"

enum {
	OBJECTS_MAX = 65535,
	FOREIGN_MAX = 256 /* each has an open descriptor */
};

static const struct file_id no_id;

/* Returns 1 if files with the same path and these ids are the same, as far as is known. */
static int is_same_file(const struct file_id *a, const struct file_id *b)
{
	if (a->build_id_size && b->build_id_size)
		return a->build_id_size == b->build_id_size &&
		       !memcmp(a->build_id, b->build_id, a->build_id_size);
	return a->build_id_size || b->build_id_size ||
	       (a->inode == b->inode && (a->device == b->device || !a->device || !b->device));
}

static uint32_t find_object(struct address_table *table, const char *path, const struct file_id *id,
			    uint32_t pid)
{
	struct object *object;

	for (size_t i = OBJECTS_FIXED; i < table->nobjects; i++) {
		object = &table->objects[i];
		if (object->pid == pid && is_same_file(&object->id, id) &&
		    !strcmp(object->path, path))
			return (uint32_t)i;
	}
	if (table->nobjects >= OBJECTS_MAX)
		return OBJECT_UNKNOWN;
	object = memory_add(&table->objects, &table->nobjects, sizeof *object);
	*object = (struct object){.path = string_pooled(path), .id = *id, .pid = pid};
	return (uint32_t)(table->nobjects - 1);
}

void address_table_init(struct address_table *table)
{
	memset(table, 0, sizeof *table);
	find_object(table, "[kernel]", &no_id, 0);
	find_object(table, "[unknown]", &no_id, 0);
}

void address_table_free(struct address_table *table)
{
	for (size_t i = 0; i < table->nobjects; i++)
		if (table->objects[i].fd > 0)
			close(table->objects[i].fd);
	free(table->places);
	free(table->objects);
	free(table->keys);
	idmap_free(&table->index);
	memset(table, 0, sizeof *table);
}

int open_regular(const char *path, struct stat *status)
{
	int place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1, error;

	if (place < 0)
		return -1;
	errno = 0;
	if (!fstat(place, status) && S_ISREG(status->st_mode))
		fd = open(PATH("/proc/self/fd/%d", place), O_RDONLY | O_CLOEXEC);
	error = errno;
	close(place);
	errno = error;
	return fd;
}

int is_trusted(const struct stat *status, uid_t owner)
{
	uid_t uid = status->st_uid;

	return S_ISREG(status->st_mode) && (!uid || uid == geteuid() || uid == owner);
}

/* Returns 1 if the magic link in /proc/PID is the same file for the process as for us. */
static int is_shared(uint32_t pid, const char *name)
{
	struct stat its, ours;

	return !stat(PATH("/proc/%u/%s", pid, name), &its) &&
	       !stat(PATH("/proc/self/%s", name), &ours) && its.st_dev == ours.st_dev &&
	       its.st_ino == ours.st_ino;
}

/* Opens the object's file if its path may be of another file here. The process may have changed its
 * root since it mapped the file, so the inode is checked, or the build-id later. */
static void locate(struct address_table *table, struct object *object, uint32_t pid)
{
	struct stat status;
	int fd;

	if (*object->path != '/' || (pid && is_shared(pid, "root") && is_shared(pid, "ns/mnt")))
		return;
	object->is_foreign = 1;
	if (!pid || table->nforeign >= FOREIGN_MAX)
		return;
	fd = open_regular(PATH("/proc/%u/root%s", pid, object->path), &status);
	if (fd > 0 && (object->id.build_id_size || status.st_ino == object->id.inode)) {
		table->nforeign++;
		object->fd = fd;
	} else {
		file_close(fd);
	}
}

uint32_t address_table_object(struct address_table *table, const char *path,
			      const struct file_id *id, uint32_t pid)
{
	size_t known = table->nobjects;
	uint32_t number = find_object(table, path, id, 0);

	if (table->nobjects > known)
		locate(table, &table->objects[number], pid);
	return number;
}

uint32_t address_table_memory(struct address_table *table, const char *path, uint32_t pid)
{
	return find_object(table, path, &no_id, pid);
}

static uint32_t find_or_add(struct address_table *table, uint64_t key)
{
	uint32_t number = idmap_number(&table->index, key, table->nkeys);

	if (number == table->nkeys)
		memory_append(&table->keys, &table->nkeys, sizeof key, &key);
	return number;
}

uint32_t address_table_any(struct address_table *table, uint32_t address)
{
	return find_or_add(table, table->keys[address] | ADDRESS_OFFSET_ANY);
}

uint32_t address_table_number(struct address_table *table, uint32_t object, uint64_t offset)
{
	uint64_t key = address_key(object, offset);

	if (table->nkeys >= ADDRESSES_MAX && idmap_find(&table->index, key) == IDMAP_NONE)
		key |= ADDRESS_OFFSET_ANY;
	return find_or_add(table, key);
}

uint32_t address_table_place(struct address_table *table, const char *file, const char *function,
			     int line)
{
	uint32_t object = find_object(table, file, &no_id, 0);
	struct script_place *place;

	if (object == OBJECT_UNKNOWN)
		return address_table_number(table, object, ADDRESS_OFFSET_ANY);
	table->objects[object].is_script = 1;
	place = memory_add(&table->places, &table->nplaces, sizeof *place);
	*place = (struct script_place){string_pooled(function), line};
	return address_table_number(table, object, table->nplaces - 1);
}

COMPARE(compare_spots, struct address_spot, ORDER(a->key, b->key))

struct address_spot *address_table_list(const struct address_table *table, const uint64_t *counts,
					size_t *count)
{
	struct address_spot *spots = memory_rows(table->nkeys, sizeof *spots);

	*count = 0;
	for (uint32_t i = 0; i < table->nkeys; i++)
		if (counts[i])
			spots[(*count)++] = (struct address_spot){table->keys[i], i};
	qsort(spots, *count, sizeof *spots, compare_spots);
	return spots;
}

size_t address_spots_alike(const struct address_spot *spots, size_t count)
{
	size_t same = 1;

	while (same < count && address_object(spots[same].key) == address_object(spots->key))
		same++;
	return same;
}
