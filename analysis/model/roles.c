/* roles.c: tells participants, BLAS workers and bystanders apart. */
/* SPDX-License-Identifier: MIT */
#include "model/roles.h"

#include <stdlib.h>

enum {
	PARTICIPANT_ONE_IN = 20, /* a lane takes part from 5 % of the busiest lane's B + C */
	WORKER_SAMPLES_MIN = 5,
	WORKER_ONE_IN = 100,	   /* and 1 % of the samples of the most sampled thread */
	WORKER_CALLER_ONE_IN = 10, /* and 10 % of the BLAS samples of the caller with most */
};

/* Successive threads that were never alive together. */
struct lane {
	int64_t free_ns; /* its last thread ended here */
	int64_t busy_ns; /* B + C of its threads */
};

static int64_t above_zero(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

/* B + C. */
static int64_t busy_ns(const struct thread_time *thread)
{
	return above_zero(thread->times.ns[CAT_BLAS]) + above_zero(thread->times.ns[CAT_OTHER]);
}

/* A caller, by its start; the order of equal starts is that of the array. */
struct start {
	int64_t start_ns;
	size_t thread;
};

static int compare_starts(const void *left, const void *right)
{
	const struct start *a = left, *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Fills starts[] with the callers in order of their start; returns how many. */
static size_t sort_callers(const struct thread_time *threads, size_t count, struct start *starts)
{
	size_t callers = 0;

	for (size_t i = 0; i < count; i++)
		if (threads[i].calls)
			starts[callers++] = (struct start){threads[i].start_ns, i};
	qsort(starts, callers, sizeof *starts, compare_starts);
	return callers;
}

static int64_t earliest_free_ns(const struct lane *lanes, size_t nlanes)
{
	int64_t earliest = INT64_MAX;

	for (size_t i = 0; i < nlanes; i++)
		earliest = lanes[i].free_ns < earliest ? lanes[i].free_ns : earliest;
	return earliest;
}

/* Puts each caller into the first free lane; lane_of[i] is that of starts[i]. Returns the busiest
 * lane's B + C. Where thousands start before the first one ends, no lane is looked at. */
static int64_t fill_lanes(const struct thread_time *threads, const struct start *starts,
			  size_t callers, struct lane *lanes, size_t *lane_of)
{
	size_t nlanes = 0, lane;
	int64_t busiest_ns = 0, earliest_ns = INT64_MAX;

	for (size_t i = 0; i < callers; i++) {
		const struct thread_time *thread = &threads[starts[i].thread];
		int is_free = earliest_ns <= thread->start_ns;

		for (lane = is_free ? 0 : nlanes; lane < nlanes; lane++)
			if (lanes[lane].free_ns <= thread->start_ns)
				break;
		if (lane == nlanes)
			lanes[nlanes++] = (struct lane){0};
		lanes[lane].free_ns = thread->end_ns;
		if (is_free)
			earliest_ns = earliest_free_ns(lanes, nlanes);
		else if (thread->end_ns < earliest_ns)
			earliest_ns = thread->end_ns;
		lanes[lane].busy_ns += busy_ns(thread);
		lane_of[i] = lane;
		if (lanes[lane].busy_ns > busiest_ns)
			busiest_ns = lanes[lane].busy_ns;
	}
	return busiest_ns;
}

static int find_participants(const struct thread_time *threads, size_t count,
			     enum thread_role *roles)
{
	struct start *starts = calloc(count + 1, sizeof *starts);
	struct lane *lanes = calloc(count + 1, sizeof *lanes);
	size_t *lane_of = calloc(count + 1, sizeof *lane_of);
	int result = -1;

	if (starts && lanes && lane_of) {
		size_t callers = sort_callers(threads, count, starts);
		int64_t busiest_ns = fill_lanes(threads, starts, callers, lanes, lane_of);

		for (size_t i = 0; i < callers; i++)
			if (lanes[lane_of[i]].busy_ns * PARTICIPANT_ONE_IN >= busiest_ns)
				roles[starts[i].thread] = ROLE_PARTICIPANT;
		result = 0;
	}
	free(starts);
	free(lanes);
	free(lane_of);
	return result;
}

static void find_workers(const struct thread_time *threads, size_t count, enum thread_role *roles)
{
	uint64_t most = 0, callers_most = 0;

	for (size_t i = 0; i < count; i++) {
		if (threads[i].samples_blas + threads[i].samples_other > most)
			most = threads[i].samples_blas + threads[i].samples_other;
		if (threads[i].calls && threads[i].samples_blas > callers_most)
			callers_most = threads[i].samples_blas;
	}
	for (size_t i = 0; i < count; i++) {
		const struct thread_time *thread = &threads[i];

		if (!thread->calls && thread->samples_blas >= WORKER_SAMPLES_MIN &&
		    thread->samples_blas >= most / WORKER_ONE_IN &&
		    thread->samples_blas >= callers_most / WORKER_CALLER_ONE_IN &&
		    thread->samples_blas + thread->samples_kernel > thread->samples_other)
			roles[i] = ROLE_BLAS_WORKER;
	}
}

int roles_assign(const struct thread_time *threads, size_t count, enum thread_role *roles)
{
	for (size_t i = 0; i < count; i++)
		roles[i] = ROLE_IDLE;
	if (find_participants(threads, count, roles))
		return -1;
	find_workers(threads, count, roles);
	return 0;
}

/* A thread's start (+1) or end (-1). */
struct edge {
	int64_t when_ns;
	int change;
};

/* At the same moment ends come before starts. */
static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->when_ns != b->when_ns)
		return a->when_ns < b->when_ns ? -1 : 1;
	return a->change - b->change;
}

int roles_at_once(const struct thread_time *threads, const enum thread_role *roles, size_t count,
		  enum thread_role role)
{
	struct edge *edges = calloc(2 * count + 1, sizeof *edges);
	size_t nedges = 0, members = 0;
	int alive = 0, most = 0;

	if (!edges)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (roles[i] != role)
			continue;
		members++;
		if (threads[i].start_ns >= threads[i].end_ns)
			continue;
		edges[nedges++] = (struct edge){threads[i].start_ns, 1};
		edges[nedges++] = (struct edge){threads[i].end_ns, -1};
	}
	qsort(edges, nedges, sizeof *edges, compare_edges);
	for (size_t i = 0; i < nedges; i++) {
		alive += edges[i].change;
		if (alive > most)
			most = alive;
	}
	free(edges);
	return members && !most ? 1 : most;
}
