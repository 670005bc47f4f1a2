#!/bin/sh
# usage-test.sh: an invalid command line is refused with a one-line message, and nothing runs.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

refused()
{
	fails_with "$@"
	expect_silent out
}

# Without arguments, it prints the help.
expect 0 "$blasprof"
expect_says out '^Usage: blasprof '
expect_silent err
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
for list in 0 4-1 '' 1, x 1..8:x1; do
	refused "list of numbers" -t "$list" touch "$work/ran" {}
done
refused "no {} to take them" -t 1,2 touch "$work/ran"
refused "no thread count to set" --threads-env=NT touch "$work/ran"
for names in '' NT, A=B; do
	refused "threads-env cannot be '$names'" -t 1,2 --threads-env="$names" touch "$work/ran"
done
for number in 0 -1 x; do
	refused "whole number" --runs="$number" touch "$work/ran"
done
refused "whole number" --warmup=-1 touch "$work/ran"
for parameter in '' size =1; do
	refused "L cannot be '$parameter'" -L "$parameter" touch "$work/ran" {size}
done
refused "a value of 'size' in -L is empty" -L size= touch "$work/ran" {size}
refused "a value of 'size' in -L is empty" -L size=1,,2 touch "$work/ran" {size}
refused "has no {size} in it" -L size=1,2 touch "$work/ran"
refused "names 'size' twice" -L size=1 -L size=2 touch "$work/ran" {size}
for units in 0 -1 1.5 x ''; do
	refused "units of --what-if cannot be '$units'" --what-if=units="$units" touch "$work/ran"
done
for factor in 0.5 -1 1.5y nan ''; do
	refused "cannot make 'blas' take '$factor' times" --what-if=units=1,blas="$factor" touch "$work/ran"
done
refused "knows no 'speed'" --what-if=other=2x --what-if=speed=2x touch "$work/ran"
refused "--what-if has 'units' twice" --what-if=units=1,units=2 touch "$work/ran"
refused "--what-if has 'blas' twice" --what-if=blas=2 --what-if=blas=3 touch "$work/ran"
refused "what-if cannot be ''" --what-if=units=1,,blas=2 touch "$work/ran"
refused "'x(' is no regular expression" --work='x(' touch "$work/ran"
refused "has no group" --work=trn/s touch "$work/ran"
refused "roi cannot be" --roi= touch "$work/ran"
refused "roi cannot be" --roi=a-name-of-thirty-two-bytes-or-more touch "$work/ran"
refused "no subcommand 'lis'; the nearest is 'list'" help lis
refused "no subcommand 'bogus'; there are report, predict, .*, doctor, help\$" help bogus
refused "no format 'bogus'" --format=bogus touch "$work/ran"
for name in $(subcommands); do
	# shellcheck disable=SC2046 # one word for each operand
	case $name in
	help | import | recover | report | top | try) ;;
	*) refused "unexpected argument 'extra'" "$name" $(operands "$name") extra ;;
	esac
	refused "unknown option '--bogus'" "$name" --bogus
	refused "blasprof $name --help" "$name" --bogus
done
refused "unknown option '--fromat=csv'; the nearest is --format; see 'blasprof report --help'" report --fromat=csv
refused "the nearest is --threads;" --thread=1 --thraeds=1 touch "$work/ran"
refused "ambiguous option '--th=1'; see" --th=1 touch "$work/ran"
refused "unknown option '-z'; see" -z
refused "whole number" report --top=-1
refused "no table 'shaps'; the nearest are shapes" report --format=csv --table=shaps
refused "no column in table shapes called 'rotine'; the nearest are routine" report --table=shapes --columns=rotine
refused "no column in table shapes called 'cals'; the nearest are calls" report --table=shapes --sort=cals
refused "no column in table lost called 'foo'; there are threads, part, contributor, lost" report --table=lost --columns=foo
refused "no kind of row 'thraed'; the nearest are thread" report --by=thraed
refused "no picture 'roofine'; the nearest are roofline" report --format=svg --picture=roofine
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
refused "no format 'cvs'; the nearest are csv" predict --f=0.5 --format=cvs
refused "no format 'cvs'; the nearest are csv" compare --format=cvs 1 1
refused "no format 'cvs'; the nearest are csv" -L n=1,2 --format=cvs touch "$work/ran" {n}
refused "table of -L cannot be printed in the format html; choose" -L n=1,2 --format=html touch "$work/ran" {n}
refused "follow cannot be 'some'" --follow=some touch "$work/ran"
refused "quiet prints no report" -q -o "$work/report" touch "$work/ran"
[ ! -e "$work/report" ] || fail "a refused command line made a report file"
refused "chrome needs a timeline; add --timeline" -f chrome -o "$work/report" touch "$work/ran"
refused "there is no store" report nothing.db
refused "unexpected argument 'extra'" recover directory extra
refused "unexpected argument 'extra'" import file extra
refused "keep and --discard contradict" recover --keep --discard "$work"
refused "leave out one" list --experiments -x ./train
refused "holds no session" recover "$work"
refused "not a session directory" recover --discard /nowhere
refused "unexpected argument 'x.db'; -i names a store; see 'blasprof list --help'" list x.db
refused "unexpected argument 'x.db'; see 'blasprof doctor --help'" doctor x.db
refused "an argument is missing" compare
refused "an argument is missing" compare 1
refused "number from" compare --fail-above=5% --fail-above=5x 1 2
refused "number from" compare --fail-above=-1% 1 2
refused "no run, experiment or store" compare nothing nothing
[ ! -e "$work/ran" ] || fail "a command ran in spite of a wrong option"
[ ! -e "$work/blasprof.db" ] || fail "a refused command line left a store"
# As in the report, lines of doctor have at most 100 columns.
expect 0 "$blasprof" doctor
[ "$(wc -L <"$work/out")" -le 100 ] || fail "doctor writes lines of over 100 columns"
# The list of routines is complete and fits the screen.
expect 0 "$blasprof" routines
[ "$(wc -l <"$work/out")" -gt 200 ] || fail "few routines are listed"
long=$(awk 'length > 100' "$work/out")
[ -z "$long" ] || fail "lines of over 100 columns: $long"
expect_says out '^sgemm  *3  *s each m n k  '
expect_says out '^scipy_cblas_X64_  *CBLAS  *64 bits$'
expect_says out '^X_  *Fortran  *32 bits$'
finish
