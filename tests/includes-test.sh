#!/bin/sh
# includes-test.sh: no room includes files of a room above it, and there are no cycles of files.
# SPDX-License-Identifier: MIT
failures=0
cd "${srcdir:-.}" || exit 99

fail()
{
	echo "FAIL: $1"
	echo "$2"
	failures=1
}

# From the bottom up: each room may include files of itself and of the rooms before it.
rooms="base model store report write blas wire launch perf symbols calls sampling machine record cli shim"
# The preload library runs in other people's programs, so it shares little code with the rest.
shim_rooms="base blas wire shim"

# The includes as FILE:INCLUDED, where foo.c, foo.h and foo.def are one file: ROOM/foo.
includes=$(grep -oE '^ *# *include *"[^"]*"' analysis/*/*.[ch] analysis/*/*.def profiler/*/*.[ch] profiler/*/*.def |
	sed 's,^[a-z]*/,,; s/: *# *include *"/:/; s/"$//; s/\.\(c\|h\|def\):/:/; s/\.\(h\|def\)$//' |
	sort -u | grep -v ':config$')
[ "$(echo "$includes" | wc -l)" -ge 300 ] || fail "found few includes" "$includes"

bad=$(echo "$includes" | awk -F '[:/]' -v rooms="$rooms" -v shim="$shim_rooms" '
	BEGIN {
		for (i = split(rooms, list, " "); i; i--)
			rank[list[i]] = i
		for (i = split(shim, list, " "); i; i--)
			shared[list[i]] = 1
	}
	!($3 in rank) || rank[$3] > rank[$1] || ($1 == "shim" && !($3 in shared))')
[ -z "$bad" ] || fail "a file includes a file of a room above its own:" "$bad"

loops=$(echo "$includes" | tr ':' ' ' | tsort 2>&1 >/dev/null)
[ -z "$loops" ] || fail "files include each other in a cycle:" "$loops"

# Every directory is a room, and every room has files.
folders=$(find analysis profiler -mindepth 1 -maxdepth 1 -type d ! -name page | sed "s/.*[/]//" | sort)
[ "$folders" = "$(echo "$rooms" | tr ' ' '\n' | sort)" ] || fail "the test does not know these rooms:" "$folders"

# Workloads may only include the profiler's public header.
bad=$(grep -nE "^ *# *include *\"($(echo "$rooms" | tr ' ' '|'))/" workloads/*.[ch])
[ -z "$bad" ] || fail "workloads include the profiler:" "$bad"
exit $failures
