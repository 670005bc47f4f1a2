#!/bin/sh
# help-test.sh: every command has --help and --version, and the help has every row of the option tables.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

version=$(sed -n 's/^PACKAGE_VERSION = //p' Makefile)

has_help()
{
	for option in --help -h; do
		expect 0 "$blasprof" "$@" $option
		expect_silent err
		expect_says out "^Usage: blasprof $*"
		expect_says out "^  -h, --help  *[a-z]"
	done
	for option in --version -V; do
		expect 0 "$blasprof" "$@" $option
		expect_silent err
		expect_says out "$version\$"
	done
}

# table_rows FILE: prints the rows of its option table like the help: "-o, --output=FILE" or "--roi=NAME".
table_rows()
{
	tr '\n' ' ' <"$1" | grep -oE "\{('.'|0), \"[a-z-]+\", (\"[A-Z=]+\"|NULL)," |
		sed -e "s/^{'\(.\)', /-\1, /; s/^{0, //; s/\"\([a-z-]*\)\", /--\1/" \
			-e 's/NULL,$//; s/"\([A-Z=]*\)",$/=\1/'
}

has_rows()
{
	rows=$1
	shift
	expect 0 "$blasprof" "$@" --help
	table_rows "$srcdir/profiler/cli/$rows.c" >"$work/rows"
	while IFS= read -r row; do
		expect_says out "^ *$row\( \|\$\)"
	done <"$work/rows"
}

# `help SUBCOMMAND' prints the same as `SUBCOMMAND --help'.
helps()
{
	expect 0 "$blasprof" "$@" --help
	mv "$work/out" "$work/wanted"
	long=$(awk 'length > 79 || /^  {9,}-/' "$work/wanted")
	[ -z "$long" ] || fail "help $*: lines are wider than a terminal, or look like an option: $long"
	expect 0 "$blasprof" help "$@"
	cmp -s "$work/out" "$work/wanted" || fail "help $* is not its --help"
}

# An option letter has the same meaning in all commands.
letters()
{
	"$blasprof" help "$@" | sed -n 's/^  -\([a-zA-Z]\), --\([a-z-]*\).*/\1 \2/p' >>"$work/letters"
}

letters
helps
# The manual takes the purposes from these lines.
! sed -n '/^Subcommands:/,/^$/p' "$work/wanted" | grep '^   ' || fail "the purpose of a subcommand takes two lines"
has_help
has_rows run
has_rows options
[ "$(subcommands | wc -l)" -ge 4 ] || fail "the help lists too few subcommands"
for name in $(subcommands); do
	has_help "$name"
	helps "$name"
	letters "$name"
	has_rows "$name" "$name"
	has_rows options "$name"
done
[ "$(sort -u "$work/letters" | wc -l)" -ge 15 ] || fail "the letters were not found"
twice=$(sort -u "$work/letters" | cut -d' ' -f1 | uniq -d)
[ -z "$twice" ] || fail "letters that mean several things: $twice"
[ "$(table_rows "$srcdir/profiler/cli/run.c" | wc -l)" -ge 5 ] || fail "the option table was not found"
finish
