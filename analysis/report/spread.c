/* spread.c: how evenly the threads of a run worked, and whether one works alone. */
/* SPDX-License-Identifier: MIT */
#include "report/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/array.h"
#include "base/idmap.h"
#include "base/memory.h"

/* All samples of a function may be in one thread by chance. */
#define CHANCE_MAX    0.01
/* Fewer samples do not tell which functions a thread runs. */
#define FUNCTIONS_MIN 20

struct member {
	const struct run_thread *thread;
	int number; /* in the order of starts */
	double computing_ns, no_cpu_ns;
	double unserved_ns;	       /* the part of no_cpu_ns for which others wait */
	double locked_ns;	       /* waited for locks, outside BLAS */
	double blocked_ns;	       /* but for waits outside BLAS that other threads end */
	double first_ns;	       /* computing before any other had started, at least */
	double samples, samples_alone; /* all, and those in functions that no other thread ran */
	int is_together;	       /* 1 if it was alive together with another */
};

/* What threads waited for outside BLAS. */
struct waits {
	struct idmap numbers; /* of the threads with waits, by run_thread_key() */
	struct waited {
		double locked_ns; /* for locks */
		double others_ns; /* for other threads, as for locks; none if it is alone */
	} * waited;
};

/* The participants of a run, of which N are wanted, and what is found out about them. */
struct team {
	const struct run *run;
	const enum thread_role *roles;
	struct waits waits;
	struct member *members;
	size_t count, wanted;
	struct spread spread;
};

static double above_zero(int64_t ns)
{
	return fmax((double)ns, 0);
}

int wait_is_lock(const struct run_wait *wait)
{
	return !wait->in_blas && run_wait_is_for_lock(wait->kind);
}

int wait_is_meeting(const struct run_wait *wait)
{
	return !strcmp(wait->kind, "barrier") || !strcmp(wait->kind, "condition") ||
	       !strcmp(wait->kind, "futex");
}

static void sum_waits(const struct run *run, struct waits *waits)
{
	*waits = (struct waits){.waited = memory_rows(run->nwaits, sizeof *waits->waited)};
	EACH_ROW(wait, run->waits, run->nwaits) {
		uint32_t number =
			idmap_number(&waits->numbers, run_thread_key(wait->pid, wait->tid),
				     waits->numbers.count);
		struct waited *waited = &waits->waited[number];
		int is_lock = wait_is_lock(wait);
		int is_for_others =
			!wait->in_blas && (wait_is_meeting(wait) || !strcmp(wait->kind, "join"));

		waited->locked_ns += is_lock ? (double)wait->total_ns : 0;
		waited->others_ns += is_lock || is_for_others ? (double)wait->total_ns : 0;
	}
}

static struct waited waits_of(const struct waits *waits, const struct run_thread *thread)
{
	uint32_t number = idmap_find(&waits->numbers, run_thread_key(thread->pid, thread->tid));

	return number == IDMAP_NONE ? (struct waited){0} : waits->waited[number];
}

/* A process's first thread has its number, and Linux numbers threads in the order of their starts,
 * until it begins again with small numbers. */
COMPARE(compare_numbers, struct member,
	ORDER(a->thread->pid, b->thread->pid)
		?: ORDER(b->thread->tid == b->thread->pid, a->thread->tid == a->thread->pid)
		?: ORDER(a->thread->start_ns, b->thread->start_ns)
		?: ORDER(a->thread->tid, b->thread->tid))

/* Finds the participants, without those that compute next to nothing, all together, which are
 * participants only because they took the place of a thread that had ended, such as a command that
 * the program runs last. */
