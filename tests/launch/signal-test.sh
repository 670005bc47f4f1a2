#!/bin/sh
# signal-test.sh: a signal sent to blasprof reaches the command, which decides what happens.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

ends=$PWD/tests/shim/ends
# AddressSanitizer would take this signal for a fault of blasprof.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS

# The command prints a line once its trap is set. Without a signal it ends by itself with another status.
# (A shell's background processes ignore SIGINT and SIGQUIT. Under nohup, all ignore SIGHUP.)
for signal in TERM HUP INT QUIT USR1 ALRM XCPU 40 16 ABRT SEGV TRAP CONT WINCH URG; do
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
		sh -c "'$ends' exit 50; echo ready; exec sleep 60") >"$work/fifo" 2>"$work/err" &
	pid=$!
	read -r line <"$work/fifo"
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
for number in 15 1 2 10 24 40 6 11; do
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

# Each signal reaches the command once, also if it was sent to the process group. The command prints a line for each
# SIGUSR1 and each value of sigqueue(), and ends at SIGUSR2.
counts=$work/counts
cat >"$counts" <<'END'
import ctypes, os, signal, sys
libc = ctypes.CDLL(None)
usual = {signal.SIGUSR1, signal.SIGUSR2}
signal.pthread_sigmask(signal.SIG_BLOCK, usual | {40})
accepted = (ctypes.c_char * 128)()
for number in usual | {40}:
    libc.sigaddset(accepted, int(number))
if "leaves" in sys.argv:
    os.setpgid(0, 0)
if "sends" in sys.argv:
    os.kill(0, signal.SIGUSR1)
print("ready", flush=True)
info = (ctypes.c_int * 32)()
while True:
    number = libc.sigwaitinfo(accepted, info)
    if number == signal.SIGUSR2:
        break
    print("got", number, info[6] if info[2] < 0 else "", flush=True)
END
# lines COUNT: the command has printed so many.
lines()
{
	[ "$(wc -l <"$work/counted")" -ge "$1" ]
}
# counting [WORD]...: starts the command in a process group that blasprof leads, with these words.
counting()
{
	: >"$work/counted"
	setsid "$blasprof" -q -i "$work/x.db" -- python3 "$counts" "$@" >"$work/counted" 2>"$work/err" &
	pid=$!
	eventually lines 1 || fail "the command did not start"
}
# sends TARGET COUNT: signals that one by one reach the command; each before the next. It has printed COUNT lines before.
sends()
{
	for number in 1 2 3 4 5 6 7 8; do
		kill -s USR1 -- "$1"
		eventually lines $(($2 + number)) || fail "signal $number to $1 does not reach the command"
		sleep 0.05
	done
}
# values COUNT: so do three values, when blasprof has handled all signals before.
values()
{
	python3 -c 'import ctypes, sys
for value in 5, 6, 7: ctypes.CDLL(None).sigqueue(int(sys.argv[1]), 40, ctypes.c_void_p(value))' $pid
	eventually lines $(($1 + 3)) || fail "values do not reach the command"
	[ "$(grep -c '^got 40 [567]$' "$work/counted")" -eq 3 ] || fail "values are lost: $(cat "$work/counted")"
}
# counted COUNT: the command has printed exactly so many lines when it has ended.
counted()
{
	kill -USR2 $pid
	wait $pid || fail "blasprof ends with $?"
	[ "$(wc -l <"$work/counted")" -eq "$1" ] || fail "instead of $1 lines, the command prints: $(cat "$work/counted")"
}
# ended PID: the process runs no more, though perhaps nobody has waited for it.
ended()
{
	! grep -q '^State:[[:space:]]*[^Z]' "/proc/$1/status"
}
# find_helper: sets $helper to blasprof's child that is not the command, once it holds nothing but a socket.
find_helper()
{
	for helper in $(cat /proc/$pid/task/*/children); do
		grep -q '^sentinel$' "/proc/$helper/comm" && [ "$(find "/proc/$helper/fd" -type l | wc -l)" -eq 1 ] && return
	done
	false
}
groups()
{
	counting
	sends -$pid 1
	values 9
	sends $pid 12
	counted 20
}
beside groups
# One that left the group that it would lead without blasprof.
leaves()
{
	counting leaves
	sends -$pid 1
	counted 9
}
beside leaves
# The command's own signal to the group does not count for the next one, to blasprof alone.
answers()
{
	counting sends
	eventually lines 2 || fail "the command does not get its own signal"
	values 2
	sends $pid 5
	counted 13
}
beside answers
# Without its helper, blasprof forwards what it gets. If blasprof is killed, the helper ends.
helper()
{
	counting
	eventually find_helper || fail "there is no helper, or it holds files"
	kill -KILL "$helper"
	sends $pid 1
	counted 9
	counting
	eventually find_helper || fail "there is no helper, or it holds files"
	kill -KILL $pid
	eventually ended "$helper" || fail "process $helper does not end with blasprof"
	kill -KILL -$pid
}
beside helper
together

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
