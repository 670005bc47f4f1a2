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
	refused "unexpected argument 'extra'" "$name" extra
	refused "unknown option '--bogus'" "$name" --bogus
	refused "blasprof $name --help" "$name" --bogus
done
refused "whole number" report --top=-1
refused "number from" report --units=-1
refused "bogus" report --format=bogus
refused "bogus" report --format=csv --table=bogus
[ ! -e "$work/ran" ] || fail "a command ran in spite of a wrong option"
[ ! -e "$work/blasprof.db" ] || fail "a refused command line left a store"
finish
