#!/bin/sh
# includes-test.sh: no part of the house includes what stands above it.
# SPDX-License-Identifier: MIT
failures=0

# allow FOLDER PART...: files in FOLDER may include headers of these parts only.
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
		grep -vE "include *\"(config\.h|($allowed)/[^/]*|[^/]*)\"")
	[ -z "$bad" ] && return
	echo "FAIL: $folder may include headers of $* only:"
	echo "$bad"
	failures=1
}

allow profiler/util util
allow analysis/model model util
allow profiler/store store util
allow analysis/report report store model util
allow profiler/shim shim
allow profiler/record record store shim util
allow profiler/probe probe record store model util
allow profiler/cli cli probe record report store shim util

# The one header of the profiler that a workload may include is the public one.
bad=$(grep -nE '^ *# *include *"(util|model|store|report|shim|record|probe|cli)/' \
	"$srcdir"/workloads/*.[ch])
[ -z "$bad" ] || {
	echo "FAIL: workloads include the profiler:"
	echo "$bad"
	failures=1
}
exit $failures
