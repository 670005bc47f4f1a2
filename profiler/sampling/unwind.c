/* unwind.c: walks call chains and copied stacks. */
/* SPDX-License-Identifier: MIT */
#include "sampling/unwind.h"

#include <string.h>

#if defined __x86_64__
enum { RETURN_SLOT = 8 }; /* of the return address above the saved frame pointer */
#define CODE_ADDRESS(word) (word)
#else
enum { RETURN_SLOT = 8 };
#define CODE_ADDRESS(word) ((word) & ((UINT64_C(1) << 48) - 1)) /* without its signature */
#endif

/* A frame on the way out. */
struct walk {
	const struct sample_record *sample;
	uint64_t base; /* address of the copy's first byte */
	uint64_t ip, sp, fp, lr;
	int inner; /* the first frame: its ip is where it is, not where it will return to */
};

static void add_place(struct unwound *unwound, uint32_t place)
{
	if (place != IDMAP_NONE && unwound->count < UNWIND_DEPTH_MAX)
		unwound->addresses[unwound->count++] = place;
}

/* Adds the place of user code; its rule too where wanted. -1: that is no known code. */
static int add_user(const struct unwinder *unwinder, uint64_t address, struct frame_rule *rule,
		    struct unwound *unwound)
{
	const struct mapping *map = space_find(unwinder->space, address);
	uint64_t offset;

	if (!map || unwound->count == UNWIND_DEPTH_MAX)
		return -1;
	offset = address - map->start + map->offset;
	add_place(unwound, address_table_number(unwinder->addresses, map->object, offset));
	if (rule)
		*rule = frame_rules_find(unwinder->rules, unwinder->addresses, map->object, offset);
	return 0;
}

static void walk_chain(const struct unwinder *unwinder, const struct sample_record *sample,
		       struct unwound *unwound)
{
	uint64_t context = PERF_CONTEXT_USER;
	int inner = 1;

	for (size_t i = 0; i < sample->nchain; i++) {
		uint64_t address = sample->chain[i];

		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			context = address;
			inner = 1;
			continue;
		}
		address -= !inner;
		inner = 0;
		if (context == (uint64_t)PERF_CONTEXT_KERNEL)
			add_place(unwound, address_table_number(unwinder->addresses, OBJECT_KERNEL,
								address));
		else if (add_user(unwinder, address, NULL, unwound))
			return;
	}
}

static int read_word(const struct walk *walk, uint64_t address, uint64_t *word)
{
	uint64_t at = address - walk->base;

	if (address < walk->base || at > walk->sample->stack_bytes ||
	    walk->sample->stack_bytes - at < sizeof *word)
		return -1;
	memcpy(word, walk->sample->stack + at, sizeof *word);
	return 0;
}

static uint64_t offset_by(uint64_t address, int32_t offset)
{
	return address + (uint64_t)(int64_t)offset;
}

static int find_cfa(const struct walk *walk, const struct frame_rule *rule, uint64_t *cfa)
{
	switch ((enum cfa_kind)rule->cfa) {
	case CFA_SP:
		*cfa = offset_by(walk->sp, rule->cfa_offset);
		return 0;
	case CFA_FP:
		*cfa = offset_by(walk->fp, rule->cfa_offset);
		return 0;
	case CFA_AT_FP:
		return read_word(walk, offset_by(walk->fp, rule->cfa_offset), cfa);
	case CFA_PLT:
		*cfa = walk->sp + ((walk->ip & 15) >= 11 ? 16 : 8);
		return 0;
	case CFA_UNKNOWN:
		break;
	}
	return -1;
}

/* Code without call frame information: perhaps it has a frame pointer. */
static int step_by_fp(struct walk *walk)
{
	uint64_t fp = walk->fp, ip;

	if (fp < walk->sp || read_word(walk, fp + RETURN_SLOT, &ip) ||
	    read_word(walk, fp, &walk->fp))
		return -1;
	walk->ip = CODE_ADDRESS(ip);
	walk->sp = fp + 2 * RETURN_SLOT;
	return 0;
}

static int read_fp(const struct walk *walk, const struct frame_rule *rule, uint64_t cfa,
		   uint64_t *fp)
{
	uint64_t base = rule->fp == SAVED_AT_CFA ? cfa : walk->fp;

	*fp = walk->fp;
	return rule->fp == SAVED_NOT ? 0 : read_word(walk, offset_by(base, rule->fp_offset), fp);
}

/* From a frame to its caller's; -1 where that is not in the copy. */
static int step(struct walk *walk, const struct frame_rule *rule)
{
	uint64_t cfa, ip = walk->lr, fp;

	if (rule->cfa == CFA_UNKNOWN)
		return step_by_fp(walk);
	if (find_cfa(walk, rule, &cfa) || cfa < walk->sp || (cfa == walk->sp && !walk->inner) ||
	    (rule->ret == RETURN_IN_LR && !walk->inner) ||
	    (rule->ret == RETURN_AT_CFA &&
	     read_word(walk, offset_by(cfa, rule->ret_offset), &ip)) ||
	    read_fp(walk, rule, cfa, &fp))
		return -1;
	walk->ip = CODE_ADDRESS(ip);
	walk->sp = cfa;
	walk->fp = fp;
	return 0;
}

static void walk_stack(const struct unwinder *unwinder, const struct sample_record *sample,
		       struct unwound *unwound)
{
	const uint64_t *regs = sample->regs;
	struct walk walk = {.sample = sample, .inner = 1};
	struct frame_rule rule;

	walk.base = walk.sp = regs[SAMPLE_REG_SP];
	walk.ip = regs[SAMPLE_REG_IP];
	walk.fp = regs[SAMPLE_REG_FP];
#if !defined __x86_64__
	walk.lr = CODE_ADDRESS(regs[SAMPLE_REG_LR]);
#endif
	while (!add_user(unwinder, walk.ip - !walk.inner, &rule, unwound)) {
		if (rule.cfa != CFA_UNKNOWN && rule.ret == RETURN_NONE) {
			unwound->whole = 1;
			return;
		}
		if (step(&walk, &rule))
			return;
		walk.inner = 0;
	}
}

void unwind_sample(const struct unwinder *unwinder, const struct sample_record *sample,
		   struct unwound *unwound)
{
	unwound->count = 0;
	unwound->whole = 0;
	walk_chain(unwinder, sample, unwound);
	if (sample->regs && sample->stack && unwinder->rules)
		walk_stack(unwinder, sample, unwound);
}
