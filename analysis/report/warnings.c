/* warnings.c: the table of doubts, and how notes and findings become the report's warnings. */
/* SPDX-License-Identifier: MIT */
#include "report/warnings.h"

#include <stdio.h>
#include <string.h>

#include "report/checks.h"
#include "base/array.h"

#define NOTES_SHOWN 4 /* of one code in one run */

/* clang-format off */
const struct warning warnings[] = {
	/* noted while recording */
	{"no_calls", SEVERITY_WARNING, "no BLAS call was seen: {}",
	 "{}", check_no_calls},
	{"static_program", SEVERITY_WARNING, "the program is static, so none of its calls can be intercepted: {}",
	 "link it dynamically (without -static); --uprobes counts its calls as it is", NULL},
	{"setuid_program", SEVERITY_WARNING, "the program changes its user on exec, so the loader takes no preload library: {}",
	 "profile a copy of it that is not setuid or setgid and has no file capabilities", NULL},
	{"foreign_program", SEVERITY_WARNING, "the program is built for another kind of machine than blasprof, so its calls cannot be intercepted: {}",
	 "build it for this machine's own instruction set and 64 bits", NULL},
	{"musl_program", SEVERITY_WARNING, "the program runs on musl, whose loader cannot take the preload library: {}",
	 "build it for the GNU C library", NULL},
	{"no_uprobes", SEVERITY_WARNING, "the program's calls could not be counted by uprobes: {}", "", NULL},
	{"uprobes", SEVERITY_NOTE, "calls were counted by uprobes, which cost much more than the preload library: {}",
	 "callers, regions and the samples' share of BLAS are not known, nor shapes and flops of calls by Fortran names and of batches, for which speed-ups take --work; link the program dynamically for these", NULL},
	{"uprobes_unneeded", SEVERITY_NOTE, "no uprobes were set, for the preload library sees this program's calls: {}",
	 "leave --uprobes out", NULL},
	{"several_blas", SEVERITY_NOTE, "calls go to more than one BLAS library in one process: {}",
	 "BLAS time is that of all of them; link everything to one", NULL},
	{"roi_unmarked", SEVERITY_WARNING, "the program marks no region by the name that --roi has: {}",
	 "give --roi a name that the program marks by blasprof.h(3), or blas, or process", NULL},
	{"process_not_intercepted", SEVERITY_WARNING, "some processes ran without the preload library: {}",
	 "let the program pass LD_PRELOAD on to its children; static and setuid ones cannot be helped", NULL},
	{"blas_unknown", SEVERITY_NOTE, "the BLAS library in use is not one that blasprof knows: {}",
	 "version, core type and thread setting are missing; times and counts are not affected", NULL},
	{"exited_early", SEVERITY_NOTE, "the program ended without its exit handlers: {}",
	 "the record is whole but for calls under way", NULL},
	{"shape_table_full", SEVERITY_NOTE, "more shapes than the table holds; the rest is summed up by routine: {}", "", NULL},
	{"timeline_cut", SEVERITY_NOTE, "the timeline holds a part of the calls only: {}",
	 "let each thread keep more of them: --timeline-keep=last,262144, or first,N for the run's begin", NULL},
	{"timeline_no_waits", SEVERITY_NOTE, "the timeline is without the times off the CPU: {}",
	 "let the program run for a shorter time, or lower the sampling rate", NULL},
	{"wait_regions_lost", SEVERITY_NOTE, "the regions of some waits are not known any more, and show as ?: {}",
	 "let the program run for a shorter time, or mark longer regions", NULL},
	{"lookups_full", SEVERITY_WARNING, "the program looked one routine up (dlsym) in more libraries than can be told apart, so calls of some are not seen: {}",
	 "let it use one or two BLAS libraries", NULL},
	{"unit_taken", SEVERITY_WARNING, "of the what-if's units one was taken from a thread that may have been inside its call, for another had waited for 100 s: {}",
	 "leave units out of --what-if where calls take as long, or the program leaves them by longjmp or an exception", NULL},
	{"session_disk_full", SEVERITY_WARNING, "the session directory ran full, so part of the record is missing: {}",
	 "make room there, or set TMPDIR to another place", NULL},
	{"session_shut_out", SEVERITY_WARNING, "a process could not reach the session directory any more, for it changed its user or root directory, or forbade itself to open files: {}",
	 "what its record had no room for is missing: let it make its calls from all of its threads once before that", NULL},
	{"session_file_limit", SEVERITY_WARNING, "the limit of file sizes left no room for a part of the record: {}",
	 "raise it in this shell with 'ulimit -f unlimited'", NULL},
	{"calls_unrecorded", SEVERITY_WARNING, "calls passed through without a record: {}",
	 "BLAS time and calls are too low by these; more memory, room for the session directory, higher limits (ulimit -n, -f, -v) or no seccomp filter help", NULL},
	{"ranks_missing", SEVERITY_WARNING, "ranks of the MPI job are missing from this report: there are {}",
	 "give the stores of all ranks: blasprof report blasprof.*.db", NULL},
	{"ranks_aligned", SEVERITY_WARNING, "the clocks of the ranks' machines differ, so that all are taken to have started together: {}",
	 "waiting for each other at the start is lost; let ntp or ptp set the clocks", NULL},
	{"outlived", SEVERITY_WARNING, "the command ended, but a process of it that uses BLAS ran on for over 3 s: {}",
	 "what it did after that is not in the figures: let the command wait for it", NULL},
	{"recovered", SEVERITY_WARNING, "blasprof ended before the run was stored, and it was recovered: {}",
	 "its calls are whole; samples, exit status and the moment of its end are lost, and waiting after the last call with them", NULL},
	{"not_recoverable", SEVERITY_NOTE, "this run could not have been recovered, had blasprof been killed: {}",
	 "nothing is lost of it now; make room in the session directory", NULL},
	{"record_damaged", SEVERITY_WARNING, "part of a process's record cannot be read: {}",
	 "its calls are missing from the figures; record again", NULL},
	{"no_schedstat", SEVERITY_NOTE, "blocked and preempted time are told apart by the number of switches only: {}",
	 "mount /proc with schedstat to be exact (a kernel with CONFIG_SCHED_INFO)", NULL},
	{"samples_incomplete", SEVERITY_WARNING, "{}", "free some memory, or lower the sampling rate", NULL},
	{"no_offcpu_page", SEVERITY_WARNING, "time without a CPU could not be told from computing in some threads: {}",
	 "see 'blasprof doctor'; where perf events are allowed, more memory for them (sysctl kernel.perf_event_mlock_kb, ulimit -l) or fewer threads help", NULL},
	{"no_sampling", SEVERITY_WARNING, "no samples were taken: {}",
	 "f by interception is not affected; see 'blasprof doctor' for what sampling needs", NULL},
	{"counter_unknown", SEVERITY_WARNING, "an event was not counted: {}", "", NULL},
	{"counter_missing", SEVERITY_WARNING, "an event was not counted: {}",
	 "choose one that this machine counts: see 'blasprof doctor'; a virtual machine's host must pass its counters on", NULL},
	{"counter_refused", SEVERITY_WARNING, "an event was not counted: {}",
	 "see 'blasprof doctor' for what perf events take; the BLAS calls are timed without them", NULL},
	{"counter_group", SEVERITY_NOTE, "a group of events is larger than this machine's set of counters: {} is counted by itself", "make the group smaller", NULL},
	{"exact_missed", SEVERITY_NOTE, "events were not counted exactly, for the counters were taken at times: {}",
	 "count fewer events, or end other profilers; the shares by samples hold", NULL},
	{"no_energy", SEVERITY_WARNING, "energy was not measured: {}",
	 "it takes a processor with RAPL, no virtual machine, and root or the capability CAP_PERFMON", NULL},
	{"no_kernel_samples", SEVERITY_NOTE, "{}", "time inside the kernel is missing from the samples", NULL},
	{"objects_unreadable", SEVERITY_NOTE, "functions of an object show as object+offset: {}",
	 "keep the files that ran in place, and readable, until the run is recorded", NULL},
	{"jit_map_damaged", SEVERITY_NOTE, "part of the names of code made at run time is missing: {}",
	 "let the program write its perf map or jitdump file itself, and end it in order", NULL},
	{"jit_unnamed", SEVERITY_NOTE, "code made at run time has no names: {}",
	 "let the program write a perf map or a jitdump file: python -X perf (from 3.12 on), node --perf-basic-prof or --perf-prof, java -XX:+DumpPerfMapAtExit", NULL},
	{"sample_rate_lowered", SEVERITY_NOTE, "the kernel limits sampling: {}", "", NULL},
	{"no_wait_stacks", SEVERITY_NOTE, "what threads wait on is not known: {}",
	 "run as root, run 'sysctl kernel.perf_event_paranoid=1', or give blasprof the capability CAP_PERFMON; how long they wait is not affected", NULL},
	{"wait_stacks_ended", SEVERITY_NOTE, "threads came so fast that what they wait on was not looked at any more: {}",
	 "let the program keep its threads, as in a pool; how long they wait is not affected", NULL},
	{"rings_shrunk", SEVERITY_NOTE, "{}", "", NULL},
	{"work_not_found", SEVERITY_WARNING, "the program's output shows no work, so BLAS flops are its measure: {}",
	 "give --work a regular expression that matches a line of the output, with the number in brackets: 'trn/s ([0-9.]+)'", NULL},
	{"no_progress", SEVERITY_WARNING, "the program marked no progress, so BLAS flops measure the work: {}",
	 "call blasprof_progress() in each step (see blasprof.h(3)), inside the region of interest; or choose other --work", NULL},
	/* worked out from the report */
	{"samples_lost", SEVERITY_WARNING, "the kernel dropped samples: {}",
	 "lower the sampling rate, or allow larger buffers (sysctl kernel.perf_event_mlock_kb)", check_samples_lost},
	{"few_samples", SEVERITY_NOTE, "too few samples for f by sampling and for the list of functions: {}",
	 "let the program run longer, or raise the sampling rate", check_few_samples},
	{"threads_unsampled", SEVERITY_WARNING, "threads that compute for less than the time between two samples got none: {}",
	 "let the program keep its threads, as in a pool{}; f by interception and all counts and times of calls hold in any case", check_unsampled},
	{"samples_missing", SEVERITY_WARNING, "samples do not add up: {}",
	 "this is an error in blasprof: please report it, with the store", check_samples_missing},
	{"no_categories", SEVERITY_NOTE, "other code is sorted by no patterns: {}",
	 "install blasprof again, or give --categories a file of your own", check_no_categories},
	{"coverage", SEVERITY_WARNING, "samples and interception disagree: {}",
	 "look for calls that bypass the preload library (static BLAS, RTLD_DEEPBIND), JIT kernels, another library such as oneDNN, or spinning worker threads", check_coverage},
	{"off_cpu", SEVERITY_NOTE, "two clocks disagree on how long threads were off the CPU: {}",
	 "waiting and no CPU may be off by the difference; see 'blasprof doctor' for off-CPU time, and lost samples", check_off_cpu},
	{"oversubscription", SEVERITY_WARNING, "more threads compute at once than there are CPUs: {}",
	 "let BLAS run on the caller's thread: set {}", check_oversubscription},
	{"threads_over_cpus", SEVERITY_WARNING, "thread counts over the CPUs available, marked * in the tables: {}",
	 "their speed-up says more about the CPUs than about BLAS; use fewer threads or allow more CPUs", check_threads_over_cpus},
	{"other_load", SEVERITY_WARNING, "threads went without a CPU though there are enough: {}",
	 "end what else runs on this machine, and record again", check_other_load},
	{"steal", SEVERITY_WARNING, "the hypervisor gave CPU time of this machine to others: {}",
	 "record again when the host is less busy, or on CPUs that are not shared", check_steal},
	{"empty_roi", SEVERITY_WARNING, "the region of interest has no length: {}",
	 "it takes two BLAS calls or more inside it: give the program more work, or choose another region with --roi", check_empty_roi},
	{"left_out", SEVERITY_NOTE, "runs were left out, for they do not compare with the newest: {}",
	 "record them again with the same --roi, --work and --what-if", check_left_out},
	{"few_runs", SEVERITY_NOTE, "too few runs for an interval, so that chance may be what you see: {}",
	 "record at least 3 runs of each thread count, better 5 (blasprof -r 5)", check_few_runs},
	{"first_slow", SEVERITY_WARNING, "the first run was slower than the others: {}",
	 "caches were cold or the clock rate low: warm up first, or for longer (blasprof -w 2)", check_first_slow},
	{"outliers", SEVERITY_WARNING, "some runs are far from the others: {}",
	 "something else used the machine meanwhile: end it, and record again", check_outliers},
	{"replay", SEVERITY_NOTE, "the recorded sequence of calls is not like the whole run, and is not replayed: {}",
	 "record a shorter run with one thread, so that its last calls, which are kept, are most of it", check_replay},
	{"drift", SEVERITY_WARNING, "runs got faster or slower one after another: {}",
	 "let the machine warm up or cool down first, and record thread counts by turns (blasprof -t 1,2,4 -r 5)", check_drift},
	{"short_roi", SEVERITY_WARNING, "the time from first BLAS call to last is short: {}",
	 "give the program more work: 1 s or more", check_short_roi},
	{"own_cost", SEVERITY_WARNING, "blasprof's own cost is large: {}",
	 "it is taken out of the figures, but caches and overlap are disturbed: prefer larger calls", check_own_cost},
	{"call_mix", SEVERITY_WARNING, "the mix of BLAS calls differs between thread counts: {}",
	 "BLAS flops are the measure of work here: speed-ups hold only if flops stand for the same progress", check_call_mix},
	{"failed_runs", SEVERITY_WARNING, "the command failed: {}",
	 "repair the command, and record again", check_failed_runs},
	{"mixed_machines", SEVERITY_WARNING, "runs from different machines or BLAS libraries are in one table: {}",
	 "keep them in different stores: speed-ups between machines mean nothing", check_mixed_machines},
};
/* clang-format on */
const size_t warnings_count = sizeof warnings / sizeof warnings[0];

