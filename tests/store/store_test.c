/* store_test.c: saves and loads runs of any content, also in older and damaged stores. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/string_pool.h"
#include "random_run.h"
#include "store/schema.h"
#include "store/store.h"
#include "tests/scratch.h"
#include "tests/unit.h"

static struct error err;
static struct store *store; /* runs.db; open for writing at the start of each test */

static void open_store(enum store_mode mode)
{
	ck_assert_msg(!store_open(&store, "runs.db", mode, &err), "%s", err.what);
}

static void reopen(enum store_mode mode)
{
	store_close(store);
	open_store(mode);
}

static void setup(void)
{
	scratch_enter();
	open_store(STORE_CREATE);
}

static void teardown(void)
{
	store_close(store);
	scratch_leave();
}

FIXTURE(setup, teardown)

static void save(struct run *run)
{
	ck_assert_msg(!store_save_run(store, run, &err), "%s", err.what);
}

/* Loads a run with its pairs, which are loaded only when asked for. */
static void load(int64_t id, struct run *run)
{
	ck_assert_msg(!store_load_parts(store, id, STORE_ALL_PARTS, run, &err), "%s", err.what);
	ck_assert_uint_eq(run->npairs, 0);
	ck_assert_msg(!store_load_pairs(store, run, &err), "%s", err.what);
}

