/* input_test.c: the text: generated, or read from a file. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "tests/scratch.h"
#include "tests/unit.h"
#include "text.h"

TEST(a_generated_text_depends_on_its_seed)
{
	struct text one, same, other;
	struct failure failure;

	ck_assert_int_eq(text_generate(&one, 1000, 1, &failure), 0);
	ck_assert_int_eq(text_generate(&same, 1000, 1, &failure), 0);
	ck_assert_int_eq(text_generate(&other, 1000, 2, &failure), 0);
	ck_assert_uint_ge(one.length, 1000);
	ck_assert_uint_eq(one.length, same.length);
	ck_assert_mem_eq(one.tokens, same.tokens, one.length);
	ck_assert_mem_ne(one.tokens, other.tokens, 1000);
	ck_assert_int_le(one.vocabulary, 29);
	for (size_t i = 0; i < one.length; i++)
		ck_assert_int_lt(one.tokens[i], one.vocabulary);
	text_free(&one);
	text_free(&same);
	text_free(&other);
}

FIXTURE(scratch_enter, scratch_leave)

/* Writes the bytes to a file and reads it as a text. */
static int read_bytes(struct text *text, const char *bytes, size_t length, size_t needed,
		      struct failure *failure)
{
	scratch_file("input", bytes, length);
	return text_read(text, "input", needed, failure);
}

TEST(a_text_is_numbered_by_its_own_characters)
{
	const uint8_t expected[] = {2, 0, 1, 0, 2, 3};
	struct failure failure;
	struct text text;

	ck_assert_int_eq(read_bytes(&text, "b\0a\0b\xff", 6, 6, &failure), 0);
	ck_assert_int_eq(text.vocabulary, 4);
	ck_assert_uint_eq(text.length, 6);
	ck_assert_mem_eq(text.tokens, expected, 6);
	for (long step = 0; step < 100; step++)
		ck_assert_ptr_eq(text_sample(&text, 6, 1, step), text.tokens);
	text_free(&text);
}

TEST(samples_reach_every_place)
{
	struct failure failure;
	struct text text;
	int seen[4] = {0};

	ck_assert_int_eq(read_bytes(&text, "abcdef", 6, 3, &failure), 0);
	for (long step = 0; step < 100; step++)
		seen[text_sample(&text, 3, 1, step) - text.tokens]++;
	for (int i = 0; i < 4; i++)
		ck_assert_int_gt(seen[i], 0);
	text_free(&text);
}

TEST(texts_that_are_too_short_are_refused)
{
	struct failure failure;
	struct text text;

	ck_assert_int_eq(read_bytes(&text, "", 0, 3, &failure), -1);
	ck_assert_ptr_null(text.tokens);
	ck_assert_int_eq(read_bytes(&text, "ab", 2, 3, &failure), -1);
	ck_assert_has(failure.what, "2 characters");
	ck_assert_ptr_null(text.tokens);
}
