/* refusal_test.c: files that are not stores are refused, each with its reason and a remedy, and not
 * changed. */
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
#include "store/schema.h"
#include "store/store.h"
#include "tests/scratch.h"
#include "tests/unit.h"

static struct error err;

static void make_database(const char *path, const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_msg(!sqlite3_exec(db, sql, NULL, NULL, NULL), "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void make_store(const char *path)
{
	struct store *store;

	ck_assert_msg(!store_open(&store, path, STORE_CREATE, &err), "%s", err.what);
	store_close(store);
}

static const struct refusal {
	int is_store;	     /* 1: the file is a store first */
	const char *sql;     /* executed in it, or NULL */
	const char *command; /* of the shell, or NULL */
	int modes;	     /* bits: 1 refused for reading, 2 for writing */
	const char *says;
} refusals[] = {
	{0, NULL, "yes a line of text | head -n 100 >victim", 3, "is not a SQLite file"},
	{0, NULL, "printf 'SQLite format 3' >victim", 3, "is not a SQLite file"},
	{0, NULL, ": >victim", 3, "is an empty file"},
	{0, "CREATE TABLE runs (id)", NULL, 3, "not a blasprof store"},
	{1, "PRAGMA user_version = 77", NULL, 3, "is of version 77"},
	{1, "DROP TABLE shapes", NULL, 3, "no such table: shapes"},
	{0, NULL, "mkdir victim", 3, "is not a regular file"},
	{1, NULL,
	 "yes xxx | dd of=victim bs=100 seek=1 count=20 iflag=fullblock conv=notrunc status=none",
	 3, "cannot read store"},
	{1, NULL, "chmod 444 victim", 2, "cannot write to store"},
};

/* Root may ignore permissions. */
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

	if (refusal->is_store)
		make_store("victim");
	if (refusal->sql)
		make_database("victim", refusal->sql);
	ck_assert_int_eq(system(refusal->command ? refusal->command : ":"), 0);
	ck_assert_int_eq(system("test -d victim || cp -p victim before"), 0);
	for (int mode = STORE_READ; mode <= STORE_CREATE; mode++)
		if (refusal->modes & 1 << mode)
			check_refused("victim", mode, refusal->says);
	ck_assert_int_eq(system("test -d victim || cmp victim before"), 0);
	ck_assert_int_eq(system("ls | grep -vx -e victim -e before; test $? = 1"), 0);
}

TEST(test_link_to_nothing)
{
	struct store *store;

	ck_assert_int_eq(symlink("nothing", "victim"), 0);
	ck_assert_int_eq(store_open(&store, "victim", STORE_CREATE, &err), -1);
	ck_assert_has(err.what, "'victim' is a link to a file that does not exist");
	ck_assert_int_eq(store_open(&store, "victim", STORE_READ, &err), -1);
	ck_assert_has(err.what, "there is no store 'victim'");
}

/* Writes a journal that truncates the store to no page, and may name a super-journal, which SQLite
 * deletes at the end (sqlite.org/fileformat.html, section 3). */
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

static const struct side_file {
	const char *journal, *super; /* a journal, and the super-journal that it names, or NULL */
	const char *command;
	int root, changes_store; /* 1: needs root; 1: the journal is the owner's */
} side_files[] = {
	{"victim-journal", NULL, "chown 65534:65534 victim-journal", 1, 0},
	{NULL, NULL, "echo text >victim-wal && chown 65534:65534 victim-wal", 1, 0},
	{"precious", NULL, "ln -s precious victim-journal", 0, 0},
	{"precious", NULL, "ln precious victim-journal", 0, 0},
	{NULL, NULL, "mkfifo victim-journal", 0, 0},
	{"victim-journal", "precious", "echo text >precious", 0, 1},
};

/* Files that others put beside a store do not change it and do not delete another file. */
TEST_EACH(test_files_beside_the_store, COUNT(side_files))
{
	const struct side_file *side = &side_files[_i];

	if (side->root && geteuid())
		return;
	make_store("victim");
	if (side->journal)
		make_journal(side->journal, side->super);
	ck_assert_int_eq(system(side->command), 0);
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

/* A journal of the store's owner was left by an interrupted save, so it is rolled back. */
TEST(test_own_journal_is_rolled_back)
{
	struct store *store;

	make_store("victim");
	make_journal("victim-journal", NULL);
	ck_assert_int_eq(store_open(&store, "victim", STORE_READ, &err), -1);
	ck_assert_int_eq(system("test ! -s victim && test ! -e victim-journal"), 0);
}

/* The temporary file of another container, whose process may have the same number, is not removed.
 */
TEST(test_temporary_files_of_others_stay)
{
	char theirs[64];

	snprintf(theirs, sizeof theirs, "victim.%d.new", (int)getpid());
	scratch_text(theirs, "a text\n");
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
	ck_assert_int_eq(mkdir("closed", 0777), 0);
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

	make_store("victim");
	ck_assert_int_eq(chmod("victim", 0444), 0);
	become_nobody();
	result = store_open(&store, "victim", STORE_READ, &err);
	become_self();
	ck_assert_int_eq(result, 0);
	store_close(store);
}

/* If the disk is full while a run is saved, the earlier runs stay and no part of the run is saved.
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
