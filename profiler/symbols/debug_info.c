/* debug_info.c: finds the functions and lines of an address in DWARF. */
/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/string_pool.h"

/* Bounds against hostile files. */
enum { DEPTH_MAX = 64, RANGES_MAX = 1 << 22, SCOPE_MAX = 256 };

/* Addresses of a unit or a function. */
struct range {
	Dwarf_Addr low, high;
	size_t owner; /* index of the unit or the function */
};

struct ranges {
	struct range *rows;
	size_t count;
};

struct function {
	Dwarf_Die die;
	const char *scope; /* the namespaces that it is declared in, such as "std::"; or "" */
};

struct unit {
	Dwarf_Die die;
	int is_read;
	struct function *functions; /* in the order of their DIEs */
	size_t nfunctions;
	struct ranges ranges; /* of the functions */
};

struct debug_info {
	Dwarf_Addr bias; /* libdwfl's addresses less those in the DWARF */
	struct unit *units;
	size_t nunits;
	struct ranges ranges; /* of the units */
};

COMPARE(compare_ranges, struct range, ORDER(a->low, b->low) ?: ORDER(a->owner, b->owner))

static void add_ranges(struct ranges *ranges, Dwarf_Die *die, size_t owner)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while (ranges->count < RANGES_MAX && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		struct range row = {low, high, owner};

		if (low < high)
			array_append(&ranges->rows, &ranges->count, sizeof row, &row);
	}
}

/* Returns the owner of the range with the address, the last one that starts before it, or -1. */
static long find_owner(const struct ranges *ranges, Dwarf_Addr address)
{
	enum { NESTED = 32 };
	size_t low = ARRAY_BOUND(ranges->count, i, ranges->rows[i].low <= address);

	for (size_t i = low; i-- > 0 && low - i <= NESTED;)
		if (ranges->rows[i].high > address)
			return (long)ranges->rows[i].owner;
	return -1;
}

struct debug_info *debug_info_open(Dwfl_Module *module)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	struct debug_info *info = dwarf ? calloc(1, sizeof *info) : NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	struct unit *unit;
	uint8_t type;

	if (!info)
		return NULL;
	info->bias = bias;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if ((type != DW_UT_compile && type != DW_UT_skeleton) ||
		    !(unit = array_add(&info->units, &info->nunits, sizeof *unit)))
			continue;
		unit->die = die;
		add_ranges(&info->ranges, &die, info->nunits - 1);
	}
	SORT(info->ranges.rows, info->ranges.count, compare_ranges);
	return info;
}

void debug_info_close(struct debug_info *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->nunits; i++) {
		free(info->units[i].functions);
		free(info->units[i].ranges.rows);
	}
	free(info->units);
	free(info->ranges.rows);
	free(info);
}

/* Inline namespaces, such as std::__cxx11, count like others. */
static const char *inner_scope(const char *scope, const char *name)
{
	return name && strlen(scope) + strlen(name) < SCOPE_MAX
		       ? string_printf("%s%s::", scope, name)
		       : scope;
}

/* Lists the functions below a DIE. Nested functions (Fortran, Ada, GNU C) are listed after their
 * parents, so that find_owner() finds them first. */
static void read_functions(struct unit *unit, Dwarf_Die *parent, const char *scope, int depth)
{
	struct function *row;
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram &&
		    (row = array_add(&unit->functions, &unit->nfunctions, sizeof *row))) {
			*row = (struct function){die, scope};
			add_ranges(&unit->ranges, &die, unit->nfunctions - 1);
		}
		if (tag == DW_TAG_namespace)
			read_functions(unit, &die, inner_scope(scope, dwarf_diename(&die)),
				       depth + 1);
		if (tag == DW_TAG_module || tag == DW_TAG_structure_type ||
		    tag == DW_TAG_class_type || tag == DW_TAG_subprogram ||
		    tag == DW_TAG_lexical_block)
			read_functions(unit, &die, scope, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* Lists the function and the functions inlined in it at the address, outermost first. */
static size_t find_chain(Dwarf_Die *function, Dwarf_Addr address, Dwarf_Die chain[DEPTH_MAX])
{
	Dwarf_Die here = *function, child;
	size_t count = 1;

	chain[0] = *function;
	for (int depth = 0;
	     depth < 4 * DEPTH_MAX && count < DEPTH_MAX && !dwarf_child(&here, &child); depth++) {
		int tag = dwarf_tag(&child);

		while ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) ||
		       dwarf_haspc(&child, address) <= 0) {
			if (dwarf_siblingof(&child, &child))
				return count;
			tag = dwarf_tag(&child);
		}
		here = child;
		if (tag == DW_TAG_inlined_subroutine)
			chain[count++] = here;
	}
	return count;
}

