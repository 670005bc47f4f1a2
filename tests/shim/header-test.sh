#!/bin/sh
# header-test.sh: blasprof.h compiles as strict C and C++, in several files, and does nothing without blasprof.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"
top=$(cd "${srcdir:-.}" && pwd)
warnings="-pedantic -Wall -Wextra -Wshadow -Werror"

cat >"$work/main.c" <<'END'
#include "blasprof.h"
int main(void)
{
	blasprof_region_begin("one");
	blasprof_progress(1);
	blasprof_region_end("one");
	return 0;
}
END
cat >"$work/more.c" <<'END'
#include "blasprof.h"
void more(void);
void more(void)
{
	blasprof_progress(1);
}
END
cp "$work/main.c" "$work/main.cc"

# builds STANDARD COMPILER SOURCE...: the program compiles without warnings, and prints nothing when run alone.
builds()
{
	standard=$1
	shift
	(cd "$work" && "$@" -std="$standard" $warnings -I"$top/profiler" -o program) 2>"$work/err" ||
		fail "$standard: $(cat "$work/err")"
	expect 0 "$work/program"
	[ ! -s "$work/err" ] && [ ! -s "$work/out" ] || fail "$standard: the program says something"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for standard in c89 c99 c11 gnu17; do
		builds $standard $compiler main.c more.c
	done
done
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for standard in c++98 c++11 c++20; do
		builds $standard $compiler main.cc
	done
done
finish
