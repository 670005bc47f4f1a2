/* chrome.c: writes a timeline as trace events, which Perfetto and chrome://tracing open. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/build.h"
#include "write/escape.h"
#include "write/format.h"

/* A time off the CPU can begin in one call and end in another, but the events of a track must nest.
 * So it is on a track of its own, whose number is above that of any thread of Linux. */
#define OFF_CPU_TRACK 10000000

static long long track(const struct run_span *span)
{
	int is_off_cpu = !strcmp(span->kind, "waiting") || !strcmp(span->kind, "no CPU");

	return (long long)span->tid + (is_off_cpu ? OFF_CPU_TRACK : 0);
}

/* Writes the event that names a process or a thread. */
static void write_named(const char *kind, long long pid, long long tid, const char *name,
			int *first, FILE *out)
{
	fprintf(out,
		"%s{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%lld,\"tid\":%lld,\"args\":{\"name\":",
		*first ? "" : ",\n", kind, pid, tid);
	*first = 0;
	json_text(name, out);
	fputs("}}", out);
}

/* Names the tracks of the span's thread, and its process if that is new. */
static void name_tracks(const struct report_timeline *timeline, const struct run_span *span,
			int new_process, int *first, FILE *out)
{
	const char *name = "", *command = timeline->command;
	char text[64];

	EACH_ROW(thread, timeline->threads, timeline->nthreads)
		if (thread->pid == span->pid && thread->tid == span->tid) {
			name = thread->name;
			break;
		}
	EACH_ROW(process, timeline->processes, timeline->nprocesses)
		if (process->pid == span->pid && *process->command) {
			command = process->command;
			break;
		}
	if (new_process)
		write_named("process_name", span->pid, span->pid, command, first, out);
	snprintf(text, sizeof text, "%.15s %lld", name, (long long)span->tid);
	write_named("thread_name", span->pid, span->tid, text, first, out);
	snprintf(text, sizeof text, "%.15s %lld off the CPU", name, (long long)span->tid);
	write_named("thread_name", span->pid, span->tid + OFF_CPU_TRACK, text, first, out);
}

static void write_span(const struct run_span *span, double begun_ns, FILE *out)
{
	double start_ns = (double)span->start_ns, length_ns = (double)span->end_ns - start_ns;
	struct call_shape shape = {.transa = span->transa,
				   .transb = span->transb,
				   .m = span->m,
				   .n = span->n,
				   .k = span->k};
	char name[SHAPE_NAME_MAX];

	fputs(",\n{\"ph\":\"X\",\"name\":", out);
	memcpy(shape.routine, span->name, sizeof shape.routine);
	json_text(!strcmp(span->kind, "blas") ? shape_name(&shape, name)
		  : *span->name		      ? span->name
					      : span->kind,
		  out);
	fputs(",\"cat\":", out);
	json_text(span->kind, out);
	fprintf(out, ",\"pid\":%lld,\"tid\":%lld,\"ts\":%.3f,\"dur\":%.3f}", (long long)span->pid,
		track(span), (start_ns - begun_ns) / 1e3, fmax(length_ns, 0) / 1e3);
}

static void write_events(const struct report_timeline *timeline, FILE *out)
{
	double begun_ns = 0;
	int first = 1;

	for (size_t i = 0; i < timeline->nspans; i++)
		begun_ns = fmin(begun_ns, (double)timeline->spans[i].start_ns);
	for (size_t i = 0; i < timeline->nspans; i++) {
		const struct run_span *span = &timeline->spans[i], *last = i ? span - 1 : NULL;
		int new_process = !last || last->pid != span->pid;

		if (new_process || last->tid != span->tid)
			name_tracks(timeline, span, new_process, &first, out);
		write_span(span, begun_ns, out);
	}
}

/* Writes the command, the what-if, and the warnings about spans that are missing. */
static void write_notes(const struct report *report, FILE *out)
{
	fputs("\"otherData\":{\"command\":", out);
	json_text(report->timeline.command, out);
	if (*report->what_if) {
		fputs(",\"what_if\":", out);
		json_text(report->what_if, out);
	}
	EACH_ROW(warning, report->warnings, report->nwarnings) {
		if (strncmp(warning->code, "timeline_", 9))
			continue;
		fprintf(out, ",\"%s\":", warning->code);
		json_text(warning->text, out);
	}
	fputs("}", out);
}

int chrome_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	if (!report->timeline.nspans)
		return error_set(err, "record one: blasprof --timeline -- command",
				 "there is no timeline in these runs");
	fputs("{\"displayTimeUnit\":\"ns\",", out);
	write_notes(report, out);
	fputs(",\n\"traceEvents\":[\n", out);
	write_events(&report->timeline, out);
	fputs("\n]}\n", out);
	return 0;
}
