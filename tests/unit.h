/* unit.h: macros for Check tests that register themselves; unit.c has main(). */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <check.h>
#include <stdbool.h>
#include <string.h>

#undef COUNT /* that of base/array.h is not an int */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The text contains the words. */
#define ck_assert_has(text, words)                                                                 \
	ck_assert_msg(strstr(text, words) != NULL, "no '%s' in '%s'", words, text)

/* Both run before and after each test, in its process; either may be NULL. */
#define FIXTURE(before, after)                                                                     \
	__attribute__((constructor)) static void unit_fixture_here(void)                           \
	{                                                                                          \
		unit_fixture(before, after);                                                       \
	}

/* Skips the program unless the condition holds. */
#define REQUIRE(condition)                                                                         \
	__attribute__((constructor)) static void unit_require_here(void)                           \
	{                                                                                          \
		unit_require(condition);                                                           \
	}

/* TEST(name) { ... } defines a test; TEST_EACH(name, count) one for each _i from 0 to count - 1. */
#define TEST(name)		  TEST_EACH(name, 1)
#define TEST_EACH(name, count)	  UNIT_TEST(name, count, 0)
/* A test that passes if the signal ends it. */
#define TEST_RAISES(name, signal) UNIT_TEST(name, 1, signal)
#define UNIT_TEST(name, count, signal)                                                             \
	static const TTest *name;                                                                  \
	__attribute__((constructor)) static void name##_add(void)                                  \
	{                                                                                          \
		unit_add(name, count, signal);                                                     \
	}                                                                                          \
	START_TEST(name)

void unit_fixture(SFun before, SFun after);
void unit_require(bool condition);
void unit_add(const TTest *test, int count, int signal);

#endif
