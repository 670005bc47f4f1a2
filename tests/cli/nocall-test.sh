#!/bin/sh
# nocall-test.sh: a program without a BLAS call keeps its exit status; if it computes, there is a report, else a message.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

hint='compute for 0.1 s'
may_sample >"$work/may" || hint='take samples'
for status in 0 3; do
	expect $status "$blasprof" -- sh -c "exit $status"
	case $status in
	0) expect_says err "no BLAS call.*not stored.*$hint" ;;
	3) expect_says err "no BLAS call was seen in .*, which ended with status 3, .*not stored; repair the command.*; if it did, see blasprof-costs" ;;
	esac
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "the message on missing BLAS calls has several lines"
	! grep -qiE '(^|[^a-z])-?nan([^a-z]|$)' "$work/err" || fail "the report prints a NaN"
done
expect_failure 3 "$blasprof" -- sh -c "exit 3" sh -t 1,2 {}
expect_says err "; give -t, as in -t 1,2, before the command to replace its {}"
expect 3 "$blasprof" --quiet -- sh -c "exit 3"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "--quiet prints more than the message on missing BLAS calls"
expect 0 "$blasprof" -- "$PWD/tests/launch/static"
expect_says err static
expect_says out '^no BLAS here$'
expect 0 "$blasprof" --quiet -- "$PWD/tests/launch/static"
[ "$(grep -c '^blasprof: .*static.*; link it dynamically' "$work/err")" -eq 1 ] ||
	fail "the message on a static program does not explain why no call is seen"

# Only root can create a setuid program of another user.
if [ "$(id -u)" -eq 0 ] && cp /bin/true "$work/setuid" &&
	chown 65534 "$work/setuid" && chmod 4755 "$work/setuid"; then
	expect 0 "$blasprof" -- ./setuid
	expect_says err setuid
fi
stored 0

# shellcheck disable=SC2016 # for the inner shell
expect_failure 137 "$blasprof" -- sh -c 'kill -9 $$'
expect_says err "no BLAS call was seen in .*, which was ended by signal 9 (Killed), .*; repair the command"
# Ctrl-C is no fault of the command.
# shellcheck disable=SC2016 # for the inner shell
expect_failure 130 env --default-signal=INT "$blasprof" -- sh -c 'kill -INT $$'
expect_says err 'ended by signal 2 (Interrupt), .*; let it run '
stored 0

# Without samples nothing is known of such a program.
expect_failure 0 "$blasprof" -F 0 -- awk 'BEGIN { for (i = 0; i < 3e6; i++) s += i }'
expect_says err "no BLAS call.*not stored.*take samples"
may_sample || finish
expect 0 "$blasprof" -i computes.db -w 0 -t 1,2 -- awk 'BEGIN { for (i = 0; i < 1e7; i++) s += i }' {}
expect_says err '^2 threads give '
! grep -q predicted "$work/err" || fail "a speed-up is predicted from BLAS calls, of which there are none"
! grep -q '^-> .*does use BLAS' "$work/err" || fail "the last line of the report is about BLAS calls that are not seen"
stored 2 -i computes.db
# The brief report may have no room for it beside what is said of a busy machine.
expect 0 "$blasprof" report --full -i computes.db
expect_says out 'no BLAS call was seen'

# Samples also tell what a program does that cannot load the preload library.
expect 0 "$blasprof" -i computes.db -- "$PWD/tests/launch/static" compute
expect_says err 'the program is static'
! grep -q 'without the preload library' "$work/err" || fail "two warnings say that a static program is not intercepted"
! grep -q '^warning .*no BLAS call was seen' "$work/err" || fail "two warnings say that no call of a static program is seen"
stored 3 -i computes.db
expect 0 "$blasprof" report -i computes.db --table=functions
expect_says out ' main  *static '

# It need not be linked dynamically if it has a speed-up without BLAS.
expect 0 "$blasprof" -i static.db -w 0 -t 1,2 -- "$PWD/tests/launch/static" compute {}
expect_says err '^2 threads give '
! grep -q '^-> .*dynamically' "$work/err" || fail "the last line of the report is about BLAS calls that are not seen"
finish