/* Executes SQL in the store as another program. */
static void execute(const char *sql)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open("runs.db", &db), SQLITE_OK);
	ck_assert_msg(!sqlite3_exec(db, sql, NULL, NULL, NULL), "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static int same_field(const struct field *column, const void *a, const void *b)
{
	const char *x = (const char *)a + column->offset, *y = (const char *)b + column->offset;

	if (column->type == FIELD_STRING)
		return !strcmp(*(char *const *)x, *(char *const *)y);
	if (column->type == FIELD_HISTOGRAM) {
		uint64_t one[RUN_HISTOGRAM_BUCKETS], other[RUN_HISTOGRAM_BUCKETS];

		return !memcmp(histogram_calls(*(struct histogram *const *)x, one),
			       histogram_calls(*(struct histogram *const *)y, other), sizeof one);
	}
	if (column->type == FIELD_REAL) /* SQLite does not keep the sign of -0 */
		return *(const double *)x == *(const double *)y;
	return !memcmp(x, y, column->size);
}

static void check_rows(const struct table *table, const void *a, const void *b)
{
	for (size_t i = 0; i < table->nfields; i++)
		ck_assert_msg(same_field(&table->fields[i], a, b), "%s.%s changed", table->name,
			      table->fields[i].name);
}

static void check_same(const struct run *a, const struct run *b)
{
	ck_assert_int_eq(a->id, b->id);
	check_rows(schema_tables[SCHEMA_RUNS], a, b);
	for (size_t i = 1; i < SCHEMA_PAIRS; i++) {
		enum run_part part = (enum run_part)(i - 1);

		ck_assert_uint_eq(table_count(&run_tables[part], a),
				  table_count(&run_tables[part], b));
		for (size_t row = 0; row < table_count(&run_tables[part], a); row++)
			check_rows(schema_tables[i], table_row(&run_tables[part], a, row),
				   table_row(&run_tables[part], b, row));
	}
	ck_assert_uint_eq(a->npairs, b->npairs);
	if (a->npairs)
		ck_assert_mem_eq(a->pairs, b->pairs, a->npairs * sizeof *a->pairs);
}

/* Loads the run, and frees what was loaded. */
static void check_stored(const struct run *run)
{
	struct run loaded;

	load(run->id, &loaded);
	check_same(run, &loaded);
	run_free(&loaded);
}

TEST(test_round_trip)
{
	struct run run;

	for (unsigned int seed = 1; seed <= 100; seed++) {
		random_run(&run, seed, 6);
		save(&run);
		ck_assert_int_eq(run.id, seed);
		reopen(seed % 2 ? STORE_READ : STORE_CREATE);
		check_stored(&run);
		run_free(&run);
		reopen(STORE_CREATE);
	}
}

/* Returns the longest gap between the fields of a struct that have columns; 8 bytes or more mean
 * that a field has none. */
static size_t longest_gap(const struct table *table, size_t size)
{
	char kept[sizeof(struct run_shape) + sizeof(struct run)] = {0};
	size_t gap = 0, longest = 0;

	ck_assert_uint_le(size, sizeof kept);
	for (size_t i = 0; i < table->nfields; i++)
		memset(kept + table->fields[i].offset, 1, table->fields[i].size);
	for (size_t i = 0; i < size; i++) {
		gap = kept[i] ? 0 : gap + 1;
		longest = gap > longest ? gap : longest;
	}
	return longest;
}

TEST(test_every_field_has_a_column)
{
	const struct table *runs = schema_tables[SCHEMA_RUNS];

	/* Structs are made from the columns, except times, shapes and locations. Callers and
	 * counters of shapes have no columns for the variant and the type. */
	for (size_t i = 1; i < SCHEMA_PAIRS; i++)
		if (i != 1 + RUN_PART_CALLERS && i != 1 + RUN_PART_SHAPE_COUNTERS)
			ck_assert_msg(longest_gap(schema_tables[i], schema_tables[i]->row_size) < 8,
				      "a field of table %s has no column", schema_tables[i]->name);
	/* all fields between the id and the parts have columns */
	ck_assert_uint_eq(runs->fields[0].offset, sizeof(int64_t));
	ck_assert_uint_lt(longest_gap(runs, offsetof(struct run, threads)), 9);
	for (size_t i = 0; i < SCHEMA_TABLES; i++)
		for (size_t j = 0; j < schema_tables[i]->nfields; j++)
			ck_assert_uint_gt(strlen(schema_tables[i]->fields[j].doc), 2);
}

TEST(test_lists)
{
	const char *const names[] = {"a {}", "b\xff {}", "a {}"};
	struct store_list list;

	ck_assert_ptr_null(store_newest_experiment(store, &err));
	ck_assert(strstr(err.what, "holds no run") && *err.remedy);
	for (int i = 0; i < 3; i++) {
		struct run run;

		run_init(&run);
		run.experiment = string_pooled(names[i]);
		snprintf(run.what_if, sizeof run.what_if, "%s", i == 1 ? "units=1" : "");
		run_add_thread(&run)->calls = 10;
		run_add_thread(&run)->calls = (uint64_t)i;
		save(&run);
		run_free(&run);
	}
	ck_assert(!store_list_runs(store, NULL, &list, &err));
	ck_assert_uint_eq(list.count, 3);
	ck_assert_uint_eq(list.entries[2].calls, 12);
	ck_assert_str_eq(list.entries[1].what_if, "units=1");
	ck_assert_str_eq(list.entries[2].what_if, "");
	store_list_free(&list);
	ck_assert(!store_list_runs(store, names[1], &list, &err));
	ck_assert_uint_eq(list.count, 1);
	ck_assert_int_eq(list.entries[0].id, 2);
	ck_assert_str_eq(list.entries[0].command, "");
	store_list_free(&list);
	ck_assert(!store_list_experiments(store, &list, &err));
	ck_assert_uint_eq(list.count, 2);
	ck_assert_str_eq(list.entries[1].experiment, names[0]);
	ck_assert_uint_eq(list.entries[1].runs, 2);
	ck_assert_int_eq(list.entries[1].id, 3);
	store_list_free(&list);
	ck_assert_str_eq(store_newest_experiment(store, &err), "a {}");
}

TEST(test_experiment_loads_with_parts)
{
	struct run run, *runs;
	size_t count;

	for (unsigned int seed = 1; seed <= 4; seed++) {
		random_run(&run, seed, 3);
		run.experiment = string_pooled(seed % 2 ? "odd" : "even");
		run_add_thread(&run);
		table_add(&run_tables[RUN_PART_SHAPES], &run);
		save(&run);
		run_free(&run);
	}
	ck_assert(!store_load_experiment(store, "odd", STORE_PART(RUN_PART_THREADS), &runs, &count,
					 &err));
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(runs[1].id, 3);
	ck_assert_uint_gt(runs[1].nthreads, 0);
	ck_assert_uint_eq(runs[1].nshapes, 0);
	store_free_runs(&runs, &count);
	ck_assert_int_eq(store_load_parts(store, 99, STORE_ALL_PARTS, &run, &err), -1);
	ck_assert_has(err.what, "no run 99");
}

/* The runs of an experiment share strings, so one of them may end before the others. */
TEST(test_parts_load_later)
{
	struct run saved[4], *runs;
	struct run_frame *frame;
	size_t count;

	for (unsigned int i = 0; i < 4; i++) {
		random_run(&saved[i], i / 2, 6);
		saved[i].experiment = "train.py";
		frame = table_add(&run_tables[RUN_PART_FRAMES], &saved[i]);
		frame->function =
			string_pooled(i < 3 ? "forward(train.py:31)" : "forward (train.py:31)");
		frame->object = "/home/u/train.py";
		ck_assert_int_eq(store_has_scripts(store, "train.py"), 0);
		save(&saved[i]);
	}
	ck_assert_int_eq(store_has_scripts(store, "train.py"), 1);
	ck_assert_int_eq(store_has_scripts(store, "infer.py"), 0);
	ck_assert(!store_load_experiment(store, NULL, STORE_ALL_PARTS & ~STORE_STACKS, &runs,
					 &count, &err));
	ck_assert_uint_eq(count, 4);
	run_free(&runs[0]);
	for (unsigned int i = 1; i < 4; i++) {
		ck_assert_uint_eq(runs[i].nframes + runs[i].nstacks, 0);
		ck_assert(!store_load_more(store, STORE_STACKS, &runs[i], 1, &err));
		ck_assert(!store_load_pairs(store, &runs[i], &err));
		check_same(&saved[i], &runs[i]);
		run_add_fact(&runs[i], "session", "one more");
		ck_assert_str_eq(run_fact(&runs[i], "session"), "one more");
	}
	store_free_runs(&runs, &count);
	for (unsigned int i = 0; i < 4; i++)
		run_free(&saved[i]);
}

TEST(test_odd_names_are_only_names)
{
	static const char *const names[] = {":memory:", "file:x?mode=memory", "a%20b#c", "-"};

	for (int i = 0; i < COUNT(names); i++)
		for (int mode = STORE_CREATE; mode >= STORE_READ; mode--) {
			struct store *odd;

			ck_assert(!store_open(&odd, names[i], (enum store_mode)mode, &err));
			ck_assert_msg(!access(names[i], F_OK), "%s was not made", names[i]);
			store_close(odd);
		}
}

/* Several processes create the store and save to it at the same time; no run may be lost. */
TEST(test_many_programs_at_once)
{
	struct store_list list;
	int status;

	store_close(store);
	ck_assert_int_eq(unlink("runs.db"), 0);
	for (unsigned int child = 0; child < 4; child++)
		if (!fork()) {
			open_store(STORE_CREATE);
			for (unsigned int i = 0; i < 10; i++) {
				struct run run;

				random_run(&run, child * 10 + i, 4);
				save(&run);
				run_free(&run);
			}
			store_close(store);
			_exit(0);
		}
	while (wait(&status) > 0)
		ck_assert_int_eq(status, 0);
	open_store(STORE_READ);
	ck_assert(!store_list_runs(store, NULL, &list, &err));
	ck_assert_uint_eq(list.count, 40);
	store_list_free(&list);
}

/* A program is killed in the middle of a transaction that changes most of the file. */
TEST(test_interrupted_save_is_rolled_back)
{
	struct run run;
	sqlite3 *db;
	int status;

	random_run(&run, 7, 100);
	save(&run);
	store_close(store);
	if (!fork()) {
		if (sqlite3_open("runs.db", &db) ||
		    sqlite3_exec(db,
				 "PRAGMA cache_size = 1; BEGIN; DELETE FROM shapes; "
				 "DELETE FROM runs",
				 NULL, NULL, NULL))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	wait(&status);
	ck_assert(WIFSIGNALED(status));
	ck_assert_msg(!access("runs.db-journal", F_OK), "no journal: nothing is tested");
	open_store(STORE_READ);
	check_stored(&run);
	ck_assert_int_eq(store_save_run(store, &run, &err), -1); /* opened for reading */
	run_free(&run);
}

TEST(test_a_run_of_the_same_session_is_stored_once)
{
	struct run run;

	for (int64_t run_id = 1; run_id <= 2; run_id++) { /* without a session, all are different */
		random_run(&run, 1, 6);
		save(&run);
		ck_assert_int_eq(run.id, run_id);
		run_free(&run);
	}
	random_run(&run, 1, 6);
	ck_assert_ptr_nonnull(run_add_fact(&run, "session", "/tmp/blasprof-AbCdEf"));
	save(&run);
	ck_assert_int_eq(run.id, 3);
	run.id = 0;
	ck_assert_int_eq(store_save_run(store, &run, &err), 1);
	ck_assert_int_eq(run.id, 3);
	snprintf(run.started, sizeof run.started, "2036-11-22T14:30:00Z");
	save(&run); /* the same directory name years later */
	ck_assert_int_eq(run.id, 4);
	run_free(&run);
}

/* Loads a run from a store without all columns and tables. */
static void load_old(const struct run *run)
{
	struct run loaded;

	load(run->id, &loaded);
	ck_assert_uint_eq(loaded.nshapes, run->nshapes);
	ck_assert_uint_eq(loaded.shapes[0].calls, run->shapes[0].calls);
	ck_assert_uint_eq(loaded.shapes[0].samples_workers, 0);
	ck_assert(isnan(loaded.shapes[0].bytes));
	ck_assert_str_eq(loaded.what_if, "");
	ck_assert_uint_eq(loaded.nfacts, 0);
	ck_assert_uint_gt(loaded.nnotes, 0);
	run_free(&loaded);
}

TEST(test_older_store_is_read_and_updated)
{
	unsigned seed = 3;
	struct run run;
	struct stat before, after;

	for (random_run(&run, seed, 6); !run.nshapes; random_run(&run, ++seed, 6))
		run_free(&run);
	run.shapes[0].samples_workers = 5;
	save(&run);
	store_close(store);
	execute("ALTER TABLE shapes DROP COLUMN samples_workers;"
		"ALTER TABLE shapes DROP COLUMN bytes;"
		"ALTER TABLE runs DROP COLUMN what_if; DROP TABLE facts");
	ck_assert_int_eq(stat("runs.db", &before), 0);
	open_store(STORE_READ);
	load_old(&run);
	ck_assert_int_eq(stat("runs.db", &after), 0);
	ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	reopen(STORE_CREATE);
	load_old(&run);
	save(&run);
	reopen(STORE_READ);
	check_stored(&run);
	run_free(&run);
}

static void damage(const struct table *table, const struct field *column, const char *value)
{
	char *sql = sqlite3_mprintf("UPDATE %s SET %s = %s", table->name, column->name, value);

	execute(sql);
	sqlite3_free(sql);
}

TEST(test_last_pairs_are_stored_compactly)
{
	struct run run, loaded;
	struct stat file;

	run_init(&run);
	run.npairs = RUN_PAIRS_MAX + 10;
	run.pairs = calloc(run.npairs, sizeof *run.pairs);
	for (size_t i = 0; i < run.npairs; i++)
		run.pairs[i] = (struct run_pair){(uint32_t)i, i % 2 ? UINT32_MAX : 12000};
	save(&run);
	load(run.id, &loaded);
	ck_assert_uint_eq(loaded.npairs, RUN_PAIRS_MAX);
	ck_assert_mem_eq(loaded.pairs, run.pairs + 10, RUN_PAIRS_MAX * sizeof *run.pairs);
	run_free(&loaded);
	for (size_t i = 0; i < run.npairs; i++)
		run.pairs[i] = (struct run_pair){9000, 12000};
	for (int i = 0; i < 9; i++)
		save(&run);
	ck_assert(!stat("runs.db", &file));
	ck_assert_int_lt(file.st_size, 10 * RUN_PAIRS_MAX * 6);
	run_free(&run);
}

TEST(test_garbage_pairs_load)
{
	static const struct {
		const char *value;
		size_t pairs;
	} cases[] = {{"x''", 0},
		     {"x'01'", 0},
		     {"x'8080'", 0},
		     {"x'0102'", 1},
		     {"x'010203'", 1},
		     {"x'ffffffffffffffffffff01ff'", 0},
		     {"x'ffffffffffffffffff0101'", 1},
		     {"zeroblob(1000000)", RUN_PAIRS_MAX},
		     {"NULL", 0}};
	struct run run;

	random_run(&run, 5, 0);
	ck_assert_uint_gt(run.npairs, 0);
	save(&run);
	for (int i = 0; i < COUNT(cases); i++) {
		damage(schema_tables[SCHEMA_PAIRS], &schema_tables[SCHEMA_PAIRS]->fields[0],
		       cases[i].value);
		ck_assert(!store_load_pairs(store, &run, &err));
		ck_assert_msg(run.npairs == cases[i].pairs, "%s gives %zu pairs", cases[i].value,
			      run.npairs);
	}
	run_free(&run);
}

TEST_EACH(test_garbage_in_columns_loads, SCHEMA_TABLES)
{
	static const char *const values[] = {
		"NULL", "'text'", "x'00ff'", "-9223372036854775808", "1e999", "'7:x 999:1 :: 5'"};
	const struct table *table = schema_tables[_i];
	struct run run;

	random_run(&run, 5, 0);
	for (int part = 0; part < RUN_PART_COUNT; part++)
		table_add(&run_tables[part], &run);
	save(&run);
	run_free(&run);
	for (size_t i = 0; i < table->nfields; i++)
		for (int j = 0; j < COUNT(values); j++) {
			damage(table, &table->fields[i], values[j]);
			load(1, &run);
			ck_assert_uint_le(run.npairs, RUN_PAIRS_MAX);
			ck_assert_ptr_nonnull(run.experiment);
			ck_assert_ptr_nonnull(run.functions[0].location.object);
			ck_assert_int_lt(run.functions[0].code, RUN_CODE_COUNT);
			run_free(&run);
		}
}
