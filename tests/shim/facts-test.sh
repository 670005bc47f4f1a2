#!/bin/sh
# facts-test.sh: the run's facts contain what BLAS libraries say about themselves, and thread settings changed later.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# fact NAME WANTED: the whole value matches the pattern WANTED.
fact()
{
	value=$("$SQLITE3" "$work/facts.db" "SELECT value FROM facts WHERE name = '$1'")
	echo "$value" | grep -qx -- "$2" || fail "$program: $1 is '$value', not $2"
}

# run PROGRAM ARGUMENT...: records one run.
run()
{
	program=$1
	shift
	rm -f "$work/facts.db"
	expect 0 "$blasprof" --full -F 0 -i facts.db -- "$PWD/tests/$program" "$@"
}

export OPENBLAS_NUM_THREADS=1
run calls/callers 1 2
fact blas OpenBLAS
fact blas_version '[0-9.]* .*'
fact blas_core '[A-Za-z0-9]*'
fact blas_layer 'pthreads\|OpenMP\|sequential'
fact blas_threads_first 1
fact blas_threads 2
expect_says err 'threads set to 2, at first 1'
run calls/callers 1
fact blas_threads 1
fact blas_threads_first ''

run shim/variants "$PWD/tests/shim/.libs/libvariants_all.so"
fact blas OpenBLAS
fact blas_version '7.6.5 USE64BITINT'
fact blas_layer pthreads
fact blas_threads 3

run shim/counts-blis libblis.so.4 1
fact blas BLIS
fact blas_version '[0-9.].*'
fact blas_core '[a-z0-9_]*'
fact blas_layer 'pthreads\|OpenMP\|sequential'
run shim/counts-netlib "$NETLIB" 1
fact blas 'reference BLAS'
fact blas_threads ''
# The same program on Debian's replacement for it: BLIS with the standard names only.
folder=$(dirname "$(readlink -f "$(ldd tests/shim/counts-blis | awk '$1 == "libblis.so.4" { print $3 }')")")
if [ -e "$folder/libblas.so.3" ]; then
	export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	run shim/counts-netlib "$folder/libblas.so.3" 1
	fact blas BLIS
	fact blas_path "$folder/libblas.so.3"
fi
finish