static void find_members(struct team *team, const struct thread_time *times)
{
	const struct run *run = team->run;
	struct member *members = team->members;
	size_t count = 0, kept = 0;
	double most_ns = 0, rest_ns = 0;

	for (size_t i = 0; i < run->nthreads; i++) {
		const int64_t *ns = times[i].times.ns;
		double spun_ns = above_zero(ns[CAT_SPIN]), busy_ns;
		struct member *member = &members[count];
		struct waited waited;

		if (team->roles[i] != ROLE_PARTICIPANT)
			continue;
		count++;
		waited = waits_of(&team->waits, &run->threads[i]);
		*member = (struct member){
			.thread = &run->threads[i],
			.computing_ns = above_zero(ns[CAT_BLAS] - times[i].times.blas_waiting_ns) +
					above_zero(ns[CAT_OTHER]),
			.locked_ns = waited.locked_ns,
			.blocked_ns = above_zero(times[i].times.blas_waiting_ns) +
				      above_zero(ns[CAT_WAITING]) - waited.others_ns,
			.no_cpu_ns = above_zero(ns[CAT_NO_CPU]),
			.samples = (double)times[i].samples_blas + (double)times[i].samples_other,
		};
		busy_ns = member->computing_ns + spun_ns;
		/* nobody waits for a thread that has no CPU to spin on */
		member->unserved_ns = member->no_cpu_ns * (busy_ns > 0 ? 1 - spun_ns / busy_ns : 1);
		most_ns = fmax(most_ns, member->computing_ns);
	}
	EACH_ROW(member, members, count)
		if (member->computing_ns * PARTICIPANT_ONE_IN < most_ns)
			rest_ns += member->computing_ns;
	EACH_ROW(member, members, count)
		if (member->computing_ns * PARTICIPANT_ONE_IN >= most_ns ||
		    rest_ns * PARTICIPANT_ONE_IN >= most_ns)
			members[kept++] = *member;
	qsort(members, kept, sizeof *members, compare_numbers);
	EACH_ROW(member, members, kept)
		member->number = (int)(member - members);
	team->count = kept;
}

int function_is_alone(const struct run_function *function, int64_t tid)
{
	return function->code != RUN_CODE_SPIN && *function->thread &&
	       atoll(function->thread) == tid;
}

/* The samples in the functions of an object. */
struct object_samples {
	const char *object;
	const char *thread; /* as in run_function; "" if several threads ran them */
	double samples;
};

static struct object_samples *find_object(const char *object, struct object_samples *objects,
					  size_t count)
{
	EACH_ROW(row, objects, count)
		if (!strcmp(row->object, object))
			return row;
	return NULL;
}

static struct object_samples *sum_objects(const struct run *run, size_t *count)
{
	struct object_samples *objects = NULL;

	*count = 0;
	EACH_ROW(function, run->functions, run->nfunctions) {
		const char *object = function->location.object;
		struct object_samples *row = find_object(object, objects, *count);

		if (function->code == RUN_CODE_SPIN)
			continue;
		if (!row) {
			row = memory_add(&objects, count, sizeof *objects);
			*row = (struct object_samples){object, function->thread, 0};
		}
		row->samples += (double)function->samples;
		if (strcmp(row->thread, function->thread) != 0)
			row->thread = "";
	}
	return objects;
}

static double sum_computing(const struct team *team)
{
	double sum = 0;

	EACH_ROW(member, team->members, team->count)
		sum += member->computing_ns;
	return sum;
}

/* Finds the samples of each member in functions that no other thread ran, if that is no chance,
 * given the thread's share of all computing. If it ran all functions of an object alone, their
 * samples count together, since an interpreter has many functions with few samples each. */
static void find_functions(struct team *team)
{
	double all_ns = sum_computing(team);
	size_t nobjects;
	FREED struct object_samples *objects = sum_objects(team->run, &nobjects);

	EACH_ROW(member, team->members, team->count) {
		double share = team->count > 1 ? member->computing_ns / all_ns : 0;

		EACH_ROW(function, team->run->functions, team->run->nfunctions) {
			const struct object_samples *object;

			if (!function_is_alone(function, member->thread->tid))
				continue;
			object = find_object(function->location.object, objects, nobjects);
			if (pow(share, *object->thread ? object->samples
						       : (double)function->samples) <= CHANCE_MAX)
				member->samples_alone += (double)function->samples;
		}
	}
}

