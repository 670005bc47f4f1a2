/* wait_loops_test.c: compiled loops that wait or multiply matrices, and similar ones that do not.
 */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/loops.h"
#include "tests/unit.h"

enum { BYTES_MAX = 256 };

/* Compiled by GCC 12 -O2 and -O0 for x86-64, by Clang 14 -O2 and (exchange) -O1 -march=armv8.1-a
 * for AArch64; vector code by Clang 14 -O2. `kinds` has a character for each instruction: w in a
 * loop that waits, l if it takes a lock, m in one that multiplies matrices. */
static const struct {
	const char *source;
	enum instruction_set set;
	const char *kinds, *code;
} functions[] = {
	/* clang-format off */
	{"while (!*flag);", INSTRUCTIONS_X86_64, "www.",
	 "8b0785c074fac3"},
	{"while (!*flag) pause();", INSTRUCTIONS_X86_64, "..wwww.",
	 "eb08660f1f440000f3908b0785c074f8c3"},
	{"for (i < 100000) if (*flag) return", INSTRUCTIONS_X86_64, "...wwwww...",
	 "b8a0860100eb0e660f1f84000000000083e801740b8b1785d274f5ba0100000089d0c3"},
	{"while (exchange(lock, 1));", INSTRUCTIONS_X86_64, "..llll.",
	 "ba010000000f1f0089d0860784c075f8c3"},
	{"while (!**pointer);", INSTRUCTIONS_X86_64, "wwww.",
	 "488b078b0085c074f7c3"},
	{"while (!(*bits & 4));", INSTRUCTIONS_X86_64, "www.",
	 "0fb607a80474f9c3"},
	{"for (i < *number);", INSTRUCTIONS_X86_64, "..........",
	 "8b0785c0741331c00f1f8400000000008b1783c00139d072f7c3"},
	{"for (i < *number); compared with memory", INSTRUCTIONS_X86_64, "......",
	 "31c90f1f800000000083c101394b1477f8c3"},
	{"for (i < 1000) *number;", INSTRUCTIONS_X86_64, "......",
	 "b8e80300000f1f008b1783e80175f9c3"},
	{"for (i < *number);", INSTRUCTIONS_AARCH64, "......",
	 "08008012090040b9080500111f01096ba3ffff54c0035fd6"},
	{"for (i < 1000) *number;", INSTRUCTIONS_AARCH64, ".....",
	 "e87c8012080500311f0040b9c3ffff54c0035fd6"},
	{"for (step) { while (*done < step); sum += values[step]; }", INSTRUCTIONS_X86_64,
	 ".....www.......",
	 "85d27e218d4a01660fefc0ba010000008b0739d07cfaf20f5804d64883c2014839ca75ecc3660fef"
	 "c0c3"},
	{"for (step) { while (*done < step); sum += values[step]; }", INSTRUCTIONS_AARCH64,
	 ".....www......",
	 "00e4002f5f0400716b01005448040011290080520a0080b93f010aebccffff54217869fc290500913f01"
	 "08eb0028611e21ffff54c0035fd6"},
	{"strlen()", INSTRUCTIONS_X86_64, "............",
	 "803f00741b4889f80f1f8400000000004883c00180380075f74829f8c30f1f0031c0c3"},
	{"while (exchange(&locks[*which], 1));", INSTRUCTIONS_X86_64, "lllllll.",
	 "6448630425fcffffff89f2488d04414801f8861084d275e8c3"},
	{"while (exchange(&locks[pair][number], 1)); -O0", INSTRUCTIONS_X86_64, "llllllllllll.",
	 "648b1425fcffffff8b45fc48984863d24801d24801c2488d052a3b00004801c2b801000000860284"
	 "c075d590"},
	{"a sum over memory", INSTRUCTIONS_X86_64, ".............",
	 "4885f67e1b488d14f731c00f1f4400004803074883c7084839d775f4c30f1f0031c0c3"},
	{"a search in memory", INSTRUCTIONS_X86_64, ".........",
	 "4889f889f2403a37740e660f1f4400004883c001381075f8c3"},
	{"a search for a bit", INSTRUCTIONS_X86_64, "..........",
	 "488b07a801b80000000075140f1f4000488b1783c001480fa3c273f4c3"},
	{"a comparison", INSTRUCTIONS_X86_64, "................",
	 "4885d2742b31c0eb100f1f80000000004883c0014839c274170fb60c06380c0774eeb801000000c3"
	 "0f1f84000000000031c0c3"},
	{"a walk along a list", INSTRUCTIONS_X86_64, "............",
	 "eb0e660f1f4400003977087413488b3f4885ff75f331c0c30f1f8400000000004889f8c3"},
	{"y = y * x + *c", INSTRUCTIONS_X86_64, "................",
	 "660f28d04885f67e2731c0660fefc090f20f59c2f20f100f4883c001f20f58c14839c675ebc3662e"
	 "0f1f840000000000660fefc0c3"},
	{"h = h >> 1 ^ *k", INSTRUCTIONS_X86_64, "..........",
	 "89f0a8017414662e0f1f8400000000008b17d1e831d0a80175f6c3"},
	{"compare and swap of 3 times the value", INSTRUCTIONS_X86_64, ".....",
	 "8b078d1440f00fb11775f7c3"},
	{"stores", INSTRUCTIONS_X86_64, "........",
	 "488d46ff4885f674130f1f8000000000c707010000004883e80173f4c3"},
	{"while (!*flag) call();", INSTRUCTIONS_X86_64, "................",
	 "8b0785c0751a534889fb660f1f440000e8000000008b0385c074f531c05bc39031c0c3"},
	{"work under a lock that pauses", INSTRUCTIONS_X86_64, ".......lllll............",
	 "f20f10150000000031c9ba010000004885f67f0eeb3c662e0f1f840000000000f39089d0870785c0"
	 "75f6f20f104708f20f594710660f28ca"
	 "f20f5e4f18f20f58c1f20f11470887074883c1014839ce75d1c3c3"},
	{"while (!*flag);", INSTRUCTIONS_AARCH64, "ww.",
	 "08fcdf88e8ffff34c0035fd6"},
	{"while (!*flag) pause();", INSTRUCTIONS_AARCH64, "..www.",
	 "08fcdf88880000353f2003d508fcdf88c8ffff34c0035fd6"},
	{"for (i < 100000) if (*flag) return", INSTRUCTIONS_AARCH64, ".......wwwwww...",
	 "080040b96800003420008052c0035fd6e8d39052ea031f2a2800a072e9030a2a1f010a6b80000054"
	 "0b0040b92a0500116bffff343f01086b"
	 "e0279f1ac0035fd6"},
	{"while (!**pointer);", INSTRUCTIONS_AARCH64, "www.",
	 "080040f9080140b9c8ffff34c0035fd6"},
	{"while (!(*bits & 4));", INSTRUCTIONS_AARCH64, "ww.",
	 "08004039e8ff1736c0035fd6"},
	{"strlen()", INSTRUCTIONS_AARCH64, "......",
	 "e8031faa0968683808050091c9ffff35000500d1c0035fd6"},
	{"a sum over memory", INSTRUCTIONS_AARCH64, "............",
	 "3f0400f10b010054e8031faa098440f8210400f12801088ba1ffff54e00308aac0035fd6e8031faa"
	 "e00308aac0035fd6"},
	{"a search in memory", INSTRUCTIONS_AARCH64, ".....",
	 "000400d1081c40381f01216bc1ffff54c0035fd6"},
	{"a comparison", INSTRUCTIONS_AARCH64, ".....................",
	 "220200b408004039290040391f01096be101005429008052e80309aa5f0009ebc00000540a686838"
	 "090500912b6868385f010b6b20ffff54"
	 "1f0102ebe0279f1ac0035fd6e0031f2ac0035fd620008052c0035fd6"},
	{"a walk along a list", INSTRUCTIONS_AARCH64, ".......",
	 "c00000b4080840b91f01016b60000054000040f980ffffb5c0035fd6"},
	{"y = y * x + *c", INSTRUCTIONS_AARCH64, ".........",
	 "01e4002f3f0400f1ab000054020040fd210400f12108401fa1ffff542040601ec0035fd6"},
	{"h = h >> 1 ^ *k", INSTRUCTIONS_AARCH64, "......",
	 "81000036080040b90105414ac1ff0737e003012ac0035fd6"},
	{"compare and swap of 3 times the value", INSTRUCTIONS_AARCH64, "................",
	 "09fcdf88050000145f3f03d5ea031f2ae903082a4a01003508fc5f881f01096b41ffff542905090b"
	 "09fc0a880affff352a008052e903082a"
	 "0affff34c0035fd6"},
	{"stores", INSTRUCTIONS_AARCH64, "......",
	 "a10000b428008052210400f1080000b9c1ffff54c0035fd6"},
	{"while (!*flag) call();", INSTRUCTIONS_AARCH64, ".............",
	 "fd7bbea9f30b00f9fd030091080040b9a8000035f30300aa00000094680240b9c8ffff34f30b40f9"
	 "e0031faafd7bc2a8c0035fd6"},
	{"work under a lock that pauses", INSTRUCTIONS_AARCH64, "...................w...w..",
	 "3f0400f10b030054e8031faa2900805200106e1e0a0000140304416d08050091020440fd1f0101eb"
	 "0118611e4104431f010400fd1ffc9f88"
	 "600100540afc5f8809fc0b88cbffff358afeff343f2003d50afc5f8809fc0b88cbffff358affff35"
	 "eeffff17c0035fd6"},
	{"while (exchange(lock, 1));", INSTRUCTIONS_AARCH64, ".ll.",
	 "280080520980a838e9ff0737c0035fd6"},
	{"while (!*flag);, -O0", INSTRUCTIONS_X86_64, "....wwwwwwww....",
	 "554889e548897de890488b45e8488945f8488b45f88b008945f48b45f485c074e890905dc3"},
	{"while (exchange(lock, 1));, -O0", INSTRUCTIONS_X86_64, "....lllll....",
	 "554889e548897df890488b55f8b801000000860284c075f190905dc3"},
	{"a sum over memory, -O0", INSTRUCTIONS_X86_64, "....................",
	 "554889e548897de8488975e048c745f80000000048c745f000000000eb1f488b45f0488d14c5"
	 "00000000488b45e84801d0488b00480145f8488345f001488b45f0483b45e07cd7488b45f85d"
	 "c3"},
	{"stores, -O0", INSTRUCTIONS_X86_64, "................",
	 "554889e548897df8488975f0eb0a488b45f8c70001000000488b45f0488d50ff488955f04885c075"
	 "e590905dc3"},
	{"compare and swap of 3 times the value, -O0", INSTRUCTIONS_X86_64,
	 "....................................",
	 "554889e548897dd8488b45d8488945f8488b45f88b008945e88b45e88945ec90488b45d8488945f0"
	 "8b55ec89d001c001d08945e48b45e489"
	 "c1488b75f0488d55ec8b02f00fb10e89c10f94c084c07502890a83f00184c075c790905dc3"},
	{"a product of matrices, AVX2", INSTRUCTIONS_X86_64, ".........mmmmmmmmmmmm...........",
	 "4885c97e544883c620c5f057c931c0c5e057dbc5e857d2c5f857c00f1f440000c5fc1066e0c5fc10"
	 "2ec4e27d1834c7c4e27d187cc704c4e2"
	 "5db8cec4e255b8dec4e245b8d4c4e255b8c74883c0014883c6404839c175c9eb10c5f857c0c5e857"
	 "d2c5e057dbc5f057c9c5fc110ac5fc11"
	 "5a20c5fc115240c5fc114260c5f877c3"},
	{"the same for several rows, and a maximum", INSTRUCTIONS_X86_64,
	 "...................mmmmmmmmmmmmmmmmmmmmmmmmmmmmm......m...",
	 "534d85c00f8ee10000004c8d0ccd000000004883c6204989ca49c1e2054531dbc5f857c0eb21662e"
	 "0f1f840000000000c5fc11024c01d249"
	 "83c3014c01cf4d39c30f84a40000004885c97ee4c5e857d24889f031dbc5e057dbc5d857e4c5f057"
	 "c9662e0f1f8400000000000f1f440000"
	 "c5fc1068e0c5fc1030c4e27d183cdfc4627d1844df04c4e255b8cfc4e24db8e7c4e23db8ddc4c24d"
	 "b8d04883c3014883c0404839d975c9c5"
	 "f458e4c5dc58dbc5e458d2c5fc11124889d04889cb4885c90f8e6effffff662e0f1f840000000000"
	 "c5fc1010c5ec5fd1c5fc11104883c020"
	 "4883c3ff75eae949ffffff5bc5f877c3"},
	{"a product of matrices, AVX-512", INSTRUCTIONS_X86_64, "........mmmmmmmm...........",
	 "4885c97e4dc5f957c031c0c5f157c9c5e157dbc5e957d2660f1f84000000000062f1fd4810244662"
	 "f2dd58b8040762f2dd58b854070162f2"
	 "dd58b85c070262f2dd58b84c07034883c0204883c1ff75d0eb10c5e957d2c5e157dbc5f157c9c5f9"
	 "57c062f1fd48110262f1fd4811520162"
	 "f1fd48115a0262f1fd48114a03c5f877c3"},
	{"a product of matrices, SSE2", INSTRUCTIONS_X86_64,
	 ".........mmmmmmmmmmmmmmmmmmm..........",
	 "4885c97e624883c6100f57c931c00f57db0f57d20f57c0660f1f8400000000000f106ef0440f1006"
	 "f30f1034c7f30f107cc7040fc6f6000f"
	 "c6ff000f28e50f59e60f58cc410f59f00f58de0f59ef0f58d5410f59f80f58c74883c0014883c620"
	 "4839c175bbeb0c0f57c00f57d20f57db"
	 "0f57c90f110a0f115a100f1152200f114230c3"},
	{"a product of matrices, AVX-512 VNNI", INSTRUCTIONS_X86_64, "........mmmmmmmm...........",
	 "4885c97e4dc5f9efc031c0c5f1efc9c5e1efdbc5e9efd2660f1f84000000000062f1fe486f248662"
	 "f25d5850040762f25d585054070162f2"
	 "5d58505c070262f25d58504c07034883c0104883c1ff75d0eb10c5e9efd2c5e1efdbc5f1efc9c5f9"
	 "efc062f1fe487f0262f1fe487f520162"
	 "f1fe487f5a0262f1fe487f4a03c5f877c3"},
	{"a product of matrices whose sums move between registers", INSTRUCTIONS_X86_64,
	 "mmmmmmmmmmmmmmm.",
	 "c5fc2826c4e27d182fc4e27d187704c5fc28fcc4e27d98fdc4e27598f4c4e25da8eac4e265986708"
	 "c5fc28c7c5fc28cec5fc28d5c5fc28dc"
	 "4883c6204839d675bfc3"},
	{"a product of matrices, AMX", INSTRUCTIONS_X86_64, "....mmmmmmmmmmmmmm...",
	 "4885c97e5941b8400000000f1f440000c4a27b4b2407c4a27b4b34064c8d8f00040000488d860004"
	 "0000c4827b4b2c01c4a27b4b3c00c4e2"
	 "4a5cc4c4e2425cccc4e24a5cd5c4e2425cdd4881c7000800004881c6000800004883c1ff75b2b840"
	 "000000c4e27a4b0402c3"},
	{"a product of two vectors", INSTRUCTIONS_X86_64, ".........................",
	 "c5f857c04885c97e5e31c0c5f057c9c5e857d2c5e057db660f1f840000000000c5fc102487c5fc10"
	 "6c8720c5fc10748740c5fc107c8760c4"
	 "e25db81c86c4e255b8548620c4e24db84c8640c4e245b84486604883c0204839c87cc5c5e458d2c5"
	 "ec58c9c5f458c0c5fc1102c5f877c3"},
	{"bodies that attract each other", INSTRUCTIONS_X86_64,
	 "............................................",
	 "4885c90f8e8c000000c5fc2812c5fc286220c5fc287240c5fc287a60c5f857c031c0c5d057edc5e0"
	 "57dbc5f057c96690c57c280487c57c28"
	 "4c8720c5345cccc53c5cc2c57c28548740c52c5cd6c57c285c8760c5245cdfc4413459e1c4423db8"
	 "e0c4422db8e2c57c282c06c44225b8e3"
	 "c441145ee4c4c21db8c0c4c21db8e9c4c21db8dac4c225b8cc4883c0204883c1ff759deb10c5f057"
	 "c9c5e057dbc5d057edc5f857c0c5fc29"
	 "02c5fc296a20c5fc295a40c5fc294a60c5f877c3"},
	{"polynomials", INSTRUCTIONS_X86_64, "......................",
	 "4885c97e57c5fc2806c5fc284e20c5fc285640c5fc285e60c5fc28a68000000031c0662e0f1f8400"
	 "000000000f1f4000c5fc282c07c5fc28"
	 "f5c4e27da8f1c4e255a8f2c4e255a8f3c4e255a8f4c5fc2934024883c0204883c1ff75d4c5f877c3"},
	{"squares of differences", INSTRUCTIONS_X86_64, "....................................",
	 "4885c97e73c5fc28064883c760c5f057c931c0c5e857d2c5e057dbc5d857e490c5fc286fa0c5fc28"
	 "77c0c5fc287fe0c57c2807c5d45ce8c5"
	 "cc5cf0c5c45cf8c53c5cc0c4e255b8cdc4e24db8d6c4e245b8dfc4c23db8e04883c0044883ef8048"
	 "39c87cbcc5ec58c1c5e458c0c5dc58c0"
	 "c5fc2902c5f877c3c5f857c0c5fc2902c5f877c3"},
	{"a stencil", INSTRUCTIONS_X86_64, ".....................",
	 "4885c97e5ac4e27d1806c4e27d184e04c4e27d185608c4e27d185e0cc4e27d18661031c0662e0f1f"
	 "8400000000006690c5f4596c8704c4e2"
	 "7db82c87c4e26db86c8708c4e265b86c870cc4e25db86c8710c5fc112c824883c0084839c87cd1c5f877c3"},
	{"a step of an FFT", INSTRUCTIONS_X86_64, "...........................",
	 "4885c97e70b820000000660f1f440000c5fc284447c0c5fc284c47e0c5fc281447c5fc285c4720c5"
	 "fc286406e0c5fc282c06c5e459f5c4e2"
	 "6dbaf4c5ec59d5c4e25db8d3c5fc58dec5fc295c47c0c5f458dac5fc295c47e0c5fc5cc6c5fc2904"
	 "47c5f45cc2c5fc294447204883c04048"
	 "83c1ff759bc5f877c3"},
	{"a product of matrices", INSTRUCTIONS_AARCH64, "......mmmmmmmm........",
	 "7f0400f1cb01005401e4006f03e4006f02e4006f00e4006f2404c13c0504c13c630400f18110854f"
	 "8310a54f8218854f8018a54f21ffff54"
	 "0500001400e4006f02e4006f03e4006f01e4006f410c00ad420001adc0035fd6"},
	{"a product of matrices, bf16", INSTRUCTIONS_AARCH64, "........mmmmmmmmmm........",
	 "7f0400f14b02005400e4006f2840009103e4006f0940009102e4006f01e4006f04997fad630400f1"
	 "08810091259d7fad2981009180ec456e"
	 "c3ec456e82ec476ec1ec476ee1feff540500001401e4006f02e4006f03e4006f00e4006f400c00ad"
	 "420401adc0035fd6"},
	{"a product of two vectors", INSTRUCTIONS_AARCH64, "............................",
	 "7f0400f10b03005400e4006fe8031faa01e4006f0980009102e4006f2a80009103e4006f24157fad"
	 "084100911f0103eb461d7fadc0cc244e"
	 "3045c2ace1cc254e524dc2ac42ce304e63ce314ecbfeff5420d4204e40d4204e60d4204e4000803d"
	 "c0035fd600e4006f4000803dc0035fd6"},
	{"bodies that attract each other", INSTRUCTIONS_AARCH64,
	 "...................................",
	 "7f0400f16b030054421440ad00e4006f0880009104e4006f03e4006f01e4006f461c41ad11417fad"
	 "630400f131d6a24e10d6a54e1351c2ac"
	 "12de306e73d6a64e94d6a74e32ce314e3504c13c72ce334e92ce344eb2fe326e40ce314e44ce304e"
	 "43ce334e41ce344ee1fdff5405000014"
	 "01e4006f03e4006f04e4006f00e4006f401000ad430401adc0035fd6"},
	{"squares of differences", INSTRUCTIONS_AARCH64, "..............................",
	 "7f0400f14b03005400e4006fe8031faa01e4006f2400c03d02e4006f03e4006f0910088b08110091"
	 "1f0103eb251940ada5d4a44e274141ad"
	 "c6d4a44ea0cc254ee7d4a44ec1cc264e10d6a44ee2cc274e03ce304e6bfeff5420d4204e40d4204e"
	 "60d4204e4000803dc0035fd600e4006f"
	 "4000803dc0035fd6"},
	{"a step of an FFT", INSTRUCTIONS_AARCH64, "......................",
	 "7f0400f18b0200540880009129400091030140ad630400f124857fad2981009102dc216e61dc216e"
	 "42f8a06e01cc244e82cc234e000d7fad"
	 "04d4224e00d4a24e65d4214e61d4a14e04153fad000582ac01feff54c0035fd6"},
	/* clang-format on */
};

