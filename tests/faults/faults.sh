#!/bin/sh
# faults.sh: lets each system call and allocation of a profile fail, one at a time, and checks what is left.
# SPDX-License-Identifier: MIT
#
# Usage: faults.sh [STRIDE [MEMORY]]   tests every STRIDE-th system call of each kind (default 1), and every MEMORY-th
# allocation; without MEMORY, the first allocation of each call path.
#
# The program must end in time, with the same output as without blasprof. blasprof must end with the program's status or with
# 125, and say what it lost. Earlier runs in the store must be unchanged.
. "${srcdir:-.}/tests/common.sh"
stride=${1:-1} memory=${2:-1} by_path=
[ -n "$2" ] || by_path=1
[ -n "$SQLITE3" ] || { echo "no sqlite3 to look into the store" && exit 77; }
fault=$PWD/tests/faults/.libs/libfault.so
program=$PWD/tests/faults/program
calls=1350
runs=0

store()
{
	"$SQLITE3" "$work/x.db" "$1" 2>&1
}

# run WORD...: runs the words with a fault; sets $status, writes their output to $work/out and $work/err.
run()
{
	status=0
	(cd "$work" && LD_PRELOAD=$fault FAULT=$what FAULT_DEPTH=$depth FAULT_HIT=$work/hit \
		timeout 300 "$@") >"$work/out" 2>"$work/err" </dev/null || status=$?
}

wrong()
{
	fail "$what${depth:+ by call paths of $depth}: $*"
	show_output
}

# If blasprof leaves the record for later recovery, it must have all calls.
check_left()
{
	left=$(sed -n "s/.*: blasprof recover \([^ ]*\) -i .*/\1/p" "$work/err")
	[ -n "$left" ] || return 0
	(cd "$work" && "$blasprof" recover -q -i x.db "$left") >"$work/recovered" 2>&1 || wrong "the record that is left is not recovered"
	[ "$(store "select total(calls) from threads where run = 2")" = "$calls.0" ] || wrong "calls are lost"
}

check()
{
	check_left
	[ "$status" -eq 7 ] || [ "$status" -eq 125 ] || wrong "blasprof ends with $status"
	if ! cmp -s "$work/out" "$work/true-out"; then
		[ "$status" -eq 125 ] && [ ! -s "$work/out" ] && [ "$side" != shim ] || wrong "the program's output differs"
	fi
	grep -v '^blasprof: .' "$work/err" >"$work/strange" && wrong "something else than messages of blasprof is printed"
	# calls of the run before and of this one; whether this one has samples; its additional notes
	store "pragma integrity_check; select count(*) - 1, (select total(calls) from threads where run = 1),
		(select total(calls) from threads where run = 2), coalesce((select sample_rate_hz > 0 from runs where id = 2), 0),
		(select group_concat(code) from notes where run = 2 and code not in (select code from notes where run = 1)) from runs" |
		tr '|\n' '  ' >"$work/stored"
	read -r sound kept before counted sampled said <"$work/stored"
	[ "$sound $before" = "ok $calls.0" ] || wrong "the store is damaged, or the run before is lost"
	said=$said$(cat "$work/err")
	case $status,$kept in
	7,1)
		# (sqlite is tested without samples.)
		[ -n "$said" ] || [ "$counted" = "$calls.0" ] || wrong "calls are lost without a message"
		[ -n "$said" ] || [ $side = sqlite ] || [ "$sampled" = 1 ] || wrong "samples are lost without a message"
		;;
	7,0) [ -n "$said" ] || wrong "the run is not stored, and nothing is said" ;;
	125,[01]) [ -s "$work/err" ] || wrong "blasprof fails without a message" ;;
	*) wrong "the store has $kept new runs" ;;
	esac
	[ ! -s "$work/session" ] || [ ! -e "$(cat "$work/session")" ] || wrong "the session directory is left"
	set -- "$work"/x.db?*
	[ ! -e "$1" ] || [ "$1" = "$work/x.db-journal" ] || wrong "'$1' is left"
}

# every SIDE KIND OBJECTS [OPTION]...: tests every call of the kind from these objects.
every()
{
	side=$1 kind=$2 objects=$3
	shift 3
	number=1 step=$stride depth=
	[ "$kind" != memory ] || step=$memory
	[ "$kind" != memory ] || [ -z "$by_path" ] || case $side in
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
		wrong "the report as $format differs without a message" ;;
	125) [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^blasprof: .*; ' "$work/err" ||
		wrong "the report as $format fails without one line with the reason" ;;
	*) wrong "the report as $format ends with $status" ;;
	esac
}

# every_report FORMAT: checks for the complete report of the store, or one line with the reason of the failure.
every_report()
{
	format=$1 number=1
	what=none:0:none
	run "$blasprof" report -i before.db -f "$format" -o true
	[ $status -eq 0 ] || return 0
	sleep 1.1 # (some formats contain the time)
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
for format in ${by_path:+$(report_formats)} ${2:+csv}; do
	every_report "$format"
done
echo "$runs runs with a fault each"
finish
