#!/bin/sh
# sweep-test.sh: -t runs all thread counts in rounds, stores each run immediately, and ends correctly.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

# program THREADS [WORD]: appends its thread count to a file, and calls BLAS.
truth=$PWD/tests/shim/truth
printf '#!/bin/sh\necho "$1" >>ran\n[ "$1" != "$FAILS" ] || exit 7\nexec "%s" "$1" 0.5 3 1\n' \
	"$truth" >"$work/program"
chmod +x "$work/program"

# ran COUNT...: these thread counts ran, in this order, since the last call of this function.
ran()
{
	[ "$(tr '\n' ' ' <"$work/ran")" = "$* " ] || fail "ran $(tr '\n' ' ' <"$work/ran")instead of $*"
	rm -f "$work/ran"
}

# threads FILE: prints "COUNT:RUNS" for each thread count of the newest experiment.
threads()
{
	"$blasprof" report --store="$work/$1" --format=csv |
		awk -F, 'NR > 1 { printf "%s:%s ", $2, $3 }'
}

# Rounds after a warm-up round, which is not stored; single runs belong to the same experiment.
expect 0 "$blasprof" -F 0 -q -i a.db -t 1,2,4 -r 2 ./program {}
ran 1 2 4 1 2 4 1 2 4
stored 6 -i a.db
expect 0 "$blasprof" -F 0 -q -i a.db ./program 2
ran 2
[ "$(threads a.db)" = "1:2 2:3 4:2 " ] || fail "the experiment has $(threads a.db)"
expect 0 "$blasprof" --full -F 0 -i a.db -t 1..4:x2 -w 0 ./program {} {}
ran 1 2 4
expect_says err 'Speed-up over one thread'
expect_says err './program {} {}$'
[ "$(wc -l <"$work/out")" -eq 3 ] || fail "the programs' output is lost"
expect 0 "$blasprof" -F 0 -q -i r.db -r 3 -w 2 ./program 1
ran 1 1 1 1 1
[ "$(threads r.db)" = "1:3 " ] || fail "repeats without -t make $(threads r.db)"

# The thread count in the environment.
expect 0 "$blasprof" -F 0 -q -i e.db -w 0 -t 2,1 --threads-env=NT,MT sh -c './program $NT$X; ./program $MT'
ran 2 2 1 1
stored 2 -i e.db
expect 0 "$blasprof" -F 0 -f csv -i c.db -w 0 -t 1,2 ./program {}
[ "$(grep -c '^./program {},[12],1,' "$work/err")" -eq 2 ] || fail "--format=csv prints no table"
rm -f "$work/ran"

# If standard input is a file, every run reads it from the start.
echo 2 >"$work/input"
(cd "$work" && "$blasprof" -F 0 -q -i i.db -w 0 -r 2 sh -c 'read n && ./program $n' <input >out)
ran 2 2

# A run that fails ends the sweep with its exit status; finished runs are kept.
expect 7 env FAILS=4 "$blasprof" -F 0 -q -i f.db -t 1,2,4 -r 2 ./program {}
expect_says err "warm-up run 3 of 9, './program 4', ended with status 7"
expect 7 env FAILS=4 "$blasprof" --full -F 0 -i f.db -t 1,2,4,3 -w 0 ./program {}
expect_says err "run 3 of 4, './program 4', ended with status 7; 2 finished runs are kept"
expect_says err 'together 2 runs'
stored 2 -i f.db
expect 0 env FAILS=4 "$blasprof" -F 0 -q -i f.db -t 1,4,2 -w 0 --ignore-failure ./program {}
expect_says err "run 2 of 3, './program 4', ended with status 7; the sweep continues"
stored 4 -i f.db
expect_failure 127 "$blasprof" -q -t 1,2 ./no-such-program {}
rm -f "$work/ran"
expect_failure 0 "$blasprof" -q -i n.db -w 0 -t 1,2 sh -c 'echo $0 >>ran' {}
expect_says err "no BLAS call was seen in .* 1'"
ran 1

# A signal to blasprof alone ends the command and the sweep.
rm -f "$work/ran"
mkfifo "$work/fifo"
(cd "$work" && exec "$blasprof" -F 0 -q -i s.db -t 1,2 -w 0 \
	sh -c '[ $0 -eq 2 ] || exec ./program 1; echo ready >fifo; exec tail -f /dev/null' {}) \
	>"$work/out" 2>"$work/err" &
pid=$!
read -r line <"$work/fifo"
[ "$line" = ready ] || fail "the second run did not start"
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got -eq 143 ] || fail "after SIGTERM the sweep ends with $got"
expect_says err 'interrupted in run 2 of 2: 1 finished run is kept'
stored 1 -i s.db

# A signal that arrives after the command's end, while the store is locked, ends the sweep after that run.
mkfifo "$work/lock" "$work/locked"
expect 0 "$blasprof" -F 0 -q -i l.db ./program 1
(cd "$work" && "${SQLITE3:-sqlite3}" l.db <lock >locked) &
exec 3>"$work/lock"
(cd "$work" && exec "$blasprof" -F 0 -q -i l.db -t 1,2 -w 0 sh -c 'echo ready >fifo; read line <fifo; exec ./program 1' {}) \
	>"$work/out" 2>"$work/err" 3>&- &
pid=$!
read -r line <"$work/fifo"
echo "BEGIN IMMEDIATE; SELECT 'locked';" >&3
read -r line <"$work/locked"
rm -f "$work/ran"
echo go >"$work/fifo"
has_ended()
{
	[ -s "$work/ran" ] && [ -z "$(cat /proc/$pid/task/$pid/children)" ]
}
eventually has_ended || fail "the command did not end"
kill -TERM $pid
exec 3>&-
got=0
wait $pid || got=$?
[ $got -eq 143 ] || fail "after SIGTERM between two runs the sweep ends with $got"
expect_says err 'interrupted after run 1 of 2: 1 finished run is kept'
stored 2 -i l.db
finish
