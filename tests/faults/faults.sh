#!/bin/sh
# faults.sh: makes each system call and allocation of a profile fail, one at a time, and looks at what is left of it.
# SPDX-License-Identifier: MIT
#
# Usage: faults.sh [STRIDE [MEMORY]]   every STRIDE-th system call of each kind (default 1), and every MEMORY-th
# allocation; without that, the first allocation of each way to one.
#
# The program must end as it does without blasprof, in time and with its own output; blasprof must end with the
# program's status or with 125, and say what it lost; runs that were in the store must be there as they were.
. "${srcdir:-.}/tests/common.sh"
stride=${1:-1} memory=${2:-1} ways=
[ -n "$2" ] || ways=1
[ -n "$SQLITE3" ] || { echo "no sqlite3 to look into the store" && exit 77; }
fault=$PWD/tests/faults/.libs/libfault.so
program=$PWD/tests/faults/program
calls=1350
runs=0

store()
{
	"$SQLITE3" "$work/x.db" "$1" 2>&1
}

# run WORD...: the words with a fault; what they end with in $status, what they print in $work/out and $work/err.
run()
{
	status=0
	(cd "$work" && LD_PRELOAD=$fault FAULT=$what FAULT_DEPTH=$depth FAULT_HIT=$work/hit \
		timeout 300 "$@") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

wrong()
{
	fail "$what${depth:+ by ways of $depth}: $*"
	show_output
}

# Where blasprof leaves the record for later, that has all calls.
check_left()
{
	left=$(sed -n "s/.*'blasprof recover \([^ ']*\)' stores.*/\1/p" "$work/err")
	[ -n "$left" ] || return 0
	(cd "$work" && "$blasprof" recover -q -i x.db "$left") >"$work/recovered" 2>&1 || wrong "the record that is left is not recovered"
	[ "$(store "select total(calls) from threads where run = 2")" = "$calls.0" ] || wrong "calls are lost"
}

check()
{
	check_left
	[ "$status" -eq 7 ] || [ "$status" -eq 125 ] || wrong "blasprof ends with $status"
	if ! cmp -s "$work/out" "$work/true-out"; then
		[ "$status" -eq 125 ] && [ ! -s "$work/out" ] && [ "$side" != shim ] || wrong "the program's output is another"
	fi
	grep -v '^blasprof: .' "$work/err" >"$work/strange" && wrong "something is printed that blasprof does not print"
	# of the run before and of this one: calls; is it sampled; notes that the other has not
	store "pragma integrity_check; select count(*) - 1, (select total(calls) from threads where run = 1),
		(select total(calls) from threads where run = 2), coalesce((select sample_rate_hz > 0 from runs where id = 2), 0),
		(select group_concat(code) from notes where run = 2 and code not in (select code from notes where run = 1)) from runs" |
		tr '|\n' '  ' >"$work/stored"
	read -r sound kept before counted sampled said <"$work/stored"
	[ "$sound $before" = "ok $calls.0" ] || wrong "the store is damaged, or the run before is lost"
	said=$said$(cat "$work/err")
	case $status,$kept in
	7,1)
		# (No samples are taken for sqlite.)
		[ -n "$said" ] || [ "$counted" = "$calls.0" ] || wrong "calls are lost without a word"
		[ -n "$said" ] || [ $side = sqlite ] || [ "$sampled" = 1 ] || wrong "samples are lost without a word"
		;;
	7,0) [ -n "$said" ] || wrong "the run is not stored, and nothing is said" ;;
	125,[01]) [ -s "$work/err" ] || wrong "blasprof fails without a word" ;;
	*) wrong "the store has $kept new runs" ;;
	esac
	[ ! -s "$work/session" ] || [ ! -e "$(cat "$work/session")" ] || wrong "the session directory is left"
	set -- "$work"/x.db?*
	[ ! -e "$1" ] || [ "$1" = "$work/x.db-journal" ] || wrong "'$1' is left"
}

# every SIDE KIND OBJECTS [OPTION]...
every()
{
	side=$1 kind=$2 objects=$3
	shift 3
	number=1 step=$stride depth=
	[ "$kind" != memory ] || step=$memory
	[ "$kind" != memory ] || [ -z "$ways" ] || case $side in
	sqlite) depth=12 ;;
	*) depth=4 ;;
	esac
	while :; do
		what=$kind:$number:$objects
		rm -f "$work/x.db"* "$work/hit" "$work/session"
		cp "$work/before.db" "$work/x.db"
		run "$blasprof" -q -i x.db "$@" -- "$program" session
		[ -e "$work/hit" ] || break
		runs=$((runs + 1))
		check
		number=$((number + step))
	done
	echo "$kind of $objects: $(((number - 1) / step))"
	[ $number -gt 1 ] || fail "no $kind of $objects was made to fail"
}

check_report()
{
	case $status in
	0) cmp -s "$work/true" "$work/report" || ! cmp -s "$work/true" "$work/again" || [ -s "$work/err" ] ||
		wrong "the report as $format is another, without a word" ;;
	125) [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^blasprof: .*; ' "$work/err" ||
		wrong "the report as $format fails without one line that says why" ;;
	*) wrong "the report as $format ends with $status" ;;
	esac
}

# every_report FORMAT: the report of that store, whole, or one line that says why not.
every_report()
{
	format=$1 number=1
	what=none:0:none
	run "$blasprof" report -i before.db -f "$format" -o true
	[ $status -eq 0 ] || return 0
	sleep 1.1 # (some formats hold the time)
	run "$blasprof" report -i before.db -f "$format" -o again
	while :; do
		what=$kind:$number:blasprof
		rm -f "$work/hit" "$work/report" "$work/out"
		run "$blasprof" report -i before.db -f "$format" -o report
		[ -e "$work/hit" ] || break
		runs=$((runs + 1))
		check_report
		number=$((number + step))
	done
	echo "$kind of a report as $format: $(((number - 1) / step))"
}

what=none:0:none depth=
run "$blasprof" -q -i before.db -- "$program" session
cp "$work/out" "$work/true-out"
[ "$status" -eq 7 ] || { wrong "even without a fault blasprof ends with $status" && finish; }

for kind in open mmap grow read perf start; do
	every shim $kind libblasprof.so
done
for kind in open mmap read write start perf memory; do
	every blasprof $kind blasprof --work steps
done
every blasprof start blasprof --work '(end)'
for kind in open read write lock memory; do
	every sqlite $kind libsqlite3.so.0 -F 0
done

kind=memory step=1 depth=4
for format in ${ways:+$(report_formats)} ${2:+csv}; do
	every_report "$format"
done
echo "$runs runs with a fault each"
finish