/* Reads hexadecimal digits; returns the number of bytes. */
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

TEST_EACH(compiled_loops, COUNT(functions))
{
	unsigned char bytes[BYTES_MAX];
	const struct machine_code code = {
		.set = functions[_i].set,
		.bytes = bytes,
		.size = read_bytes(functions[_i].code, bytes),
	};
	size_t start;
	char found[BYTES_MAX + 1], *text = found;
	struct matrix_loops loops = {0};
	struct instruction item;
	int waits;

	for (size_t at = 0; at < code.size; at += item.length) {
		ck_assert_int_eq(instruction_decode(&code, at, &item), 0);
		waits = wait_loop_covers(&code, at, WAIT_LOOP_BYTES);
		*text++ = waits ? waits == WAITS_FOR_LOCK ? 'l' : 'w'
			  : matrix_loop_covers(&loops, &code, at, &start) ? 'm'
									  : '.';
	}
	*text = '\0';
	matrix_loops_free(&loops);
	ck_assert_msg(!strcmp(found, functions[_i].kinds), "%s: %s, not %s", functions[_i].source,
		      found, functions[_i].kinds);
}

/* A loop with a pause may also work if it is long enough. */
TEST(long_loops_work)
{
	unsigned char bytes[205];
	const struct machine_code code = {INSTRUCTIONS_X86_64, bytes, sizeof bytes, NULL, NULL};
	struct instruction item;

	memset(bytes, 0x90, sizeof bytes); /* nop */
	bytes[0] = 0xf3;		   /* pause */
	bytes[200] = 0xe9;		   /* jmp to its start */
	bytes[201] = (unsigned char)-205;
	memset(bytes + 202, 0xff, 3);
	ck_assert_int_eq(instruction_decode(&code, 200, &item), 0);
	ck_assert_int_eq(item.target, -200);
	ck_assert(!wait_loop_covers(&code, 100, WAIT_LOOP_BYTES));
	ck_assert(wait_loop_covers(&code, 100, 256));
}

