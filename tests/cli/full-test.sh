#!/bin/sh
# full-test.sh: output that cannot be written is reported as an error.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
[ -c /dev/full ] || exit 77

workloads/ceilings --kernel=add --size=24 --limit=0 --cache=warm >"$work/cells.csv" || exit 99
cd "$work" || exit 99
expect 0 "$blasprof" --quiet --timeline -- "$train" --steps=100 1
full()
{
	got=0
	"$@" >/dev/full 2>"$work/err" || got=$?
	: >"$work/out"
	[ $got -eq 125 ] || fail "'$*' ends with $got on a full device"
	expect_says err '^blasprof: .*No space left.*; .'
	[ "$(grep -c '^blasprof: ' "$work/err")" -eq 1 ] || fail "'$*' prints more than one error: $(cat "$work/err")"
}

for name in "" $(subcommands); do
	# shellcheck disable=SC2086 # no word when there is no name
	full "$blasprof" $name --help
	# shellcheck disable=SC2086
	full "$blasprof" $name --version
	case $name in
	"" | top | try) ;;
	import) full "$blasprof" import "$work/cells.csv" ;;
	# shellcheck disable=SC2046 # one word for each operand
	*) full "$blasprof" "$name" $(operands "$name") ;;
	esac
done
[ "$(report_formats | wc -w)" -ge 6 ] || fail "the report has few formats"
for format in $(report_formats); do
	"$blasprof" report --format="$format" --output=whole 2>"$work/err" || grep -q "without its page" "$work/err" || ! may_sample || fail "no report as $format"
	[ ! -s "$work/err" ] || continue
	full "$blasprof" report --format="$format"
	full "$blasprof" report --format="$format" --output=/dev/full
	fails_with "no-folder/file" report --format="$format" --output=no-folder/file
done
full "$blasprof" report --by=thread
full "$blasprof" predict --format=csv
full "$blasprof" compare --format=csv 1 1
expect_failure 125 "$blasprof" --output=no-folder/file -- sh -c ": >'$work/ran'"
[ ! -e "$work/ran" ] || fail "a program runs although its report cannot be written"
full "$blasprof" --output=/dev/full -- "$train" --steps=100 1
full "$blasprof" --format=json --output=/dev/full -- "$train" --steps=100 1
# also if the command itself ends with this status
expect 125 "$blasprof" --output=/dev/full --parameter=n=1,2 --warmup=0 -- sh -c "'$train' --steps=100 1; [ {n} = 1 ] || exit 125"
expect_says err "^blasprof: cannot write all of '/dev/full': No space left"
finish
