#!/bin/sh
# usage-test.sh: a command line that makes no sense is refused in one line, and nothing runs.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/cli/common.sh"

refused()
{
	pattern=$1
	shift
	expect_failure 125 "$blasprof" "$@"
	expect_says err "$pattern"
	expect_silent out
}

refused "no command"
refused "no command" --
refused "no command" --quiet --
refused "unknown option '-z'" -z touch "$work/ran"
refused "unknown option '--bogus'" --bogus touch "$work/ran"
refused "missing after '--store'" --store
refused "missing after '-o'" -o
refused "takes none" --quiet=yes touch "$work/ran"
for rate in -1 100001 12x 1.5 '' nan; do
	refused "whole number" --rate="$rate" touch "$work/ran"
done
for name in $(subcommands); do
	# shellcheck disable=SC2046 # one word for each operand
	refused "unexpected argument 'extra'" "$name" $(operands "$name") extra
	refused "unknown option '--bogus'" "$name" --bogus
	refused "blasprof $name --help" "$name" --bogus
done
refused "whole number" report --top=-1
refused "number from" report --units=-1
refused "bogus" report --format=bogus
refused "bogus" report --format=csv --table=bogus
for list in 0 4-1 1- x '' 1.5 1-99999999 1,; do
	refused "list of numbers" predict --f=0.5 --threads="$list"
	refused "list of numbers" predict --f=0.5 --units="$list"
done
refused "number from 0 to 1" predict --f=1.1
refused "number from 0 to 1" predict --f=nan
refused "leave out" predict --f=0.5 --experiment=x
refused "fewer" predict --f=0.5 --threads=1-2000 --units=1-3
refused "text, csv" predict --f=0.5 --format=bogus
refused "an argument is missing" compare
refused "an argument is missing" compare 1
refused "number from" compare --fail-above=5% --fail-above=5x 1 2
refused "number from" compare --fail-above=-1% 1 2
refused "no run, experiment or store" compare nothing nothing
[ ! -e "$work/ran" ] || fail "a command ran in spite of a wrong option"
[ ! -e "$work/blasprof.db" ] || fail "a refused command line left a store"
finish
