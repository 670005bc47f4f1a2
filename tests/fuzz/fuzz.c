/* fuzz.c: the readers of files and arguments, which fuzzing feeds with any bytes. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/string_pool.h"
#include "base/ranges.h"
#include "base/utf8.h"
#include "calls/collect.h"
#include "cli/sweep.h"
#include "launch/launch.h"
#include "machine/machine.h"
#include "record/record.h"
#include "report/categories.h"
#include "report/columns.h"
#include "report/compare.h"
#include "report/predict.h"
#include "report/report.h"
#include "sampling/timeline.h"
#include "store/schema.h"
#include "store/store.h"
#include "symbols/jit_map.h"
#include "symbols/naming.h"
#include "symbols/symbols.h"
#include "tests/report/fixture.h"
#include "wire/session_file.h"
#include "write/format.h"
#include "write/pictures.h"

/* libFuzzer calls it for each input. FUZZ_READER in the environment selects the reader. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SLOW_TURNS 50 /* binary formats are slow: only the first of so many inputs gets them */

static char directory[64]; /* private, in memory, the same for all inputs, removed at exit */

/* The rest of an input. Reading beyond its end gives zeros. */
struct fuzz_bytes {
	const uint8_t *data;
	size_t left;
};

static void remove_directory(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	if (system(command))
		perror(directory);
}

static const char *fuzz_directory(void)
{
	if (*directory)
		return directory;
	strcpy(directory, access("/dev/shm", W_OK) ? "/tmp/fuzz-XXXXXX" : "/dev/shm/fuzz-XXXXXX");
	if (!mkdtemp(directory))
		abort();
	atexit(remove_directory);
	return directory;
}

static const char *fuzz_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", fuzz_directory(), name);
	return path;
}

/* Writes the bytes to a file of the private directory ("a" or "a/b"). */
static void fuzz_write(const char *name, const void *data, size_t size)
{
	char path[256], *slash;
	FILE *file;

	snprintf(path, sizeof path, "%s", fuzz_path(name));
	for (slash = path + strlen(fuzz_directory()) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

/* Takes a number of up to 8 bytes, the lowest first. */
static uint64_t fuzz_number(struct fuzz_bytes *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count && bytes->left; i++, bytes->left--)
		value |= (uint64_t)*bytes->data++ << 8 * i;
	return value;
}

static void fuzz_text(struct fuzz_bytes *bytes, char *text, size_t size)
{
	size_t length = fuzz_number(bytes, 1);

	length = length < size ? length : size - 1;
	length = length < bytes->left ? length : bytes->left;
	memcpy(text, bytes->data, length);
	text[length] = '\0';
	bytes->data += length;
	bytes->left -= length;
}

/* Ends the program if the text has control characters, which a terminal would obey, or is not
 * UTF-8. */
static void fuzz_check_text(const char *text, size_t size)
{
	if (!utf8_valid(text, size))
		abort();
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7f)
			abort();
	}
}

/* Ends the output, and checks it unless it is binary. */
static void end_output(struct memory_file *output, int is_binary)
{
	memory_file_end(output);
	if (!is_binary)
		fuzz_check_text(output->text, output->size);
}

static size_t count_texts(const char *text, const char *sought)
{
	size_t count = 0;

	while ((text = strstr(text, sought))) {
		text++;
		count++;
	}
	return count;
}

