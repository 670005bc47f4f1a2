#!/bin/sh
# old-libc-test.sh: the preload library also starts and counts in a program whose C library is older than this machine's.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

shim=.libs/libblasprof.so
if grep -qE '__tsan_init|__gcov_' $shim; then
	echo "skipped: the preload library was built with TSan or coverage, which need newer C libraries"
	exit 77
fi
command -v readelf >/dev/null || { echo "skipped: no readelf (package binutils)" && exit 77; }

# For an older loader, a version that its C library does not have is fatal, even of a weak symbol.
versions=$(readelf -VW $shim | sed -n '/^Version needs/,$s/.*Name: \(GLIBC_[^ ]*\).*/\1/p' | sort -uV)
[ -n "$versions" ] || fail "readelf shows no versions"
newer=$(printf '%s\nGLIBC_2.17\n' "$versions" | sort -uV | sed '1,/^GLIBC_2.17$/d')
[ -z "$newer" ] || fail "the library needs $newer"

# A library that finds none of what came later, nor what was in libdl and libpthread.
cp -a blasprof .libs "$work/"
LC_ALL=C sed 's/_dl_find_object/_dl_none_object/g; s/dlvsym/dlnone/g; s/pthread_once/pthread_none/g
	s/pthread_mutex_trylock/pthread_mutex_nonlock/g' $shim >"$work/$shim"
cmp -s $shim "$work/$shim" && fail "the library has no such names"
old=$work/blasprof

# count CALLS WORD...: the program makes so many calls, also without blasprof, and both libraries count them.
count()
{
	calls=$1
	shift
	expect 0 "$@"
	for program in "$blasprof" "$old"; do
		rm -f "$work/old.db"
		expect 0 "$program" -q -F 0 -i old.db -- "$@"
		expect_says out "^$calls\\>"
		expect_silent err
		selects old.db "SELECT sum(calls) FROM threads" "$calls" "$program: calls of $*"
	done
}

# calls by a constructor, calls of libraries that are opened and closed, calls in several threads
libraries=$PWD/tests/shim/.libs
export BEGINS=10
count 60 "$PWD/tests/shim/begins"
unset BEGINS
count 60 "$PWD/tests/shim/loads" 6 10 "$libraries/libplugin.so" plugin_call "$libraries/libtruth_blas.so"
count 60 "$PWD/tests/shim/loads" 6 10 "$libraries/libown_blas.so" own_call
count 244 "$PWD/tests/shim/truth" 4 0.5 60
finish
