/* chain.c: follows the calls that a function was called through, by the tables for exceptions, as
 * far as a certain frame. */
/* SPDX-License-Identifier: MIT
 *
 * The tables (.eh_frame_hdr and .eh_frame of the Linux Standard Base, instructions as in DWARF 4,
 * section 6.4) tell for each place of the code where the caller's stack pointer, frame pointer and
 * return address are. No more registers than these are followed, for compiled code needs no more.
 *
 * Tables and stacks are other people's, and may hold anything: no byte is read that is not known to
 * be there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim/chain.h"

#define PAGE_BYTES 4096 /* the least that a page has */

/* The kernel reads the set of signals before it refuses what it is to do with it, which is nothing
 * that it knows. */
int chain_can_read(uintptr_t address, uintptr_t near)
{
	int saved = errno, result;

	if ((address ^ near) < PAGE_BYTES)
		return 1;
	result =
		syscall(SYS_rt_sigprocmask, -1, address, NULL, sizeof(uint64_t)) && errno == EINVAL;
	errno = saved;
	return result;
}

#if defined(__x86_64__) && defined(DLFO_EH_SEGMENT_TYPE)
extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak));

#define FRAMES_MAX	256
#define REMEMBERED_MAX	4
#define ENTRY_BYTES_MAX (1 << 16)  /* of one function; longer ones are none */
#define INDEX_HEAD	0x3b031b01 /* of the index: the version and encodings that linkers write */
#define BASE_POINTER	6	   /* numbers of registers in the tables */
#define STACK_POINTER	7
#define RETURN_ADDRESS	16

/* An object as it is mapped: it may have holes. */
struct image {
	uintptr_t start, end;
	uintptr_t checked; /* can be read */
	int failed;
};

/* Bytes of a table; reading beyond the end fails. */
struct bytes {
	const uint8_t *at, *end;
	int failed;
};

/* Where something of the caller's is. */
struct rule {
	enum { SAME, AT, UNDEFINED, HIDDEN } kind; /* AT: in memory; HIDDEN: not followed */
	int base;				   /* a register; -1: the caller's stack pointer */
	int64_t offset;				   /* from it */
};

struct rules {
	struct rule stack; /* AT: what lies there is the pointer; SAME: base + offset is */
	struct rule base, address;
};

struct table {
	struct bytes common, own; /* instructions: those of many functions first */
	uintptr_t start;
	uint64_t code_step;
	int64_t data_step;
	int is_signal; /* the code that a handler returns to */
};

struct machine {
	uintptr_t address, stack, base;
	uintptr_t checked; /* can be read */
};

static uint64_t take(struct bytes *bytes, size_t count)
{
	uint64_t value = 0;

	if ((size_t)(bytes->end - bytes->at) < count) {
		bytes->failed = 1;
		bytes->at = bytes->end;
		return 0;
	}
	memcpy(&value, bytes->at, count);
	bytes->at += count;
	return value;
}

static void skip(struct bytes *bytes, uint64_t count)
{
	if ((uint64_t)(bytes->end - bytes->at) < count)
		bytes->failed = 1;
	bytes->at = bytes->failed ? bytes->end : bytes->at + count;
}

/* Seven bits a byte, the lowest first. *bits: how many there are; more than fit are an error. */
static uint64_t take_bits(struct bytes *bytes, unsigned *bits)
{
	uint64_t value = 0, byte = 0x80;

	for (*bits = 0; byte & 0x80 && *bits < 63 && !bytes->failed; *bits += 7) {
		byte = take(bytes, 1);
		value |= (byte & 0x7f) << *bits;
	}
	bytes->failed |= byte >> 7;
	return value;
}

static uint64_t take_number(struct bytes *bytes)
{
	unsigned bits;

	return take_bits(bytes, &bits);
}

static int64_t take_signed(struct bytes *bytes)
{
	unsigned bits;
	uint64_t value = take_bits(bytes, &bits);

	return bits && value >> (bits - 1) & 1 ? (int64_t)(value | ~UINT64_C(0) << bits)
					       : (int64_t)value;
}

static int can_read_bytes(struct image *image, uintptr_t from, uint64_t count)
{
	uintptr_t page = from & ~(uintptr_t)(PAGE_BYTES - 1);

	if (from < image->start || from > image->end || count > image->end - from ||
	    count > ENTRY_BYTES_MAX)
		return 0;
	for (; page < from + count; page += PAGE_BYTES) {
		if (!chain_can_read(page, image->checked))
			return 0;
		image->checked = page;
	}
	return 1;
}

