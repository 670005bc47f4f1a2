/* chrome.c: writes a timeline as trace events, which Perfetto and chrome://tracing open. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "report/build.h"
#include "write/format.h"

/* A time off the CPU can begin in one call and end in another, but the events of a track must nest.
 * So it is on a track of its own, whose number is above that of any thread of Linux. */
#define OFF_CPU_TRACK 10000000

/* Writes the event that names a process or a thread; it is not the last. */
static void write_named(const char *kind, long long pid, long long tid, const char *name, FILE *out)
{
	fprintf(out,
		"{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%lld,\"tid\":%lld,\"args\":{\"name\":", kind,
		pid, tid);
	json_text(name, out);
	fputs("}},\n", out);
}

/* Names the tracks of the span's thread, and its process if that is new. */
static void name_tracks(const struct run *timeline, const struct run_span *span, int new_process,
			FILE *out)
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
		write_named("process_name", span->pid, span->pid, command, out);
	snprintf(text, sizeof text, "%.15s %lld", name, (long long)span->tid);
	write_named("thread_name", span->pid, span->tid, text, out);
	snprintf(text, sizeof text, "%.15s %lld off the CPU", name, (long long)span->tid);
	write_named("thread_name", span->pid, span->tid + OFF_CPU_TRACK, text, out);
}

static void write_span(const struct run_span *span, double begun_ns, FILE *out)
{
	int is_off_cpu = !strcmp(span->kind, "waiting") || !strcmp(span->kind, "no CPU");
	double start_ns = (double)span->start_ns, length_ns = (double)span->end_ns - start_ns;
	struct call_shape shape = {.routine = span->name,
				   .transa = span->transa,
				   .transb = span->transb,
				   .m = span->m,
				   .n = span->n,
				   .k = span->k};

	fputs("{\"ph\":\"X\",\"name\":", out);
	json_text(!strcmp(span->kind, "blas") ? shape_name(&shape)
		  : *span->name		      ? span->name
					      : span->kind,
		  out);
	fputs(",\"cat\":", out);
	json_text(span->kind, out);
	fprintf(out, ",\"pid\":%lld,\"tid\":%lld,\"ts\":%.3f,\"dur\":%.3f}", (long long)span->pid,
		(long long)span->tid + (is_off_cpu ? OFF_CPU_TRACK : 0),
		(start_ns - begun_ns) / 1e3, fmax(length_ns, 0) / 1e3);
}

int chrome_write(const struct report *report, const char *part, FILE *out, struct error *err)
{
	const struct run *timeline = &report->timeline;
	const struct run_span *last = NULL;
	double begun_ns = 0;

	if (!timeline->nspans)
		return error_set(err, "record one: blasprof --timeline -- command",
				 "there is no timeline in these runs");
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"command\":", out);
	json_text(timeline->command, out);
	if (*report->what_if) {
		fputs(",\"what_if\":", out);
		json_text(report->what_if, out);
	}
	EACH_ROW(warning, report->warnings, report->nwarnings)
		if (!strncmp(warning->code, "timeline_", 9)) { /* spans are missing */
			fprintf(out, ",\"%s\":", warning->code);
			json_text(warning->text, out);
		}
	fputs("},\n\"traceEvents\":[\n", out);
	EACH_ROW(span, timeline->spans, timeline->nspans)
		begun_ns = fmin(begun_ns, (double)span->start_ns);
	EACH_ROW(span, timeline->spans, timeline->nspans) {
		int new_process = !last || last->pid != span->pid;

		fputs(last ? ",\n" : "", out);
		if (new_process || last->tid != span->tid)
			name_tracks(timeline, span, new_process, out);
		write_span(span, begun_ns, out);
		last = span;
	}
	fputs("\n]}\n", out);
	return 0;
}
