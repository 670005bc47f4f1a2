/* seeds.c: makes the binary inputs that fuzzing starts from: seeds DIRECTORY makes a folder for
 * each reader there. */
/* SPDX-License-Identifier: MIT */
#include <linux/perf_event.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "tests/report/fixture.h"
#include "wire/layout.h"
#include "store/store.h"

static void die(const char *what)
{
	fprintf(stderr, "seeds: cannot make %s\n", what);
	exit(1);
}

static void put(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(name, "w");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		die(name);
}

/* Adds a chunk with `used` rows at offset *bytes and returns its first row. */
static void *add_chunk(char *file, size_t *bytes, enum chunk_kind kind, size_t size, uint32_t used)
{
	struct chunk_header *chunk = (void *)(file + *bytes);

	*chunk =
		(struct chunk_header){.magic = CHUNK_MAGIC,
				      .kind = kind,
				      .bytes = (uint32_t)((size + sizeof *chunk + LAYOUT_PAGE - 1) /
							  LAYOUT_PAGE * LAYOUT_PAGE),
				      .used = used};
	*bytes += chunk->bytes;
	return chunk + 1;
}

static struct call_sums some_sums(uint64_t calls)
{
	return (struct call_sums){.calls = calls,
				  .in[IN_BLAS].ticks = calls * 1000,
				  .in[IN_OTHER].ticks = calls * 500,
				  .in[IN_BLAS].waiting_ns = 100,
				  .in[IN_OTHER].waiting_ns = 200,
				  .in[IN_OTHER].preempted_ns = 300,
				  .flops = 2e6};
}

static void make_record(const char *name, int with_pairs)
{
	size_t bytes = LAYOUT_PAGE;
	char *file = calloc(1, 20 * LAYOUT_PAGE + sizeof(struct call_times));
	struct thread_record *threads;
	struct shape_record *shapes;

	if (!file)
		die(name);
	*(struct process_header *)file =
		(struct process_header){.magic = PROCESS_MAGIC,
					.version = LAYOUT_VERSION,
					.pid = 1,
					.parent = 17,
					.troubles = 15,
					.first_ticks = 1000,
					.exit_ticks = 900000,
					.call_inside_ticks = 10,
					.call_outside_ticks = 20,
					.unrecorded_calls = 3,
					.command = "program",
					.providers = {"/lib/libblas.so"},
					.libraries = {{.name = "OpenBLAS", .threads = 1}}};
	threads = add_chunk(file, &bytes, CHUNK_THREADS, 100, 2);
	shapes = add_chunk(file, &bytes, CHUNK_SHAPES, 100, 2);
	for (int i = 0; i < 2; i++) {
		threads[i] = (struct thread_record){.tid = 1 + i,
						    .serial = (uint64_t)i + 1,
						    .name = "thread",
						    .first_ticks = 2000,
						    .last_ticks = 800000,
						    .end_ticks = 850000,
						    .end_cpu_ns = 300000,
						    .read_ticks = 700000,
						    .read_cpu_ns = 250000,
						    .attach_ticks = 100,
						    .own_ticks = 50,
						    .progress = 3,
						    .sums = some_sums(100 + (uint64_t)i)};
		shapes[i] = (struct shape_record){
			.key = {shape_head(0, 111, 112, 0), 64, 64, 64 + i, 0},
			.ticks = 50000,
			.min_ticks = 500,
			.max_ticks = 2000,
			.last_bucket = histogram_bucket(1000),
			.flops_per_call = 10000,
			.bytes_per_call = 1e3};
		shapes[i].histogram[histogram_bucket(1000)] = 49;
	}
	strcpy(((struct region_name *)add_chunk(file, &bytes, CHUNK_NAMES, 100, 1))->text,
	       "region");
	*(struct region_record *)add_chunk(file, &bytes, CHUNK_REGIONS, 100, 1) =
		(struct region_record){
			.serial = 1, .region = 1, .entries = 5, .sums = some_sums(7)};
	*(struct task_start *)add_chunk(file, &bytes, CHUNK_TASKS, 100, 1) =
		(struct task_start){1, 1000, 2000};
	*(struct code_record *)add_chunk(file, &bytes, CHUNK_CODES, 200, 1) =
		(struct code_record){4096, 64, "kernel"};
	if (with_pairs) {
		struct call_times *pairs =
			add_chunk(file, &bytes, CHUNK_CALL_TIMES, sizeof *pairs, 1);

		pairs->serial = 1;
		pairs->written = 20000;
	}
	put(name, file, bytes);
	free(file);
}