static int32_t read_offset(struct image *image, uintptr_t at)
{
	int32_t value = 0;

	if (can_read_bytes(image, at, sizeof value))
		memcpy(&value, (const void *)at, sizeof value);
	else
		image->failed = 1;
	return value;
}

/* The description of the function that the address lies in, by the object's sorted index; 0: there
 * is none. */
static uintptr_t find_description(struct image *image, uintptr_t address)
{
	struct dl_find_object object;
	uintptr_t index, pairs;
	size_t low = 0, high;
	int64_t sought;

	if (!_dl_find_object || _dl_find_object((void *)address, &object))
		return 0;
	index = (uintptr_t)object.dlfo_eh_frame;
	*image = (struct image){(uintptr_t)object.dlfo_map_start, (uintptr_t)object.dlfo_map_end,
				(uintptr_t)image, 0};
	if (read_offset(image, index) != INDEX_HEAD)
		return 0;
	sought = (int64_t)(address - index);
	pairs = index + 12;
	for (high = (uint32_t)read_offset(image, index + 8); high - low > 1 && !image->failed;) {
		size_t middle = low + (high - low) / 2;

		if (read_offset(image, pairs + 8 * middle) <= sought)
			low = middle;
		else
			high = middle;
	}
	index += (uintptr_t)read_offset(image, pairs + 8 * low + 4);
	return high && !image->failed ? index : 0;
}

/* What a description holds after its length. */
static struct bytes open_entry(struct image *image, uintptr_t entry)
{
	uint32_t length = (uint32_t)read_offset(image, entry);
	const uint8_t *at = (const uint8_t *)entry + 4;

	if (image->failed || !can_read_bytes(image, (uintptr_t)at, length))
		return (struct bytes){.failed = 1};
	return (struct bytes){at, at + length, 0};
}

/* The letters of the augmentation say what its bytes are. 0 where addresses in descriptions are not
 * as linkers write them. */
