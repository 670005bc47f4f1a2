#!/bin/sh
# signal-test.sh: a signal sent to blasprof reaches the command, and the command decides.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/cli/common.sh"

# The command says when its trap is set. It ends by itself, with another status, when no signal comes.
# (A shell's background processes ignore SIGINT, so it is not among the signals here.)
for signal in TERM HUP USR1; do
	rm -f "$work/fifo"
	mkfifo "$work/fifo"
	"$blasprof" -q -o "$work/x.db" -- sh -c \
		'trap "exit 7" '$signal'; echo ready; i=0
		while [ $i -lt 2000 ]; do sleep 0.01; i=$((i + 1)); done; exit 8' \
		>"$work/fifo" 2>"$work/err" &
	pid=$!
	read -r line <"$work/fifo"
	[ "$line" = ready ] || fail "the command did not start"
	kill -$signal $pid
	got=0
	wait $pid || got=$?
	[ $got -eq 7 ] || fail "after SIG$signal blasprof ends with $got, the command with 7"
done

# A limit on file sizes ends the command, as it would without blasprof, but not blasprof: it says what it cannot write.
expect 153 "$blasprof" -q -o x.db -- sh -c "ulimit -f 1; exec head -c 5000 /dev/zero >'$work/large'"
rm -f "$work/x.db"
expect 125 sh -c "ulimit -f 1; exec '$blasprof' -q -o x.db -- true"
expect_says err 'cannot create store'
finish
