/* file.c: checks, creates and opens the store's file. */
/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "store/db.h"

#define BUSY_TIMEOUT_MS	   20000
/* The longest text is a command line, the longest BLOB that of the pairs. */
#define VALUE_BYTES_MAX	   (64 << 20)

/* The header of a SQLite file (sqlite.org/fileformat.html, section 1.3); numbers are big-endian. */
#define HEADER_BYTES	   100
#define HEADER_MAGIC	   "SQLite format 3"
#define HEADER_VERSION	   60
#define HEADER_APPLICATION 68

static const char remedy_other_file[] =
	"name another file for the store, or move this one out of the way";
static const char remedy_directory[] =
	"name a store in a directory that exists and that you may write to";
static const char remedy_disk[] = "check the disk and its quota, or name a store on another disk";
static const char remedy_permission[] =
	"change the file's permissions, or name a store that you may use";

/* Fills *err from errno; for a limit, error_remedy() replaces the remedy. Returns -1. */
static int file_error(const char *path, const char *doing, const char *remedy, struct error *err)
{
	return error_set(err, error_remedy(errno, remedy), "cannot %s store '%s': %s", doing, path,
			 strerror(errno));
}

static uint32_t header_number(const unsigned char *header, size_t offset)
{
	const unsigned char *at = header + offset;

	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Checks that the file, and its directory, in which SQLite makes a journal, can be written, and
 * that the file is below the limit on file sizes. */
static int check_writable(const char *path, struct error *err)
{
	char copy[PATH_MAX];
	struct rlimit limit;
	struct stat status;

	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return file_error(path, "write to", remedy_permission, err);
	snprintf(copy, sizeof copy, "%s", path);
	if (faccessat(AT_FDCWD, dirname(copy), W_OK | X_OK, AT_EACCESS))
		return error_set(err, remedy_directory,
				 "cannot write to the directory of store '%s': %s", path,
				 strerror(errno));
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    stat(path, &status) || (rlim_t)status.st_size < limit.rlim_cur)
		return 0;
	errno = EFBIG;
	return file_error(path, "add to", NULL, err);
}

static int check_open_file(int fd, const char *path, struct error *err)
{
	unsigned char header[HEADER_BYTES];
	struct stat status;
	uint32_t version;
	ssize_t size;

	if (fstat(fd, &status))
		return file_error(path, "examine", remedy_other_file, err);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "name a file for the store", "'%s' is not a regular file",
				 path);
	size = read(fd, header, sizeof header);
	if (size < 0)
		return file_error(path, "read", remedy_other_file, err);
	if (!size)
		return error_set(err, "remove the file and record again, or name another store",
				 "'%s' is an empty file, not a store", path);
	if (size < HEADER_BYTES || memcmp(header, HEADER_MAGIC, sizeof HEADER_MAGIC))
		return error_set(err, remedy_other_file, "'%s' is not a SQLite file", path);
	if (header_number(header, HEADER_APPLICATION) != SCHEMA_APPLICATION_ID)
		return error_set(err, remedy_other_file,
				 "'%s' is a SQLite file, but not a blasprof store", path);
	version = header_number(header, HEADER_VERSION);
	if (version != SCHEMA_VERSION)
		return error_set(
			err, "use the blasprof that wrote it, or name another file for the store",
			"store '%s' is of version %u; this blasprof works with version %d", path,
			version, SCHEMA_VERSION);
	return 0;
}

int file_check(const char *path, enum store_mode mode, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), result;

	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0)
		return file_error(path, "open", remedy_permission, err);
	result = check_open_file(fd, path, err);
	close(fd);
	if (!result && mode == STORE_CREATE)
		result = check_writable(path, err);
	return result;
}

