/* sample_record.h: the layout of the kernel's sample records, and where their parts lie. */
/* SPDX-License-Identifier: MIT */
#ifndef PERF_SAMPLE_RECORD_H
#define PERF_SAMPLE_RECORD_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* What every event that feeds the time line must have: attr->sample_type, with sample_id_all. An
 * event may add PERF_SAMPLE_PERIOD, PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_REGS_USER and
 * PERF_SAMPLE_STACK_USER. */
#define TIMELINE_SAMPLE_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_CPU)
/* Of counted events. */
#define TIMELINE_COUNTED_TYPE (TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_PERIOD)
/* Of probes: at a routine's return, and at its entry, where the arguments are. */
#define PROBE_SAMPLE_TYPE     (TIMELINE_SAMPLE_TYPE | PERF_SAMPLE_REGS_USER)
#define PROBE_ENTRY_TYPE      (PROBE_SAMPLE_TYPE | PERF_SAMPLE_STACK_USER)

/* The registers that unwinding starts from: attr->sample_regs_user, in the order of their bits. */
#if defined __x86_64__
enum { SAMPLE_REG_FP, SAMPLE_REG_SP, SAMPLE_REG_IP, SAMPLE_REGS };
#define SAMPLE_REGS_MASK (UINT64_C(7) << 6) /* bp, sp, ip */
#else
enum { SAMPLE_REG_FP, SAMPLE_REG_LR, SAMPLE_REG_SP, SAMPLE_REG_IP, SAMPLE_REGS };
#define SAMPLE_REGS_MASK (UINT64_C(15) << 29) /* x29, lr, sp, pc */
#endif

/* Those of PROBE_ENTRY_TYPE, the order of the first whole numbers and addresses that are passed
 * among them, and how much of the stack: the return address and two arguments. */
/* clang-format off */
#if defined __x86_64__
#define PROBE_ENTRY_MASK (UINT64_C(0x7f) << 2 | UINT64_C(3) << 16)
#define PROBE_ENTRY_ARGUMENTS {3, 2, 1, 0, 7, 8} /* of cx, dx, si, di, bp, sp, ip, r8, r9 */
enum { PROBE_ENTRY_SP = 5, PROBE_ENTRY_REGS = 9 };
#else
#define PROBE_ENTRY_MASK (UINT64_C(0xff) | SAMPLE_REGS_MASK)
#define PROBE_ENTRY_ARGUMENTS {0, 1, 2, 3, 4, 5, 6, 7} /* of x0 to x7, x29, lr, sp, pc */
enum { PROBE_ENTRY_SP = 10, PROBE_ENTRY_REGS = 12 };
#endif
/* clang-format on */
#define PROBE_ENTRY_STACK_BYTES 24

/* The fixed part, which begins a sample and (without the ip) ends every other record. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time, cpu;
};

struct sample_record {
	const struct sample_head *head;
	uint64_t period;       /* 0: not told */
	const uint64_t *chain; /* the kernel's call chain, with its PERF_CONTEXT_ marks */
	size_t nchain;
	const uint64_t *regs; /* SAMPLE_REGS values (PROBE_ENTRY_REGS), or NULL */
	const char *stack;    /* the bytes from the stack pointer up, or NULL */
	size_t stack_bytes;
};

/* Finds the parts of a sample of this sample_type. -1 when the record is shorter than it says. */
int sample_record_read(const struct perf_event_header *record, uint64_t sample_type,
		       struct sample_record *sample);

#endif
