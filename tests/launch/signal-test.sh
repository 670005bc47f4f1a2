#!/bin/sh
# signal-test.sh: a signal sent to blasprof reaches the command, which decides what happens.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

ends=$PWD/tests/shim/ends

# The command prints a line once its trap is set. Without a signal it ends by itself with another status.
# (SIGINT is not tested here because a shell's background processes ignore it. Under nohup, all ignore SIGHUP.)
for signal in TERM HUP USR1 ALRM XCPU 40; do
	rm -f "$work/fifo"
	mkfifo "$work/fifo"
	env --default-signal=$signal "$blasprof" -q -i "$work/x.db" -- sh -c \
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

# The signal of a time limit may be repeated, by Slurm after 4 ms: the run is stored anyway.
repeated()
{
	signal=$(kill -l "$1")
	mkfifo "$work/fifo"
	(cd "$work" && exec env --default-signal="$signal" "$blasprof" -q -i x.db -- \
		sh -c "'$ends' exit 50; echo \$\$; exec sleep 60") >"$work/fifo" 2>"$work/err" &
	pid=$!
	read -r command <"$work/fifo"
	[ "$signal" != INT ] || kill -INT "$command" # as a terminal does
	sends=0
	while [ $sends -lt 150 ]; do
		kill "-$signal" $pid 2>/dev/null
		sleep 0.004
		sends=$((sends + 1))
	done
	got=0
	wait $pid || got=$?
	[ $got -eq $((128 + $1)) ] || fail "after SIG$signal blasprof ends with $got"
	[ "$(column shapes calls -i x.db | sum)" = 50 ] || fail "SIG$signal repeated quickly, loses the run: $(cat "$work/err")"
}
for number in 15 1 2 10 24 40; do
	beside repeated $number
done
together

# One that comes before the command has started leaves no session behind.
mkdir "$work/sessions"
for ms in 05 10 15 20 25 30 35 40 50 60 80; do
	BLASPROF_TMPDIR=$work/sessions "$blasprof" -q -i "$work/y.db" -- sleep 0.1 2>/dev/null &
	pid=$!
	sleep 0.0$ms
	kill -TERM $pid 2>/dev/null
	wait $pid
	[ -z "$(ls "$work/sessions")" ] || fail "a signal after $ms ms leaves a session"
done

# Signals that the command sends to its parent or process group are not forwarded to it.
expect 5 "$blasprof" -q -- sh -c 'kill -USR1 $PPID; kill -TERM $PPID; sleep 0.3; exit 5'

# If blasprof's parent ignores SIGCHLD, blasprof still waits for the command, which ignores it as without blasprof.
expect 0 env --ignore-signal=CHLD grep SigIgn: /proc/self/status
mv "$work/out" "$work/without"
expect 0 env --ignore-signal=CHLD "$blasprof" -q -- grep SigIgn: /proc/self/status
diff "$work/without" "$work/out" || fail "the command finds other signals ignored than without blasprof"
expect 3 env --ignore-signal=CHLD "$blasprof" -q -- sh -c 'exit 3'

# A limit on file sizes ends the command as without blasprof, but blasprof itself reports what it cannot write.
expect 153 "$blasprof" -q -i x.db -- sh -c "ulimit -f 1; exec head -c 5000 /dev/zero >'$work/large'"
rm -f "$work/x.db"
expect 125 sh -c "ulimit -f 1; exec '$blasprof' -q -i x.db -- true"
expect_says err 'cannot create store'
finish