/* The part of the member's computing that these samples stand for. */
static double part_ns(const struct member *member, double samples)
{
	return member->computing_ns * fmin(samples / fmax(member->samples, 1), 1);
}

/* What it computed outside OpenMP's parallel regions, while the others computed in these only. */
static double outside_ns(const struct member *member)
{
	return part_ns(member, (double)member->thread->samples_alone);
}

static double alone_ns(const struct member *member)
{
	return fmax(part_ns(member, member->samples_alone),
		    fmax(outside_ns(member), member->first_ns));
}

/* 1 if the other threads, too, mostly run functions of their own, as in OpenMP's sections. */
static int others_differ(const struct team *team, const struct member *than)
{
	double own = 0, all = 0;

	EACH_ROW(member, team->members, team->count) {
		if (member == than)
			continue;
		own += part_ns(member, member->samples_alone);
		all += member->computing_ns;
	}
	return own > all / 2;
}

/* Time without a CPU is assumed to be spread evenly. The thread may have been blocked in all of its
 * first time. */
static void find_first(struct team *team)
{
	EACH_ROW(member, team->members, team->count) {
		const struct run_thread *thread = member->thread;
		double alive_ns = (double)(thread->end_ns - thread->start_ns);
		double next_ns = team->count > 1 ? INFINITY : 0, first_ns;

		EACH_ROW(other, team->members, team->count)
			if (other != member)
				next_ns = fmin(next_ns, (double)other->thread->start_ns);
		first_ns = fmax(next_ns - (double)thread->start_ns, 0) *
			   fmax(1 - member->no_cpu_ns / alive_ns, 0);
		first_ns -= fmax(member->blocked_ns, 0);
		member->first_ns = fmax(fmin(first_ns, member->computing_ns), 0);
	}
}

/* What a member did, or would have done if it always had a CPU, or the locks that it waited for. */
enum figure { COMPUTED, WANTED_CPU, WANTED_LOCK };

static double figure_ns(const struct member *member, enum figure figure)
{
	return member->computing_ns + (figure == WANTED_CPU    ? member->unserved_ns
				       : figure == WANTED_LOCK ? member->locked_ns
							       : 0);
}

/* Adds threads that compute next to nothing because they wait for locks, if there are fewer members
 * than wanted. */
static void add_locked(struct team *team)
{
	const struct run *run = team->run;
	double least_ns = sum_computing(team) / (double)team->count / PARTICIPANT_ONE_IN;

	EACH_ROW(thread, run->threads, run->nthreads) {
		int may_be = team->count < team->wanted &&
			     team->roles[thread - run->threads] == ROLE_IDLE;
		double ns = may_be ? waits_of(&team->waits, thread).locked_ns : 0;

		if (!(ns > least_ns))
			continue;
		team->spread.locked_ns += ns;
		team->members[team->count] = (struct member){
			.thread = thread, .locked_ns = ns, .number = (int)team->count};
		team->count++;
	}
}

/* 1 for the main thread of the program, but not for that of a process which the program forked. */
static int is_main(const struct run *run, const struct run_thread *thread)
{
	EACH_ROW(other, run->threads, run->nthreads)
		if (other->tid == other->pid && other != thread &&
		    (other->start_ns < thread->start_ns ||
		     (other->start_ns == thread->start_ns && other < thread)) &&
		    !strcmp(other->name, thread->name))
			return 0;
	return thread->tid == thread->pid;
}

/* Computing of the member beyond the mean of the others of the `wanted`, or all of it if there are
 * more members. */
static double beyond_others(const struct team *team, const struct member *of, enum figure figure)
{
	double beyond = figure_ns(of, figure), rest = -beyond;

	EACH_ROW(member, team->members, team->count)
		rest += figure_ns(member, figure);
	return team->count <= team->wanted ? beyond - rest / (double)(team->wanted - 1) : beyond;
}