/* A loop around a call waits if that call gives up the CPU: while (*flag == mine) sched_yield(). */
TEST(yields_are_pauses)
{
	static const unsigned char bytes[] = {0xe8, 0xcb, 0xf6, 0xff, 0xff, 0x8b, 0x05, 0xcd,
					      0x26, 0x38, 0x00, 0x39, 0xd8, 0x74, 0xf1, 0x5b};
	char yields[sizeof bytes] = {0};
	uint64_t samples[sizeof bytes] = {[5] = 100}; /* none of the call, which is elsewhere */
	struct machine_code code = {INSTRUCTIONS_X86_64, bytes, sizeof bytes, NULL, samples};

	for (int i = 0; i < 2; i++) {
		for (size_t at = 0; at < sizeof bytes; at += at ? at == 5 ? 6 : 2 : 5)
			ck_assert_int_eq(wait_loop_covers(&code, at, WAIT_LOOP_BYTES),
					 i && at < 15);
		code.yields = yields;
		yields[4] = 1; /* the last byte of the call */
	}
	yields[4] = 0;
	yields[5] = 1;
	code.samples = NULL;
	ck_assert(!wait_loop_covers(&code, 5, WAIT_LOOP_BYTES));
}

/* An atomic sum of floating-point numbers, which pauses if another thread was faster, waits only if
 * the pause takes a part of its time. */
