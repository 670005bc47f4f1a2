/* refusal_test.c: each file that is not a store is refused for its own reason, with a remedy, and
 * left as it was. */
/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random_run.h"
#include "scratch.h"
#include "store/schema.h"
#include "store/store.h"
#include "tests/unit.h"

static struct error err;

static void make_text(const char *path)
{
	FILE *file = fopen(path, "w");

	for (int i = 0; i < 100; i++)
		fputs("a line of text\n", file);
	fclose(file);
}

static void make_short(const char *path)
{
	FILE *file = fopen(path, "w");

	fputs("SQLite format 3", file);
	fclose(file);
}

static void make_empty(const char *path)
{
	fclose(fopen(path, "w"));
}

static void make_database(const char *path, const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(!sqlite3_exec(db, sql, NULL, NULL, NULL), "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void make_other_database(const char *path)
{
	make_database(path, "CREATE TABLE runs (id)");
}

static void make_store(const char *path)
{
	struct store *store;

	ck_assert_msg(!store_open(&store, path, STORE_CREATE, &err), "%s", err.what);
	store_close(store);
}

static void make_other_version(const char *path)
{
	make_store(path);
	make_database(path, "PRAGMA user_version = 77");
}

static void make_without_table(const char *path)
{
	make_store(path);
	make_database(path, "DROP TABLE shapes");
}

static void make_directory(const char *path)
{
	ck_assert_int_eq(mkdir(path, 0777), 0);
}

static void make_damaged(const char *path)
{
	FILE *file;

	make_store(path);
	file = fopen(path, "r+");
	fseek(file, 100, SEEK_SET);
	for (int i = 0; i < 2000; i++)
		fputc('x', file);
	fclose(file);
}

static void make_unwritable(const char *path)
{
	make_store(path);
	ck_assert_int_eq(chmod(path, 0444), 0);
}

static const struct refusal {
	void (*make)(const char *path);
	int modes; /* bits: 1 refused for reading, 2 for writing */
	const char *says;
} refusals[] = {
	{make_text, 3, "is not a SQLite file"},
	{make_short, 3, "is not a SQLite file"},
	{make_empty, 3, "is an empty file"},
	{make_other_database, 3, "not a blasprof store"},
	{make_other_version, 3, "is of version 77"},
	{make_without_table, 3, "no such table: shapes"},
	{make_directory, 3, "is not a regular file"},
	{make_damaged, 3, "cannot read store"},
	{make_unwritable, 2, "cannot write to store"},
};

/* Permissions do not hold root back. */
static void become_nobody(void)
{
	if (!geteuid())
		ck_assert_int_eq(seteuid(65534), 0);
}

static void become_self(void)
{
	if (!getuid())
		ck_assert_int_eq(seteuid(0), 0);
}

static void check_refused(const char *path, enum store_mode mode, const char *says)
{
	struct store *store = (struct store *)&err;
	int result;

	become_nobody();
	result = store_open(&store, path, mode, &err);
	become_self();
	ck_assert_int_eq(result, -1);
	ck_assert_ptr_null(store);
	ck_assert_msg(strstr(err.what, says) != NULL, "'%s' does not say '%s'", err.what, says);
	ck_assert_msg(strstr(err.what, path) != NULL, "'%s' does not name the file", err.what);
	ck_assert_uint_gt(strlen(err.remedy), 10);
}

FIXTURE(scratch_enter, scratch_leave)

TEST_EACH(test_refused_and_untouched, COUNT(refusals))
{
	const struct refusal *refusal = &refusals[_i];

	refusal->make("victim");
	ck_assert_int_eq(system("test -d victim || cp -p victim before"), 0);
	for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
		if (refusal->modes & 1 << mode)
			check_refused("victim", mode, refusal->says);
	ck_assert_int_eq(system("test -d victim || cmp victim before"), 0);
	ck_assert_int_eq(system("ls | grep -vx -e victim -e before; test $? = 1"), 0);
}

/* A journal that takes the store back to no page at all, and may name a super-journal, which SQLite
 * deletes when it is done (sqlite.org/fileformat.html, section 3). */
static void make_journal(const char *path, const char *super)
{
	static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	unsigned char header[512] = {0}, numbers[8] = {0};
	FILE *file = fopen(path, "w");

	memcpy(header, magic, sizeof magic);
	header[22] = 512 >> 8;
	header[26] = 4096 >> 8;
	fwrite(header, 1, sizeof header, file);
	if (super) {
		unsigned int sum = 0;

		for (const char *at = super; *at; at++)
			sum += (unsigned char)*at;
		numbers[3] = (unsigned char)strlen(super);
		numbers[6] = (unsigned char)(sum >> 8);
		numbers[7] = (unsigned char)sum;
		fprintf(file, "%4s%s", "page", super);
		fwrite(numbers, 1, sizeof numbers, file);
		fwrite(magic, 1, sizeof magic, file);
	}
	fclose(file);
}

static void lay_foreign_journal(void)
{
	make_journal("victim-journal", NULL);
	ck_assert_int_eq(chown("victim-journal", 65534, 65534), 0);
}

static void lay_foreign_wal(void)
{
	make_text("victim-wal");
	ck_assert_int_eq(chown("victim-wal", 65534, 65534), 0);
}

static void lay_link(void)
{
	make_journal("precious", NULL);
	ck_assert_int_eq(symlink("precious", "victim-journal"), 0);
}

static void lay_hard_link(void)
{
	make_journal("precious", NULL);
	ck_assert_int_eq(link("precious", "victim-journal"), 0);
}

static void lay_fifo(void)
{
	ck_assert_int_eq(mkfifo("victim-journal", 0666), 0);
}

static void lay_super_journal(void)
{
	make_journal("victim-journal", "precious");
	make_text("precious");
}

static const struct side_file {
	void (*lay)(void);
	int root, changes_store; /* 1: the journal is the owner's own */
} side_files[] = {
	{lay_foreign_journal, 1, 0}, {lay_foreign_wal, 1, 0}, {lay_link, 0, 0},
	{lay_hard_link, 0, 0},	     {lay_fifo, 0, 0},	      {lay_super_journal, 0, 1},
};

/* What others lay beside a store neither changes it nor deletes another file. */
TEST_EACH(test_files_beside_the_store, COUNT(side_files))
{
	const struct side_file *side = &side_files[_i];

	if (side->root && geteuid())
		return;
	make_store("victim");
	side->lay();
	ck_assert_int_eq(system("cp victim before; test ! -e precious || cp precious kept"), 0);
	for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
		struct store *store;

		ck_assert_int_eq(store_open(&store, "victim", (enum store_mode)mode, &err), -1);
		ck_assert_msg(side->changes_store || strstr(err.what, "journal belongs to another"),
			      "%s", err.what);
	}
	ck_assert_int_eq(system("test ! -e kept || cmp kept precious"), 0);
	ck_assert(side->changes_store || !system("cmp victim before"));
}

/* A journal of the store's owner is what a save that died has left: it is rolled back. */
TEST(test_own_journal_is_rolled_back)
{
	struct store *store;

	make_store("victim");
	make_journal("victim-journal", NULL);
	ck_assert_int_eq(store_open(&store, "victim", STORE_READ, &err), -1);
	ck_assert_int_eq(system("test ! -s victim && test ! -e victim-journal"), 0);
}

/* Other containers that write the same folder have processes of the same numbers: a file that one
 * of them is writing stays. */
TEST(test_files_of_others_in_the_making_stay)
{
	char theirs[64];

	snprintf(theirs, sizeof theirs, "victim.%d.new", (int)getpid());
	make_text(theirs);
	make_store("victim");
	ck_assert_int_eq(access(theirs, F_OK), 0);
}

TEST(test_missing_file_is_not_made)
{
	check_refused("absent.db", STORE_READ, "there is no store");
	ck_assert_int_eq(access("absent.db", F_OK), -1);
	check_refused("no/such/directory.db", STORE_CREATE, "cannot create store");
}

TEST(test_directory_has_to_be_writable)
{
	make_directory("closed");
	make_store("closed/runs.db");
	ck_assert_int_eq(chmod("closed/runs.db", 0666), 0);
	ck_assert_int_eq(chmod("closed", 0555), 0);
	check_refused("closed/new.db", STORE_CREATE, "cannot create store");
	check_refused("closed/runs.db", STORE_CREATE, "cannot write to the directory");
	ck_assert_int_eq(chmod("closed", 0755), 0);
}

TEST(test_unwritable_store_can_be_read)
{
	struct store *store;
	int result;

	make_unwritable("victim");
	become_nobody();
	result = store_open(&store, "victim", STORE_READ, &err);
	become_self();
	ck_assert_int_eq(result, 0);
	store_close(store);
}

/* A disk that fills up in the middle of a run: the runs before it stay, the run is not half there.
 */
TEST(test_failed_save_leaves_the_store_as_it_was)
{
	struct store *store;
	struct store_list list;
	struct run run;
	struct rlimit limit;

	ck_assert(!store_open(&store, "runs.db", STORE_CREATE, &err));
	random_run(&run, 1, 5);
	ck_assert(!store_save_run(store, &run, &err));
	run_free(&run);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 400000;
	setrlimit(RLIMIT_FSIZE, &limit);
	random_run(&run, 2, 3000);
	ck_assert_int_eq(store_save_run(store, &run, &err), -1);
	ck_assert_int_eq(run.id, 0);
	ck_assert(strstr(err.what, "cannot save the run in store 'runs.db'") && *err.remedy);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert(!store_list_runs(store, NULL, &list, &err));
	ck_assert_uint_eq(list.count, 1);
	store_list_free(&list);
	ck_assert(!store_save_run(store, &run, &err));
	ck_assert_int_eq(run.id, 2);
	run_free(&run);
	store_close(store);
}