/* Builds the report on the runs and writes it in every format and table. */
static void fuzz_report(const struct run *runs, size_t count)
{
	const struct report_options options = REPORT_OPTIONS_DEFAULT;
	static unsigned turn;
	struct report built;
	struct error err;

	if (report_build(runs, count, &options, &built, &err))
		return;
	for (size_t i = 0; i < report_formats_count; i++) {
		const struct report_format *format = &report_formats[i];
		const int is_binary = !!(format->flags & FORMAT_BINARY);
		const size_t tables = format->holds == HOLDS_TABLE ? REPORT_TABLES : 1;

		if (format->holds != HOLDS_TABLE &&
		    (format->holds != HOLDS_ALL || (is_binary && turn % SLOW_TURNS)))
			continue;
		for (size_t j = 0; j < tables; j++) {
			struct memory_file output;

			report_write(&built, format,
				     format->holds == HOLDS_TABLE ? report_tables[j].name : NULL,
				     memory_file_begin(&output), &err);
			end_output(&output, is_binary);
			free(output.text);
		}
	}
	/* the scripts for gnuplot; drawing takes too long */
	for (size_t i = 0; i < pictures_count; i++) {
		struct memory_file output;

		memory_file_begin(&output);
		if (!pictures[i].check(&built, &err))
			pictures[i].script(&built, output.file);
		end_output(&output, 0);
		if (count_texts(output.text, "<< END\n") != count_texts(output.text, "\nEND\n"))
			abort(); /* data could become gnuplot commands, which can start programs */
		free(output.text);
	}
	turn++;
	report_free(&built);
}

/* Reads the bytes as files of /proc and /sys. */
static void read_machine(const uint8_t *data, size_t size)
{
	static const char *const files[] = {"proc/kallsyms",
					    "proc/cpuinfo",
					    "proc/stat",
					    "proc/7/stat",
					    "proc/7/status",
					    "proc/self/cgroup",
					    "proc/self/status",
					    "proc/sys/kernel/perf_event_paranoid",
					    "proc/sys/kernel/osrelease",
					    "sys/devices/system/cpu/online",
					    "sys/fs/cgroup/cpu.max",
					    "sys/fs/cgroup/cpu.stat"};
	struct named_address addresses[] = {{.address = UINT64_MAX},
					    {.address = 0},
					    {.address = 0xffffffff81000010},
					    {.address = 5}};
	const uint64_t cpus = 1;
	const struct load_program program = {.cpus = &cpus, .words = 1};
	struct load load;
	struct run run;

	for (size_t i = 0; i < COUNT(files); i++)
		fuzz_write(files[i], data, size);
	kernel_symbols_name(fuzz_directory(), addresses, COUNT(addresses));
	EACH_ROW(address, addresses, COUNT(addresses))
		if (strlen(address->function) > 63)
			abort();
	run_init(&run);
	machine_describe(fuzz_directory(), &run);
	if (!(run.cpus_available > 0))
		abort();
	load_read(fuzz_directory(), &load);
	load_note(fuzz_directory(), &load, &load, &program, &run);
	load_free(&load);
	run_free(&run);
}

/* Reads the bytes as a map of code made at run time, as a symbol, and as a table of categories. */
static void read_names(const uint8_t *data, size_t size)
{
	struct named_address addresses[] = {
		{.address = 0}, {.address = 0x1000}, {.address = 0x1234}, {.address = UINT64_MAX}};
	struct categories categories = {0};
	struct jit_map_lines lines;
	char symbol[256] = "_Z";
	struct error err;
	FILE *file;

	fuzz_write("names", data, size);
	file = fopen(fuzz_path("names"), "r");
	if (!file)
		abort();
	jit_map_name(file, addresses, COUNT(addresses), &lines);
	EACH_ROW(address, addresses, COUNT(addresses))
		if (address->function && strlen(address->function) > 500)
			abort();
	fclose(file);
	memcpy(symbol + 2, data, size < sizeof symbol - 3 ? size : sizeof symbol - 3);
	free(demangle(symbol));
	categories_read(&categories, fuzz_path("names"), &err);
	for (int code = 0; code < RUN_CODE_COUNT; code++)
		if (strlen(category_find(&categories, "/lib/libx.so.1", code, "f[a]*\\b",
					 "into")) >= CATEGORY_MAX)
			abort();
	categories_free(&categories);
}

#define LONGEST 200

/* Leaves out repetitions: the C library needs unlimited time and memory to compile nested ones,
 * which is up to the user who writes them. */
static void read_expression(const char *text)
{
	struct output_tap *tap;
	struct error err;
	double number;
	int is_rate;

	if (strpbrk(text, "{+*?\\") || output_tap_open(&tap, text, &err) || !tap)
		return;
	output_tap_finish(tap, &number, &is_rate);
	output_tap_free(tap);
}