/* Finds the serial part, and subtracts it from the thread that has it. */
static void find_serial(struct team *team)
{
	struct spread *spread = &team->spread;
	struct member *most = team->members;
	double beyond, sure;

	/* a single thread has no serial part */
	if (team->wanted < 2)
		return;
	find_first(team);
	find_functions(team);
	EACH_ROW(member, team->members, team->count)
		if (alone_ns(member) > alone_ns(most))
			most = member;
	beyond = fmin(beyond_others(team, most, COMPUTED), beyond_others(team, most, WANTED_LOCK));
	/* the others wait for all of that, even if they computed more afterwards */
	sure = fmax(outside_ns(most), most->first_ns);
	beyond = others_differ(team, most) ? sure : fmax(beyond, sure);
	if (!(beyond > 0) || alone_ns(most) < beyond / 2)
		return;
	spread->serial_thread = most->number;
	spread->serial_is_main = is_main(team->run, most->thread);
	spread->serial_tid = most->thread->tid;
	spread->serial_ns = beyond;
	spread->serial_first_ns = fmin(most->first_ns, beyond);
	most->computing_ns -= beyond;
	most->samples_alone = 0;
}

/* The standard error of a member's computing, if samples tell how much of their time the members
 * spin. */
static double error_ns(const struct team *team, const struct member *of)
{
	double spins = 0, all = 0, own = of->samples + (double)of->thread->samples_spin;

	EACH_ROW(member, team->members, team->count) {
		spins += (double)member->thread->samples_spin;
		all += (double)member->thread->samples_spin + member->samples;
	}
	return of->samples > 0 ? of->computing_ns / of->samples *
					 sqrt(own * spins / all * (1 - spins / all))
			       : 0;
}

/* How much less than the largest figure each of the `wanted` threads has, summed. Of N threads with
 * equal work, one seems to compute more by chance: by about sqrt(ln N) standard errors. */
static double shortfall(const struct team *team, enum figure figure)
{
	double most = 0, sum = 0, n = (double)team->wanted, beyond, chance;
	const struct member *busiest = team->members;

	EACH_ROW(member, team->members, team->count) {
		double ns = figure_ns(member, figure);

		busiest = ns > most ? member : busiest;
		most = fmax(most, ns);
		sum += ns;
	}
	beyond = most - sum / n;
	chance = error_ns(team, busiest) * sqrt(log(n));
	return n * sqrt(fmax(beyond * beyond - chance * chance, 0));
}

COMPARE(compare_computing, struct member,
	ORDER(b->computing_ns, a->computing_ns) ?: ORDER(a->number, b->number))

/* Moves a member to the end that is beyond the N: the one with most time in functions of its own,
 * unless the others have those, too, or else the one that computes least, such as the one whose
 * computing is the serial part. */
static void move_extra(struct team *team)
{
	struct member *last = &team->members[team->count - 1], *extra = last, moved;

	EACH_ROW(member, team->members, last->computing_ns > 0 ? team->count : 0)
		if (part_ns(member, member->samples_alone) > part_ns(extra, extra->samples_alone) &&
		    !others_differ(team, member))
			extra = member;
	moved = *extra;
	memmove(extra, extra + 1, (size_t)(last - extra) * sizeof moved);
	*last = moved;
}

/* Compares the N members that compute most with functions that others run, too; the others are
 * beyond the N. Reorders the members. */
