/* symbols_test.c: names of functions, file names of BLAS libraries, and names of events. */
/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blas/blas_objects.h"
#include "perf/event.h"
#include "symbols/naming.h"
#include "symbols/symbols.h"
#include "tests/sampling/launcher.h"
#include "tests/unit.h"

/* Assembly without symbol sizes: the first function has 16 bytes, the second the rest of the
 * section.
 */
void sizeless_first(void);
void sizeless_second(void);
__asm__(".pushsection .text.sizeless,\"ax\",%progbits\n"
	".globl sizeless_first\n.type sizeless_first,%function\n"
	"sizeless_first: .skip 16\n"
	".globl sizeless_second\n.type sizeless_second,%function\n"
	"sizeless_second: .skip 16\n"
	".popsection\n");

/* Returns the file offset of an address in this program or a library, and the file's path. */
static uint64_t file_offset(void *address, char path[4097])
{
	Dl_info info;

	ck_assert(dladdr(address, &info));
	ck_assert_ptr_nonnull(realpath(info.dli_fname, path));
	return (uint64_t)((char *)address - (char *)info.dli_fbase);
}

/* Returns a copy of the name at the offset, valid until the next call. */
static const char *find_name(const struct object *object, int64_t since_ns, uint64_t offset)
{
	static char name[256];
	struct symbols *symbols = symbols_open(object, since_ns, 0);
	struct symbol_frame frame;

	ck_assert_ptr_nonnull(symbols);
	ck_assert_uint_eq(symbols_frames(symbols, offset, &frame, 1), 1);
	snprintf(name, sizeof name, "%s", frame.function);
	symbols_close(symbols);
	return name;
}

static void expect_name(const char *path, uint64_t offset, const char *name)
{
	ck_assert_str_eq(find_name(&(struct object){.path = (char *)path}, 0, offset), name);
}

static __attribute__((noinline)) int static_function(int x)
{
	return x * 3;
}

TEST(own_functions)
{
	char path[4097];
	uint64_t offset = file_offset((void *)static_function, path);

	ck_assert_int_eq(static_function(2), 6);
	expect_name(path, offset, "static_function");
}

static __attribute__((noinline)) void *without_line(void)
{
	void *at;

#ifdef __x86_64__
	__asm__ volatile(".loc 1 0\n0:\tlea 0b(%%rip), %0" : "=r"(at));
#else
	__asm__ volatile(".loc 1 0\n0:\tadr %0, 0b" : "=r"(at));
#endif
	return at;
}

TEST(code_without_a_line_has_that_before_it)
{
	char path[4097];
	uint64_t offset = file_offset(without_line(), path);
	struct symbols *symbols = symbols_open(&(struct object){.path = path}, 0, 0);
	struct symbol_frame frame;

	symbols_frames(symbols, offset, &frame, 1);
	ck_assert_str_eq(frame.function, "without_line");
	ck_assert_ptr_nonnull(strstr(frame.file, "symbols_test.c"));
	ck_assert_int_gt(frame.line, 0);
	symbols_close(symbols);
}

TEST(symbols_without_size)
{
	char path[4097];
	uint64_t offset = file_offset((void *)sizeless_first, path);

	expect_name(path, offset, "sizeless_first");
	expect_name(path, offset + 15, "sizeless_first");
	expect_name(path, offset + 16, "sizeless_second");
	expect_name(path, offset + 31, "sizeless_second");
}

/* Some debug files of the C library have names with versions, which are removed. */
TEST(versions_are_cut)
{
	char path[4097];
	uint64_t offset = file_offset((void *)write, path);
	struct symbols *symbols = symbols_open(&(struct object){.path = (char *)path}, 0, 0);
	struct symbol_frame frame;

	for (uint64_t at = offset & ~UINT64_C(0xfff); at < offset + 0x2000; at += 16) {
		symbols_frames(symbols, at, &frame, 1);
		ck_assert_msg(!strchr(frame.function, '@'), "%s", frame.function);
	}
	symbols_close(symbols);
}