static int take_augmentation(const char *letters, struct bytes *bytes, struct table *table)
{
	static const uint8_t sizes[16] = {8, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
	uint64_t count = take_number(bytes);
	struct bytes data = *bytes;
	int is_usual = 0;

	skip(bytes, count);
	data.end = bytes->at;

	for (letters++; *letters; letters++) {
		if (*letters == 'R')
			is_usual = take(&data, 1) == 0x1b;
		else if (*letters == 'P')
			skip(&data, sizes[take(&data, 1) & 15]);
		else if (*letters == 'L')
			skip(&data, 1);
		else if (*letters == 'S')
			table->is_signal = 1;
		else
			data.failed = 1;
	}
	return is_usual && !data.failed;
}

/* What functions have in common, up to the instructions. Returns 0, or -1 where it cannot be read.
 */
static int open_common(struct table *table)
{
	struct bytes *bytes = &table->common;
	uint64_t mark = take(bytes, 4), version = take(bytes, 1);
	const char *letters = (const char *)bytes->at;
	const uint8_t *end =
		bytes->failed ? NULL : memchr(letters, 0, (size_t)(bytes->end - bytes->at));

	if (!end || mark || (version != 1 && version != 3))
		return -1;
	bytes->at = end + 1;
	table->code_step = take_number(bytes);
	table->data_step = take_signed(bytes);
	table->is_signal = 0;
	return take_number(bytes) == RETURN_ADDRESS && *letters == 'z' &&
			       take_augmentation(letters, bytes, table) && !bytes->failed
		       ? 0
		       : -1;
}

/* Returns 0, or -1 where it cannot be read. */
static int open_table(struct table *table, uintptr_t address)
{
	struct image image;
	uintptr_t description = find_description(&image, address);
	uint64_t before; /* so far before it the common part lies */

	if (!description)
		return -1;
	table->own = open_entry(&image, description);
	before = take(&table->own, 4);
	table->common = open_entry(&image, description + 4 - before);
	table->start = (uintptr_t)table->own.at;
	table->start += (uintptr_t)(int32_t)take(&table->own, 4);
	if (address - table->start >= take(&table->own, 4) || open_common(table))
		return -1;
	skip(&table->own, take_number(&table->own));
	return table->own.failed ? -1 : 0;
}

static void set_rule(struct rules *rules, uint64_t number, struct rule rule)
{
	if (number == BASE_POINTER)
		rules->base = rule;
	else if (number == RETURN_ADDRESS)
		rules->address = rule;
}

/* An expression: only what lies at a register's value and an offset is followed. */
static struct rule take_expression(struct bytes *bytes, int is_pointer)
{
	uint64_t length = take_number(bytes);
	struct bytes expression = *bytes;
	struct rule rule = {.kind = AT};

	skip(bytes, length);
	expression.end = bytes->at;
	rule.base = (int)take(&expression, 1) - 0x70;
	rule.offset = take_signed(&expression);
	if ((rule.base != BASE_POINTER && rule.base != STACK_POINTER) || expression.failed ||
	    (is_pointer && take(&expression, 1) != 6) || expression.at != expression.end)
		rule.kind = HIDDEN;
	return rule;
}

static int64_t scale(const struct table *table, uint64_t number)
{
	return (int64_t)(number * (uint64_t)table->data_step);
}

/* Instructions about where the caller's stack pointer is. Returns 0 where it is none. */
static int do_stack(struct rules *rules, unsigned operation, struct bytes *bytes,
		    const struct table *table)
{
	struct rule *stack = &rules->stack;

	switch (operation) {
	case 0x0c: /* register and offset */
	case 0x12:
		stack->base = (int)take_number(bytes);
		stack->kind = SAME;
		break;
	case 0x0d: /* register */
		stack->base = (int)take_number(bytes);
		return 1;
	case 0x0e: /* offset */
	case 0x13:
		break;
	case 0x0f:
		*stack = take_expression(bytes, 1);
		return 1;
	default:
		return 0;
	}
	stack->offset = operation < 0x10 ? (int64_t)take_number(bytes)
					 : scale(table, (uint64_t)take_signed(bytes));
	return 1;
}

/* Instructions about one register. */
static void do_register(struct rules *rules, const struct rules *first, unsigned operation,
			struct bytes *bytes, const struct table *table)
{
	uint64_t number = operation & 0xc0 ? operation & 0x3f : take_number(bytes);
	struct rule rule = {HIDDEN, -1, 0};

	if (operation >> 6 == 2 || operation == 0x05) {
		rule.kind = AT;
		rule.offset = scale(table, take_number(bytes));
	} else if (operation == 0x11) {
		rule.kind = AT;
		rule.offset = scale(table, (uint64_t)take_signed(bytes));
	} else if (operation >> 6 == 3 || operation == 0x06) {
		rule = number == BASE_POINTER ? first->base : first->address;
	} else if (operation == 0x07) {
		rule.kind = UNDEFINED;
	} else if (operation == 0x08) {
		rule.kind = SAME;
	} else if (operation == 0x10) {
		rule = take_expression(bytes, 0);
	} else if (operation == 0x16) {
		take_expression(bytes, 0);
	} else if (operation == 0x09 || operation == 0x14 || operation == 0x15) {
		take_number(bytes);
	} else {
		bytes->failed = 1;
	}
	set_rule(rules, number, rule);
}

/* How far the code is when this instruction is done; 0: it is another one. */
static uint64_t take_step(unsigned operation, struct bytes *bytes)
{
	if (operation >> 6 == 1)
		return operation & 0x3f;
	return operation >= 0x02 && operation <= 0x04 ? take(bytes, 1u << (operation - 2)) : 0;
}

/* The rules for the place so far from the function's start. Returns 0 or -1. */
static int do_instructions(struct rules *rules, const struct rules *first, struct bytes *bytes,
			   const struct table *table, uint64_t place)
{
	struct rules remembered[REMEMBERED_MAX];
	unsigned depth = 0;
	uint64_t here = 0;

	while (bytes->at < bytes->end && !bytes->failed) {
		unsigned operation = (unsigned)take(bytes, 1);
		uint64_t step = take_step(operation, bytes);

		here += step * table->code_step;
		if (here > place)
			break;
		if (step || !operation)
			continue;
		if (operation == 0x2e) /* the size of arguments */
			take_number(bytes);
		else if (operation == 0x0a && depth < REMEMBERED_MAX)
			remembered[depth++] = *rules;
		else if (operation == 0x0b && depth)
			*rules = remembered[--depth];
		else if (!do_stack(rules, operation, bytes, table))
			do_register(rules, first, operation, bytes, table);
	}
	return bytes->failed ? -1 : 0;
}

/* The word there; 0 where it cannot be read. */
static __attribute__((no_sanitize("thread", "address"))) uintptr_t
read_word(struct machine *machine, uintptr_t address)
{
	if (address % sizeof(uintptr_t) || !chain_can_read(address, machine->checked))
		return 0;
	machine->checked = address;
	return *(const uintptr_t *)address;
}

static uintptr_t follow(const struct rule *rule, struct machine *machine, uintptr_t stack,
			uintptr_t before)
{
	uintptr_t base = rule->base == BASE_POINTER    ? machine->base
			 : rule->base == STACK_POINTER ? machine->stack
						       : stack;

	if (rule->kind == SAME)
		return before;
	return rule->kind == AT ? read_word(machine, base + (uintptr_t)rule->offset) : 0;
}

/* Where a signal handler returns to the kernel, the interrupted function's registers lie. Returns 0
 * or -1. */
static int leave_handler(struct machine *machine)
{
	uintptr_t registers = machine->stack + offsetof(ucontext_t, uc_mcontext.gregs);

	machine->address = read_word(machine, registers + REG_RIP * sizeof(greg_t));
	machine->base = read_word(machine, registers + REG_RBP * sizeof(greg_t));
	machine->stack = read_word(machine, registers + REG_RSP * sizeof(greg_t));
	return machine->address && machine->stack ? 0 : -1;
}

static int get_rules(struct rules *rules, struct table *table, uint64_t place)
{
	struct rules none = {{HIDDEN, -1, 0}, {SAME, -1, 0}, {AT, -1, -8}}, first;

	*rules = none;
	if (do_instructions(rules, &none, &table->common, table, 0))
		return -1;
	first = *rules;
	if (do_instructions(rules, &first, &table->own, table, place))
		return -1;
	return (rules->stack.base == BASE_POINTER || rules->stack.base == STACK_POINTER) &&
			       rules->stack.kind != HIDDEN
		       ? 0
		       : -1;
}

/* What makecontext() has a stack's first function return to has called nothing: the address is
 * where a function begins. */
static int is_stacks_end(uintptr_t address)
{
	struct table table;

	return !open_table(&table, address) && table.start == address;
}

/* To the caller. Returns 1, 0 where there is none, -1 where that cannot be told. */
static int go_up(struct machine *machine, int *was_interrupted)
{
	struct table table;
	struct rules rules;
	uintptr_t stack, address, called = machine->address - !*was_interrupted;

	/* a call may be the last thing that a function does */
	if (open_table(&table, called))
		return is_stacks_end(machine->address) ? 0 : -1;
	*was_interrupted = table.is_signal;
	if (table.is_signal)
		return leave_handler(machine) ? -1 : 1;
	if (get_rules(&rules, &table, called - table.start))
		return -1;
	stack = (rules.stack.base == BASE_POINTER ? machine->base : machine->stack) +
		(uintptr_t)rules.stack.offset;
	if (rules.stack.kind == AT)
		stack = read_word(machine, stack);
	if (rules.address.kind == UNDEFINED)
		return 0;
	address = follow(&rules.address, machine, stack, 0);
	machine->base = follow(&rules.base, machine, stack, machine->base);
	if (!address || stack <= machine->stack)
		return -1;
	machine->address = address;
	machine->stack = stack;
	return 1;
}

enum chain_answer chain_holds(const void *frame, const void *sought)
{
	const uintptr_t *words = frame;
	uintptr_t above = (uintptr_t)sought + 2 * sizeof *words;
	struct machine machine = {words[1], (uintptr_t)(words + 2), words[0], (uintptr_t)words};
	int was_interrupted = 0;

	for (int i = 0; i < FRAMES_MAX; i++) {
		uintptr_t below = machine.stack;
		int went = go_up(&machine, &was_interrupted);

		if (went <= 0)
			return went ? CHAIN_UNKNOWN : CHAIN_ENDS_WITHOUT;
		if (machine.stack == above && !was_interrupted)
			return CHAIN_HOLDS;
		if (below < above && machine.stack > above && !was_interrupted)
			return CHAIN_ENDS_WITHOUT;
	}
	return CHAIN_UNKNOWN;
}
#else
enum chain_answer chain_holds(const void *frame, const void *sought)
{
	(void)frame, (void)sought;
	return CHAIN_UNKNOWN;
}
#endif
