/* onednn_info.c: reads oneDNN's own description of a primitive, reported since version 3.11. */
/* SPDX-License-Identifier: MIT
 *
 * The text is that of its verbose mode: "cpu,matmul,brg_matmul:avx512_core_bf16,undef,
 * src:bf16::blocked:ab::f0 wei:bf16::blocked:ab::f0 dst:bf16::blocked:ab::f0,attr,,64x32:32x16".
 * src/common/verbose.cpp of github.com/uxlfoundation/oneDNN writes it.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/signal_guard.h"
#include "shim/call.h"
#include "base/text.h"

#define DIMS_MAX   12		      /* DNNL_MAX_NDIMS */
#define DIM_MOST   (INT64_C(1) << 31) /* so that products of several do not overflow */
#define PART_BYTES 80

/* By dnnl_dt2str(): the letter in routines.def and the bytes of an element. */
static const struct type {
	const char *name;
	char letter;
	int bytes;
} types[] = {{"f32", 's', 4}, {"bf16", 'b', 2}, {"f16", 'h', 2},
	     {"s8", 'i', 1},  {"u8", 'i', 1},	{"f64", 'd', 8}};

/* The parts of the text between commas. The problem is its last part. */
enum part { ENGINE, KIND, IMPLEMENTATION, PROPAGATION, TENSORS, PARTS };

static const struct type *type_of(const char *tensors, const char *tensor)
{
	const char *at = strstr(tensors, tensor);

	for (size_t i = 0; at && i < sizeof types / sizeof *types; i++) {
		size_t length = strlen(types[i].name);
		const char *name = at + strlen(tensor) + 1; /* "src:f32:", formerly "src_f32:" */

		if (!strncmp(name, types[i].name, length) && name[length] == ':')
			return &types[i];
	}
	return NULL;
}

/* Reads dimensions like "64x32", and returns how many; 0 if they are not valid. */
static int read_dims(const char **at, int64_t dims[DIMS_MAX])
{
	int count = 0;
	char *end;

	for (; count < DIMS_MAX && **at >= '0' && **at <= '9'; count++) {
		dims[count] = strtoll(*at, &end, 10);
		if (dims[count] > DIM_MOST)
			return 0;
		*at = end + (*end == 'x');
		if (*end != 'x')
			return count + 1;
	}
	return 0;
}

/* The elements of source, weights and destination. */
struct sizes {
	double src, wei, dst;
};

static int read_matmul(const char *at, struct onednn_info *info, struct sizes *sizes)
{
	int64_t src[DIMS_MAX], wei[DIMS_MAX];
	int ndims = read_dims(&at, src);

	if (ndims < 2 || *at++ != ':' || read_dims(&at, wei) != ndims)
		return 0;
	*info = (struct onednn_info){
		.m = src[ndims - 2], .n = wei[ndims - 1], .k = src[ndims - 1], .count = 1};
	sizes->src = (double)info->m * (double)info->k;
	sizes->wei = (double)info->k * (double)info->n;
	for (int i = 0; i < ndims - 2; i++) {
		info->count *= src[i] > wei[i] ? src[i] : wei[i];
		sizes->src *= (double)src[i];
		sizes->wei *= (double)wei[i];
	}
	sizes->dst = (double)info->count * (double)info->m * (double)info->n;
	return 1;
}

/* Reads numbers with names of one or two letters, as in "g2mb4_ic8oc16_ih10oh8kh3". Missing ones
 * are 1. */
enum name { G, MB, IC, OC, ID, IH, IW, OD, OH, OW, KD, KH, KW, NAMES };
static int read_names(const char *at, int64_t numbers[NAMES])
{
	static const char names[NAMES][3] = {"g",  "mb", "ic", "oc", "id", "ih", "iw",
					     "od", "oh", "ow", "kd", "kh", "kw"};

	for (int i = 0; i < NAMES; i++)
		numbers[i] = 1;
	while (*at) {
		size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
		char *end;
		int64_t number = strtoll(at + length, &end, 10);

		if (end == at + length || number < 0 || number > DIM_MOST)
			return 0;
		for (int i = 0; i < NAMES; i++)
			if (strlen(names[i]) == length && !strncmp(names[i], at, length))
				numbers[i] = number;
		at = end + (*end == '_');
	}
	return numbers[G] > 0;
}

static int read_layer(const char *at, const char *kind, struct onednn_info *info,
		      struct sizes *sizes)
{
	int64_t is[NAMES], in, out, filter;

