/* wait_loops_test.c: loops that wait, and twins that work, as compilers make them. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/wait_loops.h"
#include "tests/unit.h"

enum { BYTES_MAX = 256 };

/* GCC 12 -O2 and -O0 for x86-64, Clang 14 -O2 and (the exchange) -O1 -march=armv8.1-a for AArch64.
 * The last text has a character for each instruction: w where it is in a loop that waits. */
static const struct {
	const char *source;
	enum instruction_set set;
	const char *code, *waits;
} functions[] = {
	/* clang-format off */
	{"while (!*flag);", INSTRUCTIONS_X86_64,
	 "8b0785c074fac3",
	 "www."},
	{"while (!*flag) pause();", INSTRUCTIONS_X86_64,
	 "eb08660f1f440000f3908b0785c074f8c3",
	 "..wwww."},
	{"for (i < 100000) if (*flag) return", INSTRUCTIONS_X86_64,
	 "b8a0860100eb0e660f1f84000000000083e801740b8b1785d274f5ba0100000089d0c3",
	 "...wwwww..."},
	{"while (exchange(lock, 1));", INSTRUCTIONS_X86_64,
	 "ba010000000f1f0089d0860784c075f8c3",
	 "..wwww."},
	{"while (!**pointer);", INSTRUCTIONS_X86_64,
	 "488b078b0085c074f7c3",
	 "wwww."},
	{"while (!(*bits & 4));", INSTRUCTIONS_X86_64,
	 "0fb607a80474f9c3",
	 "www."},
	{"strlen()", INSTRUCTIONS_X86_64,
	 "803f00741b4889f80f1f8400000000004883c00180380075f74829f8c30f1f0031c0c3",
	 "............"},
	{"while (exchange(&locks[*which], 1));", INSTRUCTIONS_X86_64,
	 "6448630425fcffffff89f2488d04414801f8861084d275e8c3",
	 "wwwwwww."},
	{"a sum over memory", INSTRUCTIONS_X86_64,
	 "4885f67e1b488d14f731c00f1f4400004803074883c7084839d775f4c30f1f0031c0c3",
	 "............."},
	{"a search in memory", INSTRUCTIONS_X86_64,
	 "4889f889f2403a37740e660f1f4400004883c001381075f8c3",
	 "........."},
	{"a comparison", INSTRUCTIONS_X86_64,
	 "4885d2742b31c0eb100f1f80000000004883c0014839c274170fb60c06380c0774eeb8010000"
	 "00c30f1f84000000000031c0c3",
	 "................"},
	{"a walk along a list", INSTRUCTIONS_X86_64,
	 "eb0e660f1f4400003977087413488b3f4885ff75f331c0c30f1f8400000000004889f8c3",
	 "............"},
	{"y = y * x + *c", INSTRUCTIONS_X86_64,
	 "660f28d04885f67e2731c0660fefc090f20f59c2f20f100f4883c001f20f58c14839c675ebc3"
	 "662e0f1f840000000000660fefc0c3",
	 "................"},
	{"h = h >> 1 ^ *k", INSTRUCTIONS_X86_64,
	 "89f0a8017414662e0f1f8400000000008b17d1e831d0a80175f6c3",
	 ".........."},
	{"compare and swap of 3 times the value", INSTRUCTIONS_X86_64,
	 "8b078d1440f00fb11775f7c3",
	 "....."},
	{"stores", INSTRUCTIONS_X86_64,
	 "488d46ff4885f674130f1f8000000000c707010000004883e80173f4c3",
	 "........"},
	{"while (!*flag) call();", INSTRUCTIONS_X86_64,
	 "8b0785c0751a534889fb660f1f440000e8000000008b0385c074f531c05bc39031c0c3",
	 "................"},
	{"work under a lock that pauses", INSTRUCTIONS_X86_64,
	 "f20f10150000000031c9ba010000004885f67f0eeb3c662e0f1f840000000000f39089d08707"
	 "85c075f6f20f104708f20f594710660f28caf20f5e4f18f20f58c1f20f11470887074883c101"
	 "4839ce75d1c3c3",
	 ".......wwwww............"},
	{"while (!*flag);", INSTRUCTIONS_AARCH64,
	 "08fcdf88e8ffff34c0035fd6",
	 "ww."},
	{"while (!*flag) pause();", INSTRUCTIONS_AARCH64,
	 "08fcdf88880000353f2003d508fcdf88c8ffff34c0035fd6",
	 "..www."},
	{"for (i < 100000) if (*flag) return", INSTRUCTIONS_AARCH64,
	 "080040b96800003420008052c0035fd6e8d39052ea031f2a2800a072e9030a2a1f010a6b8000"
	 "00540b0040b92a0500116bffff343f01086be0279f1ac0035fd6",
	 ".......wwwwww..."},
	{"while (!**pointer);", INSTRUCTIONS_AARCH64,
	 "080040f9080140b9c8ffff34c0035fd6",
	 "www."},
	{"while (!(*bits & 4));", INSTRUCTIONS_AARCH64,
	 "08004039e8ff1736c0035fd6",
	 "ww."},
	{"strlen()", INSTRUCTIONS_AARCH64,
	 "e8031faa0968683808050091c9ffff35000500d1c0035fd6",
	 "......"},
	{"a sum over memory", INSTRUCTIONS_AARCH64,
	 "3f0400f10b010054e8031faa098440f8210400f12801088ba1ffff54e00308aac0035fd6e803"
	 "1faae00308aac0035fd6",
	 "............"},
	{"a search in memory", INSTRUCTIONS_AARCH64,
	 "000400d1081c40381f01216bc1ffff54c0035fd6",
	 "....."},
	{"a comparison", INSTRUCTIONS_AARCH64,
	 "220200b408004039290040391f01096be101005429008052e80309aa5f0009ebc00000540a68"
	 "6838090500912b6868385f010b6b20ffff541f0102ebe0279f1ac0035fd6e0031f2ac0035fd6"
	 "20008052c0035fd6",
	 "....................."},
	{"a walk along a list", INSTRUCTIONS_AARCH64,
	 "c00000b4080840b91f01016b60000054000040f980ffffb5c0035fd6",
	 "......."},
	{"y = y * x + *c", INSTRUCTIONS_AARCH64,
	 "01e4002f3f0400f1ab000054020040fd210400f12108401fa1ffff542040601ec0035fd6",
	 "........."},
	{"h = h >> 1 ^ *k", INSTRUCTIONS_AARCH64,
	 "81000036080040b90105414ac1ff0737e003012ac0035fd6",
	 "......"},
	{"compare and swap of 3 times the value", INSTRUCTIONS_AARCH64,
	 "09fcdf88050000145f3f03d5ea031f2ae903082a4a01003508fc5f881f01096b41ffff542905"
	 "090b09fc0a880affff352a008052e903082a0affff34c0035fd6",
	 "................"},
	{"stores", INSTRUCTIONS_AARCH64,
	 "a10000b428008052210400f1080000b9c1ffff54c0035fd6",
	 "......"},
	{"while (!*flag) call();", INSTRUCTIONS_AARCH64,
	 "fd7bbea9f30b00f9fd030091080040b9a8000035f30300aa00000094680240b9c8ffff34f30b"
	 "40f9e0031faafd7bc2a8c0035fd6",
	 "............."},
	{"work under a lock that pauses", INSTRUCTIONS_AARCH64,
	 "3f0400f10b030054e8031faa2900805200106e1e0a0000140304416d08050091020440fd1f01"
	 "01eb0118611e4104431f010400fd1ffc9f88600100540afc5f8809fc0b88cbffff358afeff34"
	 "3f2003d50afc5f8809fc0b88cbffff358affff35eeffff17c0035fd6",
	 "...................w...w.."},
	{"while (exchange(lock, 1));", INSTRUCTIONS_AARCH64,
	 "280080520980a838e9ff0737c0035fd6",
	 ".ww."},
	{"while (!*flag);, -O0", INSTRUCTIONS_X86_64,
	 "554889e548897de890488b45e8488945f8488b45f88b008945f48b45f485c074e890905dc3",
	 "....wwwwwwww...."},
	{"while (exchange(lock, 1));, -O0", INSTRUCTIONS_X86_64,
	 "554889e548897df890488b55f8b801000000860284c075f190905dc3",
	 "....wwwww...."},
	{"a sum over memory, -O0", INSTRUCTIONS_X86_64,
	 "554889e548897de8488975e048c745f80000000048c745f000000000eb1f488b45f0488d14c5"
	 "00000000488b45e84801d0488b00480145f8488345f001488b45f0483b45e07cd7488b45f85d"
	 "c3",
	 "...................."},
	{"stores, -O0", INSTRUCTIONS_X86_64,
	 "554889e548897df8488975f0eb0a488b45f8c70001000000488b45f0488d50ff488955f04885"
	 "c075e590905dc3",
	 "................"},
	{"compare and swap of 3 times the value, -O0", INSTRUCTIONS_X86_64,
	 "554889e548897dd8488b45d8488945f8488b45f88b008945e88b45e88945ec90488b45d84889"
	 "45f08b55ec89d001c001d08945e48b45e489c1488b75f0488d55ec8b02f00fb10e89c10f94c0"
	 "84c07502890a83f00184c075c790905dc3",
	 "...................................."},
	/* clang-format on */
};