static void find_uneven(struct team *team)
{
	struct spread *spread = &team->spread;
	struct member *members = team->members;
	double uneven_ns, wanted_ns, locked_ns, most_ns = -1;
	pid_t pid = 0;

	qsort(members, team->count, sizeof *members, compare_computing);
	for (; team->count > team->wanted; team->count--) {
		const struct member *member = &members[team->count - 1];

		move_extra(team);
		spread->extra_ns += member->computing_ns;
		if (member->computing_ns > most_ns) {
			most_ns = member->computing_ns;
			spread->extra_thread = member->number;
			spread->extra_tid = member->thread->tid;
			spread->extra_is_main = is_main(team->run, member->thread);
			pid = (pid_t)member->thread->pid;
		}
		if (spread->extras < SPREAD_EXTRA) {
			spread->extra[spread->extras].pid = member->thread->pid;
			spread->extra[spread->extras++].tid = member->thread->tid;
		}
	}
	spread->extra_is_apart = spread->extras > 0;
	EACH_ROW(member, team->members, team->count)
		spread->extra_is_apart &= member->thread->pid != pid;
	spread->busiest_thread = members->number;
	spread->busiest_own_tid =
		2 * members->samples_alone > members->samples ? members->thread->tid : 0;
	spread->mean_ns = sum_computing(team) / (double)team->wanted;
	uneven_ns = shortfall(team, COMPUTED);
	wanted_ns = shortfall(team, WANTED_CPU);
	locked_ns = shortfall(team, WANTED_LOCK);
	spread->busiest_ns = spread->mean_ns + uneven_ns / (double)team->wanted;
	spread->uneven_ns = fmin(fmin(uneven_ns, wanted_ns), locked_ns);
	spread->unserved_ns = fmax(wanted_ns - uneven_ns, 0);
	spread->locked_ns += fmax(locked_ns - uneven_ns, 0);
}

COMPARE(compare_starts, struct member, ORDER(a->thread->start_ns, b->thread->start_ns))

/* Sets the serial part of a thread that started and joined all others, which were alive for
 * together_ns: it works alone while none of them is alive, and does the rest of its work beside
 * them, for up to room_ns as one of the N. If it is busy with that, and goes on with the same work
 * when they have ended, its part was larger. */
static void find_starter(struct team *team, const struct member *starter, double together_ns,
			 double room_ns)
{
	struct spread *spread = &team->spread;
	const struct run_thread *thread = starter->thread;
	double rest_ns = (double)(thread->end_ns - thread->start_ns) - together_ns;
	double alone = fmin(starter->computing_ns, fmax(rest_ns, 0));
	double beside = fmin(starter->computing_ns - alone, room_ns);

	spread->uneven_ns -= beside;
	if (starter->samples >= FUNCTIONS_MIN && beside > together_ns / 2 &&
	    part_ns(starter, starter->samples_alone) < alone / 2) {
		spread->uneven_ns += alone * (double)(team->wanted - 1);
		return;
	}
	spread->serial_ns = alone;
	spread->serial_thread = starter->number;
	spread->serial_is_main = is_main(team->run, thread);
	spread->serial_tid = thread->tid;
}

/* For up to N threads at once, each started when another has ended: sums the time in which fewer
 * are alive since the last was started, because there is no more work. Those that were never alive
 * together with another do not count. Gives up if one is there all the time. */
static void find_last(struct team *team)
{
	struct spread *spread = &team->spread;
	struct member *members = team->members;
	int64_t ended_ns = INT64_MIN, from_ns = INT64_MIN, to_ns = INT64_MIN;

	EACH_ROW(member, team->members, team->count) {
		const struct run_thread *thread = member->thread;
		int is_last = member + 1 == members + team->count;

		member->is_together = thread->start_ns < ended_ns ||
				      (!is_last && member[1].thread->start_ns < thread->end_ns);
		ended_ns = MAX(ended_ns, thread->end_ns);
		if (member->is_together) {
			from_ns = MAX(from_ns, thread->start_ns);
			to_ns = MAX(to_ns, thread->end_ns);
		}
	}
	if (to_ns == INT64_MIN || members->thread->end_ns == ended_ns)
		return;
	spread->unserved_ns = 0;
	spread->uneven_ns = (double)team->wanted * (double)(to_ns - from_ns);
	EACH_ROW(member, team->members, team->count)
		if (member->is_together)
			spread->uneven_ns -= (double)MAX(
				member->thread->end_ns - MAX(member->thread->start_ns, from_ns), 0);
	spread->known = spread->follow = 1;
}