const char *const severity_names[SEVERITY_COUNT] = {"note", "warning"};

const struct warning *warning_find(const char *code)
{
	for (size_t i = 0; i < warnings_count; i++)
		if (!strcmp(warnings[i].code, code))
			return &warnings[i];
	return NULL;
}

/* Copies the template with `value` in the place of {}; without a value, ": {}" goes as well. */
static void fill_in(const char *template, const char *value, char *text, size_t size)
{
	const char *place = strstr(template, "{}");
	int before = place ? (int)(place - template) : (int)strlen(template);

	if (place && !*value && before >= 2 && !strncmp(place - 2, ": ", 2))
		before -= 2;
	snprintf(text, size, "%.*s%s%s", before, template, place ? value : "",
		 place ? place + 2 : "");
}

static struct report_warning *find_added(const struct report *report, const char *code)
{
	for (size_t i = 0; i < report->nwarnings; i++)
		if (!strcmp(report->warnings[i].code, code))
			return &report->warnings[i];
	return NULL;
}

static struct report_warning *add_warning(struct report *report, const char *code)
{
	struct report_warning *warning =
		array_add(&report->warnings, &report->nwarnings, sizeof *warning);

	if (warning)
		snprintf(warning->code, sizeof warning->code, "%s", code);
	return warning;
}