static const char lambda[] = "lambda";

static int is_artificial(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_artificial, &attribute) != NULL;
}

/* Returns the namespaces of the function that this is a copy or the definition of. */
static const char *find_scope(const struct unit *unit, const Dwarf_Die *die)
{
	static const unsigned int origins[] = {DW_AT_abstract_origin, DW_AT_specification};
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *die;
	Dwarf_Off offset;
	size_t at;

	for (size_t i = 0; i < COUNT(origins); i++)
		if (dwarf_attr(&origin, origins[i], &attribute))
			dwarf_formref_die(&attribute, &origin);
	offset = dwarf_dieoffset(&origin);
	at = ARRAY_BOUND(unit->nfunctions, i, dwarf_dieoffset(&unit->functions[i].die) < offset);
	return at < unit->nfunctions && dwarf_dieoffset(&unit->functions[at].die) == offset
		       ? unit->functions[at].scope
		       : "";
}

/* The body of a lambda expression counts as generated by the compiler, too. */
static const char *function_name(const struct unit *unit, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *scope;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	if (name)
		return name;
	name = dwarf_diename(die);
	if (name && !strcmp(name, "operator()") && is_artificial(die))
		return lambda;
	scope = name ? find_scope(unit, die) : "";
	return *scope ? string_printf("%s%s", scope, name) : name;
}

#define LINES_BACK 16

/* Returns the line of the address's code. Code that the compiler made without one, as for loops
 * that it has changed, has that of the code before it in the same function and file. */
static int find_line(struct unit *unit, long function, Dwarf_Line *line)
{
	const char *file = dwarf_linesrc(line, NULL, NULL);
	Dwarf_Addr start;
	int number;

	for (int i = 0; i < LINES_BACK && line; i++) {
		const char *here = dwarf_linesrc(line, NULL, NULL);

		if (dwarf_lineno(line, &number) || dwarf_lineaddr(line, &start))
			return 0;
		if (number && file && here && !strcmp(file, here))
			return number;
		if (!start || function < 0 || find_owner(&unit->ranges, start - 1) != function)
			return 0;
		line = dwarf_getsrc_die(&unit->die, start - 1);
	}
	return 0;
}

size_t debug_info_frames(struct debug_info *info, uint64_t address, struct symbol_frame *frames,
			 size_t max)
{
	Dwarf_Addr inside = address - info->bias;
	long number = find_owner(&info->ranges, inside), function;
	struct unit *unit = number < 0 ? NULL : &info->units[number];
	Dwarf_Die chain[DEPTH_MAX];
	struct symbol_frame here = {0}; /* the line in the present function */
	size_t length = 0, count = 0, nfiles;
	Dwarf_Files *files;
	Dwarf_Line *line;

	if (!unit)
		return 0;
	if (!unit->is_read) {
		unit->is_read = 1;
		read_functions(unit, &unit->die, "", 0);
		SORT(unit->ranges.rows, unit->ranges.count, compare_ranges);
	}
	line = dwarf_getsrc_die(&unit->die, inside);
	function = find_owner(&unit->ranges, inside);
	if (line) {
		here.file = dwarf_linesrc(line, NULL, NULL);
		here.line = find_line(unit, function, line);
	}
	if (function >= 0)
		length = find_chain(&unit->functions[function].die, inside, chain);
	for (size_t i = length; i-- > 1;) {
		Dwarf_Word call_file = 0, call_line = 0;
		Dwarf_Attribute attribute;
		const char *name = function_name(unit, &chain[i]);

		/* omit functions that the compiler generated, as for intrinsics */
		if (name && (name == lambda || !is_artificial(&chain[i])) && count + 1 < max) {
			frames[count] = here;
			frames[count].function = name;
			frames[count++].inlined = 1;
		}
		/* continue at the call in the outer function */
		dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_line, &attribute), &call_line);
		dwarf_formudata(dwarf_attr(&chain[i], DW_AT_call_file, &attribute), &call_file);
		here.file = NULL;
		if (call_file && !dwarf_getsrcfiles(&unit->die, &files, &nfiles) &&
		    call_file < nfiles)
			here.file = dwarf_filesrc(files, call_file, NULL, NULL);
		here.line = call_line < INT32_MAX ? (int)call_line : 0;
	}
	frames[count] = here;
	frames[count++].function = length ? function_name(unit, &chain[0]) : NULL;
	return count;
}