int db_error(sqlite3 *db, const char *path, const char *doing, struct error *err)
{
	static const struct {
		int code;
		const char *remedy;
	} remedies[] = {
		{SQLITE_BUSY, "another program holds the store: end it, or try again"},
		{SQLITE_LOCKED, "another program holds the store: end it, or try again"},
		{SQLITE_FULL, "free some space on the disk, or name a store on another disk"},
		{SQLITE_READONLY, "name a store that you may write to"},
		{SQLITE_CANTOPEN, remedy_directory},
		{SQLITE_IOERR, remedy_disk},
		{SQLITE_CORRUPT, remedy_other_file},
		{SQLITE_NOTADB, remedy_other_file},
		{SQLITE_ERROR, remedy_other_file}, /* a table or column of ours is missing */
		{SQLITE_NOMEM, "free some memory"},
		{SQLITE_PERM, "have the journal's owner open the store, or remove the journal if "
			      "it is not the store's"},
	};
	int code = sqlite3_errcode(db) & 0xff;
	const char *remedy = "try again, or name another store";
	char with_lock[sizeof err->remedy], lock[300];
	struct rlimit limit;

	errno = code == SQLITE_IOERR || code == SQLITE_CANTOPEN ? sqlite3_system_errno(db) : 0;
	/* SQLite does not keep the errno of a write that failed */
	if (sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE &&
	    !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		errno = EFBIG;
	if (error_remedy(errno, NULL))
		return file_error(path, doing, NULL, err);
	for (size_t i = 0; i < COUNT(remedies); i++)
		if (remedies[i].code == code)
			remedy = remedies[i].remedy;
	if (code == SQLITE_BUSY &&
	    (size_t)snprintf(lock, sizeof lock, "%s.lock", path) < sizeof lock &&
	    !access(lock, F_OK)) {
		snprintf(with_lock, sizeof with_lock, "%s; if no program does: rmdir '%s'", remedy,
			 lock);
		remedy = with_lock;
	}
	return error_set(
		err, remedy, "cannot %s store '%s': %s", doing, path,
		code == SQLITE_PERM
			? "its journal belongs to another user, is a link or names another file"
			: sqlite3_errmsg(db));
}

/* Returns 1 if the file `name`, the store's name with "-journal", "-wal" or "-shm" after it, exists
 * and is not a plain file of root, the user or the store's owner. Anybody who may write to the
 * directory can put such a file there, and SQLite would change the store by it. */
static int side_file_refused(const char *name)
{
	const char *dash = strrchr(name, '-');
	char store[PATH_MAX];
	struct stat status, owner;

	if (lstat(name, &status))
		return errno != ENOENT;
	snprintf(store, sizeof store, "%.*s", dash ? (int)(dash - name) : 0, name);
	return stat(store, &owner) || !S_ISREG(status.st_mode) || status.st_nlink > 1 ||
	       (status.st_uid && status.st_uid != geteuid() && status.st_uid != owner.st_uid);
}

/* How a store is locked. */
enum locks { LOCKS_BY_KERNEL, LOCKS_BY_DIRECTORY, LOCKS_BY_NOBODY, LOCKS_COUNT };
static sqlite3_vfs vfs_by_locks[LOCKS_COUNT];

static enum locks find_locks(const char *path)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int refused = fd >= 0 && fcntl(fd, F_SETLK, &lock) && errno != EAGAIN && errno != EACCES;
	char copy[PATH_MAX];

	if (fd >= 0)
		close(fd);
	if (!refused)
		return LOCKS_BY_KERNEL;
	snprintf(copy, sizeof copy, "%s", path);
	return faccessat(AT_FDCWD, dirname(copy), W_OK | X_OK, AT_EACCESS) ? LOCKS_BY_NOBODY
									   : LOCKS_BY_DIRECTORY;
}

/* Reports that no other program writes (xCheckReservedLock). SQLite asks before it rolls back a
 * journal, and versions before 3.44 mistake their own lock directory for another program's. But the
 * program that holds the directory is alone. */
static int nobody_writes(sqlite3_file *file, int *reserved)
{
	*reserved = 0;
	return SQLITE_OK;
}

/* Opens a file for SQLite (xOpen). Refuses side files that others may have put there, and
 * super-journals: a journal can name one, and SQLite then deletes it, but only transactions over
 * several databases have one. */
static int open_for_sqlite(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
			   int *flags_out)
{
	static sqlite3_io_methods methods;
	int is_side = name && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL), rc;
	char shm[PATH_MAX];

	file->pMethods = NULL;
	if (flags & SQLITE_OPEN_SUPER_JOURNAL || (is_side && side_file_refused(name)))
		return SQLITE_PERM;
	if (is_side && flags & SQLITE_OPEN_WAL) {
		snprintf(shm, sizeof shm, "%.*s-shm", (int)(strlen(name) - strlen("-wal")), name);
		if (side_file_refused(shm))
			return SQLITE_PERM;
	}
	rc = sqlite3_vfs_find(NULL)->xOpen(vfs, name, file, flags, flags_out);
	if (!rc && flags & SQLITE_OPEN_MAIN_DB && vfs == &vfs_by_locks[LOCKS_BY_DIRECTORY]) {
		methods = *file->pMethods;
		methods.xCheckReservedLock = nobody_writes;
		file->pMethods = &methods;
	}
	if (rc || !is_side || !side_file_refused(name))
		return rc;
	file->pMethods->xClose(file); /* it was put there meanwhile */
	file->pMethods = NULL;
	return SQLITE_PERM;
}

