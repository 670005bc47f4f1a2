#!/bin/sh
# includes-test.sh: no room of the house includes what stands above it, and no files include each other in a circle.
# SPDX-License-Identifier: MIT
failures=0

# allow FOLDER ROOM...: files in FOLDER may include headers of these rooms only.
allow()
{
	folder=$1
	shift
	allowed=$(echo "$*" | tr ' ' '|')
	[ -n "$(find "$srcdir/$folder" -name '*.[ch]')" ] || {
		echo "FAIL: no source in $folder"
		failures=1
	}
	bad=$(grep -nE '^ *# *include *"' "$srcdir/$folder"/*.[ch] |
		grep -vE "include *\"(config\.h|($allowed)/[^/]*)\"")
	[ -z "$bad" ] && return
	echo "FAIL: $folder may include headers of $* only:"
	echo "$bad"
	failures=1
}

# From the bottom up: each room may include itself and those before it.
rooms=
for room in analysis/base analysis/model analysis/store analysis/report analysis/write \
	profiler/blas profiler/wire profiler/launch profiler/perf profiler/symbols profiler/calls \
	profiler/sampling profiler/machine profiler/record profiler/cli; do
	rooms="$rooms ${room#*/}"
	case $room in
	profiler/launch) also=record ;;
	profiler/perf) also="symbols sampling" ;;
	profiler/machine) also=record ;;
	*) also= ;;
	esac
	# shellcheck disable=SC2086 # lists of words
	allow $room $rooms $also
done
# The preload library runs in other people's programs: it shares little with the rest.
allow profiler/shim shim wire blas base

# Every folder is a room.
for folder in "$srcdir"/analysis/*/ "$srcdir"/profiler/*/; do
	room=$(basename "$folder")
	case " $rooms shim page " in
	*" $room "*) ;;
	*)
		echo "FAIL: the test does not know the room $folder"
		failures=1
		;;
	esac
done

# The one header of the profiler that a workload may include is the public one.
bad=$(grep -nE "^ *# *include *\"($(echo "$rooms shim" | sed 's/^ //; s/ /|/g'))/" "$srcdir"/workloads/*.[ch])
[ -z "$bad" ] || {
	echo "FAIL: workloads include the profiler:"
	echo "$bad"
	failures=1
}
exit $failures
