#!/bin/sh
# sanitizers.sh: builds blasprof with sanitizers in a separate folder, and runs the tests there.
# SPDX-License-Identifier: MIT
#
# Usage: sanitizers.sh asan           memory errors, leaks and undefined behaviour: all tests, in asan-build
#        sanitizers.sh tsan TEST...   data races of the preload library: these tests, in tsan-build
#
# An existing folder is built incrementally. JOBS is the number of tests that run at the same time (default 1, because tests
# of times disturb each other).
top=$(cd "$srcdir" && pwd) kind=$1
shift
case $kind in
asan) set -- --enable-asan --enable-ubsan -- ;;
tsan)
	set -- --enable-tsan -- TESTS="$*"
	# ThreadSanitizer cannot see the synchronisation of OpenBLAS's own threads.
	export OPENBLAS_NUM_THREADS=1
	# What it notes of constants in segments of code is in a file, for which the tests leave no room.
	export LDFLAGS=-Wl,-z,separate-code
	;;
*) echo "sanitizers.sh: asan or tsan, not '$kind'" >&2 && exit 2 ;;
esac
: "${MAKE:=make}" "${JOBS:=1}"

options=
while [ "$1" != -- ]; do
	options="$options $1"
	shift
done
shift
mkdir -p "$kind-build" && cd "$kind-build" || exit 1
# shellcheck disable=SC2086 # a list of words
[ -f Makefile ] || "$top/configure" CFLAGS='-O1 -g' $options >configure.log || exit 1
$MAKE -j2 all >make.log 2>&1 || { tail -n 20 make.log && exit 1; }
status=0
$MAKE -j"$JOBS" check "$@" >check.log 2>&1 || status=1
grep -E '^(FAIL|ERROR|XPASS):' check.log
$MAKE -s check-summary "$@" || status=1
[ $status -eq 0 ] || echo "see $kind-build/check.log, and the log of each test beside it"
exit $status
