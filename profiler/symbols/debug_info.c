/* debug_info.c: finds the unit, the function and the functions inlined in it that hold an address.
 */
/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "symbols/address_table.h"

/* Bounds for what hostile files can make of a tree. */
enum { DEPTH_MAX = 64, RANGES_MAX = 1 << 22 };

/* Code of a unit, or of a function of one. */
struct range {
	Dwarf_Addr low, high;
	size_t owner; /* index of the unit or the function */
};

struct ranges {
	struct range *rows;
	size_t count;
};

struct unit {
	Dwarf_Die lines; /* its own: has the line table */
	Dwarf_Die tree;	 /* of the functions: the same, or that of its .dwo file */
	int is_read;
	Dwarf_Die *functions;
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

static void sort_ranges(struct ranges *ranges)
{
	if (ranges->count)
		qsort(ranges->rows, ranges->count, sizeof *ranges->rows, compare_ranges);
}

/* Adds the ranges of a DIE; one without code adds none. */
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

/* The owner of the range that holds the address, of several the one that starts last; -1: none. */
static long find_owner(const struct ranges *ranges, Dwarf_Addr address)
{
	enum { NESTED = 32 };
	size_t low = ARRAY_BOUND(ranges->count, i, ranges->rows[i].low <= address);

	for (size_t i = low; i-- > 0 && low - i <= NESTED;)
		if (ranges->rows[i].high > address)
			return (long)ranges->rows[i].owner;
	return -1;
}

static const char *unit_text(Dwarf_Die *unit, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, name, &attribute));
}

/* libdw opens whatever lies where the unit says that its .dwo file is, and FIFOs block: 1 where
 * there is nothing else than it may open. */
static int may_split(Dwfl_Module *module, Dwarf_Die *unit, uid_t owner)
{
	const char *name = unit_text(unit, DW_AT_dwo_name), *folder, *object = NULL, *file = NULL;
	char paths[3][PATH_MAX];
	struct stat status;
	int length;

	name = name ? name : unit_text(unit, DW_AT_GNU_dwo_name);
	folder = unit_text(unit, DW_AT_comp_dir);
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &object, &file);
	file = file ? file : object;
	if (!name || !file || *file != '/')
		return 0;
	folder = folder ? folder : "";
	length = (int)(strrchr(file, '/') + 1 - file);
	snprintf(paths[0], PATH_MAX, "%.*s%s", *name == '/' ? 0 : length, file, name);
	snprintf(paths[1], PATH_MAX, "%.*s%s/%s", *folder == '/' ? 0 : length, file, folder, name);
	snprintf(paths[2], PATH_MAX, "%s.dwp", file);
	for (int i = 0; i < 3; i++)
		if (!stat(paths[i], &status) && !is_trusted(&status, owner))
			return 0;
	return 1;
}

struct debug_info *debug_info_open(Dwfl_Module *module, uid_t owner)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	struct debug_info *info = dwarf ? calloc(1, sizeof *info) : NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	struct unit *unit;
	uint8_t type;

	if (!info)
		return NULL;
	info->bias = bias;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if ((type != DW_UT_compile && type != DW_UT_skeleton) ||
		    !(unit = array_add(&info->units, &info->nunits, sizeof *unit)))
			continue;
		unit->lines = unit->tree = die;
		if (type == DW_UT_skeleton && may_split(module, &die, owner) &&
		    !dwarf_cu_info(cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) && split.addr)
			unit->tree = split;
		add_ranges(&info->ranges, &die, info->nunits - 1);
	}
	sort_ranges(&info->ranges);
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

/* Functions inside functions (Fortran, Ada, GNU C) come after those around them, and so are found
 * first. */
static void read_functions(struct unit *unit, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die, *row;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram &&
		    (row = array_add(&unit->functions, &unit->nfunctions, sizeof *row))) {
			*row = die;
			add_ranges(&unit->ranges, &die, unit->nfunctions - 1);
		}
		if (tag == DW_TAG_namespace || tag == DW_TAG_module ||
		    tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		    tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
			read_functions(unit, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* The function and what is inlined in it around the address, outermost first. */
static size_t find_chain(Dwarf_Die *function, Dwarf_Addr address, Dwarf_Die chain[DEPTH_MAX])
{
	Dwarf_Die here = *function, child;
	size_t count = 1;

	chain[0] = *function;
	for (int depth = 0; depth < 4 * DEPTH_MAX && count < DEPTH_MAX; depth++) {
		int found = 0, tag = 0, more = !dwarf_child(&here, &child);

		while (more && !found) {
			tag = dwarf_tag(&child);
			found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
				dwarf_haspc(&child, address) > 0;
			more = found || !dwarf_siblingof(&child, &child);
		}
		if (!found)
			break;
		here = child;
		if (tag == DW_TAG_inlined_subroutine)
			chain[count++] = here;
	}
	return count;
}

static const char *function_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	return name ? name : dwarf_diename(die);
}

/* Where the function that was inlined is called, in the one around it. */
static void set_call(struct unit *unit, Dwarf_Die *die, struct symbol_frame *frame)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t count;

	frame->file = NULL;
	dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line);
	dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file);
	if (file && !dwarf_getsrcfiles(&unit->tree, &files, &count) && file < count)
		frame->file = dwarf_filesrc(files, file, NULL, NULL);
	frame->line = line < INT32_MAX ? (int)line : 0;
}

/* Writes the frames from the innermost function of the chain on, of which `here` is the line.
 * Functions that only the compiler knows, as intrinsics are, are left out: nobody wrote them. */
static size_t unroll(struct unit *unit, Dwarf_Die *chain, size_t length, struct symbol_frame here,
		     struct symbol_frame *frames, size_t max)
{
	size_t count = 0;

	for (size_t i = length; i-- > 1;) {
		Dwarf_Attribute attribute;
		int is_artificial =
			dwarf_attr_integrate(&chain[i], DW_AT_artificial, &attribute) != NULL;
		const char *name = is_artificial ? NULL : function_name(&chain[i]);

		if (name && count + 1 < max) {
			frames[count] = here;
			frames[count].function = name;
			frames[count++].inlined = 1;
		}
		set_call(unit, &chain[i], &here);
	}
	frames[count] = here;
	frames[count++].function = length ? function_name(&chain[0]) : NULL;
	return count;
}

size_t debug_info_frames(struct debug_info *info, uint64_t address, struct symbol_frame *frames,
			 size_t max)
{
	Dwarf_Addr inside = address - info->bias;
	long number = find_owner(&info->ranges, inside), function;
	struct unit *unit = number < 0 ? NULL : &info->units[number];
	Dwarf_Die chain[DEPTH_MAX];
	struct symbol_frame here = {0};
	size_t length = 0;
	Dwarf_Line *line;

	if (!unit || !max)
		return 0;
	if (!unit->is_read) {
		unit->is_read = 1;
		read_functions(unit, &unit->tree, 0);
		sort_ranges(&unit->ranges);
	}
	line = dwarf_getsrc_die(&unit->lines, inside);
	if (line && !dwarf_lineno(line, &here.line))
		here.file = dwarf_linesrc(line, NULL, NULL);
	function = find_owner(&unit->ranges, inside);
	if (function >= 0)
		length = find_chain(&unit->functions[function], inside, chain);
	return unroll(unit, chain, length, here, frames, max);
}
