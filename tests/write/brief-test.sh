#!/bin/sh
# brief-test.sh: the default report has at most 23 lines of 80 columns, and ends with what to do.
# SPDX-License-Identifier: MIT
. "$srcdir/tests/common.sh"

ln -s "$PWD/tests/shim/truth" "$work/truth"

# fits FILE COLUMNS WHAT
fits()
{
	[ "$(wc -l <"$work/$1")" -le 23 ] || { fail "$3 at $2 columns: more than 23 lines"; cat "$work/$1"; }
	[ "$(LC_ALL=C.UTF-8 wc -L <"$work/$1")" -le "$2" ] || { fail "$3: lines of more than $2 columns"; cat "$work/$1"; }
}

# brief WHAT OPTION...: the report fits terminals of all widths and has all its parts. $work/out has the widest one.
brief()
{
	what=$1
	shift
	for width in 40 60 79 80 200; do
		expect 0 env COLUMNS=$width "$blasprof" report "$@"
		fits out $((width < 80 ? width : 80)) "$what"
	done
	expect_says out '^threads .* BLAS.* other.* waiting'
	expect_says out '^ *[0-9.]*\( %\)*  [ █▒]*  [a-zA-Z]'
	expect_says out '^-> '
	grep '^1 of 2 thread counts' "$work/out" && fail "$what: a line in place of the second thread count"
}

# A single run: the report has f, and the command for a run with more threads.
expect 0 "$blasprof" -F 0 -- ./truth 1 0.5 20 1
fits err 80 "one run"
expect_says err '^1 thread: [0-9][0-9]* % of the work is in BLAS'
expect_says err '^-> .*blasprof.* -- ./truth \([2-9]\|[1-9][0-9]\)'
expect_says err '^All tables.*: blasprof report --full$'

# A sweep, and one with more thread counts than fit: the report says how many it shows, among them the first and the last.
expect 0 "$blasprof" -F 0 -i sweep.db -w 0 -t 1,2 -r 3 -- ./truth {} 0.5 20 1
fits err 80 "a sweep"
expect_says err '^All tables.*: blasprof report --full -i sweep.db$'
# The command prints the same report: names are quoted, and -x is repeated.
cp "$work/sweep.db" "$work/a b.db"
expect 0 "$blasprof" report -i 'a b.db' -x './truth {} 0.5 20 1'
tr '\n' ' ' <"$work/out" >"$work/line"
expect_says line "^.*All tables.*: blasprof report --full -i 'a b.db' -x './truth {} 0.5 20 1' "
brief sweep -i sweep.db

# Libraries are named only if the whole command fits beside them.
grep -q '^./truth .*: 6 runs.*% of the time:$' "$work/out" || fail "the caption of a sweep lacks the command"
expect_says out '^threads .*speed-up  *predicted$'
expect_says out '^Speed-up at 2 threads (ideal: 2.00):$'
expect 0 "$blasprof" report --full -i sweep.db
[ "$(wc -l <"$work/out")" -gt 24 ] || fail "--full is not more than the brief report"
expect 0 taskset -c "$(one_cpu)" "$blasprof" -q -F 0 -i many.db -w 0 -t 1-20 -- ./truth {} 0.5 5 1
brief "20 thread counts" -i many.db
shown=$(grep -c '^ *[0-9][0-9]*\**  *0\.[0-9]' "$work/out")
expect_says out "$shown of 20 thread counts"
expect_says out '^ *1 '
expect_says out '^ *20\* '

# The parts of the bars add up to the ideal.
sed -n '/^Speed-up at .* (ideal: /,/^$/p' "$work/out" | awk 'NR == 1 { ideal = $NF + 0 } NR > 1 { sum += $1 }
	END { exit !(NR > 2 && sum > ideal - 0.04 && sum < ideal + 0.04) }' || { fail "the bars do not add up"; show_output; }

# Runs with 2 threads only; under a what-if; with a long command; with regions and steps; that fail; that are stopped.
expect 0 "$blasprof" -q -F 0 -i two.db -- ./truth 2 0.5 5 1
brief "no run with 1 thread" -i two.db
expect_says out 'blasprof -i two.db -- ./truth 1'
expect 0 "$blasprof" -q -F 0 -i if.db -w 0 -t 1,2 --what-if=units=1 -- ./truth {} 0.5 5 1
brief what-if -i if.db
expect_says out '^With --what-if=units=1: '
# shellcheck disable=SC2046
expect 0 "$blasprof" -q -i long.db -- "$train" --steps=50 --stamps="$work/a file name that is too long for any line of a terminal, and has spaces so that it must be quoted" 1
brief "a long command" -i long.db
expect 0 "$blasprof" -q -i work.db --roi=backward --work=steps -w 0 -t 1,2 -- "$train" --steps=50 {}
brief "a region" -i work.db
expect_says out 'inside backward'
expect 0 "$blasprof" -q -F 0 -i whole.db --roi=process -- ./truth 1 0.5 5 1
brief "a whole process" -i whole.db
expect_says out ', whole process'
expect 0 "$blasprof" -q -i late.db --roi=process -- sh -c 'sleep 0.5; ./truth 2 0.5 20 1'
brief "threads that start late" -i late.db
expect_says out ' waiting: not yet started, or ended$'
expect_says out "^ 'sleep 0.5; ./truth 2 0.5 20 1'\$"
# Such a run may also have matrix work without a BLAS name, threads that spin, and other programs that take the CPUs.
sqlite3 "$work/work.db" "UPDATE functions SET function = 'ggml_vec_dot_f32', code = 'other', object = '$train' WHERE seq = 1;
	UPDATE threads SET spin_ns = other_ns / 2, other_ns = other_ns / 2 WHERE run = 2;
	UPDATE threads SET preempted_ns = blas_ns WHERE run = 2; UPDATE runs SET others_ns = elapsed_ns"
brief "a region with more of everything" -i work.db
# The failure comes before all other warnings.
expect 3 "$blasprof" -i bad.db --work='never ([0-9]+)' -- sh -c './truth 1 0.5 5 1; exit 3'
fits err 80 "a program that fails"
[ "$(tail -n 1 "$work/err")" = "-> repair the command, and record again" ] || fail "the last line is no remedy of a failure"
expect_says err '^warning  the command failed'
expect 130 "$blasprof" -i stop.db -- sh -c './truth 1 0.5 5 1; kill -INT $$'
fits err 80 "a program that is stopped"
! grep -q failed "$work/err" || fail "a program that was stopped is said to have failed"

# A file gets no escape sequences.
! grep -q "$(printf '\033')" "$work/err" || fail "colours in a file"
finish
