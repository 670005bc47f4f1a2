#!/bin/sh
# install-test.sh: an installed tree works in any place, such as below DESTDIR, and is removed completely.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

make_target()
{
	MAKEFLAGS='' MFLAGS='' "$MAKE" "$1" DESTDIR="$work/root" >"$work/out" 2>"$work/err" </dev/null && return
	fail "make $1 fails"
	show_output
}

make_target install
installed=$(find "$work/root" -type f -path '*/bin/blasprof')
[ -x "$installed" ] || fail "blasprof is not installed"
[ -n "$(find "$work/root" -name 'libblasprof.so')" ] || fail "the preload library is not installed"
expect 0 "$installed" --full --output=report.txt -- "$train" --steps=100 1
grep -q sgemm "$work/report.txt" || fail "the installed blasprof saw no BLAS call"
grep -q 'no patterns are known' "$work/report.txt" && fail "the table of categories is not found"
if [ -e man/blasprof.1 ]; then
	[ "$(find "$work/root" -name 'blasprof*.1' | wc -l)" -eq "$(find man -name '*.1' | wc -l)" ] ||
		fail "manual pages are not installed"
fi
make_target uninstall
left=$(find "$work/root" -type f)
[ -z "$left" ] || fail "uninstall leaves $left"
finish