	if (!read_names(at, is))
		return 0;
	in = is[ID] * is[IH] * is[IW];
	out = is[OD] * is[OH] * is[OW];
	filter = is[KD] * is[KH] * is[KW];
	*info = (struct onednn_info){.count = is[G]};
	if (!strcmp(kind, "inner_product")) {
		filter = in;
		*info = (struct onednn_info){is[MB], is[OC], is[IC] * in, 1, .bytes = 0};
	} else if (!strcmp(kind, "convolution")) {
		info->m = is[MB] * out;
		info->n = is[OC] / is[G];
		info->k = is[IC] / is[G] * filter;
	} else if (!strcmp(kind, "deconvolution")) {
		info->m = is[MB] * in;
		info->n = is[OC] / is[G] * filter;
		info->k = is[IC] / is[G];
	} else {
		return 0;
	}
	sizes->src = (double)is[MB] * (double)is[IC] * (double)in;
	sizes->wei = (double)is[OC] * (double)is[IC] / (double)is[G] * (double)filter;
	sizes->dst = (double)is[MB] * (double)is[OC] * (double)out;
	return 1;
}

/* Copies a part of the text, or only its beginning if it is longer. */
static void copy_part(const char *part, char copy[PART_BYTES])
{
	text_add_part(copy, copy + PART_BYTES, part, strcspn(part, ","));
}

/* Leaves info->id 0 if the text is not of a matrix product, or its shape is not understood. */
static void read_info(const char *text, struct onednn_info *info)
{
	const char *parts[PARTS] = {text}, *problem = strrchr(text, ',');
	const struct type *src, *wei, *dst;
	char kind[PART_BYTES], implementation[PART_BYTES];
	struct sizes sizes;

	for (int i = 1; i < PARTS; i++) {
		parts[i] = strchr(parts[i - 1], ',');
		if (!parts[i]++)
			return;
	}
	src = type_of(parts[TENSORS], "src");
	wei = type_of(parts[TENSORS], "wei");
	dst = type_of(parts[TENSORS], "dst");
	copy_part(parts[KIND], kind);
	copy_part(parts[IMPLEMENTATION], implementation);
	if (strncmp(text, "cpu,", strlen("cpu,")) != 0 || !src || !wei || !dst ||
	    !(strcmp(kind, "matmul") ? read_layer(problem + 1, kind, info, &sizes)
				     : read_matmul(problem + 1, info, &sizes)))
		return;
	info->id = onednn_routine(kind, src->letter);
	info->bytes = sizes.src * src->bytes + sizes.wei * wei->bytes + sizes.dst * dst->bytes;
	info->unit = compute_unit_of(implementation);
}

/* What was read, at a hash of the text's address or after it. Written once, the address last. */
#define TEXTS	   1024 /* large networks have some hundred */
#define TEXT_BYTES 512
#define PROBES	   8
static struct text {
	const char *address;
	struct onednn_info info;
	char text[TEXT_BYTES];
} texts[TEXTS];

static struct text *find_text(const char *text)
{
	size_t slot = (uintptr_t)text * 0x9e3779b97f4a7c15ull >> 54;

	for (int i = 0; i < PROBES; i++) {
		struct text *at = &texts[(slot + (size_t)i) % TEXTS];
		const char *address = __atomic_load_n(&at->address, __ATOMIC_ACQUIRE);

		if (!address || (address == text && !strcmp(at->text, text)))
			return at;
	}
	return NULL;
}
_Static_assert(TEXTS == 1 << (64 - 54), "the bits of the hash that find_text() takes");

static __attribute__((noinline)) void add_text(const char *text)
{
	struct text *at;

	if (strlen(text) >= TEXT_BYTES)
		return;
	GUARD_SIGNALS;
	pthread_mutex_lock(&shim_process->lookups_lock);
	at = find_text(text);
	if (at && !at->address) {
		strcpy(at->text, text);
		read_info(at->text, &at->info);
		__atomic_store_n(&at->address, text, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&shim_process->lookups_lock);
}

const struct onednn_info *onednn_find_info(const char *text)
{
	struct text *at = find_text(text);

	if (unlikely(at && !__atomic_load_n(&at->address, __ATOMIC_ACQUIRE))) {
		add_text(text);
		at = find_text(text);
	}
	return at && __atomic_load_n(&at->address, __ATOMIC_ACQUIRE) && at->info.id ? &at->info
										    : NULL;
}
