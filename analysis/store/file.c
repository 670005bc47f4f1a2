/* file.c: the store as a file: is it one, is it ours, make one, open it. */
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

#define BUSY_TIMEOUT_MS 20000
#define VALUE_BYTES_MAX                                                                            \
	(64 << 20) /* a command line is the longest text, the pairs the longest BLOB */

/* The first bytes of a SQLite file (sqlite.org/fileformat.html, section 1.3); numbers are
 * big-endian. */
#define HEADER_BYTES	   100
#define HEADER_MAGIC	   "SQLite format 3"
#define HEADER_VERSION	   60
#define HEADER_APPLICATION 68

static const char remedy_other_file[] =
	"name another file for the store, or move this one out of the way";
static const char remedy_directory[] =
	"name a store in a directory that exists and that you may write to";
static const char remedy_disk[] = "look at the disk and its quota, or name a store on another one";
static const char remedy_permission[] =
	"change the file's permissions, or name a store that you may use";

/* Fills *err from errno, and by the limit that it stands for, if any. Returns -1. */
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

static int check_header(const char *path, const unsigned char *header, size_t size,
			struct error *err)
{
	uint32_t version;

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

/* A limit on file sizes that the file has reached leaves no room for another run. */
static int check_room(const char *path, struct error *err)
{
	struct rlimit limit;
	struct stat status;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    stat(path, &status) || (rlim_t)status.st_size < limit.rlim_cur)
		return 0;
	errno = EFBIG;
	return file_error(path, "add to", NULL, err);
}

/* SQLite writes a journal beside the file, so the directory has to be writable too. */
static int check_writable(const char *path, struct error *err)
{
	char copy[PATH_MAX];

	if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return error_set(err, remedy_permission, "cannot write to store '%s': %s", path,
				 strerror(errno));
	snprintf(copy, sizeof copy, "%s", path);
	if (faccessat(AT_FDCWD, dirname(copy), W_OK | X_OK, AT_EACCESS))
		return error_set(err, remedy_directory,
				 "cannot write to the directory of store '%s': %s", path,
				 strerror(errno));
	return check_room(path, err);
}

static int check_open_file(int fd, const char *path, struct error *err)
{
	unsigned char header[HEADER_BYTES];
	struct stat status;
	ssize_t size;

	if (fstat(fd, &status))
		return error_set(err, remedy_other_file, "cannot look at store '%s': %s", path,
				 strerror(errno));
	if (!S_ISREG(status.st_mode))
		return error_set(err, "name a file for the store", "'%s' is not a regular file",
				 path);
	size = read(fd, header, sizeof header);
	if (size < 0)
		return error_set(err, remedy_other_file, "cannot read store '%s': %s", path,
				 strerror(errno));
	return check_header(path, header, (size_t)size, err);
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

/* What the system said to SQLite, where that tells; 0: it does not. SQLite forgets what a write
 * that failed was refused for. */
static int system_error(sqlite3 *db)
{
	int code = sqlite3_errcode(db) & 0xff;
	struct rlimit limit;

	if (sqlite3_extended_errcode(db) == SQLITE_IOERR_WRITE &&
	    !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY)
		return EFBIG;
	return code == SQLITE_IOERR || code == SQLITE_CANTOPEN ? sqlite3_system_errno(db) : 0;
}

int db_error(sqlite3 *db, const char *path, const char *doing, struct error *err)
{
	static const struct {
		int code;
		const char *remedy;
	} remedies[] = {
		{SQLITE_BUSY, "another program holds the store: end it, or try again"},
		{SQLITE_LOCKED, "another program holds the store: end it, or try again"},
		{SQLITE_FULL, "make room on the disk, or name a store on another one"},
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
	int system = system_error(db);
	const char *remedy = "try again, or name another store";
	char with_lock[sizeof err->remedy], lock[300];

	if (error_remedy(system, NULL)) {
		errno = system;
		return file_error(path, doing, NULL, err);
	}
	for (size_t i = 0; i < COUNT(remedies); i++)
		if (remedies[i].code == code)
			remedy = remedies[i].remedy;
	if (code == SQLITE_BUSY &&
	    (size_t)snprintf(lock, sizeof lock, "%s.lock", path) < sizeof lock &&
	    !access(lock, F_OK)) {
		snprintf(with_lock, sizeof with_lock, "%s; where none does any more: rmdir '%s'",
			 remedy, lock);
		remedy = with_lock;
	}
	return error_set(
		err, remedy, "cannot %s store '%s': %s", doing, path,
		code == SQLITE_PERM
			? "its journal belongs to another user, is a link or names another file"
			: sqlite3_errmsg(db));
}

/* Who else may write the directory can lay files beside the store, which SQLite takes for its own:
 * it writes the store anew by them. Those of other users than the store's owner are refused; `name`
 * is the store's with "-journal", "-wal" or "-shm" behind it. */
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

static int shm_refused(const char *wal)
{
	char name[PATH_MAX];

	snprintf(name, sizeof name, "%.*s-shm", (int)strlen(wal) - (int)strlen("-wal"), wal);
	return side_file_refused(name);
}

/* What keeps others from the store meanwhile. */
enum locks { LOCKS_BY_KERNEL, LOCKS_BY_DIRECTORY, LOCKS_BY_NOBODY, LOCKS_COUNT };
static sqlite3_vfs ways_to_files[LOCKS_COUNT];

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

/* SQLite asks whether another writes before it takes back what a crash left behind. Older ones than
 * 3.44 take their own lock's directory for another's; but who has it is alone. */
static int nobody_writes(sqlite3_file *file, int *reserved)
{
	*reserved = 0;
	return SQLITE_OK;
}

static void know_own_lock(sqlite3_file *file)
{
	static sqlite3_io_methods methods;

	methods = *file->pMethods;
	methods.xCheckReservedLock = nobody_writes;
	file->pMethods = &methods;
}

/* Opens a file for SQLite. A super-journal, which a journal may name and SQLite then deletes, is
 * that of a transaction over several databases; a store has none. */
static int open_for_sqlite(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
			   int *flags_out)
{
	int is_side = name && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL), rc;

	file->pMethods = NULL;
	if (flags & SQLITE_OPEN_SUPER_JOURNAL || (is_side && side_file_refused(name)) ||
	    (is_side && flags & SQLITE_OPEN_WAL && shm_refused(name)))
		return SQLITE_PERM;
	rc = sqlite3_vfs_find(NULL)->xOpen(vfs, name, file, flags, flags_out);
	if (!rc && flags & SQLITE_OPEN_MAIN_DB && vfs == &ways_to_files[LOCKS_BY_DIRECTORY])
		know_own_lock(file);
	if (rc || !is_side || !side_file_refused(name))
		return rc;
	file->pMethods->xClose(file); /* it was laid there meanwhile */
	file->pMethods = NULL;
	return SQLITE_PERM;
}

/* SQLite's own ways to files, but for open_for_sqlite(). File systems without locks, as Lustre is
 * without its option flock, get a directory beside the store as its lock, or none where the store
 * can only be read. */
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
	sqlite3_vfs *vfs = &ways_to_files[locks];

	if (!vfs->zName) {
		*vfs = *sqlite3_vfs_find(rows[locks].base);
		vfs->zName = rows[locks].name;
		vfs->xOpen = open_for_sqlite;
		sqlite3_vfs_register(vfs, 0);
	}
	return vfs->zName;
}