/* A sample begins with the id of its event and ends with its period; other records end with the id.
 */
enum { SAMPLER_ID = 1, COUNTED_ID = 2, PERIOD = 1000 };

/* Perf records, one after another. */
struct records {
	uint64_t words[256];
	size_t count, start;
};

static void begin(struct records *records)
{
	records->start = records->count++;
}

static void add(struct records *records, uint32_t low, uint32_t high)
{
	records->words[records->count++] = (uint64_t)high << 32 | low;
}

static void end(struct records *records, uint32_t type, uint16_t misc, uint64_t time)
{
	struct perf_event_header header = {type, misc, 0};

	add(records, 10, 10);
	records->words[records->count++] = time;
	records->words[records->count++] = 0;
	records->words[records->count++] = type == PERF_RECORD_SAMPLE ? PERIOD : SAMPLER_ID;
	header.size = (uint16_t)((records->count - records->start) * 8);
	memcpy(&records->words[records->start], &header, sizeof header);
}

static void make_rings(void)
{
	struct records records = {0};

	begin(&records);
	add(&records, 10, 10);
	add(&records, 0x1000, 0);
	add(&records, 0x1000, 0);
	records.count += 5;
	strcpy((char *)&records.words[records.count], "/lib/x.so");
	records.count += 2;
	end(&records, PERF_RECORD_MMAP2, 0, 5);
	begin(&records);
	add(&records, 11, 10);
	add(&records, 11, 10);
	records.words[records.count++] = 6;
	end(&records, PERF_RECORD_FORK, 0, 6);
	begin(&records);
	add(&records, 10, 10);
	strcpy((char *)&records.words[records.count++], "program");
	end(&records, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 7);
	for (uint64_t time = 10; time < 40; time += 10) {
		begin(&records);
		records.words[records.count++] = time == 20 ? COUNTED_ID : SAMPLER_ID;
		add(&records, 0x1010, 0);
		end(&records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, time);
		begin(&records);
		end(&records, PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT, time + 1);
	}
	begin(&records);
	add(&records, 1, 0);
	add(&records, 77, 0);
	end(&records, PERF_RECORD_LOST, 0, 50);
	begin(&records);
	add(&records, 10, 10);
	add(&records, 10, 10);
	records.words[records.count++] = 60;
	end(&records, PERF_RECORD_EXIT, 0, 60);
	put("rings/sound", records.words, records.count * 8);
}

/* Small pages reduce the number of unused bytes. */
static void make_store(void)
{
	static const char path[] = "store/sound";
	struct store *store;
	struct error err;
	sqlite3 *db;

	remove(path);
	if (store_open(&store, path, STORE_CREATE, &err))
		die("a store");
	for (int threads = 1; threads <= 2; threads++) {
		struct run run;

		fixture_run(&run, threads, 1000000000 / threads, 0.4, 0.5);
		if (store_save_run(store, &run, &err))
			die("a run");
		run_free(&run);
	}
	store_close(store);
	if (sqlite3_open(path, &db) ||
	    sqlite3_exec(db, "PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL))
		die("a small store");
	sqlite3_close(db);
}

int main(int argc, char **argv)
{
	static const struct session session = {.magic = SESSION_MAGIC,
					       .version = LAYOUT_VERSION,
					       .ns_per_tick = 0.4,
					       .units = 1,
					       .blas_factor = 1.5,
					       .roi_region = "region"};
	static const unsigned char changes[] = {0, 0, 7, 0,   1,   0,	0,   0,	 0, 0, 0, 0, 1,	 1,
						2, 0, 5, 'e', 'v', 'i', 'l', 27, 2, 2, 9, 0, 255};

	static const char *const readers[] = {"record", "session", "rings", "store", "report"};

	if (argc != 2)
		return 2;
	mkdir(argv[1], 0700);
	if (chdir(argv[1]))
		die(argv[1]);
	for (size_t i = 0; i < COUNT(readers); i++)
		mkdir(readers[i], 0700);
	make_record("record/sound", 0);
	make_record("record/pairs", 1);
	put("session/sound", &session, sizeof session);
	make_rings();
	make_store();
	put("report/some", changes, sizeof changes);
	return 0;
}