/* The bytes of a text of hexadecimal digits; returns how many. */
static size_t read_bytes(const char *text, unsigned char code[BYTES_MAX])
{
	size_t size = 0;
	unsigned byte;

	for (; *text; text += 2, size++) {
		ck_assert_uint_lt(size, BYTES_MAX);
		ck_assert_int_eq(sscanf(text, "%2x", &byte), 1);
		code[size] = (unsigned char)byte;
	}
	return size;
}

/* What is found, in the form of the table. `longest` is the loops' limit. */
static void describe(enum instruction_set set, const unsigned char *code, size_t size,
		     size_t longest, char *text)
{
	struct instruction item;

	for (size_t at = 0; at < size; at += item.length) {
		ck_assert_int_eq(instruction_decode(set, code + at, size - at, &item), 0);
		*text++ = wait_loop_covers(set, code, size, at, longest) ? 'w' : '.';
	}
	*text = '\0';
}

TEST_EACH(compilers_loops, COUNT(functions))
{
	unsigned char code[BYTES_MAX];
	size_t size = read_bytes(functions[_i].code, code);
	char found[BYTES_MAX + 1];

	describe(functions[_i].set, code, size, WAIT_LOOP_BYTES, found);
	ck_assert_msg(!strcmp(found, functions[_i].waits), "%s: %s, not %s", functions[_i].source,
		      found, functions[_i].waits);
}

