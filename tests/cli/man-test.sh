#!/bin/sh
# man-test.sh: the manual pages have every option and subcommand, and no faults.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/cli/common.sh"
[ -e man/blasprof.1 ] || exit 77

for name in "" $(subcommands); do
	page=man/blasprof${name:+-$name}.1
	tr -d '\\' <"$page" | sed 's/f[BIR]//g' >"$work/out"
	: >"$work/err"
	# shellcheck disable=SC2086 # no word when there is no name
	for option in $("$blasprof" $name --help | sed -n 's/^ .* \(--[a-z-]*\).*/\1/p; s/^  \(-[a-zA-Z]\),.*/\1/p'); do
		expect_says out "^.*$option"
	done
	expect_says out "^.SH \"*EXIT STATUS"
	expect_says out "^blasprof[a-z-]* - [a-z]"
	if [ -n "$MANDOC" ]; then
		"$MANDOC" -Tlint -Wwarning "$page" || fail "$page has faults"
	fi
	[ -z "$name" ] || grep -q "blasprof.*-$name" man/blasprof.1 || fail "blasprof(1) does not mention $name"
done
for page in man/blasprof.h.3 man/blasprof-models.7; do
	[ -z "$MANDOC" ] || "$MANDOC" -Tlint -Wwarning "$page" || fail "$page has faults"
done
finish
