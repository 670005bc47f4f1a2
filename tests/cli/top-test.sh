#!/bin/sh
# top-test.sh: the live view shows a run in progress without disturbing it.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# shown: there are three views, and the pattern.
shown()
{
	[ "$(grep -c '^blasprof top: ' "$work/out")" -ge 3 ] && grep -q -e "$pattern" "$work/out"
}
# shows PATTERN COMMAND...: saves what top shows of a command, which is ended when top has shown the pattern.
shows()
{
	pattern=$1
	shift
	(cd "$work" && exec "$blasprof" -q -i top.db -- "$@") >"$work/program" 2>&1 &
	profiler=$!
	eventually "$blasprof" top --batch --delay=0.05 --count=1 --pid=$profiler || fail "no view of '$*'"
	"$blasprof" top --batch --delay=0.1 --pid=$profiler >"$work/out" 2>"$work/err" </dev/null &
	top=$!
	eventually shown || { fail "top does not show '$pattern' of '$*'"; show_output; }
	kill -TERM $profiler
	got=0
	wait $profiler || got=$?
	[ $got -eq 143 ] || { fail "'$*' ends with $got, not by the signal"; cat "$work/program"; }
	wait $top || { fail "top ends with $? after the program"; show_output; }
}

shows '^    all  *0\.[0-9]' "$train" --steps=1000000 2
expect_says out '^ thread name  *f  *BLAS'
expect_says out '^ *[0-9][0-9]* train  *0\.[0-9]'
grep -q 'process 0,\|[0-9]\{4\}\.[0-9] s,' "$work/out" && fail "top shows a program that has not started"
# It names the program, sorts by the busiest thread, and tells what a thread waits for.
expect_says out '^blasprof top: train (process [0-9]*), .* threads that called BLAS$'
awk '$2 == "train" { busy = $4 + $6; if (after && busy > last + 0.2) bad = 1; last = busy; after = 1; next } { after = 0 }
	END { exit bad }' "$work/out" || { fail "the threads are not sorted"; show_output; }
shows ' sleep$' "$PWD/tests/shim/truth" 2 0.5 1000000 20000 20000
# A program that does not call BLAS is shown, too.
shows '^blasprof top: sleep (process [0-9]*), .* 0 threads that called BLAS$' sleep 600

# A run that continues until it is told to end, found by the profiler's pid.
: >"$work/going"
(cd "$work" && exec "$blasprof" -q -i run.db -- sh -c "while [ -e going ]; do '$train' --steps=100 1 || exit; done") \
	>"$work/program" 2>&1 &
profiler=$!
view()
{
	(cd "$work" && exec "$blasprof" top --batch --delay=0.2 --count=2 --pid=$profiler) >"$work/out" 2>"$work/err" </dev/null &&
		grep -q '^    all' "$work/out"
}
eventually view || { fail "no view of a run in progress"; show_output; }
# A pid belongs to this PID namespace: the first process of another one is not process 1.
if unshare -Urpf --mount-proc true 2>"$work/err"; then
	(cd "$work" && exec unshare -Urpf --mount-proc "$blasprof" -q -F 0 -i inner.db -- \
		sh -c "'$train' --steps=1 1; : >inner; while [ -e going ]; do sleep 0.1; done") >"$work/inner.out" 2>&1 &
	inner=$!
	eventually test -e "$work/inner" || fail "no run in another PID namespace: $(cat "$work/inner.out")"
	expect_failure 125 timeout 600 "$blasprof" top --batch --count=1 --pid=1
	expect_says err 'process 1 is in no run'
	read -r outer <"/proc/$inner/task/$inner/children"
	expect 0 timeout 600 "$blasprof" top --batch --delay=0.1 --count=1 --pid="$outer"
	expect_says out '^blasprof top: process [0-9]* of another PID namespace, '
fi
# Sessions in another place do not matter.
mkdir "$work/elsewhere"
expect_failure 125 env BLASPROF_TMPDIR="$work/elsewhere" "$blasprof" top --batch --count=1 --pid=$profiler
expect_says err "process $profiler is in no run"
# On a terminal there is a full screen; Ctrl-C quits, and the program continues.
# on_terminal STATUS TERM ARGUMENT...: runs the program terminal, which checks that its modes are restored.
on_terminal()
{
	wanted=$1 kind=$2
	shift 2
	got=0
	(cd "$work" && TERM=$kind exec "$OLDPWD/tests/cli/terminal" -r "$@") >"$work/out" 2>"$work/err" || got=$?
	[ "$got" -ne 77 ] || exit 77
	[ "$got" -eq "$wanted" ] || { fail "on a terminal of TERM=$kind '$*' ends with $got"; show_output; }
}
on_terminal 0 xterm -c "quit" "$blasprof" top --pid=$profiler
ends_screen=$(printf '\033\\[?1049l') # what Ctrl-C makes a terminal throw away, now and then
# q quits, and the terminal is restored.
on_terminal 0 xterm -k "quit=q" "$blasprof" top --pid=$profiler
expect_says out "$ends_screen"
# A wider terminal: the screen is redrawn with the end of the heading, which did not fit before.
on_terminal 0 xterm -s "quit=120" -k "GFLOP/s=q" "$blasprof" top --delay=0.05 --pid=$profiler
# A dumb or unknown terminal: lines are printed, with a message.
for kind in dumb '' no-such-terminal; do
	on_terminal 0 "$kind" "$blasprof" top --delay=0.05 --count=2 --pid=$profiler
	expect_says out "^blasprof: .*printing lines"
	expect_says out '^    all'
	! grep -q "$(printf '\033')" "$work/out" || fail "a full screen with TERM=$kind"
done
rounds=$(grep -c '^trn/s' "$work/program")
goes_on()
{
	[ "$(grep -c '^trn/s' "$work/program")" -ge $((rounds + 2)) ]
}
eventually goes_on || fail "the observed program does not continue"
rm "$work/going"
wait $profiler || fail "the observed program has failed"
[ -z "$inner" ] || wait "$inner" || fail "the run in another PID namespace has failed: $(cat "$work/inner.out")"

expect_failure 125 "$blasprof" top --batch --pid=1
expect_failure 125 "$blasprof" top --delay=0
expect_failure 125 "$blasprof" top "$train" 1
finish