static void set_texts(const struct warning *row, const char *detail, const char *hint,
		      struct report_warning *warning)
{
	warning->severity = row->severity;
	fill_in(row->text, detail, warning->text, sizeof warning->text);
	fill_in(row->remedy, hint, warning->remedy, sizeof warning->remedy);
}

static int show_note(struct report *report, const struct run_note *note, size_t origin)
{
	const struct warning *row = warning_find(note->code);
	struct report_warning *warning = add_warning(report, note->code);

	if (!warning)
		return -1;
	warning->runs = 1;
	warning->origin = warning->seen = origin;
	if (row)
		set_texts(row, note->detail, "", warning);
	if (!row || !*warning->text) { /* of a later blasprof, or without its detail */
		warning->severity = row ? row->severity : SEVERITY_NOTE;
		snprintf(warning->text, sizeof warning->text, "%s%s%s", note->code,
			 *note->detail ? ": " : "", note->detail);
	}
	return 0;
}

static int count_shown(const struct report *report, const char *code)
{
	int count = 0;

	for (size_t i = 0; i < report->nwarnings; i++)
		count += !strcmp(report->warnings[i].code, code);
	return count;
}

/* The newest run that has a code shows its notes of it, and older ones only count. */
static int add_note(struct report *report, const struct run_note *note, size_t origin)
{
	struct report_warning *first = find_added(report, note->code);

	if (!first)
		return show_note(report, note, origin);
	if (first->origin == origin) {
		if (count_shown(report, note->code) < NOTES_SHOWN)
			return show_note(report, note, origin);
		first->more++;
	} else if (first->seen != origin) {
		first->seen = origin;
		first->runs++;
	}
	return 0;
}

static int add_finding(struct report *report, const struct warning *row)
{
	struct finding finding = {0};
	struct report_warning *warning;

	if (!row->check || find_added(report, row->code) || !row->check(report, &finding))
		return 0;
	warning = add_warning(report, row->code);
	if (!warning)
		return -1;
	set_texts(row, finding.detail, finding.hint, warning);
	return 0;
}

int build_warnings(const struct run *runs, size_t count, struct report *report)
{
	for (size_t i = count; i--;)
		for (size_t j = 0; j < runs[i].nnotes && report->runs[i].alike; j++)
			if (add_note(report, &runs[i].notes[j], i))
				return -1;
	for (size_t i = 0; i < warnings_count; i++)
		if (add_finding(report, &warnings[i]))
			return -1;
	return 0;
}
