#!/bin/sh
# stop-test.sh: time in which the command is stopped (SIGSTOP) or frozen counts as waiting outside BLAS, not as BLAS time.
# SPDX-License-Identifier: MIT
. "${srcdir:-.}/tests/common.sh"

build=$PWD
truth=$PWD/tests/shim/truth
# working TICKS: both threads have used more than TICKS clock ticks of CPU time.
working()
{
	[ "$(sed 's/.*) //' "/proc/$command"/task/*/stat | awk -v ticks="$1" '$12 + $13 > ticks' | wc -l)" = 2 ]
}
# stopped: all threads have stopped; on a busy machine they may first wait for a CPU.
stopped()
{
	sed 's/.*) //' "/proc/$command"/task/*/stat | awk '{ count++; run += !/^T/ } END { exit !count || run }'
}
# find_session: sets $session. While a process executes a program, its environment is empty.
find_session()
{
	session=$(tr '\0' '\n' <"/proc/$command/environ" | sed -n 's/^BLASPROF_SESSION=//p')
	[ -n "$session" ]
}
# rows: the stops that blasprof has seen; the first row tells when it looks.
rows()
{
	tail -c +25 "$session/stops" | cksum
}
# noted: blasprof has seen the stop, or its end.
noted()
{
	[ "$(rows)" != "$before" ]
}
# A program that spends nearly all its time in calls of 1 ms, until it is ended. The shell execs it, so that its pid is known.
own='echo $$ >pid; exec "$0" 2 0.98 10000000'
# begin WORD...: starts the profiler with these words, and waits until the command has told its pid.
begin()
{
	rm -f "$work/x.db" "$work/pid"
	(cd "$work" && exec "$@") >"$work/out" 2>"$work/err" &
	profiler=$!
	eventually test -s "$work/pid" || fail "the command did not start"
	read -r command <"$work/pid"
}
# end_later: ends the program after some more calls, in which blasprof looks at it again.
end_later()
{
	ticks=$(sed 's/.*) //' "/proc/$command"/task/*/stat | awk '$12 + $13 > most { most = $12 + $13 } END { print most + 40 }')
	eventually working "$ticks" || fail "the command does not continue"
	kill -TERM "$command"
	wait $profiler
	case $? in 0 | 143) ;; *) fail "blasprof ends with another status than the command" ;; esac
}
# halt, resume: stop and continue the command, in its control group if there is a $group.
halt()
{
	case $group in
	"") kill -STOP "$command" && eventually stopped ;;
	*/freezer/*) echo FROZEN >"$group/freezer.state" && eventually grep -q FROZEN "$group/freezer.state" ;;
	*) echo 1 >"$group/cgroup.freeze" && eventually grep -q "frozen 1" "$group/cgroup.events" ;;
	esac
}
resume()
{
	case $group in
	"") kill -CONT "$command" ;;
	*/freezer/*) echo THAWED >"$group/freezer.state" ;;
	*) echo 0 >"$group/cgroup.freeze" ;;
	esac
}
# stops SCRIPT [GROUP]: stops the program three times.
stops()
{
	group=$2
	begin "$blasprof" -q -F 0 -i x.db -- sh -c "$1" "$truth"
	eventually find_session || fail "the command has no session"
	[ -z "$group" ] || echo "$command" >"$group/cgroup.procs"
	before=$(rows)
	for ticks in 5 10 15; do
		eventually working $ticks || fail "the command does nothing"
		halt || fail "the command does not stop"
		eventually noted || fail "blasprof does not see that the command was stopped"
		before=$(rows)
		sleep 0.7
		resume
		eventually noted || fail "blasprof does not see that the command was continued"
		before=$(rows)
	done
	end_later
	[ -z "$group" ] || eventually rmdir "$group"
	[ "$(ask x.db 'SELECT count(*) FROM threads WHERE calls > 0 AND waiting_ns > 2090000000')" = 2 ] ||
		fail "three stops of 0.7 s and more are $(ask x.db 'SELECT waiting_ns FROM threads WHERE calls > 0') ns of waiting"
	[ "$(ask x.db 'SELECT count(*) FROM threads WHERE blas_waiting_ns > 0.01 * waiting_ns')" = 0 ] ||
		fail "stops are counted as waiting in BLAS: $(ask x.db 'SELECT blas_waiting_ns FROM threads')"
}
beside stops "$own"
beside stops "sh -c '$own' \"\$0\"; true" # a process whose parent is not blasprof
for group in /sys/fs/cgroup/blasprof-$$ /sys/fs/cgroup/unified/blasprof-$$ /sys/fs/cgroup/freezer/blasprof-$$; do
	mkdir "$group" 2>/dev/null || continue
	[ -e "$group/cgroup.freeze" ] || [ -e "$group/freezer.state" ] || { rmdir "$group" && continue; }
	beside stops "$own" "$group"
done

# start COMMAND...: profiles the command, whose parent is not blasprof, in a process group of its own.
start()
{
	begin setsid "$blasprof" -q -F 0 -i x.db -- sh -c "sh -c 'echo \$\$ >pid; exec \"\$0\" \"\$@\"' \"\$0\" \"\$@\"; true" "$@"
}

# A stop of the process group, with blasprof in it, so that nobody sees it.
group_stop()
{
	eventually stopped || fail "the command does not stop"
	sleep 2
	kill -CONT -$profiler
	end_later
	[ "$(ask x.db 'SELECT count(*) FROM threads WHERE calls > 0 AND waiting_ns > 1990000000 AND blas_waiting_ns < 0.01 * waiting_ns')" = 2 ] ||
		fail "a stop of the group is counted as waiting in BLAS: $(ask x.db 'SELECT waiting_ns, blas_waiting_ns FROM threads')"
}
group_stops()
{
	start "$truth" 2 0.98 10000000
	eventually working 10 || fail "the command does nothing"
	kill -STOP -$profiler
	group_stop
	# The same while blasprof looks for stops.
	export STOPS_IN_LOOK=1
	begin setsid env LD_PRELOAD="$build/tests/launch/.libs/libstops.so" "$blasprof" -q -F 0 -i x.db -- sh -c "$own" "$truth"
	group_stop
}
beside group_stops

# A stop of blasprof alone: calls that wait meanwhile were not stopped.
stop_alone()
{
	start "$truth" 1 0 20 100000
	sleep 0.3
	kill -STOP $profiler
	sleep 1
	kill -CONT $profiler
	wait $profiler || fail "blasprof ends with $?"
	[ "$(ask x.db 'SELECT count(*) FROM threads WHERE blas_waiting_ns > 1950000000')" = 1 ] ||
		fail "20 waits of 0.1 s in BLAS are $(ask x.db 'SELECT blas_waiting_ns FROM threads') ns"
}
beside stop_alone

# Stops while blasprof reads its clocks, without a perf page.
begin "$build/tests/hostile/hostile" counted docker env LD_PRELOAD="$build/tests/launch/.libs/libstops.so" \
	"$blasprof" -q -F 0 -i x.db -- sh -c 'echo $$ >pid; exec "$0" 1 0.98 400' "$truth"
for stop in 1 2 3 4; do
	eventually stopped || fail "the command does not stop for the time $stop"
	sleep 0.3
	kill -CONT "$command"
done
wait $profiler || fail "blasprof ends with $?"
[ "$(ask x.db 'SELECT waiting_ns > 1190000000 AND own_ns < 300000000 FROM threads WHERE calls > 0')" = 1 ] ||
	fail "four stops of 0.3 s and more are $(ask x.db 'SELECT waiting_ns, own_ns FROM threads') ns of waiting, of blasprof's own: $(ask x.db 'SELECT * FROM threads')"

# job COMMAND: profiles the command and sends SIGTSTP to its process group, whose leader is timeout.
job()
{
	timeout 60 "$blasprof" -q -i job.db -- sh -c "$1" >"$work/job.out" 2>&1 3>&- &
	group=$!
	eventually test -s "$work/parent" || fail "the command did not start"
	read -r parent <"$work/parent"
	kill -TSTP -$group
}
# state LETTER: blasprof is in that state.
state()
{
	[ "$(sed 's/.*) \(.\).*/\1/' "/proc/$parent/stat")" = "$1" ]
}
# job_ends STATUS: after it was continued.
job_ends()
{
	got=0
	kill -CONT -$group
	wait $group || got=$?
	[ $got -eq "$1" ] || fail "blasprof ends with $got instead of $1: $(cat "$work/job.out")"
	rm parent
}
# Ctrl-Z stops blasprof if it stops the command.
jobs()
{
	cd "$work" || exit
	mkfifo go
	exec 3<>go
	waits='echo $PPID >parent; read -r line <go' # without a child, which may stop in vfork(): then the shell waits for it
	job "trap '' TSTP; $waits; exit 4"
	echo >&3
	eventually state Z || fail "blasprof stops, but not the command"
	job_ends 4
	job "$waits; exit 4"
	eventually state T || fail "blasprof does not stop with the command"
	echo >&3
	job_ends 4
}
beside jobs

# A shell with job control sees that a command stops itself, and continues it with the terminal; also one that has a process
# group of its own.
cat >"$work/shell" <<'END'
import os, pty, signal, sys
child, terminal = pty.fork()
if child:
    try:
        while text := os.read(terminal, 1000):
            os.write(1, text)
    except OSError:
        pass # the end
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = os.fork()
if not job:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
status = os.waitpid(job, os.WUNTRACED)[1]
if not os.WIFSTOPPED(status):
    sys.exit("it ends: %d" % status)
os.tcsetpgrp(0, os.getpgrp())
os.tcsetpgrp(0, job)
os.killpg(job, signal.SIGCONT)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
END
stop='os.kill(os.getpid(), signal.SIGSTOP); sys.exit(4 * (os.tcgetpgrp(0) == os.getpgrp()))'
shells()
{
	for group in '' 'signal.signal(signal.SIGTTOU, signal.SIG_IGN); os.setpgid(0, 0); os.tcsetpgrp(0, os.getpgrp());'; do
		expect 4 timeout 60 python3 "$shell" "$blasprof" -q -i shell.db -- python3 -c "import os, signal, sys; $group $stop"
	done
}
shell=$work/shell
beside shells
together
finish