TEST(vdso_has_names)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	struct symbols *symbols = symbols_open(&(struct object){.path = (char *)"[vdso]"}, 0, 0);
	struct symbol_frame frame;
	int named = 0;

	if (!image) {
		symbols_close(symbols);
		return;
	}
	for (uint64_t offset = 0; offset < 8192 && !named; offset += 16) {
		symbols_frames(symbols, offset, &frame, 1);
		named = strstr(frame.function, "gettime") != NULL;
	}
	ck_assert(named);
	symbols_close(symbols);
}

/* A stripped library has the names of its dynamic symbols, and no others. */
TEST(stripped_library)
{
	void *library = dlopen(LIBBURN_STRIPPED, RTLD_NOW);
	struct symbols *symbols;
	struct symbol_frame frame;
	uint64_t offset;
	char path[4097];

	ck_assert_ptr_nonnull(library);
	offset = file_offset(dlsym(library, "burn_shared"), path);
	expect_name(path, offset, "burn_shared");
	symbols = symbols_open(&(struct object){.path = (char *)path}, 0, 0);
	for (uint64_t at = 0; at < 0x2000; at++) {
		symbols_frames(symbols, at, &frame, 1);
		ck_assert(!strncmp(frame.function, "libburn_stripped.so+0x", 22) ||
			  !strncmp(frame.function, "burn_", 5) || *frame.function == '_');
	}
	symbols_close(symbols);
	dlclose(library);
}

TEST(files_that_are_gone)
{
	expect_name("/nowhere/libx.so (deleted)", 0x1234, "libx.so (deleted)+0x1234");
	expect_name("/dev/null", 0x10, "null+0x10");
	expect_name("/etc/passwd", 0x10, "passwd+0x10");
}

/* A new file in place of the one that ran is ignored, and so is the same one with new contents. An
 * old one with another inode is used, as some file systems show different numbers, unless it may be
 * of another root directory. */
TEST(files_that_were_replaced)
{
	char path[4097];
	uint64_t offset = file_offset((void *)static_function, path);
	struct object object = {.path = path};
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	object.id.inode = status.st_ino;
	ck_assert_str_eq(find_name(&object, 0, offset), "static_function");
	ck_assert_has(find_name(&object, 1, offset), "+0x");
	ck_assert_str_eq(find_name(&object, INT64_MAX, offset), "static_function");
	object.id.inode++;
	ck_assert_has(find_name(&object, 0, offset), "+0x");
	ck_assert_str_eq(find_name(&object, INT64_MAX, offset), "static_function");
	object.is_foreign = 1;
	ck_assert_has(find_name(&object, INT64_MAX, offset), "+0x");
}

static const struct {
	const char *path;
	int known;
} libraries[] = {
	{"/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so", 1},
	{"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", 1},
	{"/usr/lib/libblis.so.4", 1},
	{"/opt/intel/mkl/lib/libmkl_avx512.so.2", 1},
	{"/venv/numpy.libs/libscipy_openblas64_-ff651d7f.so", 1},
	{"/venv/numpy.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so", 1},
	{"/usr/lib/libtatlas.so.3", 1},
	{"/usr/lib64/libflexiblas.so.3.3", 1},
	{"/opt/arm/libarmpl_lp64_mp.so", 1},
	{"/usr/lib/libnvpl_blas_core.so.0", 1},
	{"/opt/cray/libsci_gnu_82.so.6", 1},
	{"/usr/lib/libblasprof.so", 0},
	{"/usr/lib/libc.so.6", 0},
	{"/home/u/libopenblas/bin/train", 0},
	{"/usr/lib/libblkid.so.1", 0},
	{"[vdso]", 0},
};

TEST_EACH(blas_libraries, COUNT(libraries))
{
	ck_assert_int_eq(blas_object_known(libraries[_i].path), libraries[_i].known);
}

/* Names of the Itanium C++ ABI, Rust's older ones, which look the same, and its newer ones, and of
 * procedures in modules of GNU Fortran; NULL: not mangled. */