static void read_plan(const char *text, int env)
{
	static char words[][12] = {"./train", "{}", "--size={a}"};
	char *command[] = {words[0], words[1], words[2], NULL};
	struct plan_options options = {.threads = env ? "1,2" : text,
				       .threads_env = env ? text : NULL,
				       .parameters = {&text, 1},
				       .runs = 2,
				       .warmup = -1};
	struct plan plan = {0};
	struct error err;

	if (!plan_make(&options, command, &plan, &err))
		for (size_t i = 0; i < plan_count(&plan) && i < 20; i++) {
			struct planned_run planned = plan_run(&plan, i);

			free(plan_arguments(&plan, &planned));
		}
	plan_free(&plan);
}

/* Reads the text as arguments: thread counts, sizes, what-if, expressions, and as a command. */
static void read_options(const uint8_t *data, size_t size)
{
	char text[LONGEST + 1], *words[LONGEST + 1], *rest = text;
	const struct option_list list = {(const char *[]){text}, 1};
	double what_if[WHAT_IFS] = {0};
	size_t count, words_count = 0;
	struct error err;
	int *values;

	if (size > LONGEST)
		return;
	memcpy(text, data, size);
	text[size] = '\0';
	if (!ranges_parse(text, &values, &count, &err)) {
		for (size_t i = 0; i < count; i++)
			if (values[i] < 1 || values[i] > RANGES_VALUE_MAX ||
			    count > RANGES_COUNT_MAX)
				abort();
		free(values);
	}
	if (!what_if_parse(&list, what_if, &err) &&
	    (what_if[WHAT_IF_UNITS] < 0 || what_if[WHAT_IF_BLAS] < 0))
		abort();
	read_expression(text);
	read_plan(text, 0);
	read_plan(text, 1);
	while ((words[words_count] = strsep(&rest, "\n")))
		words_count++;
	command_join(words);
	experiment_name(words, 4);
}

/* Reads the bytes as a process's record file, and reports on the run. */
static void read_record(const uint8_t *data, size_t size)
{
	static struct session_dir session = {
		.fd = -1, .control = {.ns_per_tick = 0.4, .begun = {1000, 2000}}};
	const struct collect_roi rois[] = {
		{.kind = COLLECT_BEST},
		{.kind = COLLECT_REGION},
		{.kind = COLLECT_PROCESS, .started_ns = 5, .ended_ns = 1000000},
	};
	struct error err;

	if (session.fd < 0) {
		snprintf(session.path, sizeof session.path, "%s", fuzz_directory());
		session.fd = open(session.path, O_RDONLY | O_DIRECTORY);
		if (symlink("24 program", fuzz_path("lost.17")))
			return;
	}
	fuzz_write("p.1.0", data, size);
	for (size_t i = 0; i < COUNT(rois); i++) {
		struct collected collected;
		struct run run;

		run_init(&run);
		/* not with pairs: replaying thousands of calls takes too long */
		if (!collect_open(&session, &rois[i], NULL, &run, &collected, &err)) {
			collect_run(&session, &rois[i], NULL, NULL, &run, &collected);
			if (!i && !run.npairs)
				fuzz_report(&run, 1);
		}
		collected_free(&collected);
		run_free(&run);
	}
}

enum { RUNS = 4 };

/* Keeps the field valid: texts are terminated, and codes exist. */
static void change_field(struct fuzz_bytes *bytes, const struct field *column, void *row)
{
	uint64_t calls[RUN_HISTOGRAM_BUCKETS] = {0}, value;
	char *field = (char *)row + column->offset, text[300];

	switch (column->type) {
	case FIELD_CHARS:
		fuzz_text(bytes, field, column->size);
		return;
	case FIELD_STRING:
		fuzz_text(bytes, text, sizeof text);
		*(const char **)field = string_pooled(text);
		return;
	case FIELD_CODE:
		*(enum run_code *)field = fuzz_number(bytes, 1) % RUN_CODE_COUNT;
		return;
	case FIELD_PAIRS:
		return;
	case FIELD_HISTOGRAM:
		value = fuzz_number(bytes, 1) % RUN_HISTOGRAM_BUCKETS;
		calls[value] = fuzz_number(bytes, 8);
		free(*(struct histogram **)field);
		*(struct histogram **)field = histogram_of(calls);
		return;
	default:
		break;
	}
	value = fuzz_number(bytes, 8);
	memcpy(field, &value, column->size);
}