/* For threads that are started together, and again when all are done: sums the time in which fewer
 * threads than wanted are alive, and by how much it is longer because they lack a CPU. Gives up if
 * one starts earlier, since there may be no more work. A thread that is alive all the time starts
 * and joins the others. Reorders the members. */
static void find_follow(struct team *team)
{
	struct spread *spread = &team->spread;
	struct member *members = team->members;
	size_t count = team->count, wanted = team->wanted;
	double together_ns = 0, room_ns = 0;
	int64_t last_ns = 0;
	size_t at, first;

	find_functions(team);
	qsort(members, count, sizeof *members, compare_starts);
	for (size_t i = 1; i < count; i++)
		last_ns = MAX(last_ns, members[i].thread->end_ns);
	first = count && members->thread->end_ns >= last_ns;
	for (at = first; at < count;) {
		double start_ns = (double)members[at].thread->start_ns, length_ns, uneven_ns;
		double alive_ns = 0, served_ns = 0;
		int64_t served_last_ns = INT64_MAX;
		size_t from = at;

		for (; at < count && members[at].thread->start_ns < served_last_ns; at++) {
			const struct run_thread *thread = members[at].thread;
			/* it may have had nothing more to do: without a CPU its end may come late
			 */
			int64_t done = MAX(thread->end_ns - (int64_t)members[at].no_cpu_ns,
					   thread->start_ns);

			alive_ns += (double)thread->end_ns - (double)thread->start_ns;
			served_ns += (double)done - (double)thread->start_ns;
			last_ns = at > from ? MAX(last_ns, thread->end_ns) : thread->end_ns;
			served_last_ns = at > from ? MAX(served_last_ns, done) : done;
		}
		if (at - from > wanted)
			return;
		length_ns = (double)last_ns - start_ns;
		together_ns += length_ns;
		room_ns += at - from < wanted ? length_ns : 0;
		alive_ns = (double)wanted * length_ns - alive_ns;
		uneven_ns = (double)wanted * ((double)served_last_ns - start_ns) - served_ns;
		uneven_ns = fmin(uneven_ns, alive_ns);
		spread->uneven_ns += uneven_ns;
		spread->unserved_ns += alive_ns - uneven_ns;
	}
	if (first)
		find_starter(team, members, together_ns, room_ns);
	spread->known = spread->follow = 1;
}

struct spread spread_find(const struct run *run, const struct thread_time *times,
			  const enum thread_role *roles, const struct account *account)
{
	FREED struct member *members = memory_rows(run->nthreads, sizeof *members);
	FREED enum thread_role *kept = memory_rows(run->nthreads, sizeof *kept); /* ROLE_IDLE */
	struct team team = {
		.run = run, .roles = roles, .members = members, .wanted = (size_t)account->threads};
	struct spread *spread = &team.spread;
	int at_once;

	sum_waits(run, &team.waits);
	find_members(&team, times);
	EACH_ROW(member, members, team.count)
		kept[member->thread - run->threads] = ROLE_PARTICIPANT;
	at_once = roles_at_once(times, kept, run->nthreads, ROLE_PARTICIPANT);
	spread->participants = (int)team.count;
	spread->are_processes = team.count > 1;
	for (size_t i = 1; i < team.count; i++)
		spread->are_processes &= members[i].thread->pid != members[i - 1].thread->pid;
	spread->known =
		account->parallel != PARALLEL_INNER && team.count && (int)team.count <= at_once;
	if (spread->known) {
		add_locked(&team);
		find_serial(&team);
		find_uneven(&team);
	} else if (account->parallel == PARALLEL_CALLERS && team.wanted > 1) {
		find_follow(&team);
		if (!spread->known && at_once <= account->threads)
			find_last(&team);
		if (at_once == 1) { /* none is started with another, so each works alone */
			spread->serial_ns = spread->uneven_ns / (double)(team.wanted - 1);
			spread->uneven_ns = 0;
		}
	}
	idmap_free(&team.waits.numbers);
	free(team.waits.waited);
	return *spread;
}