static const struct {
	const char *symbol, *name;
} mangled[] = {
	{"main", NULL},
	{"_Z", NULL},
	{"_ZN", NULL},
	{"__grid_MOD_update_e", "grid::update_e"},
	{"__grid_MOD_step._omp_fn.0", "grid::step._omp_fn.0"},
	{"___MOD_", NULL},
	{"set_MOD_flag", NULL},
	{"_RNvC3foo3bar", "foo::bar"},
	{"_RNvC3foo9bar", NULL},
	{"_RINvC3foo3bariE", "foo::bar::<isize>"},
	{"_RNCNvC3foo3bar0B3_", "foo::bar::{closure#0}"},
	{"_RNvMNtNtCsjrHSEGnQ3l9_3std5mutex5futexNtB2_5Mutex14lock_contended",
	 "<std::mutex::futex::Mutex>::lock_contended"},
	{"_ZN2ns1fIiEEvi", "ns::f<int>"},
	{"_Znwm", "operator new"},
	{"_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f"},
	{"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size"},
	{"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
	 "std::operator<< <std::char_traits<char> >"},
	{"_ZZN3foo3barEvENKUliE_clEi", "foo::bar()::{lambda(int)#1}::operator()"},
	{"_ZN3foo3barEv.constprop.0", "foo::bar [clone .constprop.0]"},
	{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
	{"_ZN4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "main::{{closure}}"},
	{"_ZN32_$LT$a..B$u20$as$u20$c..Drop$GT$4drop17h0123456789abcdefE",
	 "<a::B as c::Drop>::drop"},
};

TEST_EACH(demangled_names, COUNT(mangled))
{
	char *name = demangle(mangled[_i].symbol);

	ck_assert_pstr_eq(name, mangled[_i].name);
	free(name);
}

/* Each part is twice as long as the one before: some terabytes in all. */
TEST(names_that_grow)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char cxx[512] = "_Z1f1AMS_S_", rust[512] = "_RIC1aTuuE", part[16];

	for (int i = 0; i < 36; i++) {
		char digit = (char)(i < 10 ? '0' + i : 'A' + i - 10);

		snprintf(part, sizeof part, "MS%c_S%c_", digit, digit);
		strcat(cxx, part);
	}
	ck_assert_ptr_null(demangle(cxx));
	for (size_t i = 0, at = 3; i < 36; i++) {
		size_t next = strlen(rust) - 3;
		char high = digits[at / 62], low = digits[at % 62];

		snprintf(part, sizeof part, "TB%c%c_B%c%c_E", high, low, high, low);
		strcat(rust, part);
		at = next;
	}
	ck_assert_ptr_null(demangle(strcat(rust, "E")));
}

TEST(events_by_name)
{
	struct perf_event_attr attr;
	struct error err;

	ck_assert_int_eq(event_encode("cpu-clock", &attr, &err), 0);
	ck_assert_uint_eq(attr.type, PERF_TYPE_SOFTWARE);
	ck_assert_uint_eq(attr.config, PERF_COUNT_SW_CPU_CLOCK);
	event_set_sampling(&attr, 499);
	ck_assert_uint_eq(attr.sample_period, 1000000000 / 499);
	ck_assert_uint_eq(attr.freq, 0);
	ck_assert_int_eq(event_encode("cycles", &attr, &err), 0);
	event_set_sampling(&attr, 499);
	ck_assert_uint_eq(attr.sample_freq, 499);
	ck_assert_uint_eq(attr.freq, 1);
	ck_assert_int_eq(event_encode("cycles:u", &attr, &err), 0);
	ck_assert_uint_eq(attr.exclude_kernel, 1);
}

TEST(nearest_events)
{
	static const char *const names[][2] = {
		{"page-fault", "page-faults"},
		{"contxt_switches", "context-switches"},
		{"", ""},
		{"cicles", "cycles"},
	};
	struct error err;
	struct perf_event_attr attr;

	for (int i = 0; i < COUNT(names); i++) {
		ck_assert_int_eq(event_encode(names[i][0], &attr, &err), -1);
		ck_assert_ptr_nonnull(strcasestr(err.remedy, names[i][1]));
	}
}