/* Adds a row as if it were loaded from a store: no text is NULL. */
static void add_row(struct run *run, const struct table *table)
{
	char *row = table_add(table, run);

	for (size_t i = 0; row && i < table->nfields; i++)
		if (table->fields[i].type == FIELD_STRING)
			*(const char **)(row + table->fields[i].offset) = "";
}

static void change_run(struct fuzz_bytes *bytes, struct run *runs)
{
	struct run *run = &runs[fuzz_number(bytes, 1) % RUNS];
	const struct table *table = schema_tables[fuzz_number(bytes, 1) % SCHEMA_PAIRS];
	const struct field *column = &table->fields[fuzz_number(bytes, 1) % table->nfields];
	size_t row = fuzz_number(bytes, 1);

	if (table == &run_table)
		change_field(bytes, column, run);
	else if (row < table_count(table, run))
		change_field(bytes, column, table_row(table, run, row));
	else if (row < 200)
		add_row(run, table);
}

static void write_tables(table_writer *write, const void *data)
{
	for (int format = 0; format < TABLE_FORMATS; format++) {
		struct memory_file output;

		write(data, (enum table_format)format, memory_file_begin(&output));
		end_output(&output, 0);
		free(output.text);
	}
}

static void predict_runs(const struct run *runs)
{
	int threads[] = {1, 2, 64}, units[] = {1, 3};
	const struct prediction_grid grid = {threads, units, 3, 2};
	struct prediction prediction = {0};
	struct error err;

	if (!prediction_from_runs(runs, RUNS, &prediction, &err) &&
	    !prediction_build_rows(&prediction, &grid, &err))
		write_tables(prediction_write, &prediction);
	prediction_free(&prediction);
}

static void compare_runs(const struct run *runs)
{
	const struct comparison_options options = {.top = 5, .force = 1};
	struct comparison comparison = {.sides = {{.name = "before", .runs = runs, .count = 2},
						  {.name = "after", .runs = runs + 2, .count = 2}}};
	struct error err;

	if (!comparison_build(&options, &comparison, &err)) {
		comparison_worst(&comparison, 0.05);
		write_tables(comparison_write, &comparison);
	}
	comparison_free(&comparison);
}

/* Changes fields of sound runs as the bytes say, and makes all reports on the runs. */
static void read_report(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = {data, size < 4096 ? size : 4096};
	struct run runs[RUNS];

	for (int i = 0; i < RUNS; i++)
		fixture_run(&runs[i], 1 + i % 2, 1000000000 + i, 0.4, 0.5);
	while (bytes.left)
		change_run(&bytes, runs);
	fuzz_report(runs, RUNS);
	predict_runs(runs);
	compare_runs(runs);
	for (int i = 0; i < RUNS; i++)
		run_free(&runs[i]);
}

/* Reads the bytes as perf records. */
static void read_rings(const uint8_t *data, size_t size)
{
	struct timeline timeline;
	struct merge merge = {0};

	size &= ~(size_t)7; /* the kernel writes whole words */
	if (!size)
		return;
	timeline_init(&timeline, 10, 1);
	idmap_put(&timeline.counted_ids, 2, 0);
	merge.waiting.bytes = malloc(size);
	if (!merge.waiting.bytes)
		abort();
	memcpy(merge.waiting.bytes, data, size);
	merge.waiting.used = merge.waiting.room = size;
	merge_feed(&merge, &timeline, 1000);
	merge_feed(&merge, &timeline, INT64_MAX);
	timeline_end(&timeline, INT64_MAX / 2);
	merge_free(&merge);
	timeline_free(&timeline);
}