/* A pause in a loop that has room for work says nothing of the work. */
TEST(long_loops_work)
{
	unsigned char code[BYTES_MAX] = {0};
	struct instruction item;
	size_t size = 0;

	memset(code, 0x90, sizeof code); /* nop */
	code[0] = 0xf3;			 /* pause */
	size = 200;
	code[size++] = 0xe9; /* jmp to its start */
	code[size++] = (unsigned char)-205;
	memset(code + size, 0xff, 3);
	size += 3;
	ck_assert_int_eq(instruction_decode(INSTRUCTIONS_X86_64, code + 200, 5, &item), 0);
	ck_assert_int_eq(item.target, -200);
	ck_assert(!wait_loop_covers(INSTRUCTIONS_X86_64, code, size, 100, WAIT_LOOP_BYTES));
	ck_assert(wait_loop_covers(INSTRUCTIONS_X86_64, code, size, 100, 256));
}

/* Any bytes: no read beyond them, and no endless search. */
TEST(any_bytes)
{
	unsigned char code[BYTES_MAX], *exact;
	unsigned seed = 1;

	for (int round = 0; round < 2000; round++) {
		size_t size = 1 + (size_t)rand_r(&seed) % BYTES_MAX;

		for (size_t i = 0; i < size; i++)
			code[i] = (unsigned char)(rand_r(&seed) >> 4);
		exact = malloc(size); /* a sanitizer sees its end */
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, code, size);
		for (size_t at = 0; at < size; at += 7) {
			wait_loop_covers(INSTRUCTIONS_X86_64, exact, size, at, size);
			wait_loop_covers(INSTRUCTIONS_AARCH64, exact, size, at & ~(size_t)3, size);
			clock_function_covers(INSTRUCTIONS_X86_64, exact, size, at);
		}
		free(exact);
	}
}

/* rdtsc; shl; or; ret, as LLVM's OpenMP library has it; a program that goes on with the time. */
TEST(clock_functions)
{
	unsigned char code[BYTES_MAX];
	size_t size = read_bytes("0f3148c1e2204809d0c3", code);

	for (size_t at = 0; at < size; at += at == 2 ? 4 : at ? 3 : 2)
		ck_assert(clock_function_covers(INSTRUCTIONS_X86_64, code, size, at));
	size = read_bytes("0f3148c1e2204809d0488907488907c3", code);
	ck_assert(!clock_function_covers(INSTRUCTIONS_X86_64, code, size, 2));
}
