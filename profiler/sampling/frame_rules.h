/* frame_rules.h: how to find a frame's caller, by the call frame information of its object file. */
/* SPDX-License-Identifier: MIT */
#ifndef RECORD_FRAME_RULES_H
#define RECORD_FRAME_RULES_H

#include <stdint.h>

#include "symbols/address_table.h"

/* Where the canonical frame address is (CFA: the stack pointer before the call). */
enum cfa_kind {
	CFA_UNKNOWN, /* the file says nothing of this place */
	CFA_SP,	     /* stack pointer + offset */
	CFA_FP,	     /* frame pointer + offset */
	CFA_AT_FP,   /* the word at frame pointer + offset: functions that align their stack */
	CFA_PLT,     /* stack pointer + 8, and 8 more in the second half of a PLT's 16-byte slot */
};

enum return_kind {
	RETURN_AT_CFA, /* the word at CFA + offset */
	RETURN_IN_LR,  /* still in the link register */
	RETURN_NONE,   /* this frame has no caller: the thread starts here */
};

enum saved_kind { SAVED_NOT, SAVED_AT_CFA, SAVED_AT_FP };

struct frame_rule {
	uint8_t cfa; /* enum cfa_kind */
	uint8_t ret; /* enum return_kind */
	uint8_t fp;  /* enum saved_kind: the caller's frame pointer */
	int32_t cfa_offset, ret_offset, fp_offset;
};

/* The rules of all objects that were asked for, read when they are first needed. */
struct frame_rules;

struct frame_rules *frame_rules_new(void); /* NULL when memory is out */
void frame_rules_free(struct frame_rules *rules);

/* The rule for the code at this offset of the object's file; CFA_UNKNOWN where there is none. */
struct frame_rule frame_rules_find(struct frame_rules *rules, const struct address_table *addresses,
				   uint32_t object, uint64_t offset);

#endif
