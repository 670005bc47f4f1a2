#!/bin/sh
# blastest-test.sh: the test programs of the reference BLAS give the same results under blasprof.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

folder=/usr/lib/$(gcc -dumpmachine)/blas
[ -x "$folder/xblat1d" ] || {
	echo "SKIP: install libblas-test"
	exit 77
}

# input PROGRAM: the file for its standard input
input()
{
	case $1 in
	xblat[23]?) echo "$folder/$(echo "$1" | sed 's/xblat\(.\)\(.\)/\2blat\1.in/')" ;;
	x?cblat[23]) echo "$folder/$(echo "$1" | sed 's/x\(.\)cblat\(.\)/\1in\2/')" ;;
	*) echo /dev/null ;;
	esac
}

# run FOLDER WORD...: runs the words; their output and files go to FOLDER
run()
{
	mkdir "$work/$1"
	into=$work/$1
	shift
	(cd "$into" && "$@" <"$in" >out 2>err; echo $? >status)
}

checked=0
for program in "$folder"/x*; do
	name=${program##*/}
	in=$(input "$name")
	[ -r "$in" ] || continue
	run "plain.$name" env LD_LIBRARY_PATH="$folder" "$program"
	run "profiled.$name" "$blasprof" -q -F 0 -i "$work/test.db" -- env LD_LIBRARY_PATH="$folder" "$program"
	diff -r "$work/plain.$name" "$work/profiled.$name" >"$work/diff" || {
		fail "$name gives other results under blasprof"
		head -5 "$work/diff"
	}
	grep -qi 'fail' "$work/profiled.$name/out" && fail "$name fails"
	checked=$((checked + 1))
done
[ "$checked" -ge 12 ] || fail "only $checked test programs were run"
[ "$(sqlite3 "$work/test.db" "SELECT sum(calls) > 10000 FROM shapes")" = 1 ] || fail "too few calls were counted"
echo "$checked test programs, $(sqlite3 "$work/test.db" "SELECT sum(calls) FROM shapes") calls"
finish
