/* demangle.c: asks the C++ library what a symbol stands for, and leaves out what no one looks for.
 */
/* SPDX-License-Identifier: MIT */
#include "symbols/demangle.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCES_MAX = 32, RUST_HASH_BYTES = 19 /* "::h" and 16 digits */ };

typedef char *demangler(const char *symbol, char *buffer, size_t *size, int *status);

static demangler *cxx_demangle;

/* It stays loaded: most runs have no such symbol, and never load it. */
static void load_library(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

	if (library)
		*(void **)&cxx_demangle = dlsym(library, "__cxa_demangle");
}

/* Each reference to an earlier part of the symbol can double the name: some hundred bytes can stand
 * for more than any memory holds. */
static int is_harmless(const char *symbol)
{
	int references = 0;

	for (const char *at = symbol; *at; at++) {
		if (*at != 'S' && *at != 'T')
			continue;
		at += strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		references += at[1] == '_';
	}
	return references <= REFERENCES_MAX;
}

/* Where the name ends: before its parameters, behind which there is at most " const" or "&". */
static const char *find_parameters(const char *name, const char *end)
{
	const char *close = memrchr(name, ')', (size_t)(end - name));
	int depth = 0;

	if (!close || memchr(close, ':', (size_t)(end - close)) ||
	    memchr(close, '>', (size_t)(end - close)))
		return end;
	for (const char *at = close + 1; at-- > name;) {
		depth += *at == ')';
		if (*at == '(' && !--depth)
			return at > name ? at : end;
	}
	return end;
}

/* Where the name begins: a blank outside of all brackets separates it from the result's type. */
static const char *skip_result(const char *name, const char *end)
{
	const char *start = name;
	int depth = 0;

	for (const char *at = name; at < end; at++) {
		if (!depth && !strncmp(at, "operator", 8))
			break;
		depth += *at == '<' || *at == '(' || *at == '{';
		depth -= *at == '>' || *at == ')' || *at == '}';
		if (!depth && *at == ' ')
			start = at + 1;
	}
	return start;
}

/* " [clone .cold]" stays: it distinguishes the parts of a function. */
static void shorten_cxx(char *name)
{
	const char *clone = strstr(name, " [clone "), *end = clone ? clone : strchr(name, '\0');
	const char *stop = find_parameters(name, end), *start = skip_result(name, stop);
	size_t length = (size_t)(stop - start);

	memmove(name, start, length);
	memmove(name + length, end, strlen(end) + 1);
}

static int is_rust(const char *name)
{
	size_t length = strlen(name);
	const char *hash = name + length - RUST_HASH_BYTES;

	return length > RUST_HASH_BYTES && !strncmp(hash, "::h", 3) &&
	       strspn(hash + 3, "0123456789abcdef") == RUST_HASH_BYTES - 3;
}

/* What Rust writes for signs that symbols cannot have. */
static const struct {
	const char *written, *sign;
} rust_signs[] = {
	{"$LT$", "<"},	{"$GT$", ">"},	{"$RF$", "&"},	 {"$BP$", "*"},	 {"$LP$", "("},
	{"$RP$", ")"},	{"$C$", ","},	{"$SP$", "@"},	 {"$u20$", " "}, {"$u27$", "'"},
	{"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"},	 {"$u7d$", "}"}, {"$u7e$", "~"},
	{"$u3b$", ";"}, {"$u2b$", "+"}, {"$u22$", "\""}, {"..", "::"},	 {"_$", "$"},
};

/* The longest of the forms that the text begins with: its place in the table, or -1. "_$" only
 * keeps a part of a name from starting with a sign. */
static int find_sign(const char *text, int part_starts)
{
	for (size_t i = 0; i < sizeof rust_signs / sizeof *rust_signs; i++)
		if ((*text != '_' || part_starts) &&
		    !strncmp(text, rust_signs[i].written, strlen(rust_signs[i].written)))
			return (int)i;
	return -1;
}

/* No sign is longer than what is written for it. */
static void write_rust(char *name)
{
	int part_starts = 1, sign;
	char *to = name;

	name[strlen(name) - RUST_HASH_BYTES] = '\0';
	for (const char *at = name; *at;) {
		sign = find_sign(at, part_starts);
		part_starts = *at == ':';
		if (sign < 0) {
			*to++ = *at++;
		} else if (*at == '_') {
			at++;
		} else {
			to = stpcpy(to, rust_signs[sign].sign);
			at += strlen(rust_signs[sign].written);
		}
	}
	*to = '\0';
}

/* Rust's newer symbols, like _RNvNtCsjrHSEGnQ3l9_3std6thread5sleep: the names in it one after the
 * other, which is the path unless types are arguments. NULL for those. */
static char *demangle_path(const char *symbol)
{
	char *name = calloc(sizeof "::{{closure}}", strlen(symbol)), *end = name;
	const char *at = symbol + 2;

	while (name && isalnum(*at)) {
		char *text;
		size_t length;

		if (*at == 's' || *at == 'B') /* a number up to "_" */
			at += strcspn(at, "_");
		if (!isdigit(*at) && *at != 'I') {
			at += *at != '\0';
			continue;
		}
		length = strtoul(at, &text, 10);
		text += *text == '_';
		if (*at == 'I' || length > strlen(text)) {
			free(name);
			return NULL;
		}
		end += sprintf(end, "%s%.*s", end > name ? "::" : "", length ? (int)length : 11,
			       length ? text : "{{closure}}");
		at = text + length;
	}
	return name;
}

char *demangle(const char *symbol)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	char *name;
	int status;

	if (!strncmp(symbol, "_R", 2))
		return demangle_path(symbol);
	if (strncmp(symbol, "_Z", 2) || !is_harmless(symbol))
		return NULL;
	pthread_once(&once, load_library);
	name = cxx_demangle ? cxx_demangle(symbol, NULL, NULL, &status) : NULL;
	if (name && is_rust(name))
		write_rust(name);
	else if (name)
		shorten_cxx(name);
	return name;
}
