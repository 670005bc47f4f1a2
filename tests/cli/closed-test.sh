#!/bin/sh
# closed-test.sh: a closed or unread output neither blocks blasprof nor loses a run.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"
cd "$work" || exit 99
mkdir tmp
export TMPDIR="$work/tmp"
expect 0 "$blasprof" --quiet --timeline -- "$train" --steps=100 1

# closed STATUS in|out|err WORD...: the command ends with STATUS if that descriptor is closed.
closed()
{
	wanted=$1 closed=$2
	shift 2
	got=0
	: >out
	: >err
	case $closed in
	in) timeout 600 "$@" >out 2>err <&- ;;
	out) timeout 600 "$@" 2>err </dev/null >&- ;;
	err) timeout 600 "$@" >out </dev/null 2>&- ;;
	esac || got=$?
	[ $got -eq "$wanted" ] || { fail "'$*' ends with $got, not $wanted, with std$closed closed" && show_output; }
}

# unread WORD...: if its output is a closed pipe, the command ends by SIGPIPE or reports a write error.
unread()
{
	{
		got=0
		timeout 600 "$@" 2>err </dev/null || got=$?
		echo $got >status
	} | :
	case $(cat status) in 0 | 125 | 141) ;; *) fail "'$*' ends with $(cat status) when nobody reads" && show_output ;; esac
}

for name in $(subcommands); do
	# shellcheck disable=SC2046 # one word for each operand
	set -- "$blasprof" "$name" $(operands "$name")
	"$@" >normal 2>&1 </dev/null
	status=$?
	closed $status in "$@"
	closed $status err "$@"
	unread "$@"
	[ ! -s normal ] || [ "$status" -ne 0 ] || { closed 125 out "$@" && expect_says err '; '; }
done

for format in $(report_formats); do
	unread "$blasprof" report --format="$format"
	closed 125 out "$blasprof" report --format="$format" && expect_says err '; '
done
[ -z "$(ls tmp)" ] || fail "temporary files are left: $(ls tmp)"

# The command has the same descriptors closed as without blasprof, and its run is stored in each case.
"$blasprof" list >before
for closed in in out err; do
	closed 0 $closed "$blasprof" --output=report.txt -- sh -c "ls -l /proc/\$\$/fd >fds-$closed; '$train' --steps=100 1 >x.out 2>x.err"
done
! grep -q ' 0 -> ' fds-in || fail "the command's standard input is not closed"
! grep -q ' 2 -> ' fds-err || fail "the command's standard error is not closed"
{
	"$blasprof" -- "$train" --steps=100 1 2>&1 >/dev/null
	echo $? >status
} | :
case $(cat status) in 0 | 125) ;; *) fail "with an unread report, blasprof ends with $(cat status)" ;; esac

# A command sets O_NONBLOCK on the output that it shares with blasprof, and fills it: the report is written in full.
{
	"$blasprof" -F 0 -- sh -c "'$train' --steps=1 1 >train.out; head -c 65536 /dev/zero; exec python3 -c 'import fcntl, os
fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_NONBLOCK)'"
	echo $? >status
} 2>&1 | (sleep 2 && tr -d '\0' >report)
[ "$(cat status)" -eq 0 ] || fail "with a full non-blocking output, blasprof ends with $(cat status)"
grep -q '^-> for the speed-up' report || fail "the report on a full non-blocking output is incomplete: $(cat report)"
"$blasprof" list >after
[ $(($(wc -l <after) - $(wc -l <before))) -eq 5 ] || fail "not five runs more: $(cat after)"
[ -z "$SQLITE3" ] || [ "$("$SQLITE3" blasprof.db 'pragma integrity_check')" = ok ] || fail "the store is damaged"
finish