/* Returns the name of a VFS of SQLite, with open_for_sqlite() as its xOpen. On a file system
 * without locks, like Lustre without its option flock, a directory beside the store is the lock;
 * there is no lock if the store can only be read. */
static const char *vfs_name(const char *path)
{
	static const struct {
		const char *name, *base;
	} rows[] = {
		[LOCKS_BY_KERNEL] = {"blasprof", "unix"},
		[LOCKS_BY_DIRECTORY] = {"blasprof-directory", "unix-dotfile"},
		[LOCKS_BY_NOBODY] = {"blasprof-nobody", "unix-none"},
	};
	enum locks locks = find_locks(path);
	sqlite3_vfs *vfs = &vfs_by_locks[locks];

	if (!vfs->zName) {
		*vfs = *sqlite3_vfs_find(rows[locks].base);
		vfs->zName = rows[locks].name;
		vfs->xOpen = open_for_sqlite;
		sqlite3_vfs_register(vfs, 0);
	}
	return vfs->zName;
}

int file_open(const char *path, const char *name, enum store_mode mode, sqlite3 **db,
	      struct error *err)
{
	/* names like ":memory:" and "file:x" are special to SQLite, but not "./file:x" */
	char *plain = sqlite3_mprintf("%s%s", *path == '/' ? "" : "./", path);
	/* READWRITE even if the store is only read, so that SQLite can roll back what a program
	 * that died while saving has left; SQLite falls back to reading by itself */
	int rc = sqlite3_open_v2(plain, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 vfs_name(path));

	sqlite3_free(plain);
	if (rc)
		return db_error(*db, name, "open", err);
	sqlite3_busy_timeout(*db, BUSY_TIMEOUT_MS);
	/* an attacker may have made the file: run none of its code (views, triggers, functions in
	 * its schema), treat inconsistencies as errors, and limit the size of values */
	sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_exec(*db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
	if (sqlite3_exec(*db,
			 mode == STORE_READ ? "PRAGMA query_only = ON" : "PRAGMA foreign_keys = ON",
			 NULL, NULL, NULL))
		return db_error(*db, name, "open", err);
	return 0;
}

static int write_schema(const char *temporary, const char *path, struct error *err)
{
	/* no other program uses the temporary file, and file_create() syncs it at the end */
	static const char fast[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";
	sqlite3 *db = NULL;
	char *sql = schema_sql_create();
	int result = file_open(temporary, path, STORE_CREATE, &db, err);

	if (!result && (!sql || sqlite3_exec(db, fast, NULL, NULL, NULL) ||
			sqlite3_exec(db, sql, NULL, NULL, NULL)))
		result = db_error(db, path, "create", err);
	sqlite3_free(sql);
	sqlite3_close(db);
	return result;
}

/* Gives the file its name. If another file has the name, there is a store already, and that is
 * fine. File systems without hard links need a rename; those without RENAME_NOREPLACE, a rename
 * over an empty file that reserves the name. */
static int move_into_place(const char *temporary, const char *path, struct error *err)
{
	int fd;

	if (!link(temporary, path) || errno == EEXIST ||
	    !renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) || errno == EEXIST)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd >= 0 && !close(fd) && !rename(temporary, path))
		return 0;
	return file_error(path, "create", remedy_directory, err);
}

int file_create(const char *path, struct error *err)
{
	char temporary[PATH_MAX];
	unsigned long long number;
	int fd, result;

	/* a random number, as another container may have a process with our number */
	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
		number = (unsigned long long)getpid();
	if ((size_t)snprintf(temporary, sizeof temporary, "%s.%016llx.new", path, number) >=
	    sizeof temporary)
		return error_set(err, "name a store with a shorter path",
				 "the store's path is too long: '%s'", path);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return file_error(path, "create", remedy_directory, err);
	result = write_schema(temporary, path, err);
	if (!result && fdatasync(fd) && errno != EINVAL) /* EINVAL: there is no disk to sync to */
		result = file_error(path, "create", remedy_disk, err);
	close(fd);
	if (!result)
		result = move_into_place(temporary, path, err);
	unlink(temporary);
	return result;
}
