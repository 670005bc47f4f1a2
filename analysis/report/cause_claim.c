/* cause_claim.c: what is lost at a thread count, and how causes claim their parts of it. */
/* SPDX-License-Identifier: MIT */
#include "report/cause_claim.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const char *const sure_names[] = {
	[SURE] = "sure",
	[LIKELY] = "likely",
	[POSSIBLE] = "possible",
};

struct report_cause *add_cause(struct search *search, enum cause cause, double lost)
{
	struct report *report = search->report;
	struct report_cause *row = memory_add(&report->causes, &report->ncauses, sizeof *row);

	row->threads = search->row->threads;
	row->cause = cause_kinds[cause].name;
	row->lost = lost;
	row->share = lost / row->threads;
	row->sure = sure_names[SURE];
	row->place = "";
	return row;
}

/* 1 for the same place, or another function in the same line, "train.c:120 step()": a library's
 * that is called there, and the one that calls it. */
static int is_same_place(const char *place, const char *other)
{
	size_t length = strcspn(place, " ");

	return !strcmp(place, other) ||
	       (memchr(place, ':', length) && place[length] && !strncmp(place, other, length + 1));
}

void claim(struct search *search, const struct claim *claim)
{
	const char *cause = cause_kinds[claim->cause].name;
	const char *place = claim->place ? claim->place : "";
	struct report_cause *row = NULL;
	double lost = 0;

	EACH_CATEGORY(category)
		lost += fmin(claim->lost[category], search->left[category]);
	if (!(lost >= CAUSE_MIN * search->row->threads))
		return;
	EACH_CATEGORY(category)
		search->left[category] -= fmin(claim->lost[category], search->left[category]);
	EACH_HERE(other, search, causes)
		if (*place && !strcmp(other->cause, cause) && is_same_place(place, other->place))
			row = other;
	if (!row)
		row = add_cause(search, claim->cause, 0);
	if (lost > row->lost) {
		row->sure = sure_names[claim->sure];
		row->place = place;
		memcpy(row->remedy, claim->remedy, sizeof row->remedy);
		memcpy(row->sentence, claim->sentence, sizeof row->sentence);
	}
	row->lost += lost;
	row->share = row->lost / row->threads;
}

double threads_lost(const struct search *search, double point, double base)
{
	double lost = search->threads_per_ns * (point - base);

	return isfinite(lost) ? fmax(lost, 0) : 0;
}

double more_lost(const struct search *search, double ns, double base_ns)
{
	return threads_lost(search, ns / search->row->account.work,
			    base_ns / search->base->account.work);
}

double time_lost(const struct search *search, double ns)
{
	return more_lost(search, ns, 0);
}

double growth(const struct search *search, enum category category)
{
	return account_per_work(&search->row->account, category) /
	       account_per_work(&search->base->account, category);
}

double no_cpu_lost(const struct search *search, enum no_cpu who)
{
	double lost = more_lost(search, search->row->no_cpu_ns[who], search->base->no_cpu_ns[who]);

	return who == NO_CPU_OWN			     ? lost - search->pools_no_cpu
	       : who == NO_CPU_OTHERS || who == NO_CPU_STEAL ? lost * (1 - search->usual)
							     : lost;
}

/* 1 if threads use CPUs in this category, or wait for the only one that does. */
static int needs_cpu(const struct account *account, enum category category)
{
	return category == CAT_BLAS || category == CAT_OTHER || category == CAT_SPIN ||
	       (category == CAT_WAITING && account->parallel == PARALLEL_INNER);
}

/* The time in which other programs or the host had the CPU, for each ns of computing; 0 if nothing
 * computes. */
static double starved_ratio(const struct report_row *row)
{
	double used_ns = 0;

	EACH_CATEGORY(category)
		if (needs_cpu(&row->account, category))
			used_ns += row->account.category_ns[category];
	return used_ns > 0
		       ? (row->no_cpu_ns[NO_CPU_OTHERS] + row->no_cpu_ns[NO_CPU_STEAL]) / used_ns
		       : 0;
}

/* Where other programs slow down one thread as well, what takes longer also lacks a CPU for longer.
 * That is its own loss, not that of those programs. */
static void split_usual_no_cpu(struct search *search)
{
	double taken = no_cpu_lost(search, NO_CPU_OTHERS) + no_cpu_lost(search, NO_CPU_STEAL);
	double used = 0, moved;

	search->starved = fmin(starved_ratio(search->base), starved_ratio(search->row));
	EACH_CATEGORY(category)
		used += needs_cpu(&search->row->account, category) ? search->left[category] : 0;
	moved = fmin(search->starved * used, fmin(taken, search->left[CAT_NO_CPU]));
	if (!(moved > 0))
		return;
	search->usual = moved / taken;
	search->raised = 1 + moved / used;
	search->left[CAT_NO_CPU] -= moved;
	EACH_CATEGORY(category)
		if (needs_cpu(&search->row->account, category))
			search->left[category] *= search->raised;
}

int is_idle(enum category category)
{
	return category == CAT_WAITING || category == CAT_SPIN || category == CAT_MPI;
}

double sum_idle(const double lost[CAT_COUNT])
{
	double sum = 0;

	EACH_CATEGORY(category)
		sum += is_idle(category) ? lost[category] : 0;
	return sum;
}

double idle_share(const struct account *account)
{
	return sum_idle(account->category_ns) / (account->threads * account->wall_ns);
}

double work_ns(const struct account *account)
{
	return account->category_ns[CAT_BLAS] + account->category_ns[CAT_OTHER];
}

/* Time that spins is taken from other code, by samples: by chance, more than there is. So a gain in
 * other code is a smaller loss in spinning. A gain in one of the categories in which threads wait
 * for each other is a smaller loss in the others: a thread may be blocked with one thread, and spin
 * with several. */
static void net_idle(double lost[CAT_COUNT])
{
	double chance = fmin(fmax(-lost[CAT_OTHER], 0), fmax(lost[CAT_SPIN], 0));
	double all = 0, net, part;

	lost[CAT_OTHER] += chance;
	lost[CAT_SPIN] -= chance;
	net = sum_idle(lost);
	EACH_CATEGORY(category)
		all += is_idle(category) ? fmax(lost[category], 0) : 0;
	part = all > 0 ? fmax(net, 0) / all : 1;
	EACH_CATEGORY(category)
		if (is_idle(category))
			lost[category] = fmax(lost[category], 0) * part;
	lost[CAT_WAITING] += fmin(net, 0);
}

void split_loss(struct search *search)
{
	const struct account *account = &search->row->account;
	double lost = 0, gained = 0, net;

	search->threads_per_ns = account->threads / account_all_per_work(account);
	EACH_CATEGORY(category) {
		double more = search->threads_per_ns *
			      (account_per_work(account, category) -
			       account_per_work(&search->base->account, category));

		search->left[category] = isfinite(more) ? more : 0;
	}
	net_idle(search->left);
	EACH_CATEGORY(category) {
		lost += fmax(search->left[category], 0);
		gained += fmax(-search->left[category], 0);
	}
	net = lost > 0 ? fmax((lost - gained) / lost, 0) : 1;
	search->threads_per_ns *= net;
	EACH_CATEGORY(category)
		search->left[category] = fmax(search->left[category], 0) * net;
	split_usual_no_cpu(search);
	search->other_lost = search->left[CAT_OTHER];
}

void add_idle_loss(const struct search *search, double lost, struct claim *found)
{
	double left = sum_idle(search->left);

	EACH_CATEGORY(category)
		if (is_idle(category))
			found->lost[category] += search->left[category] / left * lost;
}