TEST(pauses_take_time)
{
	enum { SWAPPED = 29, PAUSED = 35 };
	unsigned char bytes[BYTES_MAX];
	uint64_t samples[BYTES_MAX] = {[SWAPPED] = 496};
	struct machine_code code = {
		.set = INSTRUCTIONS_X86_64,
		.bytes = bytes,
		.size = read_bytes("f30f100f488d5424fcf30f114c24fcf30f58c88b02660f7ec9f00fb10f7411"
				   "8902f390f30f104c24fcebe4",
				   bytes),
	};

	ck_assert(wait_loop_covers(&code, SWAPPED, WAIT_LOOP_BYTES));
	code.samples = samples;
	for (int at = 0; at <= PAUSED; at += PAUSED) {
		samples[at] = 4;
		ck_assert_int_eq(wait_loop_covers(&code, SWAPPED, WAIT_LOOP_BYTES), at == PAUSED);
	}
	samples[SWAPPED] = 123; /* with those above, too few */
	samples[PAUSED] = 0;
	ck_assert(wait_loop_covers(&code, SWAPPED, WAIT_LOOP_BYTES));
}

/* Random bytes are not read beyond their end, and cause no endless search. */
TEST(any_bytes)
{
	unsigned char code[BYTES_MAX], *exact;
	uint64_t samples[BYTES_MAX] = {0};
	char yields[BYTES_MAX];
	unsigned seed = 1;

	memset(yields, 1, sizeof yields);

	for (int round = 0; round < 2000; round++) {
		struct matrix_loops loops[2] = {{0}};
		size_t start, size = 1 + (size_t)rand_r(&seed) % BYTES_MAX;

		for (size_t i = 0; i < size; i++)
			code[i] = (unsigned char)(rand_r(&seed) >> 4);
		exact = malloc(size); /* a sanitizer sees its end */
		ck_assert_ptr_nonnull(exact);
		memcpy(exact, code, size);
		struct machine_code x86 = {INSTRUCTIONS_X86_64, exact, size, yields, samples};
		struct machine_code arm = {INSTRUCTIONS_AARCH64, exact, size, yields, samples};
		for (size_t at = 0; at < size; at += 7) {
			wait_loop_covers(&x86, at, size);
			wait_loop_covers(&arm, at & ~(size_t)3, size);
			clock_function_covers(&x86, at);
			matrix_loop_covers(&loops[0], &x86, at, &start);
			matrix_loop_covers(&loops[1], &arm, at, &start);
		}
		for (int set = 0; set < 2; set++)
			matrix_loops_free(&loops[set]);
		free(exact);
	}
}

/* rdtsc; shl; or; ret, as in LLVM's OpenMP library; and a function that uses the time itself. */
TEST(clock_functions)
{
	unsigned char bytes[BYTES_MAX];
	struct machine_code code = {.set = INSTRUCTIONS_X86_64, .bytes = bytes};

	code.size = read_bytes("0f3148c1e2204809d0c3", bytes);
	for (size_t at = 0; at < code.size; at += at == 2 ? 4 : at ? 3 : 2)
		ck_assert(clock_function_covers(&code, at));
	code.size = read_bytes("0f3148c1e2204809d0488907488907c3", bytes);
	ck_assert(!clock_function_covers(&code, 2));
}
