#!/bin/sh
# facts-test.sh: the run's facts contain what BLAS libraries say about themselves, and thread settings changed later.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

# fact NAME WANTED: the whole value matches the pattern WANTED.
fact()
{
	value=$(ask facts.db "SELECT value FROM facts WHERE name = '$1'")
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

# Debian's libblas.so.3 and liblapack.so.3 may both be wrappers of one OpenBLAS: that is one library, not several.
folder=$(dirname "$(readlink -f "$(ldd tests/calls/callers | awk '/libopenblas/ { print $3 }')")")
if [ -e "$folder/libblas.so.3" ] && [ -e "$folder/liblapack.so.3" ]; then
	record_new facts.db -F 0 -- python3 -c "
from ctypes import CDLL, byref, c_double, c_int
one, x = byref(c_int(1)), (c_double * 1)(4)
CDLL('$folder/libblas.so.3').dscal_(one, x, x, one)
CDLL('$folder/liblapack.so.3').dpotrf_(b'L', one, x, one, byref(c_int(0)))"
	program=wrappers
	fact blas_path '.*/libblas.so.3'
	[ "$(ask facts.db "SELECT count(*), (SELECT count(*) FROM notes WHERE code = 'several_blas') FROM shapes")" = \
		'2|0' ] || fail "libblas.so.3 and liblapack.so.3 count as two libraries"
fi
finish