/* The file may come from anybody: no code of its own runs (views, triggers, functions in its
 * schema), what does not add up is an error, and no value is larger than any of ours. */
static void distrust(sqlite3 *db)
{
	static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
				  SQLITE_DBCONFIG_ENABLE_VIEW};

	for (size_t i = 0; i < COUNT(off); i++)
		sqlite3_db_config(db, off[i], 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* SQLite gives names like ":memory:" and "file:x" a meaning; a path that begins with a directory
 * is only a path. */
int file_open(const char *path, const char *name, enum store_mode mode, sqlite3 **db,
	      struct error *err)
{
	char *plain = sqlite3_mprintf("%s%s", *path == '/' ? "" : "./", path);
	int rc = sqlite3_open_v2(plain, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 vfs_name(path));

	sqlite3_free(plain);
	if (rc)
		return db_error(*db, name, "open", err);
	sqlite3_busy_timeout(*db, BUSY_TIMEOUT_MS);
	distrust(*db);
	if (sqlite3_exec(*db,
			 mode == STORE_READ ? "PRAGMA query_only = ON" : "PRAGMA foreign_keys = ON",
			 NULL, NULL, NULL))
		return db_error(*db, name, "open", err);
	return 0;
}

/* Nobody knows the file yet: it is written without a journal, and put on the disk once, at the end.
 */
static int write_schema(const char *temporary, const char *path, struct error *err)
{
	static const char hurry[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";
	sqlite3 *db = NULL;
	char *sql = schema_sql_create();
	int result = file_open(temporary, path, STORE_CREATE, &db, err);

	if (!result && (!sql || sqlite3_exec(db, hurry, NULL, NULL, NULL) ||
			sqlite3_exec(db, sql, NULL, NULL, NULL)))
		result = db_error(db, path, "create", err);
	sqlite3_free(sql);
	sqlite3_close(db);
	return result;
}

/* Never in the place of another file: where the name is taken, there is a store already. File
 * systems without hard links get a rename, after the name was taken where they have only the one
 * that replaces. */
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

	/* other containers have processes of our number */
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
	if (!result && fdatasync(fd) && errno != EINVAL) /* that: the file system has no disk */
		result = file_error(path, "create", remedy_disk, err);
	close(fd);
	if (!result)
		result = move_into_place(temporary, path, err);
	unlink(temporary);
	return result;
}
