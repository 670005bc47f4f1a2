#!/bin/sh
# full-test.sh: output that cannot be written is a failure, and said.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/cli/common.sh"
[ -c /dev/full ] || exit 77

workloads/ceilings --category=overhead --max-elements=1 --limit=0 >"$work/cells.csv" || exit 99
cd "$work" || exit 99
expect 0 "$blasprof" --quiet -- "$train" --steps=100 1
full()
{
	got=0
	"$@" >/dev/full 2>"$work/err" || got=$?
	: >"$work/out"
	[ $got -eq 125 ] || fail "'$*' ends with $got on a full device"
	expect_says err "No space left"
}

for name in "" $(subcommands); do
	# shellcheck disable=SC2086 # no word when there is no name
	full "$blasprof" $name --help
	# shellcheck disable=SC2086
	full "$blasprof" $name --version
	case $name in
	"" | top) ;;
	import) full "$blasprof" import "$work/cells.csv" ;;
	# shellcheck disable=SC2046 # one word for each operand
	*) full "$blasprof" "$name" $(operands "$name") ;;
	esac
done
full "$blasprof" report --format=csv
full "$blasprof" report --output=/dev/full
full "$blasprof" --output=/dev/full -- "$train" --steps=100 1
finish