/* The values that the preload library accepts must be usable. */
static void check_session(const struct session *session)
{
	if (!(session->ns_per_tick > 0) || !isfinite(session->ns_per_tick) ||
	    !isfinite(session->blas_factor) || !isfinite(session->other_factor) ||
	    strnlen(session->roi_region, sizeof session->roi_region) == sizeof session->roi_region)
		abort();
}

/* Reads the bytes as a session's control file, like the preload library. */
static void read_session(const uint8_t *data, size_t size)
{
	struct session session;
	int fd;

	fuzz_write("session", data, size);
	chmod(fuzz_path("session"), 0600);
	fd = session_directory_open(fuzz_directory());
	if (fd < 0)
		abort();
	if (!session_file_read(fd, &session))
		check_session(&session);
	close(fd);
}

static void load_runs(struct store *store)
{
	struct store_list list;
	struct run *runs;
	struct error err;
	size_t count;

	if (!store_list_runs(store, NULL, &list, &err))
		store_list_free(&list);
	if (!store_list_experiments(store, &list, &err))
		store_list_free(&list);
	if (store_load_experiment(store, NULL, STORE_ALL_PARTS, &runs, &count, &err))
		return;
	for (size_t i = 0; i < count; i++)
		store_load_pairs(store, &runs[i], &err);
	fuzz_report(runs, count);
	store_free_runs(&runs, &count);
}

/* Opens the bytes as a store, lists and loads it, and reports on its runs. */
static void read_store(const uint8_t *data, size_t size)
{
	static const enum store_mode modes[] = {STORE_READ, STORE_CREATE};
	struct store *store;
	struct error err;
	struct run run;

	for (int i = 0; i < 2; i++) {
		fuzz_write("x.db", data, size);
		if (store_open(&store, fuzz_path("x.db"), modes[i], &err))
			continue;
		run_init(&run);
		if (modes[i] == STORE_CREATE)
			store_save_run(store, &run, &err);
		run_free(&run);
		load_runs(store);
		store_close(store);
	}
}

/* Reads the bytes as an object file with symbols, and as a command to run. */
static void read_symbols(const uint8_t *data, size_t size)
{
	static const uint64_t offsets[] = {0,	   1,	    64,		0x1000,
					   0x1130, 0x12345, UINT32_MAX, UINT64_MAX};
	struct symbols *symbols;
	struct run run;
	char path[256];

	fuzz_write("object", data, size);
	snprintf(path, sizeof path, "%s", fuzz_path("object"));
	chmod(path, 0700);
	run_init(&run);
	target_inspect(path, &run);
	run_free(&run);
	symbols = symbols_open(&(struct object){.path = (char *)path}, 0, 0);
	for (size_t i = 0; symbols && i < COUNT(offsets); i++) {
		struct symbol_frame frames[SYMBOL_FRAMES_MAX];
		size_t count = symbols_frames(symbols, offsets[i], frames, SYMBOL_FRAMES_MAX);

		for (size_t j = 0; j < count; j++)
			if (frames[j].function && strlen(frames[j].function) > 1 << 20)
				abort();
	}
	symbols_close(symbols);
}

#define READER(name)                                                                               \
	{                                                                                          \
#name, read_##name                                                                 \
	}
static const struct reader {
	const char *name;
	void (*read)(const uint8_t *data, size_t size);
} readers[] = {
	READER(machine), READER(names),	  READER(options), READER(record),  READER(report),
	READER(rings),	 READER(session), READER(store),   READER(symbols),
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct reader *chosen;
	const char *wanted = getenv("FUZZ_READER");

	for (size_t i = 0; !chosen && wanted && i < COUNT(readers); i++)
		if (!strcmp(wanted, readers[i].name))
			chosen = &readers[i];
	if (!chosen) {
		fputs("FUZZ_READER is none of the readers in tests/fuzz/fuzz.c\n", stderr);
		exit(2);
	}
	chosen->read(data, size);
	return 0;
}
