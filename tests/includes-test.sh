#!/bin/sh
# includes-test.sh: no room of the house includes what stands above it, and no files include each other in a cycle.
# SPDX-License-Identifier: MIT
failures=0
cd "${srcdir:-.}" || exit 99

fail()
{
	echo "FAIL: $1"
	echo "$2"
	failures=1
}

# From the bottom up: each room may include itself and those before it.
rooms="base model store report write blas wire launch perf symbols calls sampling machine record cli shim"
# The preload library runs in other people's programs: it shares little with the rest.
shim_rooms="base blas wire shim"
# Includes that are still to go, as FILE:INCLUDED.
known="
model/accounting:model/roles
write/view:write/text"

# The includes as FILE:INCLUDED, where foo.c, foo.h and foo.def are one file: ROOM/foo.
includes=$(grep -oE '^ *# *include *"[^"]*"' analysis/*/*.[ch] analysis/*/*.def profiler/*/*.[ch] profiler/*/*.def |
	sed 's,^[a-z]*/,,; s/: *# *include *"/:/; s/"$//; s/\.\(c\|h\|def\):/:/; s/\.\(h\|def\)$//' |
	sort -u | grep -v ':config$' | grep -vxF "$known")
[ "$(echo "$includes" | wc -l)" -ge 300 ] || fail "found few includes" "$includes"

bad=$(echo "$includes" | awk -F '[:/]' -v rooms="$rooms" -v shim="$shim_rooms" '
	BEGIN {
		for (i = split(rooms, list, " "); i; i--)
			rank[list[i]] = i
		for (i = split(shim, list, " "); i; i--)
			shared[list[i]] = 1
	}
	!($3 in rank) || rank[$3] > rank[$1] || ($1 == "shim" && !($3 in shared))')
[ -z "$bad" ] || fail "a file includes what stands above its room:" "$bad"

loops=$(echo "$includes" | tr ':' ' ' | tsort 2>&1 >/dev/null)
[ -z "$loops" ] || fail "files include each other in a cycle:" "$loops"

# Every folder is a room, and every room has files.
folders=$(find analysis profiler -mindepth 1 -maxdepth 1 -type d ! -name page | sed "s/.*[/]//" | sort)
[ "$folders" = "$(echo "$rooms" | tr ' ' '\n' | sort)" ] || fail "the test does not know these rooms:" "$folders"

# The one header of the profiler that a workload may include is the public one.
bad=$(grep -nE "^ *# *include *\"($(echo "$rooms" | tr ' ' '|'))/" workloads/*.[ch])
[ -z "$bad" ] || fail "workloads include the profiler:" "$bad"
exit $failures
