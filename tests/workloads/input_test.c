/* input_test.c: the text and the command-line options. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "tests/unit.h"
#include "text.h"

static const struct program train = {"train", "Trains.", "trn/s", 77, true};
static const struct program infer = {"infer", "Infers.", "inf/s", 88, false};

/* Parses up to 5 words after the program's name. */
static int parse(const struct program *program, struct options *options, struct failure *failure,
		 const char *const *words)
{
	char copies[6][64], *argv[7] = {copies[0]};
	int argc = 1;

	strcpy(copies[0], program->name);
	for (; *words; words++, argc++) {
		snprintf(copies[argc], sizeof(copies[argc]), "%s", *words);
		argv[argc] = copies[argc];
	}
	argv[argc] = NULL;
	return options_parse(options, program, argc, argv, failure);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(options_have_their_default_values)
{
	struct failure failure;
	struct options o;

	ck_assert_int_eq(parse(&train, &o, &failure, WORDS(NULL)), 0);
	ck_assert_int_eq(o.threads, 1);
	ck_assert_int_eq(o.hidden, 64);
	ck_assert_int_eq(o.sequence, 64);
	ck_assert_int_eq(o.blocks, 2);
	ck_assert_int_eq(o.experts, 8);
	ck_assert_int_eq(o.top_k, 2);
	ck_assert_int_eq(o.steps, train.steps);
	ck_assert_int_eq(o.routing, 0);
	ck_assert_int_eq(o.mode, MODE_INDEPENDENT);
	ck_assert_int_eq(o.blas_threads, 1);
	ck_assert_ptr_null(o.text);
	ck_assert_int_eq(parse(&infer, &o, &failure, WORDS(NULL)), 0);
	ck_assert_int_eq(o.steps, infer.steps);
}

TEST(options_have_the_given_values)
{
	struct failure failure;
	struct options o;

	ck_assert_int_eq(
		parse(&train, &o, &failure,
		      WORDS("4", "--hidden=2048", "--mode", "allreduce", "--routing=token")),
		0);
	ck_assert_int_eq(o.threads, 4);
	ck_assert_int_eq(o.hidden, 2048);
	ck_assert_int_eq(o.mode, MODE_ALLREDUCE);
	ck_assert_int_eq(o.routing, 1);
}

/* Words that are refused, and the text that the message must contain. */
static const struct {
	const char *words[3], *names;
} refused[] = {
	{{"0"}, "THREADS: '0'"},
	{{"-1"}, "'-1'"},
	{{"1025"}, "1025"},
	{{"four"}, "four"},
	{{""}, "THREADS: ''"},
	{{"2", "3"}, "'3'"},
	{{"--hidden=63.5"}, "--hidden: '63.5'"},
	{{"--hidden=63"}, "from 64 to 2048"},
	{{"--hidden=2049"}, "2049"},
	{{"--hidden=99999999999999999999"}, "99999999999999999999"},
	{{"--hidden="}, "--hidden: ''"},
	{{"--steps=0"}, "--steps"},
	{{"--seed=-1"}, "--seed"},
	{{"--top-k=9"}, "--top-k: 9"},
	{{"--experts=1"}, "--top-k"},
	{{"--routing=none"}, "'none'"},
	{{"--mode="}, "--mode"},
	{{"--text"}, "'--text'"},
	{{"--unknown"}, "'--unknown'"},
	{{"--unknown=5"}, "'--unknown=5'"},
	{{"--help=5"}, "--help"},
};

TEST_EACH(invalid_words_are_refused_by_name, COUNT(refused))
{
	struct failure failure = {0};
	struct options o;

	ck_assert_int_eq(parse(&train, &o, &failure, refused[_i].words), -1);
	ck_assert_int_eq(failure.status, EXIT_USAGE);
	ck_assert_msg(strstr(failure.what, refused[_i].names), "'%s' does not name %s",
		      failure.what, refused[_i].names);
	ck_assert_ptr_null(strchr(failure.what, '\n'));
}

TEST(infer_has_no_mode)
{
	struct failure failure;
	struct options o;

	ck_assert_int_eq(parse(&infer, &o, &failure, WORDS("--mode=allreduce")), -1);
	ck_assert_int_eq(failure.status, EXIT_USAGE);
}

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

/* Writes the bytes to a new file and reads it as a text. */
static int read_bytes(struct text *text, const char *bytes, size_t length, size_t needed,
		      struct failure *failure)
{
	char path[] = "test-input-XXXXXX";
	int fd = mkstemp(path), result;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq((int)write(fd, bytes, length), (int)length);
	close(fd);
	result = text_read(text, path, needed, failure);
	unlink(path);
	return result;
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

TEST(unusable_texts_are_refused)
{
	struct failure failure;
	struct text text;

	ck_assert_int_eq(read_bytes(&text, "", 0, 3, &failure), -1);
	ck_assert_ptr_nonnull(strstr(failure.what, "empty"));
	ck_assert_int_eq(read_bytes(&text, "ab", 2, 3, &failure), -1);
	ck_assert_ptr_nonnull(strstr(failure.what, "2 characters"));
	ck_assert_int_eq(text_read(&text, "no/such/file", 3, &failure), -1);
	ck_assert_ptr_nonnull(strstr(failure.what, "no/such/file"));
	ck_assert_int_eq(text_read(&text, "/", 3, &failure), -1);
	ck_assert_int_eq(failure.status, EXIT_USAGE);
	ck_assert_ptr_null(text.tokens);
}
