/* event_sets.c: the table of named sets of events. */
/* SPDX-License-Identifier: MIT */
#include "perf/event_sets.h"

#include <strings.h>

/* clang-format off */
static const struct event_choice cache[] = {
	{{"L1-DCACHE-LOADS", "L1D_CACHE"}, 0},
	{{"L1-DCACHE-LOAD-MISSES", "L1D_CACHE_REFILL"}, 0},
	{{"CACHE-REFERENCES", "LLC-LOADS", "L2D_CACHE"}, 0},
	{{"CACHE-MISSES", "LLC-LOAD-MISSES", "L2D_CACHE_REFILL"}, 0},
};

static const struct event_choice branch[] = {
	{{"BRANCHES", "BR_RETIRED"}, 0},
	{{"BRANCH-MISSES", "BR_MIS_PRED_RETIRED"}, 0},
};

static const struct event_choice tlb[] = {
	{{"DTLB-LOADS", "L1D_TLB"}, 0},
	{{"DTLB-LOAD-MISSES", "L1D_TLB_REFILL"}, 0},
	{{"ITLB-LOAD-MISSES", "L1I_TLB_REFILL"}, 0},
};

/* Intel counts an instruction once and a fused multiply-add twice, so that the vector's length is the
 * factor; AMD counts operations. Arm counts instructions, of unknown length. */
static const struct event_choice flops[] = {
	{{"FP_ARITH:SCALAR_SINGLE", "RETIRED_SSE_AVX_FLOPS:ANY", "VFP_SPEC"}, 1},
	{{"FP_ARITH:SCALAR_DOUBLE", "ASE_SPEC"}, 1},
	{{"FP_ARITH:128B_PACKED_SINGLE"}, 4},
	{{"FP_ARITH:128B_PACKED_DOUBLE"}, 2},
	{{"FP_ARITH:256B_PACKED_SINGLE"}, 8},
	{{"FP_ARITH:256B_PACKED_DOUBLE"}, 4},
	{{"FP_ARITH:512B_PACKED_SINGLE"}, 16},
	{{"FP_ARITH:512B_PACKED_DOUBLE"}, 8},
};

#define SET(name, says) {#name, says, name, sizeof name / sizeof *name}
const struct event_set event_sets[] = {
	SET(cache, "loads and misses of the first and the last level of cache"),
	SET(flops, "floating-point operations, by the width of the vector"),
	SET(branch, "branches, and those that were predicted wrongly"),
	SET(tlb, "address translations that were not at hand"),
};
/* clang-format on */
const size_t event_sets_count = sizeof event_sets / sizeof *event_sets;

const struct event_set *event_set_find(const char *name)
{
	for (size_t i = 0; i < event_sets_count; i++)
		if (!strcasecmp(event_sets[i].name, name))
			return &event_sets[i];
	return NULL;
}

int event_choice_has(const struct event_choice *choice, const char *name)
{
	for (const char *const *at = choice->names; *at; at++)
		if (!strcasecmp(*at, name))
			return 1;
	return 0;
}
